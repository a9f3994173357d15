"""One multiplier for all strengths, chosen on rows that were held out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.weighting.objective import Array
from gnbayes.model.weighting.solve import Solver

# Up to so many rows there are three folds; above, one quarter is held out.
_FEW_ROWS, _FOLDS, _QUARTER = 2000, 3, 4
_MAX_ITERATIONS = 15
_SMALLEST = 1e-3
# A fall of the loss to less than this share asks for larger steps.
_LARGE_FALL = 0.8


class Step(NamedTuple):
    """A multiplier, the held-out log-loss with it, and the unknowns of all problems, shape (folds + 1, p + 1, c)."""

    mu: float
    loss: float
    x: Array


def choose_multiplier(solver: Solver, x: Array, strengths: NDArray[np.float64]) -> Step:
    """Follow the multiplier mu along a path, from 1 down while the held-out log-loss falls.

    Down by factors of 4; by 16 after a fall of more than a fifth, and back to 4 where that went too far. Where the
    first step down fails and there are folds, up by 4 and 16. Every step starts from the best so far. The problem with
    all rows runs along as the last one, so that its unknowns are found at no further cost.

    Parameters
    ----------
    solver : Solver
    x : ndarray of shape (1, p + 1, c)
        The solution with all rows for mu = 1.
    strengths : ndarray of shape (number of tables,)

    Returns
    -------
    best : Step
    """
    path = _Path(solver, strengths)
    start = np.zeros((path.n_folds + 1, *x.shape[1:]))
    start[-1] = x[0]
    best = path.step(start, 1.0)
    factor = 4.0
    while best.mu > _SMALLEST:
        new = path.step(best.x, best.mu / factor)
        if new.loss < best.loss:
            factor = 16.0 if new.loss < _LARGE_FALL * best.loss else 4.0
            best = new
        elif factor > 4.0:
            factor = 4.0
        else:
            break
    if best.mu == 1.0 and path.n_folds > 1:
        for mu in (4.0, 16.0):
            new = path.step(best.x, mu)
            if new.loss >= best.loss:
                break
            best = new
    return best


class _Path:
    """Problems of the folds, and one with all rows."""

    def __init__(self, solver: Solver, strengths: NDArray[np.float64]) -> None:
        rows = solver.objective.rows
        self.n_folds, n_parts = (_FOLDS, _FOLDS) if len(rows) <= _FEW_ROWS else (1, _QUARTER)
        self._solver, self._strengths = solver, strengths
        self._held_out = np.append(rows.dealt(n_parts)[:, : self.n_folds], np.zeros((len(rows), 1)), axis=1)
        self._row_weights = rows.weights[:, None] - self._held_out

    def step(self, x: Array, mu: float) -> Step:
        """Solve from x, and see what the held-out rows lose."""
        x = self._solver.solve(x, self._row_weights, self._strengths, mu, _MAX_ITERATIONS)
        objective = self._solver.objective
        losses = objective.probabilities(objective.scores(x))[1]
        return Step(mu, float((losses * self._held_out).sum() / self._held_out.sum()), x)
