"""All measures of the predicted risks of one event, in one object."""

from __future__ import annotations

from dataclasses import dataclass

from gnbayes.evidence.calibration import Calibration, calibrate
from gnbayes.evidence.decisions import Decisions, decide
from gnbayes.evidence.discrimination import RocCurve, auroc, roc_curve
from gnbayes.evidence.distribution import Distribution, distribute
from gnbayes.evidence.estimate import Estimate, Risks
from gnbayes.evidence.overall import Overall, measure_overall


@dataclass(frozen=True, eq=False)
class Evidence:
    """Measures of the predicted risks of one event.

    Parameters
    ----------
    n, n_events : int
    auroc : Estimate
    roc : RocCurve, optional
    calibration : Calibration
    overall : Overall
    decisions : Decisions
    distribution : Distribution

    Examples
    --------
    >>> from gnbayes.evidence import Risks, assess
    >>> risks = Risks([0.1, 0.2, 0.35, 0.4, 0.8, 0.9], [False, False, True, False, True, True])
    >>> found = assess(risks)
    >>> found.n, found.n_events, round(found.auroc.value, 3), round(found.overall.brier.value, 3)
    (6, 3, 0.889, 0.114)
    """

    n: int
    n_events: int
    auroc: Estimate
    roc: RocCurve | None
    calibration: Calibration
    overall: Overall
    decisions: Decisions
    distribution: Distribution


def assess(risks: Risks) -> Evidence:
    """All measures of the predicted risks of one event.

    Examples
    --------
    >>> from gnbayes.evidence import Risks, assess
    >>> assess(Risks([0.1, 0.4, 0.35, 0.8], [False, False, True, True])).auroc.value
    0.75
    """
    return Evidence(
        risks.n,
        risks.n_events,
        auroc(risks),
        roc_curve(risks),
        calibrate(risks),
        measure_overall(risks),
        decide(risks),
        distribute(risks),
    )
