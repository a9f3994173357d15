"""exp and log of arrays, bit for bit as in kernels/elementary.h: the NumPy twin of what the C kernels do."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Adding it rounds to an integer, which is then in the low bits; for absolute values up to 2^51.
_ROUNDING, _ROUNDING_BITS = 1.5 * 2.0**52, np.int64(0x4338000000000000)
_LOWEST_EXPONENT = -708.0
_INVERSE_LN2 = float.fromhex("0x1.71547652b82fep+0")
# ln 2 in two parts; the first has enough zeros that integer multiples of it are exact.
_LN2_HIGH, _LN2_LOW = float.fromhex("0x1.62e42fee00000p-1"), float.fromhex("0x1.a39ef35793c76p-33")
_ROOT_HALF_BITS = np.int64(0x3FE6A09E667F3BCD)
# Coefficients of the powers, from 0 on.
_EXP_SERIES = [1.0 / math.factorial(n) for n in range(14)]
_LOG_SERIES = [1.0 / n for n in range(1, 22, 2)]


def to_whole(x: Array) -> NDArray[np.int64]:
    """The nearest integers, ties to even, for absolute values up to 2^51."""
    return (x + _ROUNDING).view(np.int64) - _ROUNDING_BITS


def exp_negative(x: Array) -> Array:
    """e^x of x <= 0, about 1e-308 from -708 down.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.fitting.elementary import exp_negative
    >>> exp_negative(np.array([0.0, -1.0])).tolist()
    [1.0, 0.36787944117144233]
    """
    x = np.where(x > _LOWEST_EXPONENT, x, _LOWEST_EXPONENT)
    shifted = x * _INVERSE_LN2 + _ROUNDING
    n = shifted - _ROUNDING
    r = (x - n * _LN2_HIGH) - n * _LN2_LOW
    exponent = shifted.view(np.int64) - _ROUNDING_BITS + np.int64(1023)
    return _series(_EXP_SERIES, r) * (exponent << np.int64(52)).view(np.float64)


def log_above_1(x: Array) -> Array:
    """Logarithm of x >= 1.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.fitting.elementary import log_above_1
    >>> log_above_1(np.array([1.0, 2.0])).tolist()
    [0.0, 0.6931471805599453]
    """
    bits = x.view(np.int64)
    exponent = (bits - _ROOT_HALF_BITS) >> np.int64(52)
    m = (bits - (exponent << np.int64(52))).view(np.float64)
    n = (exponent + _ROUNDING_BITS).view(np.float64) - _ROUNDING
    f = (m - 1.0) / (m + 1.0)
    return n * _LN2_HIGH + (n * _LN2_LOW + 2.0 * f * _series(_LOG_SERIES, f * f))


def _series(factors: list[float], x: Array) -> Array:
    """Sum of powers, even and odd ones separately."""
    square = x * x
    return _powers(factors[::2], square) + x * _powers(factors[1::2], square)


def _powers(factors: list[float], x: Array) -> Array:
    out = np.full_like(x, factors[-1])
    for factor in reversed(factors[:-1]):
        out *= x
        out += factor
    return out
