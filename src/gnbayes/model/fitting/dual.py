"""The dual problem, with one unknown per row: for few rows and very many unknowns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import native
from gnbayes.model.fitting.cells import TermCells, compact_cells
from gnbayes.model.fitting.cholesky import cholesky, solve_lower, solve_upper
from gnbayes.model.fitting.layout import Layout, SmoothGroup
from gnbayes.model.fitting.objective import Array, Objective
from gnbayes.model.fitting.products import AxisMatrix
from gnbayes.model.fitting.solver import Solver
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.sums import FittingRows, Kind, row_scores, sum_over_rows

# It is faster up to this number of rows, if there are at least this many unknowns per row.
_FEW_ROWS, _WIDE = 300, 30
# Smooth tables with more cells are too large for a matrix between cells.
_MOST_CELLS = 1024


def make_solver(objective: Objective, looked_at: Callable[[int], None] = lambda _: None) -> Solver:
    """The faster solver for an objective; parameters as in `Solver`."""
    rows, p = objective.rows, len(objective.size)
    is_small = all(group.n_cells <= _MOST_CELLS for group in objective.layout.groups)
    if isinstance(rows, FittingRows) and is_small and len(rows) <= _FEW_ROWS and p >= _WIDE * len(rows):
        return DualSolver(objective, rows, looked_at=looked_at)
    return Solver(objective, looked_at=looked_at)


class DualSolver(Solver):
    """Minimise over n instead of p unknowns.

    The solution has the form z = A^-1 Z' v, where Z is the design matrix and A the penalties. With K = Z A^-1 Z' = L L'
    and u = L' v, the scores are L u and the ridge penalty is that of u: a single table with one cell per row and
    basis L. L is reused for penalties that differ by a common factor. K is a sum over families, whose summands are
    reused for penalties that differ by one factor per family.

    Parameters
    ----------
    objective : Objective
    rows : FittingRows
        The rows of the objective.
    tolerance, looked_at
        As in `Solver`.
    """

    def __init__(self, objective: Objective, rows: FittingRows, **how: Any) -> None:
        super().__init__(objective, **how)
        self._rows = rows
        self._similarity: _Similarity | None = None
        self._factors: _Factors | None = None

    def solve(self, x: Array, row_weights: Array | None, penalties: NDArray[np.float64], max_iterations: int) -> Array:
        objective, factors = self.objective, self._factors_for(penalties)
        factors.of_rows.curvature = objective.curvature
        u = solve_lower(factors.lower, table_scores(objective.layout, self._rows, x))
        solver = Solver(factors.of_rows, self._tolerance, self._looked_at)
        times = penalties[:1] / factors.penalties[:1]
        found = solver.solve(np.concatenate([x[:1], u]), row_weights, times, max_iterations)
        z = project_rows(objective.layout, self._rows, solve_upper(factors.lower, found[1:]))
        z /= factors.penalties[objective.layout.table_of][:, None, None]
        return np.concatenate([found[:1], z])

    def is_divisible(self, x: Array) -> bool:
        """No: libraries of linear algebra round by the number of problems."""
        return False

    def _factors_for(self, penalties: NDArray[np.float64]) -> _Factors:
        """L for given penalties, reusing earlier results where possible."""
        if self._factors is not None and self._factors.serve(penalties):
            return self._factors
        if self._similarity is None or not self._similarity.serves(penalties):
            self._similarity = _Similarity.of(self.objective.layout, self._rows.cells, penalties)
        self._factors = _factorise(self._similarity.between_rows(penalties), self._rows, penalties)
        return self._factors


@dataclass(frozen=True, eq=False)
class _Similarity:
    """Similarity (kernel matrix) of rows by the tables of each family, for penalties and multiples of them.

    Parameters
    ----------
    penalties : ndarray of shape (g,)
    family_of : ndarray of shape (g,)
        The family of each table, numbered from 0 without gaps.
    parts : ndarray of shape (f, n, n)
    """

    penalties: NDArray[np.float64]
    family_of: NDArray[np.intp]
    parts: Array

    @classmethod
    def of(cls, layout: Layout, cells: TermCells, penalties: NDArray[np.float64]) -> _Similarity:
        """The similarity by all tables."""
        family_of = np.unique(layout.families, return_inverse=True)[1].reshape(-1)
        return cls(penalties, family_of, row_similarity(layout, cells, penalties, family_of))

    def serves(self, penalties: NDArray[np.float64]) -> bool:
        """Whether other penalties are in the same proportion within each family."""
        times = self.penalties / penalties
        return bool((np.abs(times - self._times(penalties)[self.family_of]) <= 1e-12 * times).all())

    def between_rows(self, penalties: NDArray[np.float64]) -> Array:
        """Similarity of rows by all tables, for given penalties, shape (n, n)."""
        out = np.zeros(self.parts.shape[1:])
        for part, times in zip(self.parts, self._times(penalties).tolist(), strict=True):
            out += times * part
        return out

    def _times(self, penalties: NDArray[np.float64]) -> Array:
        """One factor for each family: that of its first table."""
        firsts = np.unique(self.family_of, return_index=True)[1]
        return np.asarray(self.penalties[firsts] / penalties[firsts])


@dataclass(frozen=True, eq=False)
class _Factors:
    """L for some penalties, and the objective of the table whose basis it is."""

    penalties: NDArray[np.float64]
    lower: Array
    of_rows: Objective

    def serve(self, penalties: NDArray[np.float64]) -> bool:
        """Whether other penalties are in the same proportion."""
        times = penalties / self.penalties
        return bool(np.ptp(times) <= 1e-12 * times[0])


def _factorise(kernel: Array, rows: FittingRows, penalties: NDArray[np.float64]) -> _Factors:
    # Nearly equal rows make it nearly singular.
    kernel[np.diag_indices_from(kernel)] += 1e-9 * np.trace(kernel) / len(kernel)
    lower = cholesky(kernel)
    return _Factors(penalties, lower, _objective_of_rows(rows, lower))


def table_scores(layout: Layout, rows: FittingRows, x: Array) -> Array:
    """What the tables add to the scores of the rows, shape (n, b, c)."""
    return row_scores(rows.cells, layout.expand(x[1:]), np.zeros(x.shape[1:]))


def project_rows(layout: Layout, rows: FittingRows, values: Array) -> Array:
    """Z' times values of the rows, shape (n, b, c): a sum for each unknown of the tables, shape (p, b, c)."""
    flat = values.reshape(len(values), -1)
    rows = replace(rows, weights=np.abs(flat).max(axis=1))
    n_cells, m = rows.cells.n_cells, flat.shape[1]
    sums = sum_over_rows(Kind.TOTALS, rows, flat, np.zeros((n_cells, m, 1)), np.zeros((m, 1)))
    return layout.project(sums.cells.reshape(n_cells, *values.shape[1:]))


