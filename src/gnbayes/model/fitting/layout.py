"""The order of the unknowns and cells of all tables, and the maps between unknowns and cells.

Smooth tables with the same basis are adjacent, so that the basis is applied to all of them at once; free tables, whose
unknowns are their cells, come last. Unknowns and cells have the shape (number, b, c): b problems side by side, each
with c columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import for_each, limit_threads
from gnbayes.model.fitting.bases import axis_bases
from gnbayes.model.fitting.cells import TermCells, compact_cells, count_cells, empty_cells, sum_steps, take_rows
from gnbayes.model.fitting.products import AxisMatrix, multiply_axes
from gnbayes.model.fitting.specs import MOST_FEATURES, TermSpec

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SmoothGroup:
    """Adjacent tables with the same basis.

    Parameters
    ----------
    tables, unknowns, cells : slice
        Their positions.
    expand, project, project_squares : tuple of AxisMatrix
        The basis, from unknowns to cells; its transpose; and the transpose of its squares.
    """

    tables: slice
    unknowns: slice
    cells: slice
    expand: tuple[AxisMatrix, ...]
    project: tuple[AxisMatrix, ...]
    project_squares: tuple[AxisMatrix, ...]

    @property
    def n_tables(self) -> int:
        """Number of tables."""
        return self.tables.stop - self.tables.start

    @property
    def n_cells(self) -> int:
        """Number of cells of one table."""
        return (self.cells.stop - self.cells.start) // self.n_tables


@dataclass(frozen=True, eq=False)
class Layout:
    """All tables of some terms.

    Parameters
    ----------
    specs : tuple of TermSpec
        The terms, in the order of their tables.
    places : ndarray of shape (g,)
        Position of each of them in the order given by the caller.
    kept : tuple of ndarray or None
        One per table: the cells that have a value because rows fall into them; None if all have.
    n_unknowns : ndarray of shape (g,)
        Number of unknowns of each table.
    groups : tuple of SmoothGroup
    """

    specs: tuple[TermSpec, ...]
    places: NDArray[np.intp]
    kept: tuple[NDArray[np.intp] | None, ...]
    n_unknowns: NDArray[np.intp]
    groups: tuple[SmoothGroup, ...]

    @property
    def n_tables(self) -> int:
        """Number of tables, g."""
        return len(self.specs)

    @cached_property
    def sizes(self) -> list[int]:
        """Number of cells of each table that have a value."""
        return [spec.n_cells if kept is None else len(kept) for spec, kept in zip(self.specs, self.kept, strict=True)]

    @cached_property
    def table_of(self) -> NDArray[np.intp]:
        """The table of each unknown."""
        return np.repeat(np.arange(self.n_tables), self.n_unknowns)

    @cached_property
    def n_cells(self) -> int:
        """Number of cells of all tables that have a value."""
        return sum(self.sizes)

    @property
    def table_of_cell(self) -> NDArray[np.intp]:
        """The table of each cell."""
        return np.repeat(np.arange(self.n_tables), self.sizes)

    @property
    def families(self) -> NDArray[np.intp]:
        """The family of each table."""
        return np.array([spec.family for spec in self.specs], dtype=np.intp)

    def expand(self, unknowns: Array) -> Array:
        """Values of the cells."""
        return self._apply(unknowns, self.n_cells, lambda group: (group.unknowns, group.cells, group.expand))

    def expand_squares(self, unknowns: Array) -> Array:
        """Variances of the cells, from the variances of independent unknowns."""

        def way(group: SmoothGroup) -> tuple[slice, slice, tuple[AxisMatrix, ...]]:
            return group.unknowns, group.cells, tuple(AxisMatrix.of(axis.transposed) for axis in group.project_squares)

        return self._apply(unknowns, self.n_cells, way)

    def project(self, cells: Array) -> Array:
        """For each unknown, the sum over cells weighted by what it adds to each of them."""
        return self._apply(cells, len(self.table_of), lambda group: (group.cells, group.unknowns, group.project))

    def project_squares(self, cells: Array) -> Array:
        """As `project`, with squared weights."""
        return self._apply(
            cells, len(self.table_of), lambda group: (group.cells, group.unknowns, group.project_squares)
        )

    def _apply(
        self, values: Array, n_out: int, way: Callable[[SmoothGroup], tuple[slice, slice, tuple[AxisMatrix, ...]]]
    ) -> Array:
        out = np.empty((n_out, *values.shape[1:]))
        first_in = first_out = 0
        for group in self.groups:
            of_in, of_out, matrices = way(group)
            multiply_axes(matrices, values[of_in], out[of_out], group.n_tables)
            first_in, first_out = of_in.stop, of_out.stop
        out[first_out:] = values[first_in:]
        return out

    @cached_property
    def kernel_groups(self) -> tuple[NDArray[np.int64], Array]:
        """The groups as arguments of the kernel that finds the unknowns, and all their matrices, one after the other.

        For each group: the number of its tables and axes; for each of three axes, the numbers of cells and unknowns,
        and where the matrices that expand and project it begin.
        """
        numbers = np.zeros((len(self.groups), 2 + 4 * MOST_FEATURES), dtype=np.int64)
        matrices: list[Array] = []
        begin = 0
        for own, group in zip(numbers, self.groups, strict=True):
            own[:2] = group.n_tables, len(group.expand)
            for axis, (expand, project) in enumerate(zip(group.expand, group.project, strict=True)):
                n_unknowns, n_cells = expand.transposed.shape
                own[2 + 4 * axis : 6 + 4 * axis] = n_cells, n_unknowns, begin, begin + n_cells * n_unknowns
                matrices += [expand.transposed.ravel(), project.transposed.ravel()]
                begin += 2 * n_cells * n_unknowns
        return numbers, np.concatenate([np.zeros(0), *matrices])

    def cells_of(self, codes: NDArray[Any], some: NDArray[np.intp] | None = None, n_threads: int = 1) -> TermCells:
        """The cells of rows, all of which must be cells of the layout.

        Parameters
        ----------
        codes : ndarray of shape (n, d)
        some : ndarray, optional
            Positions of the rows to use; by default all.
        n_threads : int, default=1
        """
        own = codes if some is None else take_rows(codes, some)
        cells, places = empty_cells(self.sizes, len(own))
        each = list(zip(self.specs, self._numbers, places, strict=True))

        def fill(at: int) -> None:
            spec, numbers, place = each[at]
            if numbers is None:
                spec.cells(own, place)
            else:
                _numbered(spec.cells(own), numbers, place)

        for_each(fill, range(len(each)), limit_threads(n_threads, len(own) * len(each)))
        return cells

    @cached_property
    def _numbers(self) -> list[NDArray[Any] | None]:
        return [_numbers_of_cells(spec, kept) for spec, kept in zip(self.specs, self.kept, strict=True)]

    def tables(self, cells: Array) -> list[Array]:
        """Values of the cells, shape (number of cells, k), as tables in the order of the given terms.

        Cells that no row falls into are 0.
        """
        out: list[Any] = [None] * self.n_tables
        ends = np.cumsum(self.sizes)[:-1]
        for place, spec, kept, values in zip(self.places, self.specs, self.kept, np.split(cells, ends), strict=True):
            table = values
            if kept is not None:
                table = np.zeros((spec.n_cells, cells.shape[1]))
                table[kept] = values
            out[place] = table.reshape(*spec.shape, -1)
        return out


@dataclass(frozen=True, eq=False)
class TermColumn:
    """Where rows fall in the table of one term, which does not depend on the other terms.

    Parameters
    ----------
    spec : TermSpec
    kept : ndarray or None
        The cells that have a value, as in `Layout`.
    cells : ndarray of shape (n,)
        The cell of each row, counted through those.
    """

    spec: TermSpec
    kept: NDArray[np.intp] | None
    cells: NDArray[Any]

    @classmethod
    def of(cls, spec: TermSpec, codes: NDArray[Any]) -> TermColumn:
        """Build the column of a term from rows of codes, shape (n, d)."""
        cells = spec.cells(codes)
        kept = _kept(spec, _occupied(spec, cells))
        return cls(spec, kept, _numbered(cells, _numbers_of_cells(spec, kept)))


def make_layout(
    specs: Sequence[TermSpec], codes: NDArray[Any], some: NDArray[np.intp] | None = None, n_threads: int = 1
) -> tuple[Layout, TermCells]:
    """Arrange the tables of terms for rows, and find the cells of all or some of the rows.

    Parameters
    ----------
    specs : sequence of TermSpec
    codes : ndarray of shape (n, d)
    some : ndarray, optional
        Positions of the rows whose cells are needed.
    n_threads : int, default=1
    """
    kept: list[NDArray[np.intp] | None] = [None] * len(specs)

    def find(at: int) -> None:
        kept[at] = _kept(specs[at], _occupied(specs[at], specs[at].cells(codes)))

    are_free = [at for at, spec in enumerate(specs) if spec.is_free]
    for_each(find, are_free, limit_threads(n_threads, len(codes) * len(are_free)))
    layout = _arranged(specs, kept)
    return layout, layout.cells_of(codes, some, n_threads)


def arrange(columns: Sequence[TermColumn], n_rows: int) -> tuple[Layout, TermCells]:
    """The layout of terms whose cells have been found already, and these cells.

    Parameters
    ----------
    columns : sequence of TermColumn
    n_rows : int
    """
    layout = _arranged([column.spec for column in columns], [column.kept for column in columns])
    own = [columns[at].cells for at in layout.places.tolist()]
    return layout, compact_cells(own, layout.sizes, n_rows)


def layout_of(specs: Sequence[TermSpec], occupied: Sequence[NDArray[np.bool_]]) -> Layout:
    """Arrange the tables of terms.

    Parameters
    ----------
    specs : sequence of TermSpec
    occupied : sequence of ndarray of shape (number of cells of the table,)
        One per term: the cells that rows fall into. In free tables, only those have unknowns.
    """
    return _arranged(specs, [_kept(spec, own) for spec, own in zip(specs, occupied, strict=True)])


def _arranged(specs: Sequence[TermSpec], kept: Sequence[NDArray[np.intp] | None]) -> Layout:
    places = sorted(range(len(specs)), key=lambda at: (specs[at].is_free, *_kind(specs[at]), at))
    ordered, own = tuple(specs[at] for at in places), tuple(kept[at] for at in places)
    return Layout(ordered, np.array(places, dtype=np.intp), own, *_unknowns_and_groups(ordered, own))


def _kept(spec: TermSpec, occupied: NDArray[np.bool_]) -> NDArray[np.intp] | None:
    """The cells of a table that have a value; None for all."""
    return np.flatnonzero(occupied) if spec.is_free and not occupied.all() else None


def _numbers_of_cells(spec: TermSpec, kept: NDArray[np.intp] | None) -> NDArray[Any] | None:
    """The number of each cell of a table among those that have a value; None where all have."""
    if kept is None:
        return None
    numbers = np.zeros(spec.n_cells, dtype=np.min_scalar_type(max(len(kept) - 1, 0)))
    numbers[kept] = np.arange(len(kept))
    return numbers


def _numbered(cells: NDArray[Any], numbers: NDArray[Any] | None, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Cells of rows, counted through those that have a value."""
    return cells if numbers is None else sum_steps([cells], [numbers], numbers.dtype, out)


