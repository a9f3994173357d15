"""Growing a spanning tree feature by feature, and taking it down leaf by leaf."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gnbayes.structure.information import Information
from gnbayes.structure.tree import Tree

# Values closer than this share of the largest information count as equal.
TOLERANCE = 1e-12


def slack(info: Information) -> float:
    """Difference up to which two amounts of information are a tie."""
    return TOLERANCE * float(info.with_class.max() + info.given_class.max())


def first_cherry(info: Information) -> tuple[int, int]:
    """The pair (i1, i2), i1 < i2, with the largest I(Y, Xi, Xj); ties go to the smallest pair."""
    cherries = np.where(np.triu(np.ones_like(info.given_class, dtype=bool), 1), info.of_cherries, -np.inf)
    best = np.flatnonzero(cherries.ravel() >= cherries.max() - slack(info))[0]
    return int(best) // info.n_features, int(best) % info.n_features


def grow(
    info: Information, start: list[tuple[int, int]], prefer: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Prim's algorithm: add the outside feature with the largest ``prefer[j] + I(Xm; Xj | Y)`` over inside mothers m.

    Ties go to the smallest feature, then to the smallest mother. The best mother of every outside feature is kept up
    to date, so the whole tree costs O(d^2).

    Parameters
    ----------
    info : Information
    start : list of (feature, mother)
        The features inside at the beginning.
    prefer : ndarray of shape (d,)
        What a feature adds to its score whoever its mother is.

    Returns
    -------
    mother : ndarray of shape (d,)
    order : ndarray of shape (d,)
        Features in the order in which they came in.
    """
    d, tie = info.n_features, slack(info)
    mother, order = np.full(d, -1, dtype=np.intp), []
    best_mother, best = np.full(d, d, dtype=np.intp), np.full(d, -np.inf)
    score = prefer + info.given_class

    def bring_in(feature: int, its_mother: int) -> None:
        mother[feature] = its_mother
        order.append(feature)
        score[:, feature] = best[feature] = -np.inf  # inside: never to be chosen again
        is_better = score[feature] > best + np.where(best_mother > feature, -tie, tie)
        best_mother[is_better] = feature
        np.maximum(best, score[feature], out=best)

    for feature, its_mother in start:
        bring_in(feature, its_mother)
    while len(order) < d:
        feature = int((best >= best[best.argmax()] - tie).argmax())
        bring_in(feature, int(best_mother[feature]))
    return mother, np.array(order, dtype=np.intp)


def gains(info: Information, mother: NDArray[np.intp]) -> NDArray[np.float64]:
    """What each feature adds to the weight, I(Xj; Y, X_mother) = I(Xj; Y) + I(Xj; X_mother | Y), by feature."""
    j = np.flatnonzero(mother >= 0)
    out = info.with_class.copy()
    out[j] += info.given_class[mother[j], j]
    return out


def tree_in_order(info: Information, mother: NDArray[np.intp], order: NDArray[np.intp]) -> Tree:
    """Tree with the gains of the steps of the given order."""
    return Tree(mother, order, gains(info, mother)[order])


def chain_ordered(info: Information, mother: NDArray[np.intp], kept: list[int]) -> Tree:
    """Order a tree by taking off the lightest leaf again and again (section "Feature selection in stage 1", GNB-O).

    The features in `kept` stay to the end and come first, in the order given. Ties take off the largest feature.
    """
    d, tie = len(mother), slack(info)
    gain = gains(info, mother)
    n_daughters = np.bincount(mother[mother >= 0], minlength=d)
    is_free = np.ones(d, dtype=bool)
    is_free[kept] = False
    removed = []
    for _ in range(d - len(kept)):
        weight = np.where(is_free & (n_daughters == 0), gain, np.inf)
        leaf = d - 1 - int(np.argmax((weight <= weight.min() + tie)[::-1]))
        removed.append(leaf)
        is_free[leaf] = False
        if mother[leaf] >= 0:
            n_daughters[mother[leaf]] -= 1
    return tree_in_order(info, mother, np.array([*kept, *removed[::-1]], dtype=np.intp))
