"""One ridge penalty per table, chosen by empirical Bayes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.layout import Layout
from gnbayes.model.fitting.objective import Array, Objective

_SMALLEST, _LARGEST = 1e-4, 1e5


def update_penalties(objective: Objective, x: Array, penalties: NDArray[np.float64]) -> NDArray[np.float64]:
    """MacKay's fixed point with the diagonal of the curvature: a_g = (gamma_g + 1) / (|z_g|^2 + 0.1).

    gamma_g = sum_i h_i / (h_i + a_g) is the number of unknowns of table g that the rows determine, h_i the curvature of
    the log-loss along one of them.

    Parameters
    ----------
    objective : Objective
        Its mean curvature is updated.
    x : ndarray of shape (p + 1, 1, c)
        The solution for the current penalties.
    penalties : ndarray of shape (number of tables,)
    """
    return penalties_of(objective.layout, objective.ridge_share, objective.update_curvature(x), x, penalties)


def penalties_of(
    layout: Layout, ridge_share: float, h: Array, x: Array, penalties: NDArray[np.float64]
) -> NDArray[np.float64]:
    """As `update_penalties`, from the curvature along each unknown of the tables, shape (p, c).

    Parameters
    ----------
    layout : Layout
    ridge_share : float
        Share of a ridge penalty that applies to a column.
    h : ndarray of shape (p, c)
    x, penalties
        As in `update_penalties`.
    """
    table_of, n_tables = layout.table_of, layout.n_tables
    determined = (h / (h + penalties[table_of][:, None] * ridge_share)).sum(axis=1)
    squares = ridge_share * (x[1:, 0] ** 2).sum(axis=1)
    gamma = np.bincount(table_of, determined, minlength=n_tables)
    total = np.bincount(table_of, squares, minlength=n_tables)
    return np.clip((gamma + 1.0) / (total + 0.1), _SMALLEST, _LARGEST)
