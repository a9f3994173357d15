"""Rows to learn from: equal ones as one row with a weight, in a pseudo-random order, and thinned out where many.

Everything here depends on what the rows hold and how much they weigh, never on their order, on that of the columns, or
on columns that hold one value. A row of weight 2 is treated as two rows in every way. Where weights are no numbers of
rows, each is the weight of one row, and only their ratios count. What is decided (folds, copies) depends on the number
of rows, and what is weighed on their weights, so that a small change of weights changes a model a little.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts, row_numbers

# Where the pseudo-random order of rows starts from.
_SEED = 20240829
# A row that stands for more equal ones is spread over the folds evenly.
_MANY_EQUAL = 64
# 2^64 over the golden ratio: multiples of it are spread evenly.
_GOLDEN = 0x9E3779B97F4A7C15
# Rows of a class that thinning keeps, where there are as many.
_LEAST_OF_CLASS = 200
# The least share of their number for which repeated rows count: however many copies there are, weights grow with rows.
_LEAST_SHARE = 1 / 64


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Rows that differ, by class, and in each class in a pseudo-random order.

    Parameters
    ----------
    index : ndarray of shape (n,)
        Where each of them is found among all rows.
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,)
    n_equal : ndarray of shape (n,)
        Number of equal rows that each stands for, which may go to different folds; 1 where they must not.
    groups : ndarray of shape (n,), optional
        Rows of the same number stay in the same fold.
    relative : ndarray of shape (n,), optional
        Mean weight of the equal rows that each stands for, where weights are no numbers of rows; else it is 1.
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
        """Number of rows of equally frequent classes that would tell as much about the class."""
        size = np.bincount(self.labels, self.weights)
        shares = size / size.sum()
        of_equal_classes = 1 - 1 / max(2, int(np.count_nonzero(size)))
        return float((size * _squared_residuals(shares)).sum() / of_equal_classes)

    @property
    def n_units(self) -> int:
        """Number of parts that may go to different folds."""
        return int(self.n_equal.sum()) if self.groups is None else len(np.unique(self.groups))

    def as_ratios(self) -> DistinctRows:
        """The same rows where only the ratios of weights count: the mean weight of all equal rows is 1.

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
        """The same rows, a sample, with weights that give every class its share of all rows.

        Classes of which the smallest share was drawn keep their weights; see `thinned` for the size of the others.

        Parameters
        ----------
        class_weights : ndarray of shape (k,)
            Weight of all rows of each class, drawn or not.
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
        """The same rows where every repeat of a row counts as a share of a new one, from 0 for a copy to 1.

        Ratios of weights stay, and so do the shares of classes that were oversampled. The sum of weights with a mean
        of 1 becomes the number of different rows plus the share of the repeats, and a row that stands for m is split
        into as many parts for the folds.
        """
        n_equal = np.rint(1 + newness * (self.n_equal - 1)).astype(np.int64)
        # Not by the sum of weights: those of a sample make up for rows that are not in it, which are no repeats.
        share = share_of_rows(newness, len(self) / float(self.n_equal.sum()))
        return replace(self, weights=self.weights * share, n_equal=n_equal)

    def thinned(self, n: int) -> DistinctRows:
        """About n rows at even steps, more of classes that would have few, with weights that make up for it.

        Rows of the most classes have the weight of the rows they stand for. Where a rare class keeps more of its
        rows, weights keep the shares of the classes, and their size is such that the rows say as much as their weights
        claim: the weighted sum of residuals varies by its own curvature. Which rows are taken does not depend on
        relative weights, which they keep.
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
        """Relative weights of rows that were taken, such that their means in all classes are those of all rows."""
        assert self.relative is not None
        labels, relative = self.labels[kept], self.relative[kept]
        k = int(self.labels.max()) + 1
        of_all = np.bincount(self.labels, self.weights, k) / np.maximum(
            np.bincount(self.labels, self.amounts, k), 1e-300
        )
        of_taken = np.bincount(labels, n_taken * relative, k) / np.maximum(np.bincount(labels, n_taken, k), 1e-300)
        return relative * (of_all / np.maximum(of_taken, 1e-300))[labels]

    def _n_taken(self, amounts: NDArray[np.float64], rate: NDArray[np.float64]) -> NDArray[np.float64]:
        """Take a share of the rows of each class at even steps: how often each row is taken, shape (n,)."""
        reached = np.cumsum(amounts)
        firsts = np.flatnonzero(np.diff(self.labels, prepend=-1))
        before = np.append(0.0, reached)[firsts]
        rates = rate[self.labels[firsts]]
        taken_before = np.cumsum(np.append(0.0, np.diff(before) * rates[:-1]))
        which = self._class_order
        # No sum of many rounded numbers: what is a whole number by design must come out as one.
        ends = np.floor(taken_before[which] + (reached - before[which]) * rates[which] + 1e-9)
        return np.diff(ends, prepend=0.0)

    def fold_weights(self, n_folds: int) -> NDArray[np.float64]:
        """Shuffle the rows of each class and deal them out: the weight that each row has in each fold, (n, n_folds).

        A row that stands for very many is spread evenly, as shuffling them would. Groups are dealt out whole.
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

    def _fold_weights_of_groups(self, groups: NDArray[np.intp], n_folds: int) -> NDArray[np.float64]:
        """Deal out whole groups, the largest first, each to where its classes are the least filled."""
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
        """Position of the class of each row among the classes as they come, shape (n,)."""
        return np.cumsum(np.diff(self.labels, prepend=self.labels[0]) != 0)


def share_of_rows(newness: float, n_kinds_per_row: float) -> float:
    """What a row weighs, on average, where a repeat of a row counts as a share of a new one.

    Parameters
    ----------
    newness : float
        The share, from 0 for a copy to 1.
    n_kinds_per_row : float
        Number of different rows over the number of all.
    """
    return float(np.clip(newness + (1 - newness) * n_kinds_per_row, _LEAST_SHARE, 1.0))


def _honest_scale(shares: NDArray[np.float64], weights: NDArray[np.float64], n_rows: NDArray[Any]) -> float:
    """Factor of weights, one for each class, with which sums of residuals vary as much as their curvature says.

    Weighted sums vary by the squares of weights, and curve by the weights; equal weights become 1.
    """
    squares = n_rows * weights * _squared_residuals(shares)
    return float(squares.sum() / (squares * weights).sum())


def _squared_residuals(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum over classes c of ((is class c) - share_c)^2, of a row of each class."""
    return 1 - 2 * shares + (shares**2).sum()


