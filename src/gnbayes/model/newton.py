"""Estimated gain of tables in held-out log-loss, by one Newton step of each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.objective import Array, Objective
from gnbayes.model.fitting.sums import Kind

# Ridge penalties to try.
PENALTIES = (0.3, 3.0, 30.0, 300.0)


def newton_gains(
    objective: Objective, x: Array, trained: Array, held_out: Array
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Decrease of the held-out loss after one Newton step of each table alone, and the ridge penalty that gives it.

    The step follows from gradient and curvature of the training rows in each cell, and the gain, to second order, from
    those of the held-out rows. The gain is the best over a few ridge penalties.

    Parameters
    ----------
    objective : Objective
    x : ndarray of shape (p + 1, b, c)
    trained, held_out : ndarray of shape (n, b)
        Weights of the rows in each problem.

    Returns
    -------
    gains, penalties : ndarray of shape (number of tables,)
        Of each table, in the order of the layout.
    """
    layout = objective.layout
    tables, base = layout.expand(x[1:]), x[0] + objective.base

    def sums(kind: Kind, weights: Array) -> Array:
        return objective.rows.sums(kind, tables, base, weights).cells

    slope, bend = sums(Kind.GRADIENT, trained), sums(Kind.CURVATURE, trained)
    new_slope, new_bend = sums(Kind.GRADIENT, held_out), sums(Kind.CURVATURE, held_out)
    best, penalties = np.full(layout.n_tables, -np.inf), np.ones(layout.n_tables)
    steps = _steps(objective, slope, bend, np.array(PENALTIES) * objective.ridge_share)
    for penalty, step in zip(PENALTIES, steps, strict=True):
        gain = -(new_slope * step + 0.5 * new_bend * step**2).sum(axis=(1, 2))
        total = np.bincount(layout.table_of_cell, gain, minlength=layout.n_tables)
        penalties[total > best] = penalty
        best = np.maximum(best, total)
    return best, penalties


def _steps(objective: Objective, slope: Array, bend: Array, ridges: Array) -> Array:
    """The step of every cell for each ridge penalty, shape (number of penalties, number of cells, b, c).

    Free cells have their own, adjacent cells of a random walk are smoothed jointly.
    """
    out = -slope / (bend + ridges[:, None, None, None])
    for group in objective.layout.groups:
        spec = objective.layout.specs[group.tables.start]
        if len(spec.shape) > 1:
            continue  # a surface is treated as if its cells were free, which is enough to decide whether to try it
        shape = (group.n_tables, group.n_cells, *slope.shape[1:])
        v = spec.n_ordered[0]
        own_slope, own_bend = (part[group.cells].reshape(shape)[:, :v] for part in (slope, bend))
        between = ridges[:, None, None, None] * v / np.pi**2
        out[:, group.cells].reshape(len(ridges), *shape)[:, :, :v] = walk_steps(own_slope, own_bend, between)
    return out


def walk_steps(slope: Array, bend: Array, between: Array) -> Array:
    """The s that minimizes slope . s + 1/2 bend . s^2 + 1/2 between . sum of squared differences of neighbors.

    One tridiagonal system for each table and penalty, solved by elimination and substitution, all at once.

    Parameters
    ----------
    slope, bend : ndarray of shape (number of tables, v, b, c)
    between : ndarray of shape (number of penalties, 1, 1, 1)
        Positive.

    Returns
    -------
    steps : ndarray of shape (number of penalties, number of tables, v, b, c)
    """
    v = slope.shape[1]
    inner = bend + 2 * between[:, None] + 1e-12
    ratio, value = np.zeros_like(inner), np.empty_like(inner)
    before_ratio, before_value = np.zeros_like(inner[:, :, 0]), np.zeros_like(inner[:, :, 0])
    for r in range(v):
        # The first and the last have one neighbor only.
        pivot = inner[:, :, r] - between * ((r == 0) + (r == v - 1)) - between * before_ratio
        before_value = value[:, :, r] = (between * before_value - slope[:, r]) / pivot
        before_ratio = ratio[:, :, r] = between / pivot
    for r in range(v - 2, -1, -1):
        value[:, :, r] += ratio[:, :, r] * value[:, :, r + 1]
    return value
