"""Discrimination: the ROC curve and the area under it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes import evaluation
from gnbayes.evidence.estimate import NOT_KNOWN, Estimate, Risks, from_evaluation

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

    Examples
    --------
    >>> from gnbayes.evidence import Risks, roc_curve
    >>> risks = Risks([0.1, 0.2, 0.35, 0.4, 0.8, 0.9], [False, False, True, False, True, True])
    >>> curve = roc_curve(risks)
    >>> curve.false_positive.round(2).tolist(), curve.true_positive.round(2).tolist()
    ([0.0, 0.0, 0.0, 0.33, 0.33, 0.67, 1.0], [0.0, 0.33, 0.67, 0.67, 1.0, 1.0, 1.0])
    """

    false_positive: NDArray[np.float64]
    true_positive: NDArray[np.float64]


def auroc(risks: Risks) -> Estimate:
    """Area under the ROC curve with its 95 % interval: `gnbayes.evaluation.auroc` of the risks.

    Notes
    -----
    The standard error is that of DeLong, DeLong and Clarke-Pearson (1988), for clusters that of Obuchowski (1997), and
    the interval is normal on the scale of log-odds (Pepe 2003), so that it stays between 0 and 1. Where every pair is
    in order it is Wilson's. With strata only pairs within one are compared: risks of two models of a cross-validation
    are not on the same scale. Without both outcomes the area is unknown.

    Examples
    --------
    >>> from gnbayes.evidence import Risks, auroc
    >>> auroc(Risks([0.1, 0.4, 0.35, 0.8], [False, False, True, True])).value
    0.75
    """
    found = evaluation.auroc(risks.risk, risks.is_event, risks.clusters, risks.strata)
    return NOT_KNOWN if found is None else from_evaluation(found)


def roc_curve(risks: Risks) -> RocCurve | None:
    """At most 50 points of the ROC curve, spread evenly along it; None unless both outcomes occur.

    Examples
    --------
    >>> from gnbayes.evidence import Risks, roc_curve
    >>> risks = Risks([0.1, 0.2, 0.35, 0.4, 0.8, 0.9], [False, False, True, False, True, True])
    >>> roc_curve(risks).true_positive.round(2).tolist()
    [0.0, 0.33, 0.67, 0.67, 1.0, 1.0, 1.0]
    """
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
