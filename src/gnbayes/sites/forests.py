"""Trees from estimated tables: information is corrected for noise, and uninformative edges are removed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gnbayes.sites.estimate import Estimate
from gnbayes.structure import Information, Tree, tan

# A pair that is more likely independent than not does not become an edge.
_MOST_INDEPENDENT = 0.5


def information_of(found: Estimate) -> Information:
    """Information of estimated tables; 0 for pairs that are probably independent, or have no table."""
    d = len(found.columns)
    given_class = np.zeros((d, d))
    for (i, j), table in found.pairs.items():
        if found.independent[i, j] < _MOST_INDEPENDENT:
            content = _divergence(table, found.expected_pair(i, j)) / found.n
            given_class[i, j] = given_class[j, i] = content
    shares = found.classes / found.n
    with_class = [_divergence(column, column.sum(axis=1, keepdims=True) * shares) / found.n for column in found.columns]
    return Information(np.array(with_class), given_class)


def forest(info: Information, learn: Callable[[Information], Tree]) -> Tree:
    """The tree that `learn` finds, without edges that carry no information.

    Some algorithms always use a certain edge, such as GNB-O its first cherry. If that edge carries no information, the
    heaviest tree is used instead.
    """
    tree = learn(info)
    if not _is_empty(info, tree).any():
        return tree
    tree = tan(info)
    return Tree(np.where(_is_empty(info, tree), -1, tree.mother), tree.order, tree.gain)


def _is_empty(info: Information, tree: Tree) -> NDArray[np.bool_]:
    """Features whose edge to their parent carries no information."""
    shared = info.given_class[tree.mother, np.arange(tree.n_features)]
    return np.asarray((tree.mother >= 0) & (shared <= 0))


def _divergence(table: NDArray[np.float64], expected: NDArray[np.float64]) -> float:
    """Sum of c log(c / e) over the cells, at least 0."""
    ratio = np.divide(table, expected, out=np.ones_like(table), where=(table > 0) & (expected > 0))
    return max(0.0, float((table * np.log(ratio)).sum()))
