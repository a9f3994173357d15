"""Rounds of boosting: in each a small tree for each column of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import native
from gnbayes.model.boosting.codes import MOST_CODES, TreeCodes
from gnbayes.model.fitting.elementary import exp_negative, to_whole

Array = NDArray[np.float64]
Rows = NDArray[np.int32]
# Inner nodes and all nodes of a tree; trees of less depth do not use the last of them.
N_INNER, N_NODES = 7, 15
# Units in fixed point of the largest weight of a row.
_UNITS = 2.0**22


@dataclass(frozen=True)
class Growth:
    """How trees are grown.

    Parameters
    ----------
    depth : int
        Most splits between the root and a leaf, 1 to 3.
    rate : float, default=0.1
        Learning rate: share of the best value that a leaf takes.
    ridge : float, default=1.0
        Ridge penalty on the value of a leaf.
    category_ridge : float, default=5.0
        Ridge penalty for sorting categories before a split.
    least_curvature : float, default=0.3
        Least sum of p (1 - p) over the rows on each side of a split.
    """

    depth: int
    rate: float = 0.1
    ridge: float = 1.0
    category_ridge: float = 5.0
    least_curvature: float = 0.3


@dataclass(frozen=True, eq=False)
class Trees:
    """A tree for each of c columns in each of r rounds. The children of node i are 2 i + 1, on the left, and 2 i + 2.

    Parameters
    ----------
    turns : ndarray of shape (r,)
        int32: the resolution of the codes of each round.
    features : ndarray of shape (r, c, 7)
        int32: the feature of a split, -1 if there is none.
    is_left : ndarray of shape (r, c, 7, 256)
        uint8: codes that go to the left.
    gains : ndarray of shape (r, c, 7)
        Gain of each split.
    values : ndarray of shape (r, c, 15)
        What a leaf adds to the scores of its rows.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.boosting import Trees
    >>> len(Trees.without_splits(np.zeros(3, dtype=np.int32), 1))
    3
    """

    turns: NDArray[np.int32]
    features: NDArray[np.int32]
    is_left: NDArray[np.uint8]
    gains: Array
    values: Array

    def __len__(self) -> int:
        return len(self.turns)

    @classmethod
    def joined(cls, parts: Sequence[Trees], n_rounds: int) -> Trees:
        """The first rounds of several parts, one after the other; of at least one part, which may have none."""
        names = [field.name for field in fields(cls)]
        return cls(*(np.concatenate([getattr(part, name) for part in parts])[:n_rounds] for name in names))

    @classmethod
    def without_splits(cls, turns: NDArray[np.int32], n_columns: int) -> Trees:
        """Trees of one node, which add nothing."""
        shape = (len(turns), n_columns)
        return cls(
            turns,
            np.full((*shape, N_INNER), -1, dtype=np.int32),
            np.zeros((*shape, N_INNER, MOST_CODES), dtype=np.uint8),
            np.zeros((*shape, N_INNER)),
            np.zeros((*shape, N_NODES)),
        )


def grow_trees(
    resolutions: Sequence[TreeCodes],
    growths: Sequence[Growth],
    turns: NDArray[np.int32],
    drawn: NDArray[np.uint8],
    labels: NDArray[np.int64],
    weights: Array,
    scores: Array,
    team: Any = None,
) -> Trees:
    """Grow a tree for each column of scores, round after round, and add them to the scores of all rows.

    Parameters
    ----------
    resolutions : sequence of TreeCodes
    growths : sequence of Growth
        One for each resolution.
    turns : ndarray of shape (r,)
        int32: the resolution of each round.
    drawn : ndarray of shape (r, number of bytes)
        As bits, lowest first, the rows that each round looks at, unless they have no weight.
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,)
    scores : ndarray of shape (n, c)
        One column for two classes, the log-odds of the second. Changed in place.
    team : object, optional
        Threads that help, from `team_of`.

    Notes
    -----
    With s and t the sums of first and second derivatives of the log-loss over rows, the value of a node is
    s^2 / (t + ridge), and the gain of a split is the value of its two sides less that of the node. The best split of
    all features is taken: a cut of an ordered feature, with missing values on either side, or a division of categories,
    sorted by s / (t + 5). Derivatives are integers in fixed point, so that sums are exact.
    """
    trees = Trees.without_splits(turns, scores.shape[1])
    if native is None:
        for number, at in enumerate(turns.tolist()):
            is_drawn = np.unpackbits(drawn[number], count=len(weights), bitorder="little") == 1
            rows = np.flatnonzero(is_drawn & (weights > 0)).astype(np.int32)
            _grow_with_numpy(resolutions[at], growths[at], rows, labels, weights, scores, trees, number)
        return trees
    codes = tuple(own.arguments for own in resolutions)
    how = tuple((own.depth, own.rate, own.ridge, own.category_ridge, own.least_curvature) for own in growths)
    given = (codes, how, scores.shape[1], _UNITS, turns, drawn, len(turns), labels, weights, scores, team)
    native.boost_rounds(*given, trees.features, trees.is_left, trees.gains, trees.values)
    return trees


def _grow_with_numpy(
    codes: TreeCodes,
    growth: Growth,
    rows: Rows,
    labels: NDArray[np.int64],
    weights: Array,
    scores: Array,
    trees: Trees,
    number: int,
) -> None:
    """One round of the NumPy twin of the kernel, bit for bit."""
    unit = float(weights[rows].max(initial=0.0)) / _UNITS
    if unit == 0.0:
        return
    derivatives = _derivatives(scores[rows], labels[rows], weights[rows] / unit)
    for column in range(scores.shape[1]):
        tree = _Tree(codes, growth, unit, trees, (number, column))
        tree.grow(rows, *derivatives[:, column])
        tree.add_to(scores[:, column])


def _derivatives(scores: Array, labels: NDArray[np.int64], weights: Array) -> NDArray[np.int64]:
    """First and second derivatives of the log-loss in units, shape (2, c, n)."""
    if scores.shape[1] == 1:
        e = exp_negative(-np.abs(scores[:, 0]))
        p = (np.where(scores[:, 0] < 0, e, 1.0) / (1.0 + e))[:, None]
        is_class = (labels == 1)[:, None]
    else:
        e = exp_negative(scores - scores.max(axis=1, keepdims=True))
        p = e / np.cumsum(e, axis=1)[:, -1:]
        is_class = labels[:, None] == np.arange(scores.shape[1])
    first = to_whole(np.ascontiguousarray((weights[:, None] * (p - is_class)).T))
    return np.stack([first, to_whole(np.ascontiguousarray((weights[:, None] * (p * (1.0 - p))).T))])


@dataclass(frozen=True, eq=False)
class _Tree:
    """A tree that grows."""

    codes: TreeCodes
    growth: Growth
    unit: float
    trees: Trees
    place: tuple[int, int]

    def grow(self, rows: Rows, first: NDArray[np.int64], second: NDArray[np.int64]) -> None:
        """Split nodes level by level, from rows and their derivatives in units."""
        n_inner, trees, place = 2**self.growth.depth - 1, self.trees, self.place
        nodes: dict[int, tuple[NDArray[np.intp], tuple[int, ...]]] = {0: (np.arange(len(rows)), ())}
        for node in range(2 * n_inner + 1):
            if node not in nodes:
                continue
            own, path = nodes[node]
            total = np.array([first[own].sum(), second[own].sum()])
            s, t = total * self.unit
            trees.values[*place, node] = -self.growth.rate * s / (t + self.growth.ridge)
            if node >= n_inner:
                continue
            feature, gain, is_left = self._split(rows[own], first[own], second[own], total, path)
            if feature < 0:
                continue
            trees.features[*place, node], trees.gains[*place, node] = feature, gain
            trees.is_left[*place, node] = is_left
            goes_left = is_left[self.codes.codes[feature, rows[own]]] == 1
            longer = path if feature in path else (*path, feature)
            nodes[2 * node + 1], nodes[2 * node + 2] = (own[goes_left], longer), (own[~goes_left], longer)

    def add_to(self, scores: Array) -> None:
        """Add the value of its leaf to the score of every row."""
        features, is_left = self.trees.features[self.place], self.trees.is_left[self.place]
        node = np.zeros(self.codes.n_rows, dtype=np.intp)
        for at in range(N_INNER):
            if features[at] >= 0:
                here = node == at
                node[here] = 2 * at + 2 - is_left[at, self.codes.codes[features[at], here]]
        scores += self.trees.values[self.place][node]

    def _split(
        self,
        rows: Rows,
        first: NDArray[np.int64],
        second: NDArray[np.int64],
        total: NDArray[np.int64],
        path: tuple[int, ...],
    ) -> tuple[int, float, NDArray[np.uint8]]:
        """The best split: its feature or -1, its gain, and the codes on its left."""
        codes = self.codes
        best: tuple[int, float, NDArray[np.uint8]] = (-1, 0.0, np.zeros(MOST_CODES, dtype=np.uint8))
        for feature in np.flatnonzero(codes.allowed(path) & (codes.sizes > 1)).tolist():
            of_rows, size = codes.codes[feature, rows], int(codes.sizes[feature])
            sums = np.zeros((size, 2), dtype=np.int64)
            np.add.at(sums, of_rows, np.stack([first, second], axis=1))
            gain, is_left = self._split_of(feature, sums, total, best[1])
            if gain > best[1]:
                best = feature, gain, is_left
        return best

    def _split_of(
        self, feature: int, sums: NDArray[np.int64], total: NDArray[np.int64], least: float
    ) -> tuple[float, NDArray[np.uint8]]:
        """The best split of a feature, if it gains more than the minimum: its gain, and the codes on its left."""
        is_ordered = bool(self.codes.is_ordered[feature])
        has_missing = is_ordered and bool(self.codes.has_missing[feature])
        n_values, is_left = len(sums) - has_missing, np.zeros(MOST_CODES, dtype=np.uint8)
        order = np.arange(n_values) if is_ordered else self._sorted_categories(sums, -1.0 if total[0] < 0 else 1.0)
        missing = sums[n_values] if has_missing else np.zeros(2, dtype=np.int64)
        n_ways, best = 2 if missing[1] else 1, least
        for way in range(n_ways):
            stop = len(order) if n_ways == 2 and not way else len(order) - 1
            left = np.cumsum(sums[order[: max(stop, 0)]], axis=0) + way * missing
            gains = self._gains(left, total)
            if len(gains) and gains.max() > best:
                at = int(np.argmax(gains))
                best = float(gains[at])
                is_left[:] = 0
                is_left[order[: at + 1]] = 1
                if has_missing:
                    is_left[n_values] = way
        return best, is_left

    def _sorted_categories(self, sums: NDArray[np.int64], sign: float) -> NDArray[np.intp]:
        """Categories sorted by ratio of sums, times a sign, which changes with the order of the classes."""
        there = np.flatnonzero(sums[:, 1])
        s, t = sums[there].T * self.unit
        return there[np.argsort(sign * s / (t + self.growth.category_ridge), kind="stable")]

    def _gains(self, left: NDArray[np.int64], total: NDArray[np.int64]) -> Array:
        growth = self.growth
        (left_first, left_second), (right_first, right_second) = left.T * self.unit, (total - left).T * self.unit
        s, t = total * self.unit
        gains = left_first * left_first / (left_second + growth.ridge)
        gains = gains + right_first * right_first / (right_second + growth.ridge) - s * s / (t + growth.ridge)
        is_small = (left_second < growth.least_curvature) | (right_second < growth.least_curvature)
        return np.where(is_small, -np.inf, gains)
