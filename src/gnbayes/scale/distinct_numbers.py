"""The numbers of a column: distinct numbers with counts if there are few, otherwise a sketch of constant size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from gnbayes.scale.rank_sketch import RankSketch


@dataclass(frozen=True, eq=False)
class Numbers:
    """Numbers with their counts, or a sketch of them.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Distinct numbers, increasing; with a sketch, only the smallest and the largest.
    counts : ndarray of shape (m,)
        Number of rows of each; 0 with a sketch.
    sketch : bytes, optional
        A `RankSketch` as bytes.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    sketch: bytes | None = None

    @property
    def is_exact(self) -> bool:
        """Whether all numbers are kept."""
        return self.sketch is None

    @property
    def points(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Numbers and how many rows each represents: all of them, or those in the sketch and both ends."""
        if self.sketch is None:
            return self.values, self.counts
        values, counts = RankSketch.from_bytes(self.sketch).points
        return _together([self.values, values], [self.counts, counts])


NO_NUMBERS = Numbers(np.zeros(0), np.zeros(0, dtype=np.int64))


def numbers_of(column: NDArray[np.float64]) -> Numbers:
    """The numbers of an array without missing values.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.scale.distinct_numbers import numbers_of
    >>> numbers = numbers_of(np.array([2.0, 1.0, 2.0]))
    >>> numbers.values.tolist(), numbers.counts.tolist()
    ([1.0, 2.0], [1, 2])
    """
    values, counts = np.unique(column + 0.0, return_counts=True)  # no -0.0
    return Numbers(values, counts.astype(np.int64))


def merge(parts: Iterable[Numbers], sketch_k: int) -> Numbers:
    """The numbers of all parts combined; a sketch if one of them is a sketch."""
    parts = list(parts)
    if all(part.is_exact for part in parts):
        return Numbers(*_together([part.values for part in parts], [part.counts for part in parts]))
    return _merge_sketches([sketched(part, sketch_k) for part in parts])


def sketched(numbers: Numbers, sketch_k: int) -> Numbers:
    """The same numbers as a sketch."""
    if not numbers.is_exact or not len(numbers.values):
        return numbers
    sketch = RankSketch(sketch_k, ()).add_counted(numbers.values, numbers.counts)
    return Numbers(*_ends([numbers]), sketch.to_bytes())


def add_to_sketch(numbers: Numbers, column: NDArray[np.float64]) -> Numbers:
    """A sketch with the numbers of an array added to it: faster than counting them first."""
    if numbers.sketch is None:
        raise ValueError("these numbers are no sketch.")
    if not len(column):
        return numbers
    sketch = RankSketch.from_bytes(numbers.sketch).add(column + 0.0)
    new = Numbers(np.array([column.min(), column.max()]) + 0.0, np.zeros(2, dtype=np.int64))
    return Numbers(*_ends([numbers, new]), sketch.to_bytes())


def check_sketch(sketch: bytes) -> bool:
    """Whether bytes are a complete sketch."""
    try:
        return RankSketch.from_bytes(sketch).n > 0
    except ValueError:
        return False


def _merge_sketches(parts: list[Numbers]) -> Numbers:
    first, *others = [RankSketch.from_bytes(part.sketch) for part in parts if part.sketch is not None]
    return Numbers(*_ends(parts), reduce(RankSketch.merge, others, first).to_bytes())


def _ends(parts: list[Numbers]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    values = np.concatenate([part.values for part in parts])
    ends = np.unique([values.min(), values.max()])
    return ends, np.zeros(len(ends), dtype=np.int64)


def _together(
    values: list[NDArray[np.float64]], counts: list[NDArray[np.int64]]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Combine equal numbers of several arrays, in increasing order."""
    all_values, all_counts = np.concatenate(values), np.concatenate(counts)
    order = np.argsort(all_values, kind="stable")  # fast for concatenated sorted arrays
    ordered = all_values[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    return ordered[starts], np.add.reduceat(all_counts[order], starts) if len(starts) else all_counts
