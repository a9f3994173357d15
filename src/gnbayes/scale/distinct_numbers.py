"""The numbers of a column: different numbers, or runs of nearly equal ones if there are too many, with their rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import digits_to_drop, ordered_keys, run_starts

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Numbers:
    """Runs of adjacent numbers, and how many rows have one of them.

    Numbers of a run are equal without their last `n_dropped` binary digits. What is kept of some rows depends neither
    on their order nor on how they were divided and merged.

    Parameters
    ----------
    firsts, lasts : ndarray of shape (m,)
        The smallest and the largest number of each run, increasing.
    rows : dict of {label: ndarray of shape (m,)}
        Number of rows in each run: of each class, or of all under None.
    n_dropped : int
        Binary digits that are ignored; 0 if every number is a run of its own.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.scale.distinct_numbers import merge, numbers_of
    >>> column = np.array([1.0, 1.001, 1.002, 5.0, 1.0])
    >>> numbers = numbers_of(column, {None: slice(None)})
    >>> numbers.firsts.tolist(), numbers.rows[None].tolist()
    ([1.0, 1.001, 1.002, 5.0], [2, 1, 1, 1])
    >>> few = merge([numbers], most=2)
    >>> few.firsts.tolist(), few.lasts.tolist(), few.rows[None].tolist(), few.is_exact
    ([1.0, 5.0], [1.002, 5.0], [4, 1], False)
    """

    firsts: Array
    lasts: Array
    rows: Mapping[Any, NDArray[np.int64]] = field(default_factory=dict)
    n_dropped: int = 0

    def __len__(self) -> int:
        return len(self.firsts)

    @property
    def is_exact(self) -> bool:
        """Whether every number is kept."""
        return self.n_dropped == 0

    def counts(self, labels: Iterable[Any]) -> NDArray[np.int64]:
        """Number of rows of each run and class, shape (m, k)."""
        nothing = np.zeros(len(self), dtype=np.int64)
        return np.stack([self.rows.get(label, nothing) for label in labels], axis=1)

    @property
    def totals(self) -> NDArray[np.int64]:
        """Number of rows of each run, shape (m,)."""
        return sum(self.rows.values(), np.zeros(len(self), dtype=np.int64))


NO_NUMBERS = Numbers(np.zeros(0), np.zeros(0))


def numbers_of(column: Array, groups: Mapping[Any, Any]) -> Numbers:
    """The different numbers of an array; missing values are left out.

    Parameters
    ----------
    column : ndarray of shape (n,)
    groups : dict of {label: index of rows}
        The rows of each class, or all of them under None.
    """
    return merge(_of_one_class(column[rows], label) for label, rows in groups.items())


def _of_one_class(column: Array, label: Any) -> Numbers:
    ordered = np.sort(column)
    ordered = ordered[: np.searchsorted(ordered, np.nan)] + 0.0  # NaN comes last; no -0.0
    starts = run_starts(ordered_keys(ordered), 0)
    values = ordered[starts]
    return Numbers(values, values, {label: np.diff(np.append(starts, len(ordered)))})


def merge(parts: Iterable[Numbers], most: int | None = None) -> Numbers:
    """The numbers of all parts combined.

    Parameters
    ----------
    parts : iterable of Numbers
    most : int, optional
        Largest number of runs; digits are dropped until there are no more.
    """
    parts = list(parts)
    n_dropped = max((part.n_dropped for part in parts), default=0)
    merged = parts[0] if len(parts) == 1 else _joined(parts, n_dropped)
    if most is None or len(merged) <= most:
        return merged
    return _joined([merged], digits_to_drop(ordered_keys(merged.firsts), most, n_dropped))


def with_divided(numbers: Numbers, divided: Numbers) -> Numbers:
    """Numbers with some of their runs replaced by those into which they were divided.

    If they are merged with other numbers, the runs become as long as before.

    Parameters
    ----------
    numbers, divided : Numbers
        The numbers of each run of `divided` lie in a run of `numbers`.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.scale.distinct_numbers import Numbers, with_divided
    >>> runs = Numbers(np.array([1.0, 5.0]), np.array([2.0, 9.0]), {None: np.array([3, 40])}, 52)
    >>> parts = Numbers(np.array([5.0, 8.0]), np.array([7.0, 9.0]), {None: np.array([30, 10])}, 50)
    >>> with_divided(runs, parts).firsts.tolist()
    [1.0, 5.0, 8.0]
    """
    kept = np.ones(len(numbers), dtype=bool)
    kept[np.searchsorted(numbers.firsts, divided.firsts, side="right") - 1] = False
    rows = {label: own[kept] for label, own in numbers.rows.items()}
    rest = Numbers(numbers.firsts[kept], numbers.lasts[kept], rows)
    return replace(_joined([rest, divided], 0), n_dropped=numbers.n_dropped)


def _joined(parts: list[Numbers], n_dropped: int) -> Numbers:
    """The runs of all parts, with so many digits dropped."""
    firsts = np.concatenate([np.zeros(0), *(part.firsts for part in parts)])
    lasts = np.concatenate([np.zeros(0), *(part.lasts for part in parts)])
    order = np.argsort(firsts, kind="stable")  # fast for concatenated sorted arrays
    firsts, lasts = firsts[order], lasts[order]
    starts = run_starts(ordered_keys(firsts), n_dropped)
    if not len(starts):
        return Numbers(firsts, lasts, {}, n_dropped)
    rows = {}
    for label in dict.fromkeys(label for part in parts for label in part.rows):
        counts = [part.rows.get(label, np.zeros(len(part), dtype=np.int64)) for part in parts]
        rows[label] = np.add.reduceat(np.concatenate(counts)[order], starts)
    return Numbers(firsts[starts], np.maximum.reduceat(lasts, starts), rows, n_dropped)
