"""Standard errors of fitted tables: the Laplace posterior, cell by cell.

The posterior of each unknown is approximated by a normal distribution whose variance is the inverse curvature of the
penalised log-loss. Unknowns are correlated, so the variance of a score is not the sum of the variances of its tables:
the ratio of the two is estimated by refitting without some of the rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.dual import table_scores
from gnbayes.model.fitting.layout import Layout
from gnbayes.model.fitting.objective import Array, Objective
from gnbayes.model.fitting.rows import DistinctRows
from gnbayes.model.fitting.solver import Solver
from gnbayes.model.fitting.sums import FittingRows, row_scores

# Three refits, each without a sixth of the rows.
_PARTS, _TIMES, _ITERATIONS = 6, 3, 8
# Refits at a time, if the solutions are the same: all of them would need more memory than any step before.
_AT_ONCE = 2
# With other rows, other terms and penalties would be chosen, which the posterior does not include. This factor of the
# variance roughly makes up for it; benchmarks/accuracy/coverage.py measures how well.
_CHOICES = 1.8


def cell_variances(objective: Objective, x: Array, penalties: NDArray[np.float64]) -> Array:
    """Variance of each cell, shape (number of cells, c).

    Parameters
    ----------
    objective : Objective
        Its mean curvature is updated.
    x : ndarray of shape (p + 1, 1, c)
    penalties : ndarray of shape (number of tables,)
    """
    layout = objective.layout
    curvature = objective.update_curvature(x) + (penalties * objective.ridge_share)[layout.table_of][:, None]
    return layout.expand_squares((1 / np.maximum(curvature, 1e-12))[:, None])[:, 0]


def table_spreads(layout: Layout, variances: Array) -> tuple[Array, ...]:
    """Standard errors of tables for every class, centred over the classes, in the order of the given terms."""
    if variances.shape[1] == 1:
        variances = np.repeat(variances / 4, 2, axis=1)
    else:
        k = variances.shape[1]
        variances = variances * ((k - 1) / k)
    return tuple(layout.tables(np.sqrt(variances)))


def spread_ratio(solver: Solver, rows: DistinctRows, x: Array, penalties: NDArray[np.float64]) -> float:
    """Variance of the scores of rows, divided by the sum of the variances of their cells.

    Parameters
    ----------
    solver : Solver
    rows : DistinctRows
        The rows of the solver's objective.
    x : ndarray of shape (p + 1, 1, c)
        The solution for all rows.
    penalties : ndarray of shape (number of tables,)
    """
    objective = solver.objective
    layout, here = objective.layout, objective.rows
    assert isinstance(here, FittingRows)
    without = rows.weights[:, None] - rows.fold_weights(_PARTS)[:, :_TIMES]
    starts = np.repeat(x, _TIMES, axis=1)
    at_once = _AT_ONCE if solver.is_divisible(starts) else _TIMES
    parts = [slice(first, first + at_once) for first in range(0, _TIMES, at_once)]
    solved = [solver.solve(starts[:, own], without[:, own], penalties, _ITERATIONS) for own in parts]
    others = np.concatenate(solved, axis=1)
    change = table_scores(layout, here, others) + others[0] - table_scores(layout, here, x) - x[0]
    shares = rows.weights / rows.weights.sum()
    if change.shape[2] > 1:
        change = change - change.mean(axis=2, keepdims=True)
    of_scores = float(np.einsum("n,nbc->", shares, change**2)) / (_TIMES * change.shape[2]) * (_PARTS - 1)
    variances = cell_variances(objective, x, penalties)
    of_cells = row_scores(here.cells, variances[:, None], np.zeros((1, x.shape[2])))[:, 0]
    k = x.shape[2]
    total = float(np.einsum("n,nc->", shares, of_cells)) / k * ((k - 1) / k if k > 1 else 1.0)
    return _CHOICES * of_scores / max(total, 1e-300)
