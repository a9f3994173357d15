"""Estimates with 95 % confidence intervals: shares by Wilson's method, means by the normal distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# The 97.5 % quantile of the normal distribution.
NORMAL_95 = 1.959963984540054


@dataclass(frozen=True)
class Estimate:
    """An estimate with its 95 % confidence interval.

    Parameters
    ----------
    value : float
    low, high : float, optional
        None if there are too few rows.

    Examples
    --------
    >>> from gnbayes.evaluation import Estimate
    >>> Estimate(0.8, 0.75, 0.84).to_dict()
    {'value': 0.8, 'low': 0.75, 'high': 0.84}
    """

    value: float
    low: float | None = None
    high: float | None = None

    def to_dict(self) -> dict[str, float | None]:
        """As a dict of plain values, for JSON."""
        return {"value": self.value, "low": self.low, "high": self.high}


def wilson_interval(share: float, n: float) -> Estimate:
    """A share with its confidence interval (Wilson 1927).

    Parameters
    ----------
    share : float
    n : float
        Number of independent trials; not necessarily an integer if rows are not independent.

    Examples
    --------
    >>> from gnbayes.evaluation import wilson_interval
    >>> estimate = wilson_interval(0.9, 10)
    >>> round(estimate.low, 3), round(estimate.high, 3)
    (0.596, 0.982)
    """
    z = NORMAL_95
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return Estimate(share, max(0.0, float(middle - reach)), min(1.0, float(middle + reach)))


def normal_interval(value: float, error: float | None, lowest: float = -np.inf, highest: float = np.inf) -> Estimate:
    """An estimate with the normal interval of its standard error, clipped to the possible range.

    Parameters
    ----------
    value : float
    error : float, optional
        None if unknown.
    lowest, highest : float

    Examples
    --------
    >>> from gnbayes.evaluation import normal_interval
    >>> found = normal_interval(0.9, 0.1, highest=1.0)
    >>> found.value, round(found.low, 2), found.high
    (0.9, 0.7, 1.0)
    """
    if error is None:
        return Estimate(value)
    return Estimate(value, max(lowest, value - NORMAL_95 * error), min(highest, value + NORMAL_95 * error))


def mean_error(values: NDArray[np.float64], clusters: NDArray[np.intp] | None = None) -> float | None:
    """Standard error of a mean; None for a single value or a single cluster.

    Parameters
    ----------
    values : ndarray of shape (n,)
    clusters : ndarray of shape (n,), optional
        Rows of the same cluster are not independent of each other: their deviations are summed before they are squared
        (Liang and Zeger 1986).

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import mean_error
    >>> values = np.array([0.0, 1.0, 0.0, 1.0, 1.0, 0.0])
    >>> twice = np.repeat(values, 2)
    >>> bool(np.isclose(mean_error(values), mean_error(twice, np.repeat(np.arange(6), 2))))
    True
    """
    n = len(values)
    deviations = values - values.mean()
    if clusters is not None:
        deviations = np.bincount(clusters, deviations)[np.bincount(clusters) > 0]
    m = len(deviations)
    return None if m < 2 else float(np.sqrt(m / (m - 1) * (deviations**2).sum()) / n)


def mean_interval(
    values: NDArray[np.float64], clusters: NDArray[np.intp] | None = None, lowest: float = -np.inf
) -> Estimate:
    """The mean of values with its normal confidence interval; parameters as in `mean_error`.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import mean_interval
    >>> found = mean_interval(np.array([1.0, 2.0, 3.0, 4.0]))
    >>> found.value, round(found.low, 2), round(found.high, 2)
    (2.5, 1.23, 3.77)
    """
    return normal_interval(float(values.mean()), mean_error(values, clusters), lowest)


def share_interval(hits: NDArray[np.bool_], clusters: NDArray[np.intp] | None = None) -> Estimate:
    """The share of hits with Wilson's confidence interval.

    Parameters
    ----------
    hits : ndarray of shape (n,)
    clusters : ndarray of shape (n,), optional
        If given, the number of trials is the number of independent rows with the same standard error, at most n; if all
        rows are equal, it is the number of clusters.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import share_interval
    >>> found = share_interval(np.repeat([True, False], [8, 2]))
    >>> found.value, round(found.low, 2), round(found.high, 2)
    (0.8, 0.49, 0.94)
    """
    share = float(hits.mean())
    if clusters is None:
        return wilson_interval(share, len(hits))
    error = mean_error(hits.astype(np.float64), clusters)
    if error is None:
        return Estimate(share)
    n_clusters = len(np.unique(clusters))
    return wilson_interval(share, min(len(hits), share * (1 - share) / error**2) if error > 0 else n_clusters)