def row_similarity(
    layout: Layout, cells: TermCells, penalties: NDArray[np.float64], family_of: NDArray[np.intp]
) -> Array:
    """Z A^-1 Z' of each family, shape (f, n, n): the similarity of two rows, summed over its tables.

    Parameters
    ----------
    layout : Layout
    cells : TermCells
    penalties : ndarray of shape (g,)
    family_of : ndarray of shape (g,)
        The family of each table, counted from 0.
    """
    n, sizes = cells.n_rows, np.array(layout.sizes, dtype=np.int64)
    position = {start: at for at, start in enumerate((np.cumsum(sizes) - sizes).tolist())}
    tables = np.array([position[start] for start in cells.starts.tolist()], dtype=np.intp)
    out = np.zeros((int(family_of.max(initial=0)) + 1, n, n))
    group_of, between = _between_cells(layout)
    first = 0
    for part in cells.columns:
        own = tables[first : first + part.shape[1]]
        first += part.shape[1]
        # Adjacent tables with the same similarity of cells are added in one call.
        ends = [*(np.flatnonzero(np.diff(group_of[own])) + 1).tolist(), len(own)] if len(own) else []
        for start, stop in pairwise([0, *ends]):
            some = own[start:stop]
            how = (between[int(group_of[some[0]])], sizes[some], 1 / penalties[some], family_of[some].astype(np.int64))
            _add_similarity(part[:, start:stop], *how, out)
    lower = np.tril(out)
    return np.asarray(lower + np.tril(out, -1).swapaxes(1, 2))


def _between_cells(layout: Layout) -> tuple[NDArray[np.intp], list[Array | None]]:
    """The group of each table, -1 if free, and the similarity of cells of each group; the last is for free tables."""
    group_of, between = np.full(layout.n_tables, -1), []
    for number, group in enumerate(layout.groups):
        matrix = np.ones((1, 1))
        for axis in group.expand:
            basis = np.ascontiguousarray(axis.transposed.T)
            matrix = np.kron(matrix, np.einsum("ij,kj->ik", basis, basis))
        between.append(matrix)
        group_of[group.tables] = number
    return group_of, [*between, None]


def _add_similarity(
    columns: NDArray[Any],
    between: Array | None,
    sizes: NDArray[np.int64],
    factors: Array,
    places: NDArray[np.int64],
    out: Array,
) -> None:
    """Add the similarity of rows by tables, whose cells (n, number of tables) are given, to their places in `out`."""
    n, n_tables = columns.shape
    if native is not None:
        how = (between, sizes, factors, places, len(out), out)
        native.add_similarity(columns, columns.itemsize, n, n_tables, *how)
        return
    for column, factor, place in zip(columns.T, factors.tolist(), places.tolist(), strict=True):
        if between is None:
            out[place] += np.where(column[:, None] == column, factor, 0.0)
        else:
            out[place] += factor * between[np.ix_(column, column)]


def _objective_of_rows(rows: FittingRows, lower: Array) -> Objective:
    """The objective of one table with a cell per row and the given basis."""
    n = len(rows)
    spec = TermSpec((0,), (np.arange(n),), "free", (False,))
    matrices = (lower, lower.T, lower.T**2)
    expand, project, squares = ((AxisMatrix.of(matrix),) for matrix in matrices)
    whole = slice(0, n)
    group = SmoothGroup(slice(0, 1), whole, whole, expand, project, squares)
    layout = Layout((spec,), np.zeros(1, dtype=np.intp), (None,), np.array([n]), (group,))
    cells = compact_cells([np.arange(n)], [n], n)
    return Objective(layout, FittingRows(cells, rows.labels, rows.weights, rows.n_classes, rows.n_threads))