def distinct_rows(
    codes: NDArray[Any],
    labels: NDArray[np.intp],
    weights: NDArray[np.float64] | None,
    n_classes: int,
    groups: NDArray[np.intp] | None = None,
    n_equal: NDArray[np.int64] | None = None,
) -> DistinctRows:
    """One of each kind of row, with the weight of all that are equal to it.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,), optional
    n_classes : int
    groups : ndarray of shape (n,), optional
        Rows of different groups are different.
    n_equal : ndarray of shape (n,), optional
        Number of equal rows that each stands for; by default that of `row_numbers`.
    """
    n_equal = row_numbers(weights, len(labels)) if n_equal is None else n_equal
    weights = np.ones(len(labels)) if weights is None else weights
    hashes = row_hash(codes, column_factors(codes, labels, n_equal, n_classes))
    # Classes by their size and smallest hash, not by their place: the order of classes must not matter.
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
    """Whether each row, in some order of rows, differs from the one before it."""
    hashes, own = hashes[order], labels[order]
    suspects = np.flatnonzero((hashes[1:] == hashes[:-1]) & (own[1:] == own[:-1])) + 1
    is_first = np.ones(len(order), dtype=bool)
    here, before = order[suspects], order[suspects - 1]
    is_first[suspects] = (codes[here] != codes[before]).any(axis=1)
    if groups is not None:
        is_first[suspects] |= groups[here] != groups[before]
    return is_first


class Repeats(NamedTuple):
    """Rows that come more than once with the same values, in whatever class.

    Parameters
    ----------
    is_repeated : ndarray of shape (n,)
        Of the distinct ones among all rows, whether there is another row with the same values.
    disagreement : float
        Probability that two rows with the same values are of different classes, the mean over repeated rows.
    """

    is_repeated: NDArray[np.bool_]
    disagreement: float


def find_repeats(codes: NDArray[Any], rows: DistinctRows) -> Repeats:
    """Rows that come more than once, and how often their classes differ.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
        Of all rows.
    rows : DistinctRows
        Found among them.

    Notes
    -----
    Two rows of the same values are drawn with probabilities in proportion to their weights, where equal rows of one
    class share their weight evenly.
    """
    _, kind = np.unique(row_hash(codes[rows.index]), return_inverse=True)
    k = int(rows.labels.max()) + 1
    n_kinds, cell = int(kind.max()) + 1, kind * k + rows.labels
    n_rows, weights = (
        np.bincount(cell, numbers, minlength=k * n_kinds).reshape(-1, k) for numbers in (rows.n_equal, rows.weights)
    )
    several = n_rows.sum(axis=1) > 1
    is_repeated = np.zeros(len(codes), dtype=bool)
    is_repeated[rows.index] = several[kind]
    n_rows, weights = n_rows[several], weights[several]
    size, of_one = weights.sum(axis=1), weights / np.maximum(n_rows, 1)
    of_other_rows = size - (weights * of_one).sum(axis=1) / size
    differ = size - (weights * (weights - of_one)).sum(axis=1) / of_other_rows
    # Rounding must not make rows of one class differ.
    differ[np.count_nonzero(n_rows, axis=1) == 1] = 0.0
    return Repeats(is_repeated, float(differ.sum() / max(size.sum(), 1e-300)))


