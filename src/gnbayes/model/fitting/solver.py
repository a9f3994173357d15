"""Find the unknowns for given ridge penalties."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import for_each, limit_threads, native
from gnbayes.model.fitting.lbfgs import Function, minimise
from gnbayes.model.fitting.objective import Array, Objective
from gnbayes.model.fitting.sums import FittingRows
from gnbayes.model.fitting.teams import team_of

# Ridge penalty on the difference of the intercept from the log shares of the classes.
INTERCEPT_RIDGE = 2.0
# The last iteration is one whose relative gain is smaller than this.
_TOLERANCE = 1e-5
# Problems of up to this many values are solved in one call of a kernel; larger ones report progress.
_MOST_AT_ONCE = 2**24
# Vectors of an evaluation that have an entry per unknown, about, next to two passes over the cells of all rows.
_VECTORS = 16
# Problems whose tables have more cells than this are solved one after the other: that takes less memory, and more time.
_MOST_CELLS = 2**19


class Solver:
    """Minimise log-loss plus ridge penalties.

    Parameters
    ----------
    objective : Objective
    tolerance : float
    looked_at : callable
        Called after each pass with the number of rows, over all problems.
    """

    def __init__(
        self, objective: Objective, tolerance: float = _TOLERANCE, looked_at: Callable[[int], None] = lambda _: None
    ) -> None:
        self.objective, self._tolerance, self._looked_at = objective, tolerance, looked_at

    def solve(self, x: Array, row_weights: Array | None, penalties: NDArray[np.float64], max_iterations: int) -> Array:
        """Minimise the weighted log-loss plus 1/2 sum_g a_g |z_g|^2, starting from x.

        The unknowns are scaled to about the same curvature.

        Parameters
        ----------
        x : ndarray of shape (p + 1, b, c)
        row_weights : ndarray of shape (n, b), optional
            By default, one problem with the weights of the rows.
        penalties : ndarray of shape (number of tables,)
            a_g, one per table.
        max_iterations : int
        """
        objective = self.objective
        ridge = np.append(INTERCEPT_RIDGE, penalties[objective.layout.table_of]) * objective.ridge_share
        scale = 1 / np.sqrt(objective.size * objective.curvature + np.append(0.0, ridge[1:]))
        # Solutions take the place of starting points, as there may be many tables.
        points = x / scale[:, None, None]

        is_at_once = self._is_solved_at_once(x)
        parts = self._parts(x.shape, max_iterations, is_at_once=is_at_once)
        n_threads = self._n_threads(x.shape, max_iterations) if is_at_once else 1

        def solve(part: slice) -> None:
            weights = None if row_weights is None else row_weights[:, part]
            if is_at_once:
                with team_of(n_threads if len(parts) == 1 else 1) as team:
                    points[:, part] = self._solve_at_once(points[:, part], weights, ridge, scale, max_iterations, team)
            else:
                function = self._function(weights, ridge, scale)
                points[:, part] = minimise(function, points[:, part], max_iterations, self._tolerance)

        for_each(solve, parts, n_threads if len(parts) > 1 else 1)
        points *= scale[:, None, None]
        return points

    def is_divisible(self, x: Array) -> bool:
        """Whether problems that start from x have the same solutions, bit for bit, if some are solved after others."""
        return self._is_solved_at_once(x)

    def _n_threads(self, shape: tuple[int, ...], max_iterations: int) -> int:
        """Number of threads for problems of this shape."""
        rows = self.objective.rows
        if not isinstance(rows, FittingRows):
            return 1
        return limit_threads(rows.n_threads, len(rows) * len(rows.cells.starts) * shape[1] * shape[2] * max_iterations)

    def _parts(self, shape: tuple[int, ...], max_iterations: int, *, is_at_once: bool) -> list[slice]:
        """Divide the problems, which do not depend on each other: among threads, or to save memory."""
        rows, (n, b, c) = self.objective.rows, shape
        if not isinstance(rows, FittingRows):
            # Each part would be a pass of its own over rows elsewhere.
            return [slice(0, b)]
        n_parts = b if b * c * rows.cells.n_cells > _MOST_CELLS else 1
        # Where unknowns are most of the work, threads take problems; elsewhere they share the rows of all problems.
        if is_at_once and _VECTORS * n > 2 * len(rows) * len(rows.cells.starts):
            n_parts = max(n_parts, self._n_threads(shape, max_iterations))
        ends = np.linspace(0, b, min(n_parts, b) + 1).astype(int).tolist()
        return [slice(*both) for both in pairwise(ends)]

    def _function(self, row_weights: Array | None, ridge: Array, scale: Array) -> Function:
        """Values and gradients of all problems at scaled points."""

        def function(scaled: Array) -> tuple[Array, Array]:
            value, gradient = self.objective.value_and_gradient(scaled * scale[:, None, None], row_weights, ridge)
            gradient *= scale[:, None, None]
            self._looked_at(len(self.objective.rows) * scaled.shape[1])
            return value, gradient

        return function

    def _is_solved_at_once(self, x: Array) -> bool:
        """Whether the rows are in memory and so few that Python would take more time than the kernels."""
        rows = self.objective.rows
        if native is None or not isinstance(rows, FittingRows):
            return False
        return len(rows) * len(rows.cells.starts) * x[0].size < _MOST_AT_ONCE

    def _solve_at_once(
        self, start: Array, row_weights: Array | None, ridge: Array, scale: Array, max_iterations: int, team: Any
    ) -> Array:
        """The same solution as that of `minimise`, bit for bit, in one call of a kernel."""
        assert native is not None
        objective, point = self.objective, np.ascontiguousarray(start)
        rows = objective.rows
        assert isinstance(rows, FittingRows)
        weights = (rows.weights[:, None] if row_weights is None else row_weights) / rows.unit
        groups, matrices = objective.layout.kernel_groups
        tables = (rows.cells.arguments, groups, len(groups), matrices, len(matrices), scale, ridge, objective.base)
        labelled = (rows.labels, np.ascontiguousarray(weights), rows.unit)
        how = max_iterations, self._tolerance
        n_evaluations = native.solve_tables(*tables, *labelled, *point.shape, *how, point, team)
        self._looked_at(n_evaluations * len(rows) * point.shape[1])
        return point
