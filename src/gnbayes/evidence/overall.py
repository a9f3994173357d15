"""Overall measures: the squared and the logarithmic distance between risk and outcome."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.evaluation import mean_error
from gnbayes.evidence.estimate import NOT_KNOWN, Estimate, Risks, around, mean_of


@dataclass(frozen=True)
class Overall:
    """Overall measures of risks.

    Parameters
    ----------
    brier : Estimate
        Mean squared distance between risk and outcome.
    scaled_brier : Estimate
        1 - brier / (brier of everyone's risk being the share of events): 1 is perfect, 0 no better than that share.
    log_loss : Estimate
        Mean of -log of the probability of the observed outcome, in nats.

    Examples
    --------
    >>> from gnbayes.evidence import Risks, measure_overall
    >>> risks = Risks([0.1, 0.2, 0.35, 0.4, 0.8, 0.9], [False, False, True, False, True, True])
    >>> found = measure_overall(risks)
    >>> round(found.brier.value, 3), round(found.scaled_brier.value, 3), round(found.log_loss.value, 3)
    (0.114, 0.545, 0.37)
    """

    brier: Estimate
    scaled_brier: Estimate
    log_loss: Estimate


def measure_overall(risks: Risks) -> Overall:
    """Brier score, scaled Brier score and log-loss with 95 % intervals.

    Notes
    -----
    Intervals come from standard errors over rows, or clusters of them; for the scaled Brier score by the delta method,
    as the share of events is estimated from the same rows. As in scikit-learn, probabilities are kept one machine
    epsilon away from 0 and 1 in the log-loss.

    Examples
    --------
    >>> from gnbayes.evidence import Risks, measure_overall
    >>> round(measure_overall(Risks([0.1, 0.8, 0.4], [False, True, True])).brier.value, 3)
    0.137
    """
    outcome = risks.is_event.astype(np.float64)
    squared = (risks.risk - outcome) ** 2
    epsilon = np.finfo(np.float64).eps
    given = np.where(risks.is_event, risks.risk, 1 - risks.risk)
    losses = -np.log(np.clip(given, epsilon, 1 - epsilon))
    return Overall(
        mean_of(squared, risks.clusters, 0.0, 1.0),
        _scaled(squared, outcome, risks.clusters),
        mean_of(losses, risks.clusters, 0.0),
    )


def _scaled(squared: NDArray[np.float64], outcome: NDArray[np.float64], clusters: NDArray[np.intp] | None) -> Estimate:
    share = outcome.mean()
    reference = share * (1 - share)
    if not reference:
        return NOT_KNOWN
    ratio = squared.mean() / reference
    influence = (squared - squared.mean()) / reference - ratio / reference * (1 - 2 * share) * (outcome - share)
    return around(float(1 - ratio), mean_error(influence, clusters), -np.inf, 1.0)
