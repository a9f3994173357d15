"""Estimates with 95 % confidence intervals, and the rows they are computed from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes import evaluation
from gnbayes.evaluation import mean_error, normal_interval, share_interval, wilson_interval


@dataclass(frozen=True)
class Estimate:
    """An estimate with its 95 % confidence interval; None if it cannot be computed from the rows.

    Parameters
    ----------
    value, low, high : float, optional

    Examples
    --------
    >>> from gnbayes.evidence import Estimate
    >>> Estimate(0.8, 0.75, 0.84).low, Estimate(None).value is None
    (0.75, True)
    """

    value: float | None
    low: float | None = None
    high: float | None = None


NOT_KNOWN = Estimate(None)


@dataclass(frozen=True, eq=False)
class Risks:
    """Predicted risks of an event, and whether it occurred.

    Parameters
    ----------
    risk : ndarray of shape (n,)
        Probabilities of rows that were not used to fit the model.
    is_event : ndarray of shape (n,)
    clusters : ndarray of shape (n,), optional
        Rows of the same number, such as those of one person, are not independent of each other: intervals allow for it.
    strata : ndarray of shape (n,), optional
        Which model gave the risk of each row, where several did: only risks of the same model are ranked.

    Examples
    --------
    >>> from gnbayes.evidence import Risks
    >>> risks = Risks([0.1, 0.8, 0.4], [False, True, True])
    >>> risks.n, risks.n_events
    (3, 2)
    """

    risk: NDArray[np.float64]
    is_event: NDArray[np.bool_]
    clusters: NDArray[np.intp] | None = None
    strata: NDArray[np.intp] | None = None

    def __post_init__(self) -> None:
        risk, is_event = np.asarray(self.risk, dtype=np.float64), np.asarray(self.is_event, dtype=bool)
        if risk.ndim != 1 or risk.shape != is_event.shape:
            raise ValueError(
                f"risk and is_event must be one number per row, got shapes {risk.shape} and {is_event.shape}."
            )
        if not len(risk) or not ((risk >= 0) & (risk <= 1)).all():
            raise ValueError("risk must be probabilities from 0 to 1, of at least one row.")
        object.__setattr__(self, "risk", risk)
        object.__setattr__(self, "is_event", is_event)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.risk)

    @property
    def n_events(self) -> int:
        """Number of rows with the event."""
        return int(np.count_nonzero(self.is_event))

    @property
    def n_fewer(self) -> int:
        """Number of rows of the rarer outcome, which limits the information in the data."""
        return min(self.n_events, self.n - self.n_events)

    @property
    def n_fewer_clusters(self) -> int:
        """The same in clusters that have such rows."""
        if self.clusters is None:
            return self.n_fewer
        return min(len(np.unique(self.clusters[self.is_event == outcome])) for outcome in (True, False))

    def take(self, rows: NDArray[np.bool_]) -> Risks:
        """Some of the rows."""
        clusters, strata = (None if of is None else of[rows] for of in (self.clusters, self.strata))
        return Risks(self.risk[rows], self.is_event[rows], clusters, strata)


def around(value: float, error: float | None, lowest: float = -np.inf, highest: float = np.inf) -> Estimate:
    """A number with the interval of its standard error, kept within its possible values."""
    return from_evaluation(normal_interval(value, error, lowest, highest))


def from_evaluation(found: evaluation.Estimate) -> Estimate:
    """The same number and interval; here the number may also be unknown."""
    return Estimate(found.value, found.low, found.high)


def mean_of(
    values: NDArray[np.float64],
    clusters: NDArray[np.intp] | None = None,
    lowest: float = -np.inf,
    highest: float = np.inf,
) -> Estimate:
    """A mean over rows with the interval of its standard error, which allows for clusters of rows."""
    return around(float(values.mean()), mean_error(values, clusters), lowest, highest)


def share_of_rows(hits: NDArray[np.bool_], clusters: NDArray[np.intp] | None = None) -> Estimate:
    """The share of rows that are hits, with an interval that allows for clusters of rows."""
    return from_evaluation(share_interval(hits, clusters))


def share_of(hits: int, n: int) -> Estimate:
    """A share of rows with its 95 % confidence interval (Wilson 1927); unknown without rows.

    Examples
    --------
    >>> from gnbayes.evidence import share_of
    >>> share = share_of(9, 10)
    >>> round(share.low, 3), round(share.high, 3)
    (0.596, 0.982)
    """
    if not n:
        return NOT_KNOWN
    return from_evaluation(wilson_interval(hits / n, n))
