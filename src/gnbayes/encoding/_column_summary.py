"""A numeric column as its distinct values, or runs of them, and how often each occurs: all that a discretizer needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._runs import divide_into_runs

# Up to this many classes, their columns are added one after the other, as NumPy does along a short axis.
_FEW_CLASSES = 8


class Summary:
    """Distinct values of a column, increasing, and the weight of each in every class.

    If there are too many, each stands for a run of nearly equal values, whose weights are added up.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Of a run, the smallest value.
    counts : ndarray of shape (m, k)
        ``k`` is 1 if classes were not requested. Integers if rows have no weights.
    lasts : ndarray of shape (m,), optional
        The largest value of each run; by default, each run is one value.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import Summary
    >>> summary = Summary(np.array([1.0, 2.0]), np.array([[3, 0], [1, 4]]))
    >>> summary.totals.tolist()
    [3, 5]
    """

    def __init__(
        self, values: NDArray[np.float64], counts: NDArray[Any], lasts: NDArray[np.float64] | None = None
    ) -> None:
        self.values, self._counts, self.lasts = values, counts, values if lasts is None else lasts

    @property
    def is_exact(self) -> bool:
        """Whether every value is one value, rather than a run of them."""
        return self.lasts is self.values

    @property
    def counts(self) -> NDArray[Any]:
        """Weight of each value in every class, shape (m, k)."""
        return self._counts

    def has_at_most(self, n: int) -> bool:
        """Whether the column has at most n distinct values."""
        return self.is_exact and len(self.values) <= n

    @cached_property
    def totals(self) -> NDArray[Any]:
        """Weight of each value in all classes, shape (m,)."""
        # Sums along a short axis are slow.
        columns = list(self._counts.T)
        return sum(columns[1:], columns[0]) if len(columns) < _FEW_CLASSES else self._counts.sum(axis=1)

    def group_counts(self, starts: NDArray[np.intp]) -> NDArray[Any]:
        """Counts of groups of adjacent values, shape (number of starts, k); groups begin at these positions."""
        return np.add.reduceat(self._counts, starts, axis=0)

    def middles(self, starts: NDArray[np.intp]) -> NDArray[np.float64]:
        """Cuts midway between a value and the one before it; see `middles`.

        Parameters
        ----------
        starts : ndarray
            Positions of the first values after the cuts.
        """
        return _between(self.lasts[starts - 1], self.values[starts])

    @property
    def representatives(self) -> NDArray[np.float64]:
        """The values, or the middle of each run, shape (m,)."""
        return self.values if self.is_exact else self.values / 2 + self.lasts / 2


class SortedSummary(Summary):
    """The same for rows without weights, from their sorted numbers; classes are counted only when needed.

    Parameters
    ----------
    values : ndarray of shape (m,)
    totals : ndarray of shape (m,)
        Number of rows with each value.
    by_class : sequence of ndarray
        The sorted numbers of the rows of each class.
    lasts : ndarray of shape (m,), optional
        As in `Summary`.
    """

    def __init__(
        self,
        values: NDArray[np.float64],
        totals: NDArray[np.intp],
        by_class: Sequence[NDArray[np.float64]],
        lasts: NDArray[np.float64] | None = None,
    ) -> None:
        self.values, self.totals, self._by_class = values, totals, by_class
        self.lasts = values if lasts is None else lasts

    @property
    def counts(self) -> NDArray[Any]:
        return self.group_counts(np.arange(len(self.values)))

    def group_counts(self, starts: NDArray[np.intp]) -> NDArray[Any]:
        reached = np.zeros((len(starts) + 1, len(self._by_class)), dtype=np.intp)
        firsts = self.values[starts[1:]]
        for c, numbers in enumerate(self._by_class):
            reached[1:-1, c] = numbers.searchsorted(firsts)
            reached[-1, c] = len(numbers)
        return reached[1:] - reached[:-1]


@dataclass(frozen=True, eq=False)
class RowsByClass:
    """Rows in the order of their classes.

    Parameters
    ----------
    rows : ndarray of shape (n,)
    ends : ndarray of shape (k,)
        Cumulative number of rows up to the end of each class.
    """

    rows: NDArray[np.intp]
    ends: NDArray[np.intp]

    @classmethod
    def of(cls, labels: NDArray[np.intp], n_classes: int) -> RowsByClass:
        """From the class of each row."""
        rows = np.argsort(labels.astype(np.min_scalar_type(n_classes)), kind="stable")
        return cls(rows, np.cumsum(np.bincount(labels, minlength=n_classes)))


def summarize(
    block: NDArray[np.float64],
    labels: NDArray[np.intp] | None = None,
    n_classes: int = 1,
    weights: NDArray[np.float64] | None = None,
) -> Iterator[tuple[Summary, bool]]:
    """Summaries of numeric columns, and whether each has missing values.

    Parameters
    ----------
    block : ndarray of shape (n, q)
        NaN for missing.
    labels : ndarray of shape (n,), optional
        Class of each row, for counts by class.
    n_classes : int
    weights : ndarray of shape (n,), optional

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding._column_summary import summarize
    >>> column = np.array([[2.0], [1.0], [2.0], [np.nan]])
    >>> [(summary, has_missing)] = summarize(column, labels=np.array([0, 0, 1, 1]), n_classes=2)
    >>> summary.values, has_missing
    (array([1., 2.]), True)
    >>> summary.counts
    array([[1, 0],
           [1, 1]])
    """
    return (find() for find in summarizers(block, labels, n_classes, weights))


def summarizers(
    block: NDArray[np.float64],
    labels: NDArray[np.intp] | None,
    n_classes: int,
    weights: NDArray[np.float64] | None,
    by_class: RowsByClass | None = None,
    most: int | None = None,
) -> list[Callable[[], tuple[Summary, bool]]]:
    """As `summarize`, one function for each column, which may be called in any thread.

    Parameters
    ----------
    block, labels, n_classes, weights
        As in `summarize`.
    by_class : RowsByClass, optional
        The labels in this form, if already known.
    most : int, optional
        Largest number of values; a column with more is summarized by runs of them.
    """
    if weights is not None:
        return [partial(_summarize_weighted, column, labels, n_classes, weights, most) for column in block.T]
    if labels is not None and by_class is None:
        by_class = RowsByClass.of(labels, n_classes)
    return [partial(_summarize_sorted, column, by_class, most) for column in block.T]


def _summarize_sorted(
    column: NDArray[np.float64], by_class: RowsByClass | None, most: int | None
) -> tuple[Summary, bool]:
    """Summary of a column without weights."""
    ordered = np.sort(column)
    n = _n_present(ordered)
    is_end = np.ones(n + 1, dtype=bool)
    np.not_equal(ordered[1:n], ordered[: max(0, n - 1)], out=is_end[1:-1])
    if n and is_end.all():
        values, totals = ordered[:n], np.ones(n, dtype=np.intp)
    else:
        ends = is_end.nonzero()[0] if n else np.zeros(1, dtype=np.intp)
        values, totals = ordered.take(ends[:-1]), ends[1:] - ends[:-1]
    values += 0.0  # no -0.0
    lasts = None
    if most is not None and len(values) > most:
        starts = divide_into_runs(values, totals, most)
        values, lasts, totals = values[starts], _lasts_of(values, starts), np.add.reduceat(totals, starts)
    if by_class is None:
        return Summary(values, totals[:, None], lasts), n < len(column)
    numbers, parts, first = column.take(by_class.rows), [], 0
    for stop in by_class.ends.tolist():
        part = numbers[first:stop]
        part.sort()
        parts.append(part[: _n_present(part)])
        first = stop
    return SortedSummary(values, totals, parts, lasts), n < len(column)


def _lasts_of(values: NDArray[np.float64], starts: NDArray[np.intp]) -> NDArray[np.float64]:
    return values[np.append(starts[1:], len(values)) - 1]


def _n_present(ordered: NDArray[np.float64]) -> int:
    """Number of sorted numbers before the missing ones, which come last."""
    is_complete = not len(ordered) or ordered[-1] == ordered[-1]
    return len(ordered) if is_complete else int(np.searchsorted(ordered, np.nan))


def _summarize_weighted(
    column: NDArray[np.float64],
    labels: NDArray[np.intp] | None,
    n_classes: int,
    weights: NDArray[np.float64],
    most: int | None,
) -> tuple[Summary, bool]:
    """Summary of a column with weights."""
    order = np.argsort(column, kind="stable")
    order = order[: len(column) - int(np.isnan(column).sum())]
    ordered = column[order]
    is_start = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_start[1:])
    k = 1 if labels is None else n_classes
    cell = (np.cumsum(is_start) - 1) * k
    if labels is not None:
        cell += labels[order]
    values = ordered[is_start] + 0.0
    counts = np.bincount(cell, weights[order], minlength=len(values) * k).reshape(-1, k)
    if most is None or len(values) <= most:
        return Summary(values, counts), len(order) < len(column)
    starts = divide_into_runs(values, counts.sum(axis=1), most)
    of_runs = np.add.reduceat(counts, starts, axis=0)
    return Summary(values[starts], of_runs, _lasts_of(values, starts)), len(order) < len(column)


def middles(values: NDArray[np.float64], starts: NDArray[np.intp]) -> NDArray[np.float64]:
    """Cuts midway between a value and the one before it, or at the value itself if there is no float in between."""
    return _between(values[starts - 1], values[starts])


def _between(before: NDArray[np.float64], after: NDArray[np.float64]) -> NDArray[np.float64]:
    middle = before / 2 + after / 2
    return np.where((middle > before) & (middle <= after), middle, after)
