"""Which values of a number are possible, and which ones training has seen."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gnbayes.dictionary import Column
from gnbayes.encoding import Feature

Judgement = Literal["fine", "impossible", "unseen", "rare"]

# Rows from which a rank of one in a thousand is more than the smallest or largest value.
_FEWEST_ROWS = 1000


@dataclass(frozen=True)
class Limits:
    """Bounds of a number. None: not known.

    Parameters
    ----------
    lowest, highest : float, optional
        Smallest and largest possible value, from the dictionary.
    low, high : float, optional
        Smallest and largest value in training, rounded away from the middle to three digits of their distance.
    rare_low, rare_high : float, optional
        Below and above them there is one row in a thousand.
    is_exact : bool
        False where `low` and `high` are estimated from the model's intervals, because the training rows are not there.
    """

    lowest: float | None = None
    highest: float | None = None
    low: float | None = None
    high: float | None = None
    rare_low: float | None = None
    rare_high: float | None = None
    is_exact: bool = False


def judge(limits: Limits, value: float) -> Judgement:
    """What to say of a value: impossible, beyond what training saw, rarer than one in a thousand, or fine.

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
        What the dictionary says of it.
    values : ndarray of shape (n,), optional
        Of the training rows, NaN for missing.
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
    """Where about one row in a thousand lies beyond the outermost intervals.

    Their means tell how far values reach beyond their inner ends: as if they fell off exponentially, with the same
    share of rows in every interval. Where all that is known of a number is at least 0, the estimate is, too; the same
    for numbers of at most 0.
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
    """A range without what is not possible."""
    lowest = -math.inf if possible.lowest is None else possible.lowest
    highest = math.inf if possible.highest is None else possible.highest
    return max(low, lowest), min(high, highest)


def _rounded_out(low: float, high: float) -> tuple[float, float]:
    """Both ends with three digits of their distance, so that no value of a row stands in the page."""
    if high == low:
        return low, high
    digits = 2 - math.floor(math.log10(high - low))
    step = 10.0**-digits
    return round(math.floor(low / step + 1e-9) * step, digits), round(math.ceil(high / step - 1e-9) * step, digits)


def _is_outside(value: float, low: float | None, high: float | None) -> bool:
    return (low is not None and value < low) or (high is not None and value > high)
