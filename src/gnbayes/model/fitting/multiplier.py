"""Multipliers of the ridge penalties, one for each family of terms, chosen on held-out rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from gnbayes.model.fitting.objective import Array
from gnbayes.model.fitting.rows import DistinctRows
from gnbayes.model.fitting.solver import Solver

# Number of folds up to this number of rows, or three if a class is rare; with more rows, one quarter is held out.
_ROWS_AND_FOLDS = ((50, 10), (1000, 5), (2000, 3))
_FEW_EFFECTIVE, _FEWEST_FOLDS, _QUARTER = 400, 3, 4
_MAX_ITERATIONS = 15
_SMALLEST, _LARGEST = 1e-3, 250.0
# If the loss falls to less than this share, steps become larger.
_LARGE_FALL = 0.8
# A path ends when it is worse than the best by this many nats: beyond that, the weight in the mean is negligible.
_NATS = 3.0
# Normal prior of the logarithm of a multiplier, with full weight up to this many held-out rows; more rows outweigh it.
_CENTRE, _WIDTH, _BELIEF_ROWS = 0.75, 1.6, 100
# Number of evenly spaced points at which the loss is interpolated.
_N_POINTS = 201


class Step(NamedTuple):
    """Multipliers of the families, their held-out log-loss, and the unknowns of all problems.

    Parameters
    ----------
    multipliers : ndarray of shape (number of families,)
    loss : float
        Sum over the held-out rows; with groups, the number of groups times the mean.
    x : ndarray of shape (p + 1, folds + 1, c)
        The last problem has all rows.
    """

    multipliers: NDArray[np.float64]
    loss: float
    x: Array


def choose_multipliers(solver: Solver, rows: DistinctRows, x: Array, penalties: NDArray[np.float64]) -> Step:
    """Try multipliers, the same for all families, along a path, and average those that held-out rows support.

    The path goes from 1 down by factors of 4, or 16 after the loss falls by more than a fifth, until the loss is 3 nats
    above the minimum; then from 1 up in the same way, unless the loss at 1 is as far above it. The loss is interpolated
    between the points, and the multiplier is a weighted geometric mean, with weights e^-loss times a broad prior around
    2. So it changes little if rows change little, and stays near 2 if there are too few rows to tell.

    Parameters
    ----------
    solver : Solver
    rows : DistinctRows
        Those of the solver's objective.
    x : ndarray of shape (p + 1, 1, c)
        The solution for all rows and multipliers of 1.
    penalties : ndarray of shape (number of tables,)

    Returns
    -------
    mean : Step
        The multipliers, the lowest loss, and the unknowns for all rows, (p + 1, 1, c).
    """
    path = _Path(solver, rows, penalties)
    start = np.zeros((len(x), path.n_folds + 1, x.shape[2]))
    start[:, -1] = x[:, 0]
    first = path.step(start, np.ones(path.n_families))
    steps = path.follow([first], 1 / 4)
    if first.loss - min(step.loss for step in steps) < _NATS:
        steps += path.follow([first], 4.0)[1:]
    return path.last(steps)


def _mean_log(logs: NDArray[np.float64], losses: NDArray[np.float64], n_rows: float, evidence: float = 1.0) -> float:
    """Posterior mean of the logarithm of a multiplier, given the held-out log-loss.

    The loss is interpolated by a cubic spline.

    Parameters
    ----------
    logs : ndarray of shape (m,)
        Increasing.
    losses : ndarray of shape (m,)
    n_rows : float
        Number of held-out rows.
    evidence : float, default=1.0
        Number of groups per row: penalties are assumed to be too small by this factor.
    """
    fine = np.linspace(logs[0], logs[-1], _N_POINTS)
    between = CubicSpline(logs, losses, bc_type="natural")(fine)
    against = between + 0.5 * ((fine - _CENTRE + np.log(evidence)) / _WIDTH) ** 2 * min(1.0, _BELIEF_ROWS / n_rows)
    shares = np.exp(against.min() - against)
    return float((shares * fine).sum() / shares.sum())


class _Path:
    """The problems of the folds, and one with all rows."""

    def __init__(self, solver: Solver, rows: DistinctRows, penalties: NDArray[np.float64]) -> None:
        self.n_folds, n_parts = _numbers_of_folds(rows)
        self._solver, self._penalties = solver, penalties
        self._families = solver.objective.layout.families
        held_out = rows.fold_weights(n_parts)[:, : self.n_folds]
        self._held_out = np.append(held_out, np.zeros((len(rows), 1)), axis=1)
        # Rows of a group are not independent.
        self._evidence = 1.0 if rows.groups is None else min(1.0, rows.n_units / float(rows.weights.sum()))
        self._row_weights = _with_shares_of_all(rows, rows.weights[:, None] - self._held_out)

    @property
    def n_families(self) -> int:
        """Number of families of terms."""
        return int(self._families.max(initial=0)) + 1

    def follow(self, steps: list[Step], factor: float) -> list[Step]:
        """Append steps, each by a factor from the last one, until they are much worse than the best."""
        best, squared = steps[-1].loss, False
        while steps[-1].multipliers.min() > _SMALLEST and steps[-1].multipliers.max() < _LARGEST:
            before = steps[-1]
            new = self.step(before.x, before.multipliers * (factor**2 if squared else factor))
            if squared and new.loss > before.loss:
                squared = False
                continue
            steps = [*steps, new]
            best, squared = min(best, new.loss), new.loss < _LARGE_FALL * before.loss
            if new.loss - best > _NATS:
                break
        return steps

    def step(self, x: Array, multipliers: NDArray[np.float64]) -> Step:
        """Solve, starting from x, and compute the held-out log-loss."""
        x = self._solver.solve(x, self._row_weights, self._times(multipliers), _MAX_ITERATIONS)
        losses = self._solver.objective.losses(x, self._held_out)
        return Step(multipliers, self._evidence * float(losses.sum()), x)

    def last(self, steps: Sequence[Step]) -> Step:
        """Solve for all rows and the mean of the multipliers."""
        logs = np.array([np.log(step.multipliers).mean() for step in steps])
        order = np.argsort(logs)
        losses = np.array([steps[at].loss for at in order])
        n_rows = self._evidence * float(self._held_out.sum())
        mean = _mean_log(logs[order], losses, n_rows, self._evidence)
        near = steps[int(np.argmin(np.abs(logs - mean)))]
        multipliers = near.multipliers * np.exp(mean - np.log(near.multipliers).mean())
        x = np.ascontiguousarray(near.x[:, -1:])
        x = self._solver.solve(x, None, self._times(multipliers), _MAX_ITERATIONS)
        return Step(multipliers, min(step.loss for step in steps), x)

    def _times(self, multipliers: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._penalties * multipliers[self._families]


def _numbers_of_folds(rows: DistinctRows) -> tuple[int, int]:
    """Number of held-out parts, and number of all parts."""
    for n_rows, n_folds in _ROWS_AND_FOLDS:
        if len(rows) <= n_rows:
            n_folds = max(2, min(n_folds, rows.n_units))
            return n_folds, n_folds
    return (_FEWEST_FOLDS, _FEWEST_FOLDS) if rows.effective_size <= _FEW_EFFECTIVE else (1, _QUARTER)


def _with_shares_of_all(rows: DistinctRows, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of rows in each problem, (n, b), with the class proportions of all rows.

    If rows of a class are held out, the class is rarer among the others, which would bias predictions against it.
    """
    k = int(rows.labels.max()) + 1
    whole = np.bincount(rows.labels, rows.weights, minlength=k)
    out = np.empty_like(weights)
    for b, own in enumerate(weights.T):
        left = np.bincount(rows.labels, own, minlength=k)
        factor = np.where(left > 0, whole * left.sum() / (whole.sum() * np.maximum(left, 1e-300)), 1.0)
        out[:, b] = own * factor[rows.labels]
    return out
