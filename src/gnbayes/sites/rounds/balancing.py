"""Multipliers of the penalties, one for each family of terms, chosen from the summed log-losses of held-out rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.cholesky import cholesky, solve_lower, solve_upper
from gnbayes.model.interactions.several import FIRST_MULTIPLIERS
from gnbayes.sites.rounds.descent import Descent
from gnbayes.sites.rounds.learning import Penalized, ridge_of
from gnbayes.sites.rounds.parts import Parts

Array = NDArray[np.float64]
# Questions per group of multipliers, questions after each change of the families' multipliers, and number of changes.
GROUP_ROUNDS, CHANGE_ROUNDS, CHANGES = 4, 2, 3
# Multipliers of the penalties to try first, and further ones to try if the smallest of those is best.
_FIRST, _SMALLER = (4.0, 1.0, 0.25, 0.0625), (2.0**-6, 2.0**-8, 2.0**-10)
# Second set of starting multipliers: those of pairs are closer to those of single features.
_NEARER = np.array([1.0, 1.0, 4.0, 4.0, 8.0])
# Step by which scales of families are varied to estimate derivatives of the log-loss, and limits of one update.
_STEP, _LEAST_SCALE, _MOST_SCALE = 0.1, 0.25, 4.0
# Each scale is shrunk towards 1 as if by this many rows whose score from the family is 1.
_PULL_ROWS = 100.0
_SMALLEST, _LARGEST = 1e-4, 1e5


class _Found(NamedTuple):
    """One choice of multipliers: its problems (the one with all rows first) and their held-out log-loss.

    Parameters
    ----------
    descent : Descent
    multipliers : ndarray of shape (number of tables,)
    loss : float
    """

    descent: Descent
    multipliers: Array
    loss: float


def balance(start: Penalized, parts: Parts) -> Array:
    """Choose the multipliers of penalties by held-out log-loss; return the coefficients, shape (p + 1, c).

    Parameters
    ----------
    start : Penalized
        A fit with all multipliers equal to 1.
    parts : Parts
    """
    families = start.layout.families
    path, is_alone = _Path(start, parts), families.max(initial=0) == 0
    profiles = [np.ones(1)] if is_alone else [FIRST_MULTIPLIERS, _NEARER]
    choices = [factor * profile[families] for profile in profiles for factor in _FIRST]
    best = path.try_all(start.descent, choices)
    if best.multipliers.min() <= _FIRST[-1]:
        smaller = path.try_all(best.descent, [best.multipliers * factor / _FIRST[-1] for factor in _SMALLER])
        best = smaller if smaller.loss < best.loss else best
    best = best if is_alone else _apart(path, best)
    return np.ascontiguousarray(best.descent.best.x[:, 0])


def _apart(path: _Path, best: _Found) -> _Found:
    """Change the multiplier of each family separately, as long as the held-out log-loss decreases."""
    for _ in range(CHANGES):
        scales = np.clip(path.scales(best), _LEAST_SCALE, _MOST_SCALE)
        new = path.change(best, np.clip(best.multipliers * scales**-2.0, _SMALLEST, _LARGEST))
        if new.loss >= best.loss:
            break
        best = new
    return best


@dataclass(frozen=True, eq=False)
class _Path:
    """Tries multipliers of the same penalties, each with problems that hold out parts of the rows."""

    start: Penalized
    parts: Parts

    def try_all(self, before: Descent, choices: Sequence[Array]) -> _Found:
        """Try every choice of multipliers, starting from the problem with all rows, and return the best."""
        tables, n = self.start.tables, len(self.parts.problems)
        held_out = self.parts.problems * len(choices)
        shares = self._shares(len(choices))
        ridge = ridge_of(tables.synthetic, self.start.penalties[:, None] * np.repeat(np.stack(choices, 1), n, axis=1))
        x = np.take(before.best.x, [0] * len(held_out), axis=1)
        descent = Descent(tables.synthetic, shares, tables.sums(x, held_out), before.secants_of(0, shares))
        for _ in range(GROUP_ROUNDS - 1):
            descent.tell(tables.sums(descent.next_point(ridge), held_out), ridge)
        losses = descent.best.held_out.reshape(len(choices), n).sum(axis=1)
        at = int(np.argmin(losses))
        return _Found(descent.some(np.arange(at * n, (at + 1) * n)), choices[at], float(losses[at]))

    def change(self, found: _Found, multipliers: Array) -> _Found:
        """Continue with other multipliers."""
        tables, held_out = self.start.tables, self.parts.problems
        penalties = np.repeat((self.start.penalties * multipliers)[:, None], len(held_out), axis=1)
        ridge, descent = ridge_of(tables.synthetic, penalties), found.descent.some(np.arange(len(held_out)))
        for _ in range(CHANGE_ROUNDS):
            descent.tell(tables.sums(descent.next_point(ridge), held_out), ridge)
        return _Found(descent, multipliers, float(descent.best.held_out.sum()))

    def scales(self, found: _Found) -> Array:
        """For each table the factor of its family's scores that minimizes held-out log-loss, by one Newton step."""
        families, layout = np.unique(self.start.layout.families, return_inverse=True)[1], self.start.layout
        f, x, held_out = int(families.max()) + 1, found.descent.best.x[:, 1:], self.parts.held_out
        points = _points(f)
        of_unknowns = np.concatenate([np.ones((1, len(points))), points.T[families[layout.table_of]]])
        wide = (x[:, None] * of_unknowns[:, :, None, None]).reshape(len(x), -1, x.shape[2])
        losses = self.start.tables.losses(wide, list(held_out) * len(points)).reshape(len(points), -1).sum(axis=1)
        gradient, curvature = _derivatives(losses, f)
        curvature[np.diag_indices(f)] += _PULL_ROWS * self._mean_curvature(found)
        lower = cholesky(curvature)
        return np.asarray((1.0 - solve_upper(lower, solve_lower(lower, gradient)))[families])

    def _mean_curvature(self, found: _Found) -> float:
        """Mean of p (1 - p) over rows and classes."""
        total = found.descent.best.curvature[0, 0]
        return float(total.mean() / self.start.tables.synthetic.n_rows)

    def _shares(self, n_choices: int) -> Array:
        whole = [1.0 if part is None else 1 - 1 / self.parts.number for part in self.parts.problems]
        return np.array(whole * n_choices)


def _points(f: int) -> Array:
    """Scales of f families at which to ask for the log-loss: all 1, each one up and down, each pair up."""
    steps = _STEP * np.eye(f)
    pairs = [steps[i] + steps[j] for i, j in combinations(range(f), 2)]
    return 1.0 + np.stack([np.zeros(f), *steps, *-steps, *pairs])


def _derivatives(losses: Array, f: int) -> tuple[Array, Array]:
    """Gradient and Hessian with respect to the scales, by finite differences of the log-losses at `_points(f)`."""
    middle, more, less = losses[0], losses[1 : f + 1], losses[f + 1 : 2 * f + 1]
    curvature = np.diag(more - 2 * middle + less)
    for (i, j), both in zip(combinations(range(f), 2), losses[2 * f + 1 :], strict=True):
        curvature[i, j] = curvature[j, i] = both - more[i] - more[j] + middle
    return (more - less) / (2 * _STEP), curvature / _STEP**2
