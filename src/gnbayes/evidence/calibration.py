"""Calibration of risks: intercept, slope, a smooth curve with its confidence band, and distances from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from gnbayes.evaluation import NORMAL_95
from gnbayes.evidence.estimate import NOT_KNOWN, Estimate, Risks, around, share_of_rows
from gnbayes.evidence.logistic import LogisticFit, fit_logistic, logit, spline_basis

MOST_POINTS = 50
# Harrell's quantiles for the knots of a restricted cubic spline, by their number.
_QUANTILES = {3: (0.1, 0.5, 0.9), 4: (0.05, 0.35, 0.65, 0.95), 5: (0.05, 0.275, 0.5, 0.725, 0.95)}
# Knots by the rows of the rarer outcome, or the clusters with such rows; below the least number a straight line,
# below five rows nothing.
_KNOTS = ((100, 5), (50, 4), (20, 3))
_FEWEST_ROWS = 5


@dataclass(frozen=True, eq=False)
class CalibrationCurve:
    """Observed against predicted risk, smoothed, with a pointwise 95 % band.

    Parameters
    ----------
    predicted, observed, low, high : ndarray of shape (m,)
    n_knots : int
        Number of knots of the spline; 0 for a straight line on the log-odds scale.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence import Risks, calibrate
    >>> rng = np.random.default_rng(0)
    >>> risk = rng.random(2000)
    >>> found = calibrate(Risks(risk, rng.random(2000) < risk))
    >>> curve = found.curve
    >>> bool((curve.low <= curve.observed).all()), bool(np.abs(curve.observed - curve.predicted).max() < 0.1)
    (True, True)
    """

    predicted: NDArray[np.float64]
    observed: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    n_knots: int


@dataclass(frozen=True, eq=False)
class Calibration:
    """How far predicted risks are from observed shares.

    Parameters
    ----------
    mean_risk : float
        Mean of the predicted risks.
    observed : Estimate
        Share of rows with the event.
    intercept : Estimate
        Calibration in the large: what must be added to the log-odds of all risks. 0 is best; above 0, risks are too
        low.
    slope : Estimate
        Factor by which the log-odds must be multiplied. 1 is best; below 1, risks are too extreme.
    curve : CalibrationCurve, optional
    ici, e50, e90 : float, optional
        Mean, median and 90 % quantile, over the rows, of the distance between risk and curve.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence import Risks, calibrate
    >>> rng = np.random.default_rng(0)
    >>> risk = rng.random(2000)
    >>> found = calibrate(Risks(risk, rng.random(2000) < risk))
    >>> round(found.mean_risk, 2), round(found.observed.value, 2), round(found.intercept.value, 2)
    (0.5, 0.5, 0.03)
    """

    mean_risk: float
    observed: Estimate
    intercept: Estimate
    slope: Estimate
    curve: CalibrationCurve | None
    ici: float | None
    e50: float | None
    e90: float | None


def calibrate(risks: Risks) -> Calibration:
    """Calibration of risks.

    Notes
    -----
    Intercept: logistic regression of the outcome on a constant, with the logit of the risk as offset. Slope: on the
    logit of the risk. Curve: on a restricted cubic spline of the logit of the risk, with five knots from 100 rows of
    the rarer outcome (or clusters with such rows), four from 50, three from 20, and a straight line below; its band
    comes from the covariance of the coefficients on the scale of log-odds. With clusters, covariances are those of
    Liang and Zeger (1986). The curve goes from the fifth smallest to the fifth largest risk, as in rms. ICI, E50 and
    E90 (Austin and Steyerberg 2019) are distances from this curve. None of them is known with fewer than five
    rows of an outcome, or where risks separate the outcomes.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence import Risks, calibrate
    >>> rng = np.random.default_rng(0)
    >>> risk = rng.random(2000)
    >>> found = calibrate(Risks(risk, rng.random(2000) < risk))
    >>> round(found.slope.value, 2), round(found.ici, 2)
    (1.03, 0.01)
    """
    x = logit(risks.risk)
    can_fit = risks.n_fewer >= _FEWEST_ROWS
    constant, clusters = np.ones((risks.n, 1)), risks.clusters
    intercept = fit_logistic(constant, risks.is_event, x, clusters) if can_fit else None
    slope = fit_logistic(_design(x, None), risks.is_event, clusters=clusters) if can_fit else None
    curve, distance = _curve(risks, x, slope) if slope is not None else (None, None)
    return Calibration(
        float(risks.risk.mean()),
        share_of_rows(risks.is_event, clusters),
        NOT_KNOWN if intercept is None else around(float(intercept.coefficients[0]), intercept.standard_error(0)),
        NOT_KNOWN if slope is None else around(float(slope.coefficients[1]), slope.standard_error(1)),
        curve,
        None if distance is None else float(distance.mean()),
        None if distance is None else float(np.median(distance)),
        None if distance is None else float(np.quantile(distance, 0.9)),
    )


def _curve(risks: Risks, x: NDArray[np.float64], line: LogisticFit) -> tuple[CalibrationCurve, NDArray[np.float64]]:
    """The curve at points of the scale, and the distance of every row from it."""
    knots = _knots(x, risks.n_fewer_clusters)
    fit = None if knots is None else fit_logistic(_design(x, knots), risks.is_event, clusters=risks.clusters)
    if fit is None:
        knots, fit = None, line
    predicted = _points(risks.risk)
    design = _design(logit(predicted), knots)
    middle = design @ fit.coefficients
    reach = NORMAL_95 * np.sqrt(np.einsum("ij,jk,ik->i", design, fit.covariance, design))
    curve = CalibrationCurve(
        predicted, expit(middle), expit(middle - reach), expit(middle + reach), 0 if knots is None else len(knots)
    )
    return curve, np.abs(risks.risk - expit(_design(x, knots) @ fit.coefficients))


def _knots(x: NDArray[np.float64], n_fewer: int) -> NDArray[np.float64] | None:
    """Knots at quantiles; fewer if quantiles coincide, None if fewer than three remain."""
    most = next((knots for rows, knots in _KNOTS if n_fewer >= rows), 0)
    for n_knots in range(most, 2, -1):
        knots = np.quantile(x, _QUANTILES[n_knots])
        if (np.diff(knots) > 1e-6 * max(1.0, float(np.ptp(x)))).all():
            return knots
    return None


def _design(x: NDArray[np.float64], knots: NDArray[np.float64] | None) -> NDArray[np.float64]:
    columns = x[:, None] if knots is None else spline_basis(x, knots)
    return np.concatenate([np.ones((len(x), 1)), columns], axis=1)


def _points(risk: NDArray[np.float64]) -> NDArray[np.float64]:
    """Risks, evenly spaced between the fifth smallest and the fifth largest that occur."""
    ends = np.partition(risk, (_FEWEST_ROWS - 1, len(risk) - _FEWEST_ROWS))
    return np.linspace(ends[_FEWEST_ROWS - 1], ends[-_FEWEST_ROWS], MOST_POINTS)
