"""L-BFGS for several problems of the same size at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
# Points in, shape (b, p); values, shape (b,), and gradients, shape (b, p), out.
Function = Callable[[Array], tuple[Array, Array]]

# Steps that are remembered, and the most times that one step is shortened.
_MEMORY = 6
_MOST_TRIALS = 12
# Share of the slope that a step has to gain (Armijo).
_SUFFICIENT = 1e-4


def minimise(function: Function, start: Array, max_iterations: int, tolerance: float) -> Array:
    """Minimise b smooth functions at once, each with its own step length and its own memory.

    A problem stops where an iteration lowers its value by less than ``tolerance * max(|value|, 1)``. No linear algebra
    library is called, so that the result is the same for any number of threads.

    Parameters
    ----------
    function : callable
    start : ndarray of shape (b, p)
    max_iterations : int
    tolerance : float

    Returns
    -------
    points : ndarray of shape (b, p)

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.weighting.lbfgs import minimise
    >>> centres = np.array([[1.0, 2.0], [-3.0, 0.0]])
    >>> function = lambda x: (((x - centres) ** 2 * [1, 10]).sum(axis=1), 2 * (x - centres) * [1, 10])
    >>> (minimise(function, np.zeros((2, 2)), 50, 1e-12) + 0.0).round(4).tolist()
    [[1.0, 2.0], [-3.0, 0.0]]
    """
    point = start
    value, gradient = function(point)
    short = 1 / np.maximum(np.sqrt(_dots(gradient, gradient)), 1e-12)
    memory = _Memory()
    is_active = np.ones(len(point), dtype=bool)
    for _ in range(max_iterations):
        direction = memory.direction(gradient, short)
        slope = _dots(direction, gradient)
        is_uphill = slope <= 0
        if is_uphill.any():
            direction[is_uphill] = gradient[is_uphill] * short[is_uphill, None]
            slope = _dots(direction, gradient)
        before = point, value, gradient
        point, value, gradient = _search(function, before, direction, slope, is_active)
        memory.add(point - before[0], gradient - before[2])
        is_active &= (before[1] - value) > tolerance * np.maximum(np.abs(value), 1.0)
        if not is_active.any():
            break
    return point


def _search(
    function: Function, before: tuple[Array, Array, Array], direction: Array, slope: Array, is_active: NDArray[np.bool_]
) -> tuple[Array, Array, Array]:
    """Go down by whole steps, or shorter ones where these gain too little; problems that are not active stay."""
    point, value, _ = before
    step = is_active.astype(np.float64)
    for trial in range(_MOST_TRIALS):
        new = point - step[:, None] * direction
        new_value, new_gradient = function(new)
        is_too_far = is_active & ~(new_value <= value - _SUFFICIENT * step * slope)
        if not is_too_far.any():
            break
        # The lowest point of the parabola through both values with the slope at the first; in the end stay.
        lowest = slope * step / np.maximum(2 * (new_value - value + slope * step), 1e-300)
        shorter = step * np.clip(lowest, 0.1, 0.5) if trial < _MOST_TRIALS - 2 else np.zeros_like(step)
        step = np.where(is_too_far, shorter, step)
    return new, new_value, new_gradient


class _Memory:
    """The last steps and what they changed in the gradients: a picture of the curvature."""

    def __init__(self) -> None:
        self._steps: list[tuple[Array, Array, Array]] = []

    def add(self, step: Array, change: Array) -> None:
        """Remember a step; one of no positive curvature counts for nothing."""
        product = _dots(step, change)
        is_sound = product > 1e-12 * _dots(change, change)
        inverse = np.where(is_sound, 1 / np.where(is_sound, product, 1.0), 0.0)
        self._steps = [*self._steps, (step, change, inverse)][-_MEMORY:]

    def direction(self, gradient: Array, short: Array) -> Array:
        """Inverse curvature times gradient, by the two loops of L-BFGS."""
        out = gradient.copy()
        used = []
        for step, change, inverse in reversed(self._steps):
            amount = inverse * _dots(step, out)
            out -= amount[:, None] * change
            used.append(amount)
        if self._steps:
            _, change, inverse = self._steps[-1]
            short = np.where(inverse > 0, 1 / np.maximum(inverse * _dots(change, change), 1e-300), short)
        out *= short[:, None]
        for (step, change, inverse), amount in zip(self._steps, reversed(used), strict=True):
            out += (amount - inverse * _dots(change, out))[:, None] * step
        return out


def _dots(left: Array, right: Array) -> Array:
    return np.einsum("bp,bp->b", left, right)
