"""Calibration: whether predicted probabilities agree with observed frequencies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, logit

from gnbayes.evaluation.intervals import Estimate, normal_interval

N_BINS = 10
_STEPS, _CLOSE, _ROUNDING, _SINGULAR = 100, 1e-10, 1e-13, 1e14


@dataclass(frozen=True)
class Calibration:
    """Calibration of the probability of one class.

    Parameters
    ----------
    intercept : Estimate, optional
        Calibration in the large: what to add to the log-odds so that the expected number of positive rows equals the
        observed one. 0 is best; below 0, probabilities are too large. None if all rows have the same class.
    slope : Estimate, optional
        Slope of the logistic regression of the class on the log-odds. 1 is best; below 1, probabilities are too
        extreme. None if there is no finite value: all rows have the same class, or the probability separates the
        classes.
    ece : float
        Expected calibration error: mean distance between predicted and observed frequencies in ten bins with about the
        same number of rows.
    ece_if_calibrated : float
        Its expected value for a perfectly calibrated model with these probabilities; because of chance it is never 0.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import calibrate
    >>> rng = np.random.default_rng(0)
    >>> probability = rng.random(2000)
    >>> found = calibrate(probability, rng.random(2000) < probability)
    >>> round(found.slope.value, 1), round(found.ece, 2)
    (1.0, 0.03)
    """

    intercept: Estimate | None
    slope: Estimate | None
    ece: float
    ece_if_calibrated: float

    def to_dict(self) -> dict[str, Any]:
        """As a dict of plain values, for JSON."""
        return {
            "intercept": None if self.intercept is None else self.intercept.to_dict(),
            "slope": None if self.slope is None else self.slope.to_dict(),
            "ece": self.ece,
            "ece_if_calibrated": self.ece_if_calibrated,
        }


def calibrate(
    probability: NDArray[np.float64], is_positive: NDArray[np.bool_], clusters: NDArray[np.intp] | None = None
) -> Calibration:
    """Calibration of probabilities.

    Intercept and slope have normal confidence intervals; with clusters, standard errors come from the sandwich formula.

    Parameters
    ----------
    probability : ndarray of shape (n,)
    is_positive : ndarray of shape (n,)
    clusters : ndarray of shape (n,), optional

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import calibrate
    >>> found = calibrate(np.repeat([0.25, 0.75], 4), np.array([1, 0, 0, 0, 1, 1, 1, 0], dtype=bool))
    >>> round(found.slope.value, 6), abs(round(found.intercept.value, 6)), found.ece
    (1.0, 0.0, 0.0)
    """
    eps = np.finfo(np.float64).eps
    log_odds = logit(np.clip(probability, eps, 1 - eps))
    ece, chance = expected_error(probability, is_positive)
    y = is_positive.astype(np.float64)
    clusters = np.arange(len(y)) if clusters is None else clusters
    ones = np.ones((len(y), 1))
    intercept = slope = None
    if 0 < y.sum() < len(y):
        # Far enough for all log-odds that there are.
        shift = float(brentq(lambda at: expit(log_odds + at).sum() - y.sum(), -100, 100, xtol=1e-12))
        intercept = normal_interval(shift, _error_of(ones, y, log_odds + shift, clusters))
        if not _is_separated(log_odds, is_positive) and np.ptp(log_odds) > 0:
            x = np.column_stack([ones, log_odds])
            at = _logistic(x, y)
            slope = normal_interval(float(at[1]), _error_of(x, y, x @ at, clusters))
    return Calibration(intercept, slope, ece, chance)


def expected_error(
    probability: NDArray[np.float64], is_positive: NDArray[np.bool_], n_bins: int = N_BINS
) -> tuple[float, float]:
    """The expected calibration error, and its expected value if the probabilities were right.

    Parameters
    ----------
    probability : ndarray of shape (n,)
    is_positive : ndarray of shape (n,)
    n_bins : int
        Number of bins, with about the same number of rows each; equal probabilities are in the same bin.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import expected_error
    >>> probability = np.repeat([0.2, 0.8], 50)
    >>> error, by_chance = expected_error(probability, np.repeat([False, True], 50), n_bins=2)
    >>> round(error, 3), round(by_chance, 3)
    (0.2, 0.045)
    """
    inner = np.unique(np.quantile(probability, np.arange(1, n_bins) / n_bins))
    place = np.searchsorted(inner, probability, side="left")
    gap = np.bincount(place, probability) - np.bincount(place, is_positive.astype(np.float64))
    variance = np.bincount(place, probability * (1 - probability))
    n = len(probability)
    # The mean of the absolute value of a normal variable is sqrt(2 / pi) times its standard deviation.
    return float(np.abs(gap).sum() / n), float(np.sqrt(2 / np.pi * variance).sum() / n)


def _is_separated(score: NDArray[np.float64], is_positive: NDArray[np.bool_]) -> bool:
    positive, negative = score[is_positive], score[~is_positive]
    return bool(positive.min() >= negative.max() or negative.min() >= positive.max())


def _logistic(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients of a logistic regression, by Newton's method with halved steps."""
    at = np.zeros(x.shape[1])
    loss = _loss(x, y, at)
    for _ in range(_STEPS):
        share = expit(x @ at)
        step = np.linalg.lstsq(_information(x, share), x.T @ (y - share), rcond=None)[0]
        size = 1.0
        while (new := _loss(x, y, at + size * step)) > loss * (1 + _ROUNDING) and size > _CLOSE:
            size /= 2
        at, loss = at + size * step, new
        if np.abs(step).max() < _CLOSE:
            break
    return at


def _loss(x: NDArray[np.float64], y: NDArray[np.float64], at: NDArray[np.float64]) -> float:
    scores = x @ at
    return float(np.logaddexp(0, scores).sum() - y @ scores)


def _information(x: NDArray[np.float64], share: NDArray[np.float64]) -> NDArray[np.float64]:
    return (x * (share * (1 - share))[:, None]).T @ x


def _error_of(
    x: NDArray[np.float64], y: NDArray[np.float64], scores: NDArray[np.float64], clusters: NDArray[np.intp]
) -> float | None:
    """Standard error of the last coefficient; None for a single cluster, or if there is almost no information.

    It comes from the information matrix if every row is its own cluster, otherwise from the sandwich formula.
    """
    share = expit(scores)
    information = _information(x, share)
    if not information.any() or np.linalg.cond(information) > _SINGULAR:
        return None
    inverse = np.linalg.inv(information)
    codes = np.unique(clusters, return_inverse=True)[1]
    m = int(codes.max()) + 1
    if m == len(codes):
        return float(np.sqrt(inverse[-1, -1]))
    if m < 2:
        return None
    gradients = x * (y - share)[:, None]
    sums = np.stack([np.bincount(codes, column, minlength=m) for column in gradients.T], axis=1)
    return float(np.sqrt((inverse @ (m / (m - 1) * sums.T @ sums) @ inverse)[-1, -1]))
