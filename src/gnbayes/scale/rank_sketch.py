"""A quantile sketch of constant size; the same numbers merged in the same way give the same sketch."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_MAGIC, _HEAD = b"gnbr", struct.Struct("<4sII")
# Each level may have this share of the numbers of the level above, but at least this many.
_SHARE, _LEAST = 2 / 3, 8
# Maximum number of levels, and of numbers in all levels, of a sketch from a file.
_MOST_LEVELS, _MOST_NUMBERS = 62, 2**24


@dataclass(frozen=True, eq=False)
class RankSketch:
    """Numbers by level: a number of level h represents 2^h numbers.

    Parameters
    ----------
    k : int
        Size: about 3 k numbers are kept. `rank_error` gives the error of ranks.
    levels : tuple of ndarray
        Each increasing.

    Notes
    -----
    This is the sketch of Z. Karnin, K. Lang and E. Liberty (2016), Optimal quantile approximation in streams. A level
    that is too large is sorted, and every second number of it goes to the next level. Whether these are the first,
    third, ... or the second, fourth, ... of them is decided by a hash of these numbers rather than by chance: the same
    numbers, merged in the same way, give the same sketch, and merging is commutative.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.scale.rank_sketch import RankSketch
    >>> sketch = RankSketch(200, ()).add(np.arange(100_000.0))
    >>> values, counts = sketch.points
    >>> len(values) < 1000, int(counts.sum())
    (True, 100000)
    >>> bool(abs(values[np.searchsorted(np.cumsum(counts), 50_000)] - 50_000) < 1000)
    True
    """

    k: int
    levels: tuple[Array, ...]

    @property
    def n(self) -> int:
        """How many numbers were added."""
        return sum(len(numbers) << level for level, numbers in enumerate(self.levels))

    @property
    def points(self) -> tuple[Array, NDArray[np.int64]]:
        """The distinct numbers kept, increasing, and how many numbers each represents."""
        values = np.concatenate([np.zeros(0), *self.levels])
        weights = np.repeat(2 ** np.arange(len(self.levels), dtype=np.int64), [len(own) for own in self.levels])
        different, place = np.unique(values, return_inverse=True)
        counts = np.zeros(len(different), dtype=np.int64)
        np.add.at(counts, place, weights)
        return different, counts

    def add(self, numbers: Array) -> Self:
        """The sketch with additional numbers, none of which is NaN or -0.0."""
        return self._with([numbers])

    def add_counted(self, values: Array, counts: NDArray[np.int64]) -> Self:
        """The sketch with numbers that occur several times: 2^h copies are one number of level h."""
        n_levels = int(counts.max(initial=0)).bit_length()
        return self._with([values[(counts >> level) & 1 == 1] for level in range(n_levels)])

    def merge(self, other: RankSketch) -> Self:
        """The sketch of the numbers of both."""
        return self._with(other.levels)

    def to_bytes(self) -> bytes:
        """The sketch as bytes, the same on every machine."""
        sizes = [len(numbers) for numbers in self.levels]
        head = _HEAD.pack(_MAGIC, self.k, len(sizes)) + np.array(sizes, dtype="<u4").tobytes()
        return head + b"".join(numbers.astype("<f8").tobytes() for numbers in self.levels)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The sketch written by `to_bytes`; a ValueError for other bytes."""
        if len(data) < _HEAD.size:
            raise ValueError("too few bytes for a sketch.")
        magic, k, n_levels = _HEAD.unpack_from(data)
        if magic != _MAGIC or n_levels > _MOST_LEVELS or len(data) < _HEAD.size + 4 * n_levels:
            raise ValueError("these bytes are not a sketch of ranks.")
        sizes = np.frombuffer(data, "<u4", n_levels, _HEAD.size).astype(np.int64)
        numbers = np.frombuffer(data, np.uint8, offset=_HEAD.size + 4 * n_levels)
        if sizes.sum() > _MOST_NUMBERS or len(numbers) != 8 * sizes.sum():
            raise ValueError("a sketch of ranks is incomplete.")
        levels = np.split(np.frombuffer(numbers.tobytes(), "<f8").astype(np.float64), np.cumsum(sizes)[:-1])
        if not all(np.isfinite(own).all() and (np.diff(own) >= 0).all() for own in levels):
            raise ValueError("the numbers of a sketch of ranks must be finite and increase.")
        return cls(k, tuple(levels) if n_levels else ())

    def _with(self, others: Sequence[Array]) -> Self:
        """Add numbers to the levels, then compress those that are too large."""
        n_levels = max(len(self.levels), len(others))
        pairs = [
            [part[level] for part in (self.levels, others) if level < len(part) and len(part[level])]
            for level in range(n_levels)
        ]
        levels = [np.sort(np.concatenate(parts)) if parts else np.zeros(0) for parts in pairs]
        while sum(map(len, levels)) > sum(self._capacity(level, len(levels)) for level in range(len(levels))):
            full = next(at for at, own in enumerate(levels) if len(own) > self._capacity(at, len(levels)))
            if full + 1 == len(levels):
                levels.append(np.zeros(0))
            levels[full], promoted = _halved(levels[full])
            levels[full + 1] = np.sort(np.concatenate([levels[full + 1], promoted]))
        return type(self)(self.k, tuple(levels))

    def _capacity(self, level: int, n_levels: int) -> int:
        return max(_LEAST, int(np.ceil(self.k * _SHARE ** (n_levels - 1 - level))))


def rank_error(k: int) -> float:
    """The error of the rank of a number, as a share of the numbers, with a probability of 99 %.

    The formula was fitted to simulations by the authors of Apache DataSketches.

    Examples
    --------
    >>> from gnbayes.scale import rank_error
    >>> round(rank_error(4000), 5)
    0.00072
    """
    return float(2.296 / k**0.9723)


def _halved(numbers: Array) -> tuple[Array, Array]:
    """Compress a sorted level: what stays in it (the last of an odd number), and every second of the others."""
    n_even = len(numbers) // 2 * 2
    return numbers[n_even:], numbers[_coin(numbers) : n_even : 2]


def _coin(numbers: Array) -> int:
    """0 or 1, from all bits of the numbers."""
    with np.errstate(over="ignore"):
        total = np.add.reduce(np.ascontiguousarray(numbers).view(np.uint64), dtype=np.uint64)
    hashed = (int(total) * 0x9E3779B97F4A7C15) % 2**64
    hashed = ((hashed ^ (hashed >> 31)) * 0xBF58476D1CE4E5B9) % 2**64
    return (hashed ^ (hashed >> 29)) & 1
