"""One round of boosting: a small tree for each column of scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import native
from gnbayes.model.boosting.codes import MOST_CODES, TreeCodes
from gnbayes.model.fitting.elementary import exp_negative, to_whole

Array = NDArray[np.float64]
Rows = NDArray[np.int32]
# Inner nodes and all nodes of a tree; trees of less depth do not use the last of them.
N_INNER, N_NODES = 7, 15
# Bits of the largest derivative of a row.
_BITS = 22


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
    """A tree for each of c columns. The children of node i are 2 i + 1, on the left, and 2 i + 2.

    Parameters
    ----------
    features : ndarray of shape (c, 7)
        int32: the feature of a split, -1 if there is none.
    is_left : ndarray of shape (c, 7, 256)
        uint8: codes that go to the left.
    gains : ndarray of shape (c, 7)
        Gain of each split.
    values : ndarray of shape (c, 15)
        What a leaf adds to the scores of its rows.
    """

    features: NDArray[np.int32]
    is_left: NDArray[np.uint8]
    gains: Array
    values: Array


def grow_trees(
    codes: TreeCodes, growth: Growth, rows: Rows, labels: NDArray[np.int64], weights: Array, scores: Array
) -> Trees:
    """Grow a tree for each column of scores, and add them to the scores of all rows.

    Parameters
    ----------
    codes : TreeCodes
    growth : Growth
    rows : ndarray of shape (m,)
        Rows to grow from.
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,)
    scores : ndarray of shape (n, c)
        One column for two classes, the log-odds of the second. Changed in place.

    Notes
    -----
    With s and t the sums of first and second derivatives of the log-loss over rows, the value of a node is
    s^2 / (t + ridge), and the gain of a split is the value of its two sides less that of the node. The best split of
    all features is taken: a cut of an ordered feature, with missing values on either side, or a division of categories,
    sorted by s / (t + 5). Derivatives are integers in fixed point, so that sums are exact.
    """
    c = scores.shape[1]
    trees = Trees(
        np.full((c, N_INNER), -1, dtype=np.int32),
        np.zeros((c, N_INNER, MOST_CODES), dtype=np.uint8),
        np.zeros((c, N_INNER)),
        np.zeros((c, N_NODES)),
    )
    unit = float(weights[rows].max(initial=0.0)) / 2.0**_BITS
    if unit == 0.0:
        return trees
    if native is None:
        _grow_with_numpy(codes, growth, rows, labels, weights / unit, unit, scores, trees)
        return trees
    shape, terms = (codes.n_rows, len(codes.sizes)), codes.terms
    given = (codes.codes, *shape, codes.sizes, codes.is_ordered, codes.has_missing, terms, len(terms))
    how = (growth.depth, c, growth.rate, growth.ridge, growth.category_ridge, growth.least_curvature, unit)
    out = (trees.features, trees.is_left, trees.gains, trees.values)
    native.boost_round(given, *how, rows, len(rows), labels, weights, scores, *out)
    return trees


def _grow_with_numpy(
    codes: TreeCodes,
    growth: Growth,
    rows: Rows,
    labels: NDArray[np.int64],
    weights: Array,
    unit: float,
    scores: Array,
    trees: Trees,
) -> None:
    """The NumPy twin of the kernel, bit for bit; weights in units."""
    derivatives = _derivatives(scores[rows], labels[rows], weights[rows])
    for column in range(scores.shape[1]):
        tree = _Tree(codes, growth, unit, trees, column)
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
    column: int

    def grow(self, rows: Rows, first: NDArray[np.int64], second: NDArray[np.int64]) -> None:
        """Split nodes level by level, from rows and their derivatives in units."""
        n_inner, trees, column = 2**self.growth.depth - 1, self.trees, self.column
        nodes: dict[int, tuple[NDArray[np.intp], tuple[int, ...]]] = {0: (np.arange(len(rows)), ())}
        for node in range(2 * n_inner + 1):
            if node not in nodes:
                continue
            own, path = nodes[node]
            total = np.array([first[own].sum(), second[own].sum()])
            s, t = total * self.unit
            trees.values[column, node] = -self.growth.rate * s / (t + self.growth.ridge)
            if node >= n_inner:
                continue
            feature, gain, is_left = self._split(rows[own], first[own], second[own], total, path)
            if feature < 0:
                continue
            trees.features[column, node], trees.gains[column, node] = feature, gain
            trees.is_left[column, node] = is_left
            goes_left = is_left[self.codes.codes[feature, rows[own]]] == 1
            longer = path if feature in path else (*path, feature)
            nodes[2 * node + 1], nodes[2 * node + 2] = (own[goes_left], longer), (own[~goes_left], longer)

    def add_to(self, scores: Array) -> None:
        """Add the value of its leaf to the score of every row."""
        features, is_left = self.trees.features[self.column], self.trees.is_left[self.column]
        node = np.zeros(self.codes.n_rows, dtype=np.intp)
        for at in range(N_INNER):
            if features[at] >= 0:
                here = node == at
                node[here] = 2 * at + 2 - is_left[at, self.codes.codes[features[at], here]]
        scores += self.trees.values[self.column, node]

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
