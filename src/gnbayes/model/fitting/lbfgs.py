"""L-BFGS for several problems of the same size at once.

Points have the shape (n, b, c): n numbers in each of c columns for each of b problems, side by side. All vector work is
done in a fixed order of additions, the same in C and in NumPy, and without a linear algebra library.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import native

Array = NDArray[np.float64]
# Points in, shape (n, b, c); values, shape (b,), and gradients, shape (n, b, c), out.
Function = Callable[[Array], tuple[Array, Array]]

# Number of remembered steps, and most trials of a line search.
_MEMORY = 6
_MOST_TRIALS = 12
# Share of the predicted decrease that a step must achieve (Armijo).
_SUFFICIENT = 1e-4
# Partial sums of a dot product.
_LANES = 16


def minimise(function: Function, start: Array, max_iterations: int, tolerance: float) -> Array:
    """Minimise b smooth functions at once, each with its own step length and its own memory.

    A problem stops where an iteration lowers its value by less than ``tolerance * max(|value|, 1)``.

    Parameters
    ----------
    function : callable
    start : ndarray of shape (n, b, c)
    max_iterations : int
    tolerance : float

    Returns
    -------
    points : ndarray of shape (n, b, c)

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.fitting.lbfgs import minimise
    >>> centres, bends = np.array([[1.0, -3.0], [2.0, 0.0]])[:, :, None], np.array([1.0, 10.0])[:, None, None]
    >>> function = lambda x: ((bends * (x - centres) ** 2).sum(axis=(0, 2)), 2 * bends * (x - centres))
    >>> (minimise(function, np.zeros((2, 2, 1)), 50, 1e-12)[:, :, 0] + 0.0).round(4).tolist()
    [[1.0, -3.0], [2.0, 0.0]]
    """
    point = start
    value, gradient = function(point)
    short = 1 / np.maximum(np.sqrt(dots(gradient, gradient)), 1e-12)
    memory = _Memory(start.shape)
    is_active = np.ones(len(value), dtype=bool)
    for _ in range(max_iterations):
        direction = memory.direction(gradient, short)
        slope = dots(direction, gradient)
        is_uphill = slope <= 0
        if is_uphill.any():
            direction[:, is_uphill] = gradient[:, is_uphill] * short[is_uphill, None]
            slope = dots(direction, gradient)
        before = point, value, gradient
        point, value, gradient = _search(function, before, direction, slope, is_active)
        memory.add(point, before[0], gradient, before[2])
        is_active &= (before[1] - value) > tolerance * np.maximum(np.abs(value), 1.0)
        if not is_active.any():
            break
    return point


def dots(left: Array, right: Array) -> Array:
    """Dot product of each problem, shape (b,).

    The sum of 16 partial sums, of every 16th number each, added in halves; then over columns.
    """
    n, b, c = left.shape
    if native is not None:
        out = np.empty(b)
        native.dot_products(left, right, n, b, c, out)
        return out
    products = np.zeros((-(-n // _LANES) * _LANES, b, c))
    np.multiply(left, right, out=products[:n])
    sums = products.reshape(-1, _LANES, b, c).sum(axis=0) if n else np.zeros((_LANES, b, c))
    while len(sums) > 1:
        sums = sums[: len(sums) // 2] + sums[len(sums) // 2 :]
    out = sums[0, :, 0].copy()
    for q in range(1, c):
        out += sums[0, :, q]
    return out


def _search(
    function: Function, before: tuple[Array, Array, Array], direction: Array, slope: Array, is_active: NDArray[np.bool_]
) -> tuple[Array, Array, Array]:
    """Backtracking line search: full steps, or shorter ones if these gain too little; inactive problems stay."""
    point, value, _ = before
    step = is_active.astype(np.float64)
    for trial in range(_MOST_TRIALS):
        new = point - step[:, None] * direction
        new_value, new_gradient = function(new)
        is_too_far = is_active & ~(new_value <= value - _SUFFICIENT * step * slope)
        if not is_too_far.any():
            break
        # Minimum of the parabola through both values with the slope at the first; the last trial is no step.
        lowest = slope * step / np.maximum(2 * (new_value - value + slope * step), 1e-300)
        shorter = step * np.clip(lowest, 0.1, 0.5) if trial < _MOST_TRIALS - 2 else np.zeros_like(step)
        step = np.where(is_too_far, shorter, step)
    return new, new_value, new_gradient


class _Memory:
    """The last steps and changes of the gradient, which approximate the curvature."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._steps, self._changes = np.empty((_MEMORY, *shape)), np.empty((_MEMORY, *shape))
        # 1 / (step . change), or 0 where the curvature along a step is not positive, and the scale between the loops.
        self._inverses, self._scales = np.zeros((_MEMORY, shape[1])), np.zeros((_MEMORY, shape[1]))
        self._n_added = 0

    def add(self, point: Array, point_before: Array, gradient: Array, gradient_before: Array) -> None:
        """Remember a step; one without positive curvature is ignored."""
        place = self._n_added % _MEMORY
        step = np.subtract(point, point_before, out=self._steps[place])
        change = np.subtract(gradient, gradient_before, out=self._changes[place])
        product, square = dots(step, change), dots(change, change)
        is_sound = product > 1e-12 * square
        self._inverses[place] = np.where(is_sound, 1 / np.where(is_sound, product, 1.0), 0.0)
        self._scales[place] = 1 / np.maximum(self._inverses[place] * square, 1e-300)
        self._n_added += 1

    def direction(self, gradient: Array, short: Array) -> Array:
        """Inverse curvature times gradient, by the two loops of L-BFGS."""
        order = np.arange(max(0, self._n_added - _MEMORY), self._n_added) % _MEMORY
        if len(order):
            short = np.where(self._inverses[order[-1]] > 0, self._scales[order[-1]], short)
        out = gradient.copy()
        if native is not None:
            memory = (self._steps, self._changes, self._inverses, order, _MEMORY, len(order))
            native.two_loops(*memory, short, *gradient.shape, out)
            return out
        used = []
        for at in reversed(order.tolist()):
            amount = self._inverses[at] * dots(self._steps[at], out)
            out += self._changes[at] * -amount[:, None]
            used.append(amount)
        out *= short[:, None]
        for at, amount in zip(order.tolist(), reversed(used), strict=True):
            out += self._steps[at] * (amount - self._inverses[at] * dots(self._changes[at], out))[:, None]
        return out
