"""Count all pairs of values at once, from one indicator per (feature, value): the rows of a class that have it.

Without weights, an indicator is a bit string, and a cell is the number of bits that two of them share. With weights, it
is a row of ones and zeros, and the cells are one matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting._coded_rows import CodedRows
from gnbayes.counting._counts import value_offsets
from gnbayes.progress import Progress

# Indicators are computed for blocks of rows with this many values, a whole number of words.
_VALUES_AT_ONCE = 2**23
# Number of 64-bit words whose counts are summed in one byte: 3 x 64 < 256.
_WORDS_AT_ONCE = 3
# Number of cells counted together, so that intermediate results stay in cache.
_CELLS_AT_ONCE = 2**13
_LEAST_LEFT = 25


@dataclass(frozen=True, eq=False)
class SortedRows:
    """Some features of coded rows, sorted by class.

    Parameters
    ----------
    codes : ndarray of shape (q, n)
    class_ends : ndarray of shape (k,)
        Where the rows of each class end.
    weights : ndarray of shape (n,), or None
    offsets : ndarray of shape (q + 1,)
        Where each feature starts when all values are concatenated, and the end.
    feature, value : ndarray of shape (sum of cardinalities,)
        Feature and value at each position.
    """

    codes: NDArray[Any]
    class_ends: NDArray[np.intp]
    weights: NDArray[np.float64] | None
    offsets: NDArray[np.intp]
    feature: NDArray[np.intp]
    value: NDArray[Any]

    @classmethod
    def of(cls, rows: CodedRows, features: NDArray[np.intp]) -> Self:
        """Sort the rows, and keep the given features."""
        order = np.argsort(rows.labels, kind="stable")
        codes = rows.codes.T if len(features) == rows.n_features else rows.codes.T[features]
        cardinalities = rows.cardinalities[features]
        offsets = value_offsets(cardinalities)
        value = np.arange(offsets[-1]) - np.repeat(offsets[:-1], cardinalities)
        return cls(
            np.take(codes, order, axis=1),
            np.cumsum(np.bincount(rows.labels, minlength=rows.n_classes)),
            None if rows.weights is None else rows.weights[order],
            offsets,
            np.repeat(np.arange(len(features)), cardinalities),
            value.astype(rows.codes.dtype),
        )

    def indicators(self, low: int, start: int, stop: int) -> NDArray[np.bool_]:
        """Whether each of the rows start..stop-1 has each of the values from low on, shape (values, rows)."""
        return self.codes[self.feature[low:], start:stop] == self.value[low:, None]


def pair_sums(rows: SortedRows, first: int, stop: int, progress: Progress) -> NDArray[Any]:
    """Sums over the pairs of values of the features first..stop-1 with those of all features from first on.

    Returns
    -------
    sums : ndarray of shape (k, values of first..stop-1, values from first on)
        Valid for pairs of different features in increasing order.
    """
    low, n_left = int(rows.offsets[first]), int(rows.offsets[stop] - rows.offsets[first])
    n_right = int(rows.offsets[-1]) - low
    shape = (len(rows.class_ends), n_left, n_right)
    out: NDArray[Any] = np.zeros(shape, dtype=np.int64 if rows.weights is None else np.float64)
    step = max(64, _VALUES_AT_ONCE // n_right // 64 * 64)
    begin = 0
    for cells, end in zip(out, rows.class_ends.tolist(), strict=True):
        for start in range(begin, end, step):
            part = slice(start, min(start + step, end))
            indicators = rows.indicators(low, part.start, part.stop)
            if rows.weights is None:
                _add_shared_bits(_words(indicators), cells)
            else:
                ones = indicators.astype(np.float64)
                cells += (ones[:n_left] * rows.weights[part]) @ ones.T
            progress(part.stop / len(rows.codes[0]))
        begin = end
    return out


def _words(indicators: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Indicators as words of 64 bits, shape (words, values)."""
    n_values, n_rows = indicators.shape
    packed = np.zeros((n_values, -(-n_rows // 64) * 8), dtype=np.uint8)
    packed[:, : -(-n_rows // 8)] = np.packbits(indicators, axis=1)
    return np.ascontiguousarray(packed.view(np.uint64).T)


def _add_shared_bits(words: NDArray[np.uint64], cells: NDArray[np.int64]) -> None:
    """Add the number of bits that every left value shares with every value from itself on."""
    n_left, n_right = cells.shape
    size = max(_LEAST_LEFT, _CELLS_AT_ONCE // n_right)
    for left in range(0, n_left, size):
        stop = min(left + size, n_left)
        total = np.zeros((stop - left, n_right - left), dtype=np.uint32)
        for at in range(0, len(words), _WORDS_AT_ONCE):
            part = words[at : at + _WORDS_AT_ONCE]
            shared = np.bitwise_count(part[:, left:stop, None] & part[:, None, left:])
            total += shared.sum(axis=0, dtype=np.uint8)
        cells[left:stop, left:] += total
