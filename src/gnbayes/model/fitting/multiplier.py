"""Multipliers of the ridge penalties, one for each family of terms, chosen on held-out rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.objective import Array
from gnbayes.model.fitting.rows import DistinctRows
from gnbayes.model.fitting.solver import Solver

# Up to so many rows, or so many where one class is rare, there are three folds; above, one quarter is held out.
_FEW_ROWS, _FEW_EFFECTIVE, _FOLDS, _QUARTER = 2000, 400, 3, 4
_MAX_ITERATIONS = 15
_SMALLEST = 1e-3
# A fall of the loss to less than this share asks for larger steps.
_LARGE_FALL = 0.8


class Step(NamedTuple):
    """Multipliers of the families, the held-out log-loss with them, and the unknowns of all problems.

    Parameters
    ----------
    multipliers : ndarray of shape (number of families,)
    loss : float
    x : ndarray of shape (p + 1, folds + 1, c)
        The last problem is that with all rows.
    """

    multipliers: NDArray[np.float64]
    loss: float
    x: Array


def choose_multipliers(solver: Solver, rows: DistinctRows, x: Array, penalties: NDArray[np.float64]) -> Step:
    """Follow the multipliers, all families together, along a path, from 1 down while the held-out log-loss falls.

    Down by factors of 4; by 16 after a fall of more than a fifth, and back to 4 where that went too far. Where the
    first step down fails and there are folds, up by 4 and 16. Every step starts from the best so far. The problem with
    all rows runs along as the last one, so that its unknowns are found at no further cost.

    Parameters
    ----------
    solver : Solver
    rows : DistinctRows
        Those of the solver's objective.
    x : ndarray of shape (p + 1, 1, c)
        The solution with all rows for multipliers of 1.
    penalties : ndarray of shape (number of tables,)

    Returns
    -------
    best : Step
    """
    path = _Path(solver, rows, penalties)
    start = np.zeros((len(x), path.n_folds + 1, x.shape[2]))
    start[:, -1] = x[:, 0]
    best = first = path.step(start, np.ones(path.n_families))
    factor = 4.0
    while best.multipliers.min() > _SMALLEST:
        new = path.step(best.x, best.multipliers / factor)
        if new.loss < best.loss:
            factor = 16.0 if new.loss < _LARGE_FALL * best.loss else 4.0
            best = new
        elif factor > 4.0:
            factor = 4.0
        else:
            break
    if best is first and path.n_folds > 1:
        for factor in (4.0, 16.0):
            new = path.step(best.x, first.multipliers * factor)
            if new.loss >= best.loss:
                break
            best = new
    return best


class _Path:
    """Problems of the folds, and one with all rows."""

    def __init__(self, solver: Solver, rows: DistinctRows, penalties: NDArray[np.float64]) -> None:
        are_few = len(rows) <= _FEW_ROWS or rows.effective_size <= _FEW_EFFECTIVE
        self.n_folds, n_parts = (_FOLDS, _FOLDS) if are_few else (1, _QUARTER)
        self._solver, self._penalties = solver, penalties
        self._families = solver.objective.layout.families
        held_out = rows.fold_weights(n_parts)[:, : self.n_folds]
        self._held_out = np.append(held_out, np.zeros((len(rows), 1)), axis=1)
        self._row_weights = rows.weights[:, None] - self._held_out

    @property
    def n_families(self) -> int:
        """Number of families of terms."""
        return int(self._families.max(initial=0)) + 1

    def step(self, x: Array, multipliers: NDArray[np.float64]) -> Step:
        """Solve from x, and see what the held-out rows lose."""
        penalties = self._penalties * multipliers[self._families]
        x = self._solver.solve(x, self._row_weights, penalties, _MAX_ITERATIONS)
        losses = self._solver.objective.losses(x, self._held_out)
        return Step(multipliers, float(losses.sum() / self._held_out.sum()), x)
