"""Find the unknowns for given strengths: directly, or through one number a row where rows are few."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gnbayes.model.weighting.cholesky import cholesky, solve_lower, solve_upper
from gnbayes.model.weighting.lbfgs import minimise
from gnbayes.model.weighting.objective import Array, Objective

# Ridge on the intercept.
_INTERCEPT_RIDGE = 0.02
# An iteration that gains a smaller share than this is the last one.
_TOLERANCE = 1e-5
# Most rows for which one number a row is learned instead.
_FEW_ROWS = 300
# Additions and multiplications of an iteration of L-BFGS for each unknown, about.
_STEPS_OF_UNKNOWN = 25


def make_solver(objective: Objective, looked_at: Callable[[int], None] = lambda _: None) -> Solver:
    """The solver that has less to do in an iteration; parameters as in `Solver`."""
    n, p = len(objective.rows), objective.n_unknowns
    direct = 2 * (objective.rows.cells.size + objective.layout.basis.nnz) + _STEPS_OF_UNKNOWN * p
    dual = 2 * n**2 + _STEPS_OF_UNKNOWN * n
    kind = DualSolver if n <= _FEW_ROWS and dual < direct else Solver
    return kind(objective, looked_at=looked_at)


class Solver:
    """Minimise log-loss plus ridge over the unknowns themselves.

    Parameters
    ----------
    objective : Objective
    tolerance : float
    looked_at : callable
        Called with the number of rows, of all problems, each time that they were looked at.
    """

    def __init__(
        self, objective: Objective, tolerance: float = _TOLERANCE, looked_at: Callable[[int], None] = lambda _: None
    ) -> None:
        self.objective, self._tolerance, self._looked_at = objective, tolerance, looked_at

    def solve(
        self, x: Array, row_weights: Array, strengths: NDArray[np.float64], mu: float, max_iterations: int
    ) -> Array:
        """Minimise from x the weighted log-loss plus 1/2 sum_g mu a_g |z_g|^2.

        Parameters
        ----------
        x : ndarray of shape (b, p + 1, c)
        row_weights : ndarray of shape (n, b)
        strengths : ndarray of shape (number of tables,)
            a_g, one a table.
        mu : float
        max_iterations : int
        """
        objective = self.objective
        ridge = np.append(_INTERCEPT_RIDGE, mu * strengths[objective.layout.table_of]) * objective.ridge_share
        size = np.append(objective.rows.weights.sum(), objective.size)
        scale = 1 / np.sqrt(size * objective.curvature + np.append(0.0, ridge[1:]))
        return self._minimise(x, row_weights, ridge, scale, max_iterations)

    def value_and_gradient(self, x: Array, row_weights: Array, ridge: Array) -> tuple[Array, Array]:
        """The objective of each problem, shape (b,), and its gradient, shape (b, p + 1, c)."""
        proba, losses = self.objective.probabilities(self._scores(x))
        residuals = self.objective.residuals(proba, row_weights)
        gradient = ridge[:, None] * x
        value = np.einsum("nb,nb->b", losses, row_weights) + 0.5 * np.einsum("bpc,bpc->b", gradient, x)
        gradient[:, 0] += residuals.sum(axis=0)
        gradient[:, 1:] += self._back(residuals)
        self._looked_at(row_weights.size)
        return value, gradient

    def _minimise(self, x: Array, row_weights: Array, ridge: Array, scale: Array, max_iterations: int) -> Array:
        """Minimise over unknowns that are scaled to about the same curvature."""
        shape, scale = x.shape, scale[:, None]

        def function(flat: Array) -> tuple[Array, Array]:
            value, gradient = self.value_and_gradient(flat.reshape(shape) * scale, row_weights, ridge)
            gradient *= scale
            return value, gradient.reshape(len(flat), -1)

        flat = minimise(function, (x / scale).reshape(len(x), -1), max_iterations, self._tolerance)
        return flat.reshape(shape) * scale

    def _scores(self, x: Array) -> Array:
        return self.objective.scores(x)

    def _back(self, residuals: Array) -> Array:
        n, b, c = residuals.shape
        return self.objective.back(residuals.reshape(n, b * c)).reshape(-1, b, c).transpose(1, 0, 2)


class DualSolver(Solver):
    """The same with n instead of p unknowns.

    The solution has the form z = A^-1 Z' v, with Z the values of the unknowns' columns in the rows and A the strengths.
    With K = Z A^-1 Z' = L L' and u = L' v the scores are L u and the ridge is that of u. The factors are computed once
    for given strengths, as mu only scales them.
    """

    def __init__(
        self, objective: Objective, tolerance: float = _TOLERANCE, looked_at: Callable[[int], None] = lambda _: None
    ) -> None:
        super().__init__(objective, tolerance, looked_at)
        layout = objective.layout
        hot = layout.one_hot(objective.rows.cells)
        self._spread, self._hot_t = hot @ (layout.basis @ layout.basis.T), hot.T.tocsr()
        self._table_of_cell = layout.table_of_cell
        self._factored_for: NDArray[np.float64] | None = None

    def solve(
        self, x: Array, row_weights: Array, strengths: NDArray[np.float64], mu: float, max_iterations: int
    ) -> Array:
        objective = self.objective
        b, _, c = x.shape
        a = strengths[objective.layout.table_of] * objective.ridge_share
        if self._factored_for is not strengths:
            self._factors, self._factored_for = self._factorise(strengths), strengths
            self._factors_t = np.ascontiguousarray(self._factors.T)
        factors, n = self._factors, len(objective.rows)
        scores = objective.table_scores(x[:, 1:].transpose(1, 0, 2).reshape(-1, b * c))
        u = solve_lower(factors, scores).reshape(n, b, c).transpose(1, 0, 2)
        intercept = 1 / np.sqrt(objective.rows.weights.sum() * objective.curvature)
        ridge = np.append(_INTERCEPT_RIDGE * objective.ridge_share, np.full(n, mu))
        scale = np.append(intercept, np.ones(n))
        x = self._minimise(np.concatenate([x[:, :1], u], axis=1), row_weights, ridge, scale, max_iterations)
        v = solve_upper(factors, x[:, 1:].transpose(1, 0, 2).reshape(n, b * c))
        z = (objective.back(v) / a[:, None]).reshape(-1, b, c).transpose(1, 0, 2)
        return np.concatenate([x[:, :1], z], axis=1)

    def _factorise(self, strengths: NDArray[np.float64]) -> Array:
        a = (strengths * self.objective.ridge_share)[self._table_of_cell]
        spread = self._spread
        scaled = sparse.csr_array((spread.data / a[spread.indices], spread.indices, spread.indptr), shape=spread.shape)
        kernel = (scaled @ self._hot_t).toarray()
        # Rows that hardly differ make it nearly singular.
        kernel[np.diag_indices_from(kernel)] += 1e-9 * np.trace(kernel) / len(kernel)
        return cholesky(kernel)

    def _scores(self, x: Array) -> Array:
        b, n, c = x[:, 1:].shape
        scores = _products(self._factors, x[:, 1:].transpose(1, 0, 2).reshape(n, b * c)).reshape(n, b, c)
        return scores + (x[:, 0] + self.objective.base)

    def _back(self, residuals: Array) -> Array:
        n, b, c = residuals.shape
        return _products(self._factors_t, residuals.reshape(n, b * c)).reshape(n, b, c).transpose(1, 0, 2)


def _products(matrix: Array, columns: Array) -> Array:
    """``matrix @ columns`` without a linear algebra library, by sums over rows that lie together."""
    return np.einsum("ij,mj->im", matrix, np.ascontiguousarray(columns.T))
