"""Possible values of a number, and the values seen in training."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gnbayes.dictionary import Column
from gnbayes.encoding import Feature

Judgement = Literal["fine", "impossible", "unseen", "rare"]

# From this many rows on, one row in a thousand is more than the smallest or largest value.
_FEWEST_ROWS = 1000


@dataclass(frozen=True)
class Limits:
    """Bounds of a number; None if unknown.

    Parameters
    ----------
    lowest, highest : float, optional
        Smallest and largest possible value, from the dictionary.
    low, high : float, optional
        Smallest and largest value in training, rounded outward to three digits of their distance.
    rare_low, rare_high : float, optional
        One row in a thousand is below, and one above.
    is_exact : bool
        False if `low` and `high` are estimated from the model's bins, because the training rows are not available.
    """

    lowest: float | None = None
    highest: float | None = None
    low: float | None = None
    high: float | None = None
    rare_low: float | None = None
    rare_high: float | None = None
    is_exact: bool = False


def judge(limits: Limits, value: float) -> Judgement:
    """The verdict on a value: impossible, outside the range seen in training, rarer than one in a thousand, or fine.

    Examples
    --------
    >>> from gnbayes.reporting.limits import Limits, judge
    >>> pressure = Limits(lowest=40, highest=300, low=94, high=200)
    >>> [judge(pressure, value) for value in (-20, 80, 120)]
    ['impossible', 'unseen', 'fine']
    """
    if _is_outside(value, limits.lowest, limits.highest):
        return "impossible"
    if _is_outside(value, limits.low, limits.high):
        return "unseen"
    return "rare" if _is_outside(value, limits.rare_low, limits.rare_high) else "fine"


def limits_of(feature: Feature, column: Column, values: NDArray[Any] | None) -> Limits:
    """Limits of a number.

    Parameters
    ----------
    feature : Feature
    column : Column
        Its description in the dictionary.
    values : ndarray of shape (n,), optional
        Values of the training rows, NaN for missing.
    """
    possible = Limits(column.lowest, column.highest)
    known = np.zeros(0) if values is None else values[np.isfinite(values)]
    if not len(known):
        return _estimated(possible, feature)
    low, high = _rounded_out(float(known.min()), float(known.max()))
    if len(known) < _FEWEST_ROWS:
        return replace(possible, low=low, high=high, is_exact=True)
    rare_low, rare_high = _rounded_out(*np.quantile(known, (0.001, 0.999)).tolist())
    return replace(possible, low=low, high=high, rare_low=rare_low, rare_high=rare_high, is_exact=True)


def _estimated(possible: Limits, feature: Feature) -> Limits:
    """Estimated bounds beyond which about one row in a thousand lies.

    The means of the outermost bins show how far values extend beyond their inner ends, assuming exponential tails and
    the same share of rows in every bin. If all known values are at least 0, so is the estimate; the same holds for
    values of at most 0.
    """
    if not feature.edges:
        return possible
    reach = max(2.0, math.log(1000 / feature.n_values))
    first, last = feature.edges[0], feature.edges[-1]
    low, high = _rounded_out(first - reach * (first - feature.means[0]), last + reach * (feature.means[-1] - last))
    if feature.means[0] >= 0:
        low = max(low, 0.0)
    if feature.means[-1] <= 0:
        high = min(high, 0.0)
    low, high = _within(low, high, possible)
    return replace(possible, low=low, high=high)


def _within(low: float, high: float, possible: Limits) -> tuple[float, float]:
    """A range restricted to possible values."""
    lowest = -math.inf if possible.lowest is None else possible.lowest
    highest = math.inf if possible.highest is None else possible.highest
    return max(low, lowest), min(high, highest)


def _rounded_out(low: float, high: float) -> tuple[float, float]:
    """Both ends with three digits of their distance, so that the page contains no value of a row."""
    if high == low:
        return low, high
    digits = 2 - math.floor(math.log10(high - low))
    step = 10.0**-digits
    return round(math.floor(low / step + 1e-9) * step, digits), round(math.ceil(high / step - 1e-9) * step, digits)


def _is_outside(value: float, low: float | None, high: float | None) -> bool:
    return (low is not None and value < low) or (high is not None and value > high)