def copies_together(codes: NDArray[Any], rows: DistinctRows) -> DistinctRows:
    """The same rows, where equal ones stay in one fold if they are always of one class, as copies are.

    Parameters
    ----------
    codes, rows
        As in `find_repeats`.
    """
    if find_repeats(codes, rows).disagreement:
        return rows
    return replace(rows, n_equal=np.ones(len(rows), dtype=np.int64))


def column_factors(
    codes: NDArray[Any], labels: NDArray[np.intp], n_equal: NDArray[np.int64] | None, n_classes: int
) -> NDArray[np.uint64]:
    """An odd pseudo-random number for each column, from how often its values come in the classes; 0 where one does.

    Columns in which the same numbers come get their numbers from the rows, too, and only then by their place.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
    labels : ndarray of shape (n,)
    n_equal : ndarray of shape (n,), optional
        Number of equal rows that each stands for.
    n_classes : int
    """
    numbers = np.array([_content(column, labels, n_equal, n_classes) for column in codes.T], dtype=np.uint64)
    is_constant = numbers == 0
    if len(np.unique(numbers[~is_constant])) < (~is_constant).sum():
        rows = row_hash(codes, numbers)
        times = np.uint64(1) if n_equal is None else n_equal.astype(np.uint64)
        for j in np.flatnonzero(_occurs_before(numbers) | _occurs_before(numbers[::-1])[::-1]):
            own = _mixed(rows + (codes[:, j].astype(np.uint64) + np.uint64(1)) * np.uint64(_GOLDEN))
            # An array of one: the sum may overflow, which is meant to be.
            numbers[j : j + 1] += (own * times).sum(dtype=np.uint64)
        numbers = _mixed(numbers + _n_before(numbers) * np.uint64(_GOLDEN))
    return np.where(is_constant, np.uint64(0), numbers | np.uint64(1))


def factors_of_counts(counts: Counts) -> NDArray[np.uint64]:
    """The same from counts, which add up over parts of the rows; of columns that count alike the place decides.

    Parameters
    ----------
    counts : Counts
        Numbers of rows by value and class.
    """
    tables = [counts.single(j).astype(np.uint64) for j in range(counts.n_features)]
    numbers = np.array([_content_of(table) for table in tables], dtype=np.uint64)
    is_constant = numbers == 0
    numbers = _mixed(numbers + _n_before(numbers) * np.uint64(_GOLDEN))
    return np.where(is_constant, np.uint64(0), numbers | np.uint64(1))


def _content(
    column: NDArray[Any], labels: NDArray[np.intp], n_equal: NDArray[np.int64] | None, n_classes: int
) -> np.uint64:
    """A pseudo-random number from how often the values of a column come, in all and by class; 0 for one value."""
    found = np.bincount(column.astype(np.intp) * n_classes + labels, n_equal)
    counts = np.append(found, np.zeros(-len(found) % n_classes)).reshape(-1, n_classes)
    return _content_of(counts.astype(np.uint64))


def _content_of(counts: NDArray[np.uint64]) -> np.uint64:
    """The same from the counts of the values by class."""
    codes = np.flatnonzero(counts.any(axis=1))
    if len(codes) < 2:
        return np.uint64(0)
    numbers = _mixed(codes.astype(np.uint64) * np.uint64(_GOLDEN) + counts[codes].sum(axis=1, dtype=np.uint64))
    # The order of classes does not matter.
    by_class = _mixed(_mixed(counts[codes]).sum(axis=1, dtype=np.uint64) + numbers)
    return np.uint64(_mixed(by_class).sum(dtype=np.uint64) | np.uint64(1))


def _n_before(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """How many of the numbers before each are equal to it."""
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(numbers[order]) != 0)) if len(order) else order
    out = np.empty(len(numbers), dtype=np.uint64)
    out[order] = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    return out


def _occurs_before(numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
    return _n_before(numbers) > 0


def row_hash(codes: NDArray[Any], factors: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """A pseudo-random number for each row, the same for equal rows.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
    factors : ndarray of shape (s,), optional
        Odd numbers; 0 leaves a column out. By default they depend on the place of a column.
    """
    if factors is None:
        factors = np.random.default_rng(_SEED).integers(2**63, size=codes.shape[1:], dtype=np.uint64) | np.uint64(1)
    out = np.zeros(len(codes), dtype=np.uint64)
    for j in np.flatnonzero(factors):
        out += (codes[:, j].astype(np.uint64) + np.uint64(1)) * factors[j]
    return _mixed(out)


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers of 64 bits, of which each depends on all bits of the one it comes from."""
    out = numbers.copy()
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (29, 0xC4CEB9FE1A85EC53)):
        out ^= out >> np.uint64(shift)
        out *= np.uint64(factor)
    out ^= out >> np.uint64(32)
    return out
