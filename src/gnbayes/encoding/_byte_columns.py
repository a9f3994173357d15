"""Columns of small integers (codes, counts, flags) as bytes. Most categorical tables consist of such columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._feature import Feature
from gnbayes.kernels import for_each, native, ranges

# Integers up to this one fit into a byte; the remaining value of the byte stands for missing.
LARGEST_BYTE = 254
MISSING_BYTE = 255
# Rows sampled to decide whether reading as bytes pays off, first one, then more; rows and columns per thread task.
_FIRST_ROWS = (1, 8, 1024)
_ROWS_AT_ONCE = 2**16
_COLUMNS_AT_ONCE = 8
KINDS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")


@dataclass(frozen=True, eq=False)
class ByteColumns:
    """Columns as bytes.

    Parameters
    ----------
    values : ndarray of shape (n, d)
        The numbers of columns that fit, 255 for missing; each column is contiguous.
    fits_byte : ndarray of shape (d,)
        Whether all numbers of a column are integers from 0 to 254. The other fields are valid for such columns only.
    seen : ndarray of shape (d, 256)
        Whether a number occurs in a column.
    n_threads : int
    """

    values: NDArray[np.uint8]
    fits_byte: NDArray[np.bool_]
    seen: NDArray[np.bool_]
    n_threads: int

    @cached_property
    def _seen_bytes(self) -> bytes:
        return self.seen.tobytes()

    def categories(self, j: int) -> tuple[float, ...]:
        """The distinct numbers of column j, increasing."""
        return _numbers(self._seen_bytes[256 * j : 256 * j + MISSING_BYTE])

    def has_missing(self, j: int) -> bool:
        """Whether column j has missing values."""
        return bool(self.seen[j, MISSING_BYTE])

    def encoded(self, features: Sequence[Feature]) -> NDArray[np.uint8]:
        """Codes of the features in these byte columns; copied only where codes differ from the numbers."""
        codes = np.stack([byte_codes(feature) for feature in features])
        if not (codes != np.arange(256, dtype=np.uint8))[self.seen].any():
            return self.values
        out = self.values.copy(order="F")
        n, d = out.shape

        def replace(columns: tuple[int, int]) -> None:
            native.replace_bytes(out, n, d, *columns, codes)  # type: ignore[union-attr]

        for_each(replace, ranges(d, _COLUMNS_AT_ONCE), self.n_threads)
        return out


def read_byte_columns(
    columns: Sequence[NDArray[Any]] | NDArray[Any], n_rows: int, n_threads: int
) -> ByteColumns | None:
    """Read columns, or a matrix, as bytes; None if no column fits, or without the C kernels.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n,), or ndarray of shape (n, d)
    n_rows : int
    n_threads : int
    """
    if native is None or not n_rows:
        return None
    parts = [columns] if isinstance(columns, np.ndarray) else [column[:, None] for column in columns]
    parts = [part.view(np.uint8) if part.dtype == bool else part for part in parts]
    for n_first in _FIRST_ROWS:
        if n_rows > 2 * n_first and not any(_read_parts([part[:n_first]], 1)[1].any() for part in parts):
            return None
    values, fits_byte = _read_parts(parts, n_threads)
    d = len(fits_byte)
    seen = np.zeros((d, 256), dtype=np.uint8)

    def look(part: tuple[int, int]) -> None:
        native.bytes_seen(values, n_rows, d, *part, seen)

    for_each(look, ranges(d, _COLUMNS_AT_ONCE), n_threads)
    return ByteColumns(values, fits_byte, seen.view(bool), n_threads)


def _read_parts(parts: Sequence[NDArray[Any]], n_threads: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Matrices side by side as bytes, shape (n, d), and whether each column fits into bytes, shape (d,)."""
    n, ends = len(parts[0]), np.cumsum([part.shape[1] for part in parts]).tolist()
    out = np.empty((n, ends[-1]), dtype=np.uint8, order="F")
    fits_byte = np.ones(ends[-1], dtype=np.uint8)
    pieces = [(at, rows) for at in range(len(parts)) for rows in ranges(n, _ROWS_AT_ONCE)]

    def read(piece: tuple[int, tuple[int, int]]) -> None:
        part, end = parts[piece[0]], ends[piece[0]]
        place = slice(end - part.shape[1], end)
        found = np.zeros(part.shape[1], dtype=np.uint8)
        if part.dtype.name in KINDS and part.dtype.isnative and part.flags.aligned:
            found[:] = 1
            native.to_bytes(part, KINDS.index(part.dtype.name), *piece[1], out[:, place], found)  # type: ignore[union-attr]
        # Threads only ever write zeros, so none overwrites the finding of another.
        fits_byte[place][found == 0] = 0

    for_each(read, pieces, n_threads)
    return out, fits_byte.astype(bool)


def byte_codes(feature: Feature) -> NDArray[np.uint8]:
    """The code of every integer from 0 to 254, and of a missing value, shape (256,); for numeric features."""
    return _byte_codes(feature.kind, feature.edges if feature.kind == "interval" else feature.categories)


@lru_cache(maxsize=4096)
def _byte_codes(kind: str, values: tuple[Any, ...]) -> NDArray[np.uint8]:
    numbers = np.arange(MISSING_BYTE)
    if kind == "interval":
        codes = np.searchsorted(np.asarray(values, dtype=np.float64), numbers, side="right")
        return np.append(codes, len(values) + 1).astype(np.uint8)
    codes = np.full(MISSING_BYTE, len(values) + 1)
    for code, value in enumerate(values):
        if 0 <= value <= LARGEST_BYTE and float(value).is_integer():
            codes[int(value)] = code
    return np.append(codes, len(values)).astype(np.uint8)


@lru_cache(maxsize=4096)
def _numbers(seen: bytes) -> tuple[float, ...]:
    return tuple(np.flatnonzero(np.frombuffer(seen, dtype=np.uint8)).astype(np.float64).tolist())
