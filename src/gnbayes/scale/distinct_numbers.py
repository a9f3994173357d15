"""The numbers of a column: all of them with their counts while they are few, a sketch of constant size beyond.

The sketch is the KLL sketch of Apache DataSketches (Karnin, Lang and Liberty 2016). Its choices are random, and the
package takes no seed: two sketches of the same numbers may differ within their rank error.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Numbers a sketch is told at a time, when equal ones are told one by one.
_AT_ONCE = 2**20


@dataclass(frozen=True, eq=False)
class Numbers:
    """Numbers with their counts, or a sketch of them.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Different numbers, increasing; with a sketch only the smallest and the largest.
    counts : ndarray of shape (m,)
        Rows of each; with a sketch 0.
    sketch : bytes, optional
        A serialised KLL sketch of doubles.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    sketch: bytes | None = None

    @property
    def is_exact(self) -> bool:
        """Whether every number is there."""
        return self.sketch is None

    @property
    def points(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Numbers and how many rows each stands for: all of them, or those that the sketch has kept and both ends."""
        if self.sketch is None:
            return self.values, self.counts
        sketch = _load(self.sketch)
        values = np.unique([value for value, _ in sketch])
        # By rank: the weights that datasketches 5.2 lists are those of another level after a merge.
        ends = np.rint(np.array(sketch.get_cdf(values, True)[:-1]) * sketch.n).astype(np.int64)
        return _together([self.values, values], [self.counts, np.diff(ends, prepend=0)])


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
    """The numbers of all parts; a sketch where one of them is."""
    parts = list(parts)
    if all(part.is_exact for part in parts):
        return Numbers(*_together([part.values for part in parts], [part.counts for part in parts]))
    return _merge_sketches([sketched(part, sketch_k) for part in parts])


def sketched(numbers: Numbers, sketch_k: int) -> Numbers:
    """The same numbers as a sketch."""
    if not numbers.is_exact or not len(numbers.values):
        return numbers
    sketch = _new(sketch_k)
    ends = np.cumsum(numbers.counts)
    for start in range(0, int(ends[-1]), _AT_ONCE):
        ranks = np.arange(start, min(start + _AT_ONCE, int(ends[-1])))
        sketch.update(numbers.values[np.searchsorted(ends, ranks, side="right")])
    return Numbers(*_ends([numbers]), sketch.serialize())


def add_to_sketch(numbers: Numbers, column: NDArray[np.float64]) -> Numbers:
    """A sketch with the numbers of an array added to it: faster than counting them first."""
    if numbers.sketch is None:
        raise ValueError("these numbers are no sketch.")
    if not len(column):
        return numbers
    sketch = _load(numbers.sketch)
    sketch.update(np.ascontiguousarray(column, dtype=np.float64) + 0.0)
    new = Numbers(np.array([column.min(), column.max()]) + 0.0, np.zeros(2, dtype=np.int64))
    return Numbers(*_ends([numbers, new]), sketch.serialize())


def rank_error(sketch_k: int) -> float:
    """The error of the rank of a number, as a share of the rows, with a probability of 99 %."""
    return float(_sketches().kll_doubles_sketch.get_normalized_rank_error(sketch_k, False))


def check_sketch(sketch: bytes) -> bool:
    """Whether bytes are a whole sketch."""
    try:
        return int(_load(sketch).n) > 0
    except (RuntimeError, ValueError, IndexError, MemoryError):
        return False


def _merge_sketches(parts: list[Numbers]) -> Numbers:
    first, *others = [_load(part.sketch) for part in parts if part.sketch is not None]
    for other in others:
        first.merge(other)
    return Numbers(*_ends(parts), first.serialize())


def _ends(parts: list[Numbers]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    values = np.concatenate([part.values for part in parts])
    ends = np.unique([values.min(), values.max()])
    return ends, np.zeros(len(ends), dtype=np.int64)


def _together(
    values: list[NDArray[np.float64]], counts: list[NDArray[np.int64]]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Equal numbers of several arrays together, increasing."""
    all_values, all_counts = np.concatenate(values), np.concatenate(counts)
    order = np.argsort(all_values, kind="stable")  # merges arrays that are sorted already
    ordered = all_values[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    return ordered[starts], np.add.reduceat(all_counts[order], starts) if len(starts) else all_counts


def _new(sketch_k: int) -> Any:
    return _sketches().kll_doubles_sketch(sketch_k)


def _load(sketch: bytes) -> Any:
    return _sketches().kll_doubles_sketch.deserialize(sketch)


def _sketches() -> Any:
    try:
        import datasketches
    except ImportError:
        raise ImportError(
            "a column has more different numbers than are kept, and a sketch of them needs datasketches; install it "
            "with: pip install 'gnbayes[scale]', give edges, or raise exact_bytes."
        ) from None
    return datasketches
