"""Minimize the log-loss of all sites in few rounds: each step costs one question.

Directions are those of L-BFGS: secants from earlier rounds correct the curvature of synthetic rows. A step that goes
too far is not wasted: it reveals the curvature along the step, and the next one starts from the best point so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.lbfgs import dots
from gnbayes.sites.rounds.synthetic import SyntheticRows

Array = NDArray[np.float64]
# A step and the resulting change of the losses' gradient, both of shape (p + 1, b, c).
Secant = tuple[Array, Array]


class Seen(NamedTuple):
    """Log-losses and derivatives of all sites' rows at a point.

    Parameters
    ----------
    x : ndarray of shape (p + 1, b, c)
    losses, held_out : ndarray of shape (b,)
        Log-loss of each problem's training rows and of its held-out rows.
    gradient : ndarray of shape (p + 1, b, c)
        Gradient of the losses, without penalties.
    curvature : ndarray of shape (p + 1, b, c)
        Second derivative of the losses with respect to each coefficient.
    """

    x: Array
    losses: Array
    held_out: Array
    gradient: Array
    curvature: Array


class Descent:
    """Minimizes several problems at once.

    Parameters
    ----------
    synthetic : SyntheticRows
    shares : ndarray of shape (b,)
        Share of the rows that each problem is fitted to.
    first : Seen
        Losses and derivatives at the starting points.
    secants : sequence of Secant
        Secants known at the start.

    Attributes
    ----------
    best : Seen
        The best point so far of each problem.
    """

    def __init__(self, synthetic: SyntheticRows, shares: Array, first: Seen, secants: Sequence[Secant] = ()) -> None:
        self._synthetic, self._shares, self.best = synthetic, shares, first
        self._secants = list(secants)

    def some(self, problems: NDArray[np.intp]) -> Descent:
        """Some of the problems in their current state."""
        best = Seen(*(np.take(one, problems, axis=1 if one.ndim == 3 else 0) for one in self.best))
        secants = [
            (np.take(step, problems, axis=1), np.take(change, problems, axis=1)) for step, change in self._secants
        ]
        return Descent(self._synthetic, self._shares[problems], best, secants)

    def secants_of(self, problem: int, shares: Array) -> list[Secant]:
        """Secants of one problem, which has all rows, scaled for problems that have only shares of the rows."""
        at = np.full(len(shares), problem)
        return [
            (np.take(step, at, axis=1), np.take(change, at, axis=1) * shares[:, None]) for step, change in self._secants
        ]

    def next_point(self, ridge: Array) -> Array:
        """The next point to ask about, given ridge penalties of shape (p + 1, b)."""
        x, wide = self.best.x, ridge[:, :, None]
        gradient = self.best.gradient + wide * x
        used, out = [], gradient.copy()
        for step, change in reversed(self._secants):
            change = change + wide * step
            product = dots(step, change)
            # A step without positive curvature is not used as a secant.
            inverse = np.where(product > 1e-10 * dots(change, change), 1 / np.where(product > 0, product, 1.0), 0.0)
            share = inverse * dots(step, out)
            out -= share[:, None] * change
            used.append((step, change, inverse, share))
        out = self._synthetic.direction(x, out, ridge, self._shares, self.best.curvature)
        for step, change, inverse, share in reversed(used):
            out += (share - inverse * dots(change, out))[:, None] * step
        return self._synthetic.shorten(x, out, self.best.gradient, ridge, self._shares)

    def tell(self, seen: Seen, ridge: Array) -> None:
        """Update the state with the answer at the point that was asked about."""
        best = self.best
        self._secants.append((seen.x - best.x, seen.gradient - best.gradient))
        values = [one.losses + 0.5 * dots(ridge[:, :, None] * one.x, one.x) for one in (seen, best)]
        is_lower = values[0] < values[1]
        self.best = Seen(
            *(
                np.where(is_lower[:, None] if one.ndim == 3 else is_lower, one, other)
                for one, other in zip(seen, best, strict=True)
            )
        )
