"""How well risks rank: the area under the ROC curve, and the curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from gnbayes.evidence.estimate import NOT_KNOWN, Estimate, Risks, around

MOST_POINTS = 50


@dataclass(frozen=True, eq=False)
class RocCurve:
    """Points of the ROC curve, from (0, 0) to (1, 1).

    Parameters
    ----------
    false_positive : ndarray of shape (m,)
        Share of the rows without the event whose risk is at or above a threshold.
    true_positive : ndarray of shape (m,)
        Share of the rows with the event whose risk is at or above it.
    """

    false_positive: NDArray[np.float64]
    true_positive: NDArray[np.float64]


def auroc(risks: Risks) -> Estimate:
    """Area under the ROC curve with its 95 % interval.

    Notes
    -----
    The area is the share of pairs (one row with the event, one without) in which the row with the event has the higher
    risk; ties count half. The variance is that of DeLong, DeLong and Clarke-Pearson (1988): with V10 the share of rows
    without the event that a row with it exceeds, and V01 the reverse, var(V10) / n1 + var(V01) / n0, by ranks as in Sun
    and Xu (2014). Without both outcomes the area is unknown. Where every pair is in order the variance is 0, which says
    nothing about other rows: there is no interval then.

    Examples
    --------
    >>> from gnbayes.evidence import Risks, auroc
    >>> auroc(Risks([0.1, 0.4, 0.35, 0.8], [False, False, True, True])).value
    0.75
    """
    with_event, without = risks.risk[risks.is_event], risks.risk[~risks.is_event]
    n1, n0 = len(with_event), len(without)
    if not n1 or not n0:
        return NOT_KNOWN
    ranks = rankdata(np.concatenate([with_event, without]))
    above = (ranks[:n1] - rankdata(with_event)) / n0
    below = (ranks[n1:] - rankdata(without)) / n1
    area = float(above.mean())
    if min(n1, n0) < 2:
        return Estimate(area)
    variance = float(above.var(ddof=1) / n1 + below.var(ddof=1) / n0)
    return around(area, float(np.sqrt(variance)) if variance > 0 else None, 0.0, 1.0)


def roc_curve(risks: Risks) -> RocCurve | None:
    """At most 50 points of the ROC curve, spread evenly along it; None without both outcomes."""
    n_others = risks.n - risks.n_events
    if not risks.n_events or not n_others:
        return None
    order = np.argsort(-risks.risk, kind="stable")
    is_last = np.append(np.diff(risks.risk[order]) != 0, True)
    hits = np.append(0, np.cumsum(risks.is_event[order])[is_last]) / risks.n_events
    alarms = np.append(0, np.cumsum(~risks.is_event[order])[is_last]) / n_others
    wanted = np.linspace(0, 2, MOST_POINTS)
    at = np.unique(np.searchsorted(hits + alarms, wanted).clip(0, len(hits) - 1))
    return RocCurve(alarms[at], hits[at])
