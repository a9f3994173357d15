"""A table by columns, which keep their original form until they are needed."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._byte_columns import KINDS, ByteColumns, read_byte_columns
from gnbayes.encoding._texts import Texts
from gnbayes.encoding._values import Kind
from gnbayes.kernels import for_each, limit_threads, ranges

# A matrix up to this size is transposed at once, a larger one a few columns at a time.
_WHOLE_BYTES = 128 * 2**20
_BLOCK_BYTES = 64 * 2**20
# Short columns of a frame are copied, this many values at a time.
_SHORT_VALUES = 2**17


@dataclass(frozen=True)
class Table:
    """A table by columns.

    Parameters
    ----------
    names : tuple of str
        One name per column.
    keys : tuple
        The names as they are in the frame; the same as `names` if they are strings.
    kinds : tuple of {"number", "bool", "text", "empty"}
        Type of each column. ``"empty"``: only missing values.
    columns : sequence of ndarray of shape (n,)
        float64 with NaN for missing ("number" and "bool"), or object with None for missing ("text").
    n_rows : int
    is_category : tuple of bool
        Whether the frame itself declares the column as categorical.
    n_threads : int
        Number of threads for reading.
    orders : tuple
        For each column the ordered categories if the frame declares an order, otherwise None; empty if no column has an
        order.

    Examples
    --------
    >>> import pandas as pd
    >>> from gnbayes.encoding import read_frame
    >>> table = read_frame(pd.DataFrame({"age": [31, 50], "sex": ["f", None], "smokes": [True, False]}))
    >>> table.n_rows, table.names, table.kinds
    (2, ('age', 'sex', 'smokes'), ('number', 'text', 'bool'))
    >>> table.columns[1].tolist()
    ['f', None]
    """

    names: tuple[str, ...]
    keys: tuple[Any, ...]
    kinds: tuple[Kind, ...]
    columns: Sequence[NDArray[Any]]
    n_rows: int
    is_category: tuple[bool, ...]
    n_threads: int = 1
    orders: tuple[tuple[Any, ...] | None, ...] = ()

    @cached_property
    def byte_columns(self) -> ByteColumns | None:
        """The columns of small integers as bytes, if there are any and they can be read fast."""
        if isinstance(self.columns, MatrixColumns):
            columns: Any = self.columns.matrix
        else:
            columns = self.columns.raw(self.n_rows) if isinstance(self.columns, FrameColumns) else self.columns
        return read_byte_columns(columns, self.n_rows, limit_threads(self.n_threads, self.n_rows * self.n_columns))

    @property
    def matrix(self) -> NDArray[Any] | None:
        """The original matrix, if the table is a matrix of numbers that the kernels can read."""
        matrix = self.columns.matrix if isinstance(self.columns, MatrixColumns) else None
        if matrix is None or matrix.dtype.name not in KINDS or not matrix.dtype.isnative or not matrix.flags.aligned:
            return None
        return matrix

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.names)

    def position(self, key: Any) -> int | None:
        """Position of a column given by name, or by position if no column name is a number."""
        at = self._position_of_key.get(key) if isinstance(key, Hashable) else None
        is_number = isinstance(key, int | np.integer) and not isinstance(key, bool)
        if at is None and is_number and not self._has_number_names and 0 <= key < self.n_columns:
            return int(key)
        return at

    @cached_property
    def _position_of_key(self) -> dict[Any, int]:
        return {key: at for at, key in enumerate(self.keys)}

    @cached_property
    def _has_number_names(self) -> bool:
        return any(isinstance(key, int | np.integer) for key in self.keys)

    def order(self, j: int) -> tuple[Any, ...] | None:
        """All categories of column j in the order that the frame declares, if it does."""
        return self.orders[j] if self.orders else None

    def texts(self, j: int) -> Texts | None:
        """Column j as distinct texts and their positions, if it was read in this form."""
        column = self.columns.arrays[j] if isinstance(self.columns, FrameColumns) else None
        return column if isinstance(column, Texts) else None

    def number_blocks(self, columns: Sequence[int]) -> Iterator[tuple[list[int], NDArray[np.float64]]]:
        """The given numeric columns, several at a time if they are adjacent in memory or short: positions and values.

        Values have the shape (n, q).
        """
        if isinstance(self.columns, MatrixColumns):
            yield from self.columns.blocks(columns)
            return
        width = max(1, _SHORT_VALUES // max(1, self.n_rows))
        for start in range(0, len(columns), width):
            some = list(columns[start : start + width])
            yield some, np.stack([self.columns[j] for j in some]).T if width > 1 else self.columns[some[0]][:, None]

    def take(self, rows: NDArray[np.bool_]) -> Table:
        """The table of the rows where the mask is true."""
        if isinstance(self.columns, MatrixColumns):
            columns: Sequence[NDArray[Any]] = MatrixColumns(self.columns.matrix[rows])
        else:
            columns = FrameColumns([column[rows] for column in self.columns])
        return replace(self, columns=columns, n_rows=int(rows.sum()))


class FrameColumns(Sequence[NDArray[Any]]):
    """Columns of a frame; integers and texts are converted only on access."""

    def __init__(self, arrays: Sequence[NDArray[Any] | Texts]) -> None:
        self.arrays = arrays

    def raw(self, n_rows: int) -> list[NDArray[Any]]:
        """Columns unchanged, with an empty array in place of texts."""
        no_text = np.broadcast_to(np.array(None, dtype=object), n_rows)
        return [no_text if isinstance(array, Texts) else array for array in self.arrays]

    def __len__(self) -> int:
        return len(self.arrays)

    def __getitem__(self, j: Any) -> Any:
        array = self.arrays[j]
        if isinstance(array, Texts):
            return array.objects
        return array if array.dtype == object else array.astype(np.float64, copy=False)


class MatrixColumns(Sequence[NDArray[np.float64]]):
    """Columns of a numeric matrix, each contiguous, transposed block by block."""

    def __init__(self, matrix: NDArray[Any], n_threads: int = 1) -> None:
        n, d = matrix.shape
        self.matrix, self._n_threads = matrix, n_threads
        self._width = d if 8 * matrix.size <= _WHOLE_BYTES else max(1, _BLOCK_BYTES // (8 * n))
        self._start = -1
        self._block = np.empty((0, 0))

    def __len__(self) -> int:
        return int(self.matrix.shape[1])

    def __getitem__(self, j: Any) -> Any:
        return self._block_of(j)[:, j % self._width]

    def blocks(self, columns: Sequence[int]) -> Iterator[tuple[list[int], NDArray[np.float64]]]:
        """The given columns, block by block; none is kept, because a block may be as large as the matrix."""
        for number, members in groupby(columns, key=lambda j: j // self._width):
            positions = list(members)
            block = self._block_of(positions[0])
            if len(positions) < block.shape[1]:
                block = block[:, [j - number * self._width for j in positions]]
            yield positions, block
            del block
            self._start, self._block = -1, np.empty((0, 0))

    def _block_of(self, j: int) -> NDArray[np.float64]:
        start = j - j % self._width
        if start != self._start:
            self._block = _by_columns(self.matrix[:, start : start + self._width], self._n_threads)
            self._start = start
        return self._block


def _by_columns(matrix: NDArray[Any], n_threads: int) -> NDArray[np.float64]:
    out = np.empty(matrix.shape, dtype=np.float64, order="F")

    def copy(chunk: tuple[int, int]) -> None:
        out[slice(*chunk)] = matrix[slice(*chunk)]

    # Row chunks keep both the rows read and the columns written in cache: twice as fast as one assignment.
    for_each(copy, ranges(len(matrix), 4096), limit_threads(n_threads, matrix.size))
    return out
