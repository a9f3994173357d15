"""The cells that rows fall into, each in as few bytes as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import for_each, limit_threads, native

_KINDS = (np.uint8, np.uint16, np.uint32)


@dataclass(frozen=True, eq=False)
class TermCells:
    """The cell of each row in each table, column by column, in 1, 2 or 4 bytes.

    Parameters
    ----------
    columns : tuple of three ndarray of shape (n, g_1), (n, g_2), (n, g_4)
        Cells, numbered within their table; uint8, uint16 and uint32, with contiguous columns.
    starts : ndarray of shape (g_1 + g_2 + g_4,)
        First cell of the table of each column, where the cells of all tables are numbered consecutively.
    n_cells : int
        Number of cells of all tables.
    """

    columns: tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint32]]
    starts: NDArray[np.int64]
    n_cells: int

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0])

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments of the C kernels."""
        sizes = (part.shape[1] for part in self.columns)
        return (*self.columns, *sizes, self.n_rows, self.starts, self.n_cells)

    def table_of_columns(self, sizes: Sequence[int]) -> NDArray[np.intp]:
        """The position of the table of each column among tables of the given sizes."""
        return np.searchsorted(np.cumsum([0, *sizes[:-1]]), self.starts)

    def of_columns(self, which: NDArray[np.bool_]) -> TermCells:
        """The cells in some of the tables."""
        parts: list[NDArray[Any]] = list(self.columns)
        own = np.split(which, np.cumsum([part.shape[1] for part in parts])[:-1])
        first, second, third = (np.asfortranarray(part[:, some]) for part, some in zip(parts, own, strict=True))
        return replace(self, columns=(first, second, third), starts=self.starts[which])

    def of_rows(self, rows: NDArray[np.intp]) -> TermCells:
        """The cells of some of the rows."""
        first, second, third = (take_rows(part, rows) for part in self.columns)
        return replace(self, columns=(first, second, third))


def take_rows(columns: NDArray[Any], rows: NDArray[np.intp]) -> NDArray[Any]:
    """Some rows of a matrix, with contiguous columns."""
    out = np.empty((len(rows), columns.shape[1]), columns.dtype, order="F")
    for j in range(columns.shape[1]):
        np.take(columns[:, j], rows, out=out[:, j])
    return out


def sum_steps(
    columns: Sequence[NDArray[Any]],
    steps: Sequence[NDArray[Any]],
    kind: np.dtype[Any],
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The sum over axes of steps[axis][codes], shape (n,), in an unsigned type that holds it.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n,)
        Codes along one to three axes, contiguous and all of one unsigned type.
    steps : sequence of ndarray
        One per axis, with an entry for each of its codes.
    kind : dtype
    out : ndarray of shape (n,), optional
        Array for the result; contiguous, and of this type.
    """
    out = np.empty(len(columns[0]), dtype=kind) if out is None else out
    if native is None or not all(column.flags.c_contiguous and column.itemsize <= 4 for column in columns):
        out[:] = steps[0].astype(kind)[columns[0]]
        for column, own in zip(columns[1:], steps[1:], strict=True):
            out += own.astype(kind)[column]
        return out
    whole = tuple(own.astype(np.uint32) for own in steps)
    native.cells_of_rows(tuple(columns), columns[0].itemsize, len(out), whole, out, kind.itemsize)
    return out


def recode(codes: NDArray[Any], maps: Sequence[NDArray[Any]], n_threads: int = 1) -> NDArray[Any]:
    """The same rows in other codes, of the same type.

    Parameters
    ----------
    codes : ndarray of shape (n, d)
    maps : sequence of ndarray of shape (v_j,)
        Per column, the new code of each of its codes.
    n_threads : int, default=1
    """
    out = np.empty(codes.shape, dtype=codes.dtype, order="F")

    def fill(j: int) -> None:
        sum_steps([codes[:, j]], [maps[j]], codes.dtype, out[:, j])

    for_each(fill, range(len(maps)), limit_threads(n_threads, codes.size))
    return out


def count_cells(cells: NDArray[np.unsignedinteger], n_cells: int) -> NDArray[np.int64]:
    """Number of rows in each cell, shape (n_cells,): `numpy.bincount`, without a copy of the cells as large numbers."""
    if native is None or cells.itemsize > 4:
        return np.bincount(cells, minlength=n_cells)
    counts = np.zeros((2, n_cells), dtype=np.int64)
    native.count_cells(cells, cells.itemsize, len(cells), n_cells, counts)
    return counts[0].copy()


def compact_cells(columns: Sequence[NDArray[Any]], sizes: Sequence[int], n_rows: int) -> TermCells:
    """Combine the cells of tables.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n,)
        One per table: the cell of each row.
    sizes : sequence of int
        Number of cells of each table.
    n_rows : int
    """
    cells, places = empty_cells(sizes, n_rows)
    for place, column in zip(places, columns, strict=True):
        place[:] = column
    return cells


def empty_cells(sizes: Sequence[int], n_rows: int) -> tuple[TermCells, list[NDArray[Any]]]:
    """Allocate space for the cells of rows; return it with the column of each table in it.

    Parameters
    ----------
    sizes : sequence of int
        Number of cells of each table.
    n_rows : int
    """
    starts = np.cumsum([0, *sizes])
    limits = [int(np.iinfo(kind).max) + 1 for kind in _KINDS]
    kinds = np.searchsorted(limits, sizes)
    parts = [np.empty((n_rows, int((kinds == at).sum())), dtype=kind, order="F") for at, kind in enumerate(_KINDS)]
    free = [iter(part.T) for part in parts]
    places = [next(free[at]) for at in kinds.tolist()]
    order = np.argsort(kinds, kind="stable")
    cells = TermCells((parts[0], parts[1], parts[2]), starts[order].astype(np.int64), int(starts[-1]))
    return cells, places
