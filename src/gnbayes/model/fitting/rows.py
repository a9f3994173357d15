"""Rows to learn from: duplicate rows merged into one with a weight, in a pseudo-random order, thinned out if many.

Everything here depends on the values and weights of the rows, never on the order of rows or columns, nor on constant
columns. A row of weight 2 is treated as two rows in every way. If weights are not numbers of rows, each is the weight
of one row, and only their ratios count. Folds and duplicates depend on the number of rows, sums on their weights, so
that a small change of weights changes the model only a little.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import row_numbers
from gnbayes.model.fitting.row_hashes import column_factors, row_hash

# Seed of the pseudo-random order of rows.
_SEED = 20240829
# A row that stands for more duplicates than this is spread over the folds evenly.
_MANY_EQUAL = 64
# Number of rows of a class that thinning keeps, if it has that many.
_LEAST_OF_CLASS = 200
# Duplicate rows count as at least this share of their number, even if they are mere copies.
_LEAST_SHARE = 1 / 64


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Distinct rows, sorted by class, and in pseudo-random order within each class.

    Parameters
    ----------
    index : ndarray of shape (n,)
        Positions among all rows.
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,)
    n_equal : ndarray of shape (n,)
        Number of duplicate rows that each stands for, which may go to different folds; 1 if they must not.
    groups : ndarray of shape (n,), optional
        Rows with the same number stay in the same fold.
    relative : ndarray of shape (n,), optional
        Mean weight of the duplicate rows that each stands for, if weights are not numbers of rows; otherwise 1.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import distinct_rows
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> found = distinct_rows(rows.codes, rows.labels, None, 2)
    >>> len(found), sorted(found.weights.tolist())
    (3, [1.0, 1.0, 2.0])
    """

    index: NDArray[np.intp]
    labels: NDArray[np.intp]
    weights: NDArray[np.float64]
    n_equal: NDArray[np.int64]
    groups: NDArray[np.intp] | None = None
    relative: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def amounts(self) -> NDArray[np.float64]:
        """What the weights would be if all rows weighed the same, shape (n,)."""
        return self.weights if self.relative is None else self.weights / self.relative

    @property
    def effective_size(self) -> float:
        """Number of rows that would be as informative if classes were equally frequent."""
        size = np.bincount(self.labels, self.weights)
        shares = size / size.sum()
        of_equal_classes = 1 - 1 / max(2, int(np.count_nonzero(size)))
        return float((size * _squared_residuals(shares)).sum() / of_equal_classes)

    @property
    def n_units(self) -> int:
        """Number of parts that may go to different folds."""
        return int(self.n_equal.sum()) if self.groups is None else len(np.unique(self.groups))

    def as_ratios(self) -> DistinctRows:
        """The same rows if only ratios of weights count: the mean weight of all rows is 1.

        Weights that are numbers of rows do not change.
        """
        if self.relative is None:
            return self
        scale = self.n_equal.sum() / self.weights.sum()
        return replace(self, weights=self.weights * scale, relative=self.relative * scale)

    def some(self, which: NDArray[np.bool_]) -> DistinctRows:
        """Some of the rows."""
        return self._take(which, self.weights[which], self.n_equal[which])

    def _take(self, which: NDArray[Any], weights: NDArray[np.float64], n_equal: NDArray[np.int64]) -> DistinctRows:
        groups, relative = (None if own is None else own[which] for own in (self.groups, self.relative))
        return DistinctRows(self.index[which], self.labels[which], weights, n_equal, groups, relative)

    def with_shares(self, class_weights: NDArray[np.float64]) -> DistinctRows:
        """The rows of a sample, with weights that give every class its share of all rows.

        The class with the lowest sampling rate keeps its weights; `thinned` describes the scale of the others.

        Parameters
        ----------
        class_weights : ndarray of shape (k,)
            Total weight of the rows of each class, sampled or not.
        """
        k = len(class_weights)
        drawn = np.bincount(self.labels, self.weights, minlength=k)
        is_there = drawn > 0
        rate = np.divide(drawn, class_weights, out=np.ones(k), where=is_there)
        of_class = rate[is_there].min() / rate
        shares = class_weights / class_weights.sum()
        of_class *= _honest_scale(shares, of_class, np.bincount(self.labels, self.n_equal, minlength=k))
        return replace(self, weights=self.weights * of_class[self.labels])

    def with_repeats(self, newness: float) -> DistinctRows:
        """The same rows if every duplicate counts as a fraction of a new row, from 0 (a mere copy) to 1.

        Ratios of weights do not change, nor do the shares of oversampled classes. The sum of weights with a mean of 1
        becomes the number of distinct rows plus that fraction of the duplicates; the number of parts that may go to
        different folds shrinks in the same way.
        """
        n_equal = np.rint(1 + newness * (self.n_equal - 1)).astype(np.int64)
        # Not from the sum of weights: in a sample they also stand for rows outside it, which are not duplicates.
        share = share_of_rows(newness, len(self) / float(self.n_equal.sum()))
        return replace(self, weights=self.weights * share, n_equal=n_equal)

    def thinned(self, n: int) -> DistinctRows:
        """About n rows taken at even steps, more of rare classes, with weights that compensate for it.

        In most classes a row has the weight of the rows it stands for. If a rare class keeps more of its rows, weights
        preserve the shares of the classes, and their scale is such that the rows are as informative as their weights
        claim: the variance of the weighted sum of residuals equals its curvature. Which rows are taken does not depend
        on relative weights, which they keep.
        """
        k, amounts = int(self.labels.max()) + 1, self.amounts
        size, total = np.bincount(self.labels, amounts, minlength=k), float(amounts.sum())
        n_units = np.bincount(self.labels, self.n_equal, minlength=k)
        least = np.minimum(max(1.0, min(_LEAST_OF_CLASS, n / (2 * np.count_nonzero(size)))), n_units)
        rate = np.maximum(n / total, least / np.where(size > 0, size, 1.0))
        n_taken = self._n_taken(amounts, rate)
        kept = np.flatnonzero(n_taken)
        labels, n_taken = self.labels[kept], n_taken[kept]
        of_class = (n / total) / rate
        of_class *= _honest_scale(size / total, of_class, np.bincount(labels, n_taken, minlength=k))
        weights = n_taken * of_class[labels]
        if self.relative is not None:
            weights *= self._relative_of(kept, n_taken)
        # Copies of a row, which must not go to different folds, are still one row if it is taken several times.
        return self._take(kept, weights, np.minimum(n_taken.astype(np.int64), self.n_equal[kept]))

    def _relative_of(self, kept: NDArray[np.intp], n_taken: NDArray[np.float64]) -> NDArray[np.float64]:
        """Relative weights of the rows taken, scaled so that their mean in each class is that of all its rows."""
        assert self.relative is not None
        labels, relative = self.labels[kept], self.relative[kept]
        k = int(self.labels.max()) + 1
        of_all = np.bincount(self.labels, self.weights, k) / np.maximum(
            np.bincount(self.labels, self.amounts, k), 1e-300
        )
        of_taken = np.bincount(labels, n_taken * relative, k) / np.maximum(np.bincount(labels, n_taken, k), 1e-300)
        return relative * (of_all / np.maximum(of_taken, 1e-300))[labels]

    def _n_taken(self, amounts: NDArray[np.float64], rate: NDArray[np.float64]) -> NDArray[np.float64]:
        """How often each row is taken, at even steps of the amount of each class, shape (n,)."""
        reached = np.cumsum(amounts)
        firsts = np.flatnonzero(np.diff(self.labels, prepend=-1))
        before = np.append(0.0, reached)[firsts]
        rates = rate[self.labels[firsts]]
        taken_before = np.cumsum(np.append(0.0, np.diff(before) * rates[:-1]))
        which = self._class_order
        # Not a sum of many rounded numbers: what is an integer by design must come out as one.
        ends = np.floor(taken_before[which] + (reached - before[which]) * rates[which] + 1e-9)
        return np.diff(ends, prepend=0.0)

    def fold_weights(self, n_folds: int) -> NDArray[np.float64]:
        """Weight of each row in each fold, shape (n, n_folds); the rows of each class are shuffled and distributed.

        A row that stands for very many is spread evenly, as shuffling would do. A group stays in one fold.
        """
        if self.groups is not None:
            return self._fold_weights_of_groups(self.groups, n_folds)
        each = self.n_equal // n_folds
        each[self.n_equal <= _MANY_EQUAL] = 0
        row = np.repeat(np.arange(len(self)), self.n_equal - n_folds * each)
        shuffled = row[np.random.default_rng(_SEED).permutation(len(row))]
        shuffled = shuffled[np.argsort(self._class_order[shuffled], kind="stable")]
        place = shuffled * n_folds + np.arange(len(row)) % n_folds
        counts = np.bincount(place, minlength=len(self) * n_folds).reshape(-1, n_folds) + each[:, None]
        return counts * (self.weights / np.maximum(self.n_equal, 1))[:, None]

    def divided(self, n_folds: int, may_leave: NDArray[np.bool_]) -> tuple[DistinctRows, DistinctRows]:
        """The rows without those of the first fold that may leave them, and these.

        Parameters
        ----------
        n_folds : int
            As in `fold_weights`: of a row that stands for many, some go to either side.
        may_leave : ndarray of shape (n,)
        """
        of_fold = self.fold_weights(n_folds)[:, 0] * may_leave
        n_leaving = np.rint(of_fold * self.n_equal / self.weights).astype(np.int64)
        # A class does not lose all of its rows.
        n_left = np.bincount(self.labels, self.n_equal - n_leaving)
        n_leaving[n_left[self.labels] == 0] = 0
        sides = []
        for n_equal in (self.n_equal - n_leaving, n_leaving):
            which = n_equal > 0
            weights = self.weights[which] * (n_equal[which] / self.n_equal[which])
            sides.append(self._take(which, weights, n_equal[which]))
        return sides[0], sides[1]

    def _fold_weights_of_groups(self, groups: NDArray[np.intp], n_folds: int) -> NDArray[np.float64]:
        """Assign whole groups to folds, the largest first, each to the fold with the least of its classes."""
        _, first, group = np.unique(groups, return_index=True, return_inverse=True)
        n_groups, k = len(first), int(self.labels.max()) + 1
        sums = np.bincount(group * k + self.labels, self.weights, minlength=n_groups * k).reshape(-1, k)
        by_class = sums / np.maximum(sums.sum(axis=0), 1e-300)
        size = by_class.max(axis=1)
        filled, fold = np.zeros((n_folds, k)), np.zeros(n_groups, dtype=np.intp)
        for at in np.lexsort((first, -size)).tolist():
            fold[at] = np.argmin(filled @ by_class[at])
            filled[fold[at]] += by_class[at]
        out = np.zeros((len(self), n_folds))
        out[np.arange(len(self)), fold[group]] = self.weights
        return out

    @property
    def _class_order(self) -> NDArray[np.intp]:
        """Position of the class of each row in the order in which classes occur, shape (n,)."""
        return np.cumsum(np.diff(self.labels, prepend=self.labels[0]) != 0)


