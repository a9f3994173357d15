"""A sample of rows that adds up over batches: all rows of the kinds with the smallest hashes.

Rows are of one kind if they have the same codes, class and, if there are groups, group. The hash of a kind is computed
from its codes. So the sample depends on the values of the rows, never on the order of rows or columns, nor on how the
rows are divided into batches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, row_numbers
from gnbayes.model.fitting.cells import take_rows
from gnbayes.model.fitting.row_hashes import row_hash

# Number of kinds of rows of each class that are always kept, unless there are many classes.
_LEAST_OF_CLASS = 1000


@dataclass(frozen=True, eq=False)
class RowSample:
    """Kinds of rows, each with the weight of all its rows; ``a + b`` is the sample of both sets of rows.

    Parameters
    ----------
    rows : CodedRows
        One row of each kind, by increasing hash.
    numbers : ndarray of shape (m,)
        Their hashes, which kinds of different classes may share.
    n_equal : ndarray of shape (m,)
        Number of rows of each kind.
    class_weights : ndarray of shape (k,)
        Total weight of the rows of each class, in the sample or not.
    most : int
        Number of kinds to keep; more if there are rare classes.
    is_whole : bool
        Whether all kinds are in the sample.
    """

    rows: CodedRows
    numbers: NDArray[np.uint64]
    n_equal: NDArray[np.int64]
    class_weights: NDArray[np.float64]
    most: int
    is_whole: bool

    def __add__(self, other: RowSample) -> RowSample:
        mine, others = self.rows, other.rows
        names = ("codes", "labels", "weights")
        codes, labels, weights = (np.concatenate([getattr(mine, name), getattr(others, name)]) for name in names)
        groups = None
        if mine.groups is not None and others.groups is not None:
            groups = np.concatenate([mine.groups, others.groups])
        both = CodedRows(codes, labels, mine.cardinalities, mine.n_classes, weights, mine.n_threads, groups)
        numbers = np.concatenate([self.numbers, other.numbers])
        found = _smallest(both, numbers, np.concatenate([self.n_equal, other.n_equal]), self.most)
        is_whole = self.is_whole and other.is_whole and found.is_whole
        return replace(found, class_weights=self.class_weights + other.class_weights, is_whole=is_whole)


def sample_rows(rows: CodedRows, most: int, factors: NDArray[np.uint64]) -> RowSample:
    """Sample rows.

    Parameters
    ----------
    rows : CodedRows
    most : int
        Number of kinds of rows to keep.
    factors : ndarray of shape (d,)
        The result of `factors_of_counts` for all rows: a number per column.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count_values
    >>> from gnbayes.model.fitting.row_hashes import factors_of_counts
    >>> from gnbayes.model.fitting.sample import sample_rows
    >>> rows = CodedRows(np.array([[0], [1], [1]]), np.array([0, 1, 1]), np.array([2]), 2)
    >>> sample = sample_rows(rows, 10, factors_of_counts(count_values(rows)))
    >>> sample.is_whole, sorted(sample.rows.weights.tolist())
    (True, [1.0, 2.0])
    """
    numbers = row_hash(rows.codes, factors, rows.n_threads)
    if rows.groups is not None:
        numbers = row_hash(np.column_stack([numbers >> np.uint64(32), numbers & np.uint64(2**32 - 1), rows.groups]))
    return _smallest(rows, numbers, row_numbers(rows.weights, rows.n_rows), most)


def _smallest(rows: CodedRows, numbers: NDArray[np.uint64], n_equal: NDArray[np.int64], most: int) -> RowSample:
    """One row of each kind that is kept."""
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    class_weights = np.bincount(rows.labels, weights, minlength=rows.n_classes).astype(np.float64)
    kept = np.flatnonzero(numbers <= _largest_kept(numbers, rows.labels, rows.n_classes, most)[rows.labels])
    is_whole = len(kept) == rows.n_rows
    kept = kept[np.lexsort((rows.labels[kept], numbers[kept]))]
    numbers, labels = numbers[kept], rows.labels[kept]
    is_first = np.ones(len(kept), dtype=bool)
    is_first[1:] = (numbers[1:] != numbers[:-1]) | (labels[1:] != labels[:-1])
    starts = np.flatnonzero(is_first)
    sums, n_equal = (_sums_of_runs(own[kept], starts) for own in (weights, n_equal))
    codes = take_rows(rows.codes, kept[starts])
    groups = None if rows.groups is None else rows.groups[kept[starts]]
    some = CodedRows(codes, labels[starts], rows.cardinalities, rows.n_classes, sums, rows.n_threads, groups)
    return RowSample(some, numbers[starts], n_equal, class_weights, most, is_whole)


def _sums_of_runs(numbers: NDArray[Any], starts: NDArray[np.intp]) -> NDArray[Any]:
    """Sums from each start to the next."""
    return np.add.reduceat(numbers, starts) if len(starts) else numbers[:0]


def _largest_kept(
    numbers: NDArray[np.uint64], labels: NDArray[np.int64], n_classes: int, most: int
) -> NDArray[np.uint64]:
    """The largest hash that is kept of each class: one of the smallest of all classes, or of its own."""
    out = np.full(n_classes, np.iinfo(np.uint64).max, dtype=np.uint64)
    if len(numbers) <= most:
        return out
    # Sorting random numbers is far quicker than np.unique, which looks them up in a hash table.
    ordered = np.sort(numbers)
    different = ordered[np.append(True, ordered[1:] != ordered[:-1])]
    if len(different) <= most:
        return out
    out[:] = different[most - 1]
    least = min(_LEAST_OF_CLASS, most // (2 * n_classes))
    is_kept = numbers <= out[0]
    for label in range(n_classes):
        of_class = labels == label
        if len(np.unique(numbers[of_class & is_kept])) < least:
            own = np.unique(numbers[of_class])[:least]
            out[label] = max(out[label], own.max(initial=0))
    return out
