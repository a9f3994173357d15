"""Few rows and very many unknowns: one unknown for each row instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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

# Most rows, and fewest unknowns for each of them, for which it pays.
_FEW_ROWS, _WIDE = 300, 30
# Smooth tables with more cells are too large for a matrix between cells.
_MOST_CELLS = 1024


def make_solver(objective: Objective, looked_at: Callable[[int], None] = lambda _: None) -> Solver:
    """The solver that has less to do; parameters as in `Solver`."""
    rows, p = objective.rows, len(objective.size)
    is_small = all(group.n_cells <= _MOST_CELLS for group in objective.layout.groups)
    if isinstance(rows, FittingRows) and is_small and len(rows) <= _FEW_ROWS and p >= _WIDE * len(rows):
        return DualSolver(objective, rows, looked_at=looked_at)
    return Solver(objective, looked_at=looked_at)


class DualSolver(Solver):
    """Minimise over n instead of p unknowns.

    The solution has the form z = A^-1 Z' v, with Z the values of the unknowns' columns in the rows and A the penalties.
    With K = Z A^-1 Z' = L L' and u = L' v the scores are L u, and the ridge penalty is that of u: as with one table
    that has a cell for each row, and L for its basis. L is computed once for penalties that differ by a factor.

    Parameters
    ----------
    objective : Objective
    rows : FittingRows
        Those of the objective.
    tolerance, looked_at
        As in `Solver`.
    """

    def __init__(self, objective: Objective, rows: FittingRows, **how: Any) -> None:
        super().__init__(objective, **how)
        self._rows = rows
        self._factors: _Factors | None = None

    def solve(self, x: Array, row_weights: Array | None, penalties: NDArray[np.float64], max_iterations: int) -> Array:
        if self._factors is None or not self._factors.serve(penalties):
            self._factors = _factorise(self.objective.layout, self._rows, penalties)
        objective, factors = self.objective, self._factors
        factors.of_rows.curvature = objective.curvature
        u = solve_lower(factors.lower, table_scores(objective.layout, self._rows, x))
        solver = Solver(factors.of_rows, self._tolerance, self._looked_at)
        times = penalties[:1] / factors.penalties[:1]
        found = solver.solve(np.concatenate([x[:1], u]), row_weights, times, max_iterations)
        z = project_rows(objective.layout, self._rows, solve_upper(factors.lower, found[1:]))
        z /= factors.penalties[objective.layout.table_of][:, None, None]
        return np.concatenate([found[:1], z])


@dataclass(frozen=True, eq=False)
class _Factors:
    """L for some penalties, and the objective of a table that has it for its basis."""

    penalties: NDArray[np.float64]
    lower: Array
    of_rows: Objective

    def serve(self, penalties: NDArray[np.float64]) -> bool:
        """Whether other penalties are in the same proportion."""
        times = penalties / self.penalties
        return bool(np.ptp(times) <= 1e-12 * times[0])


def _factorise(layout: Layout, rows: FittingRows, penalties: NDArray[np.float64]) -> _Factors:
    kernel = row_similarity(layout, rows.cells, penalties)
    # Rows that hardly differ make it nearly singular.
    kernel[np.diag_indices_from(kernel)] += 1e-9 * np.trace(kernel) / len(kernel)
    lower = cholesky(kernel)
    return _Factors(penalties, lower, _objective_of_rows(rows, lower))


def table_scores(layout: Layout, rows: FittingRows, x: Array) -> Array:
    """What the tables add to the scores of the rows, shape (n, b, c)."""
    return row_scores(rows.cells, layout.expand(x[1:]), np.zeros(x.shape[1:]))


def project_rows(layout: Layout, rows: FittingRows, values: Array) -> Array:
    """Sums of what stands in the rows, shape (n, b, c), for each unknown of the tables, shape (p, b, c)."""
    flat = values.reshape(len(values), -1)
    rows = replace(rows, weights=np.abs(flat).max(axis=1))
    n_cells, m = rows.cells.n_cells, flat.shape[1]
    sums = sum_over_rows(Kind.TOTALS, rows, flat, np.zeros((n_cells, m, 1)), np.zeros((m, 1)))
    return layout.project(sums.cells.reshape(n_cells, *values.shape[1:]))


def row_similarity(layout: Layout, cells: TermCells, penalties: NDArray[np.float64]) -> Array:
    """Z A^-1 Z', shape (n, n): sum over tables of what their values have in common in two rows."""
    n = cells.n_rows
    between: list[Array | None] = [None] * layout.n_tables
    for group in layout.groups:
        matrix = np.ones((1, 1))
        for axis in group.expand:
            basis = np.ascontiguousarray(axis.transposed.T)
            matrix = np.kron(matrix, np.einsum("ij,kj->ik", basis, basis))
        between[group.tables] = [matrix] * group.n_tables
    out = np.zeros((n, n))
    for column, table in cells.tables(layout.sizes):
        factor, similar = 1 / penalties[table], between[table]
        if native is not None:
            size = 0 if similar is None else len(similar)
            native.add_similarity(column, column.itemsize, n, similar, size, factor, 0, n, out)
        elif similar is None:
            out += np.where(column[:, None] == column, factor, 0.0)
        else:
            out += factor * similar[np.ix_(column, column)]
    lower = np.tril(out)
    return lower + np.tril(out, -1).T


def _objective_of_rows(rows: FittingRows, lower: Array) -> Objective:
    """One table with a cell for each row, and a basis for it."""
    n = len(rows)
    spec = TermSpec((0,), (np.arange(n),), "free", (False,))
    matrices = (lower, lower.T, lower.T**2)
    expand, project, squares = ((AxisMatrix.of(matrix),) for matrix in matrices)
    whole = slice(0, n)
    group = SmoothGroup(slice(0, 1), whole, whole, expand, project, squares)
    layout = Layout((spec,), np.zeros(1, dtype=np.intp), (None,), np.array([n]), (group,))
    cells = compact_cells([np.arange(n)], [n], n)
    return Objective(layout, FittingRows(cells, rows.labels, rows.weights, rows.n_classes, rows.n_threads))