def share_of_rows(newness: float, n_kinds_per_row: float) -> float:
    """Average weight of a row if a duplicate counts as a fraction of a new row.

    Parameters
    ----------
    newness : float
        The fraction, from 0 (a mere copy) to 1.
    n_kinds_per_row : float
        Number of distinct rows divided by the number of rows.
    """
    return float(np.clip(newness + (1 - newness) * n_kinds_per_row, _LEAST_SHARE, 1.0))


def _honest_scale(shares: NDArray[np.float64], weights: NDArray[np.float64], n_rows: NDArray[Any]) -> float:
    """Factor of the weights of classes with which the variance of the sum of residuals equals its curvature.

    The variance of a weighted sum grows with squared weights, its curvature with weights; equal weights become 1.
    """
    squares = n_rows * weights * _squared_residuals(shares)
    return float(squares.sum() / (squares * weights).sum())


def _squared_residuals(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum over classes c of ((is class c) - share_c)^2, for a row of each class."""
    return 1 - 2 * shares + (shares**2).sum()


def distinct_rows(
    codes: NDArray[Any],
    labels: NDArray[np.intp],
    weights: NDArray[np.float64] | None,
    n_classes: int,
    groups: NDArray[np.intp] | None = None,
    n_equal: NDArray[np.int64] | None = None,
    n_threads: int = 1,
) -> DistinctRows:
    """The distinct rows, each with the total weight of its duplicates.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,), optional
    n_classes : int
    groups : ndarray of shape (n,), optional
        Rows of different groups are different.
    n_equal : ndarray of shape (n,), optional
        Number of duplicate rows that each stands for; by default that of `row_numbers`.
    n_threads : int, default=1

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import distinct_rows
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> found = distinct_rows(rows.codes, rows.labels, None, 2)
    >>> sorted(zip(found.labels.tolist(), found.n_equal.tolist()))
    [(0, 2), (1, 1), (1, 1)]
    """
    n_equal = row_numbers(weights, len(labels)) if n_equal is None else n_equal
    weights = np.ones(len(labels)) if weights is None else weights
    hashes = row_hash(codes, column_factors(codes, labels, n_equal, n_classes, n_threads), n_threads)
    # Classes are sorted by size and smallest hash: their original order must not matter.
    smallest = np.full(n_classes, np.iinfo(np.uint64).max, dtype=np.uint64)
    np.minimum.at(smallest, labels, hashes)
    size = np.bincount(labels, n_equal, minlength=n_classes)
    rank = np.empty(n_classes, dtype=np.min_scalar_type(n_classes))
    rank[np.lexsort((smallest, size))] = np.arange(n_classes)
    order = np.argsort(hashes) if groups is None else np.lexsort((groups, hashes))
    order = order[np.argsort(rank[labels[order]], kind="stable")]
    starts = np.flatnonzero(_is_first(codes, hashes, labels, groups, order))
    index = order[starts]
    sums, n_equal = (np.add.reduceat(numbers[order], starts) for numbers in (weights, n_equal))
    relative = None if np.array_equal(sums, n_equal) else sums / n_equal
    return DistinctRows(index, labels[index], sums, n_equal, None if groups is None else groups[index], relative)


def _is_first(
    codes: NDArray[Any],
    hashes: NDArray[np.uint64],
    labels: NDArray[np.intp],
    groups: NDArray[np.intp] | None,
    order: NDArray[np.intp],
) -> NDArray[np.bool_]:
    """Whether each row differs from the one before it in the given order."""
    hashes, own = hashes[order], labels[order]
    suspects = np.flatnonzero((hashes[1:] == hashes[:-1]) & (own[1:] == own[:-1])) + 1
    is_first = np.ones(len(order), dtype=bool)
    here, before = order[suspects], order[suspects - 1]
    is_first[suspects] = (codes[here] != codes[before]).any(axis=1)
    if groups is not None:
        is_first[suspects] |= groups[here] != groups[before]
    return is_first