def _kind(spec: TermSpec) -> tuple[Any, ...]:
    """Equal for tables with the same basis; empty for free ones, which have none."""
    return () if spec.is_free else (spec.penalty, spec.n_ordered, spec.has_missing)


def _occupied(spec: TermSpec, cells: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether rows fall into each cell of a table; True for smooth tables, whose cells all have values."""
    return count_cells(cells, spec.n_cells) > 0 if spec.is_free else np.ones(spec.n_cells, dtype=bool)


def _unknowns_and_groups(
    specs: Sequence[TermSpec], kept: Sequence[NDArray[np.intp] | None]
) -> tuple[NDArray[np.intp], tuple[SmoothGroup, ...]]:
    """The number of unknowns of every table, and the groups of smooth ones."""
    groups: list[SmoothGroup] = []
    n_unknowns = []
    first = unknown = cell = 0
    for kind, alike in groupby((spec for spec in specs if not spec.is_free), _kind):
        n_tables, basis = len(list(alike)), _basis(*kind)
        groups.append(
            SmoothGroup(
                slice(first, first + n_tables),
                slice(unknown, unknown + n_tables * basis.n_unknowns),
                slice(cell, cell + n_tables * basis.n_cells),
                basis.expand,
                basis.project,
                basis.project_squares,
            )
        )
        n_unknowns += [basis.n_unknowns] * n_tables
        first, unknown, cell = first + n_tables, groups[-1].unknowns.stop, groups[-1].cells.stop
    for spec, numbers in zip(specs[first:], kept[first:], strict=True):
        n_unknowns.append(spec.n_cells if numbers is None else len(numbers))
    return np.array(n_unknowns, dtype=np.intp), tuple(groups)


@dataclass(frozen=True, eq=False)
class _Basis:
    """What tables of one kind have in common; matrices as in `SmoothGroup`."""

    n_unknowns: int
    n_cells: int
    expand: tuple[AxisMatrix, ...]
    project: tuple[AxisMatrix, ...]
    project_squares: tuple[AxisMatrix, ...]


@lru_cache(maxsize=256)
def _basis(penalty: str, n_ordered: tuple[int, ...], has_missing: tuple[bool, ...]) -> _Basis:
    bases = axis_bases(penalty, n_ordered, has_missing)
    return _Basis(
        math.prod(basis.shape[1] for basis in bases),
        math.prod(len(basis) for basis in bases),
        tuple(AxisMatrix.of(basis) for basis in bases),
        tuple(AxisMatrix.of(basis.T) for basis in bases),
        tuple(AxisMatrix.of(basis.T**2) for basis in bases),
    )
