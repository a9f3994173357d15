"""Growing a spanning tree feature by feature, and removing its leaves one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import native, ranges
from gnbayes.structure._information import Information, InformationLike
from gnbayes.structure._tree import Tree

# Values closer than this share of the largest information count as equal.
TOLERANCE = 1e-12
# Number of rows of information processed together.
_ROWS_AT_ONCE = 64


def first_cherry(info: InformationLike) -> tuple[int, int]:
    """The pair (i1, i2), i1 < i2, with the largest I(Y, Xi, Xj); ties go to the smallest pair.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import first_cherry, information
    >>> codes, labels = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]), np.array([0, 0, 1, 1])
    >>> rows = CodedRows(codes, labels, np.full(3, 2), 2)
    >>> first_cherry(information(count(rows)))
    (0, 1)
    """
    return first_cherry_and_tie(info)[:2]


def first_cherry_and_tie(info: InformationLike) -> tuple[int, int, float]:
    """The same, and the difference up to which two amounts of information are a tie."""
    contents, largest = _best_partners(info)
    tie = _tie(info, largest)
    least = contents.max() - tie
    i1 = int((contents >= least).argmax())
    with_i1 = info.with_class[i1] + info.with_class + info.row(i1)
    i2 = i1 + 1 + int((with_i1[i1 + 1 :] >= least).argmax())
    return i1, i2, tie


def tie_of(info: InformationLike) -> float:
    """Difference up to which two amounts of information are a tie."""
    return _tie(info, _best_partners(info)[1])


def _tie(info: InformationLike, largest: float) -> float:
    return TOLERANCE * (float(np.abs(info.with_class).max()) + largest)


def _best_partners(info: InformationLike) -> tuple[NDArray[np.float64], float]:
    """The largest I(Y, Xi, Xj) of every i over j > i, shape (d,), and the largest I(Xi; Xj | Y) of all."""
    d = info.n_features
    contents, given = np.full(d, -np.inf), np.zeros(d)
    for first, stop in ranges(d, _ROWS_AT_ONCE):
        rows = info.rows(np.arange(first, stop))
        if native is not None:
            native.best_partners(rows, info.with_class, d, first, stop, contents, given)
        else:
            is_later = np.arange(d) > np.arange(first, stop)[:, None]
            content = info.with_class[first:stop, None] + info.with_class + rows
            contents[first:stop] = np.where(is_later, content, -np.inf).max(axis=1)
            given[first:stop] = np.where(is_later, rows, 0.0).max(axis=1)
    return contents, float(given.max())


@dataclass(frozen=True, eq=False)
class Grown:
    """A spanning tree and how it grew.

    Parameters
    ----------
    mother : ndarray of shape (d,)
    order : ndarray of shape (d,)
        Features in the order in which they were added.
    gain : ndarray of shape (d,)
        Contribution of each feature to the weight, I(Xj; Y, X_mother) = I(Xj; Y) + I(Xj; X_mother | Y).
    """

    mother: NDArray[np.intp]
    order: NDArray[np.intp]
    gain: NDArray[np.float64]


def grow(info: InformationLike, start: list[int], prefer: NDArray[np.float64], tie: float) -> Grown:
    """Prim's algorithm: add the outside feature with the largest ``prefer[j] + I(Xm; Xj | Y)`` over m inside.

    Ties go to the smallest feature, then to the smallest parent. The best parent of every outside feature is kept up to
    date, so the whole tree costs O(d^2), and every row of information is read once.

    Parameters
    ----------
    info : InformationLike
    start : list of int
        The features to begin with; each is the parent of the next.
    prefer : ndarray of shape (d,)
        The part of a feature's score that does not depend on its parent.
    tie : float
        Difference up to which two scores are a tie.
    """
    frontier = _Frontier(info.n_features, prefer, tie)
    for feature in start:
        following = frontier.bring_in(feature, info.row(feature))
    if native is not None and isinstance(info, Information):
        frontier.bring_in_rest(following, info.given_class)
    while frontier.n_inside < info.n_features:
        following = frontier.bring_in(following, info.row(following))
    mother = frontier.best_mother.astype(np.intp)
    mother[start[0]] = -1
    gain = info.with_class + np.where(mother >= 0, frontier.shared, 0.0)
    return Grown(mother, frontier.order.astype(np.intp), gain)


class _Frontier:
    """The best parent so far of every feature outside a growing tree."""

    def __init__(self, d: int, prefer: NDArray[np.float64], tie: float) -> None:
        self._tie = tie
        # The part of the score that does not depend on the parent, and the best score so far; -infinity inside the
        # tree.
        self._prefer, self._best = np.array(prefer, dtype=np.float64), np.full(d, -np.inf)
        self.best_mother = np.full(d, d, dtype=np.int64)
        self.shared = np.zeros(d)
        self.order = np.empty(d, dtype=np.int64)
        self.n_inside = 0

    def bring_in(self, feature: int, row: NDArray[np.float64]) -> int:
        """Add a feature, given its row of information, below its best parent; return the feature to add next."""
        if native is not None:
            return self._bring_in_by_kernel(feature, row, 1)
        self.order[self.n_inside] = feature
        self.n_inside += 1
        self._prefer[feature] = self._best[feature] = -np.inf
        score = self._prefer + row
        better = score > self._best + np.where(self.best_mother > feature, -self._tie, self._tie)
        self.best_mother[better] = feature
        self.shared[better] = row[better]
        np.maximum(self._best, score, out=self._best)
        return int((self._best >= self._best.max() - self._tie).argmax())

    def bring_in_rest(self, feature: int, rows: NDArray[np.float64]) -> None:
        """Add a feature and then all others outside, always the best one next; `rows` holds the rows of all
        features.
        """
        n_steps = len(rows) - self.n_inside
        if n_steps > 1:
            self._bring_in_by_kernel(feature, np.ascontiguousarray(rows), n_steps)

    def _bring_in_by_kernel(self, feature: int, rows: NDArray[np.float64], n_steps: int) -> int:
        state = (self._prefer, self._best, self.best_mother, self.shared)
        order = self.order[self.n_inside : self.n_inside + n_steps]
        self.n_inside += n_steps
        following = native.grow(  # type: ignore[union-attr]
            rows, len(self.order), feature, n_steps, self._tie, *state, order
        )
        return int(following)


def lead_with_more_informative(tree: Tree, with_class: NDArray[np.float64]) -> Tree:
    """The same tree, starting with the feature of its first pair that is more informative about the class by itself.

    Parameters
    ----------
    tree : Tree
    with_class : ndarray of shape (d,)
        I(Xj; Y) of each feature.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.structure import Tree, lead_with_more_informative
    >>> tree = Tree(np.array([-1, 0, 0]), np.array([0, 1, 2]), np.array([0.1, 0.5, 0.2]))
    >>> lead_with_more_informative(tree, np.array([0.1, 0.3, 0.2])).order.tolist()
    [1, 0, 2]
    """
    if tree.n_features < 2 or tree.mother[tree.order[1]] != tree.order[0]:
        return tree
    first, second = tree.order[:2].tolist()
    if with_class[second] <= with_class[first]:
        return tree
    mother, order, gain = tree.mother.copy(), tree.order.copy(), tree.gain.copy()
    mother[first], mother[second] = second, -1
    order[:2] = second, first
    shared = gain[1] - with_class[second]
    gain[:2] = with_class[second], with_class[first] + shared
    return Tree(mother, order, gain)


def tree_in_order(grown: Grown) -> Tree:
    """The tree, ordered as it grew."""
    return Tree(grown.mother, grown.order, grown.gain[grown.order])


def chain_ordered(mother: NDArray[np.intp], gain: NDArray[np.float64], kept: list[int], tie: float) -> Tree:
    """Order a tree by repeatedly removing the lightest leaf (section "Feature selection in stage 1", GNB-O).

    The features in `kept` are never removed and come first, in the given order. In ties, the largest feature is
    removed.
    """
    d = len(mother)
    n_daughters = np.bincount(mother[mother >= 0], minlength=d)
    is_free = np.ones(d, dtype=bool)
    is_free[kept] = False
    weight = np.where(is_free & (n_daughters == 0), gain, np.inf)
    removed = []
    for _ in range(d - len(kept)):
        leaf = d - 1 - int(np.argmax((weight <= weight.min() + tie)[::-1]))
        removed.append(leaf)
        is_free[leaf] = False
        weight[leaf] = np.inf
        above = int(mother[leaf])
        if above >= 0:
            n_daughters[above] -= 1
            if is_free[above] and not n_daughters[above]:
                weight[above] = gain[above]
    order = np.array([*kept, *removed[::-1]], dtype=np.intp)
    return Tree(mother, order, gain[order])
