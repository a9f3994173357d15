"""Find the unknowns for given ridge penalties."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.lbfgs import minimise
from gnbayes.model.fitting.objective import Array, Objective

# Ridge penalty on the difference of the intercept from the log shares of the classes.
INTERCEPT_RIDGE = 2.0
# The last iteration is one whose relative gain is smaller than this.
_TOLERANCE = 1e-5


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
        scale = scale[:, None, None]

        def function(scaled: Array) -> tuple[Array, Array]:
            value, gradient = objective.value_and_gradient(scaled * scale, row_weights, ridge)
            gradient *= scale
            self._looked_at(len(objective.rows) * x.shape[1])
            return value, gradient

        return minimise(function, x / scale, max_iterations, self._tolerance) * scale
