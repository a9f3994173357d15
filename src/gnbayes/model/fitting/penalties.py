"""One ridge penalty for each table, chosen by empirical Bayes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.objective import Array, Objective

_SMALLEST, _LARGEST = 1e-4, 1e5


def update_penalties(objective: Objective, x: Array, penalties: NDArray[np.float64]) -> NDArray[np.float64]:
    """MacKay's fixed point with the diagonal of the curvature: a_g = (gamma_g + 1) / (|z_g|^2 + 0.1).

    gamma_g = sum_i h_i / (h_i + a_g) is the number of unknowns of table g that the rows determine, h_i the curvature of
    the log-loss along one of them.

    Parameters
    ----------
    objective : Objective
        Its mean curvature is brought up to date.
    x : ndarray of shape (p + 1, 1, c)
        The solution for the penalties so far.
    penalties : ndarray of shape (number of tables,)
    """
    table_of, n_tables = objective.layout.table_of, objective.layout.n_tables
    h = objective.update_curvature(x)
    determined = (h / (h + penalties[table_of][:, None] * objective.ridge_share)).sum(axis=1)
    squares = objective.ridge_share * (x[1:, 0] ** 2).sum(axis=1)
    gamma = np.bincount(table_of, determined, minlength=n_tables)
    total = np.bincount(table_of, squares, minlength=n_tables)
    return np.clip((gamma + 1.0) / (total + 0.1), _SMALLEST, _LARGEST)
