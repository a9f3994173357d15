"""Decisions at a risk threshold: true and false positives, and the net benefit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gnbayes.evidence.estimate import Estimate, Risks, share_of

# From 1 % to 99 %.
THRESHOLDS = np.arange(1, 100) / 100


@dataclass(frozen=True, eq=False)
class Decisions:
    """Rows at or above each threshold, by outcome.

    Parameters
    ----------
    thresholds : ndarray of shape (m,)
    true_positives : ndarray of shape (m,)
        Rows with the event whose risk is at or above the threshold.
    false_positives : ndarray of shape (m,)
        Rows without the event whose risk is at or above the threshold.
    n_events, n_others : int
        All rows with and without the event.

    Examples
    --------
    >>> from gnbayes.evidence import Risks, decide
    >>> risks = Risks([0.1, 0.2, 0.35, 0.4, 0.8, 0.9], [False, False, True, False, True, True])
    >>> decisions = decide(risks)
    >>> decisions.n_events, decisions.n_others, decisions.at(0.5).specificity.value
    (3, 3, 1.0)
    """

    thresholds: NDArray[np.float64]
    true_positives: NDArray[np.intp]
    false_positives: NDArray[np.intp]
    n_events: int
    n_others: int

    @cached_property
    def net_benefit(self) -> NDArray[np.float64]:
        """Net benefit of acting at or above each threshold, shape (m,).

        True positives per row, less false positives per row weighted by the odds of the threshold (Vickers and Elkin
        2006): the threshold determines how many false alarms one detected event is worth.
        """
        odds = self.thresholds / (1 - self.thresholds)
        return (self.true_positives - self.false_positives * odds) / (self.n_events + self.n_others)

    @cached_property
    def net_benefit_of_all(self) -> NDArray[np.float64]:
        """Net benefit of acting on everyone, shape (m,); that of acting on no one is 0."""
        odds = self.thresholds / (1 - self.thresholds)
        return (self.n_events - self.n_others * odds) / (self.n_events + self.n_others)

    def at(self, threshold: float) -> AtThreshold:
        """The decisions at one of the thresholds."""
        at = int(np.argmin(np.abs(self.thresholds - threshold)))
        found, troubled = int(self.true_positives[at]), int(self.false_positives[at])
        missed, spared = self.n_events - found, self.n_others - troubled
        return AtThreshold(
            float(self.thresholds[at]),
            share_of(found, self.n_events),
            share_of(spared, self.n_others),
            share_of(found, found + troubled),
            share_of(spared, spared + missed),
        )


@dataclass(frozen=True)
class AtThreshold:
    """Performance of acting at or above one threshold.

    Parameters
    ----------
    threshold : float
    sensitivity : Estimate
        Share of the rows with the event at or above the threshold.
    specificity : Estimate
        Share of the rows without the event below the threshold.
    positive_value : Estimate
        Positive predictive value: share of the rows at or above the threshold that have the event.
    negative_value : Estimate
        Negative predictive value: share of the rows below the threshold that do not have the event.

    Examples
    --------
    >>> from gnbayes.evidence import Risks, decide
    >>> risks = Risks([0.1, 0.2, 0.35, 0.4, 0.8, 0.9], [False, False, True, False, True, True])
    >>> at_half = decide(risks).at(0.5)
    >>> round(at_half.sensitivity.value, 3), at_half.specificity.value, at_half.positive_value.value
    (0.667, 1.0, 1.0)
    """

    threshold: float
    sensitivity: Estimate
    specificity: Estimate
    positive_value: Estimate
    negative_value: Estimate


def decide(risks: Risks) -> Decisions:
    """Decisions at thresholds from 1 % to 99 %.

    Examples
    --------
    >>> from gnbayes.evidence import Risks, decide
    >>> decisions = decide(Risks([0.1, 0.8, 0.4], [False, True, True]))
    >>> decisions.at(0.5).sensitivity.value
    0.5
    """
    with_event = np.sort(risks.risk[risks.is_event])
    without = np.sort(risks.risk[~risks.is_event])
    return Decisions(
        THRESHOLDS,
        len(with_event) - np.searchsorted(with_event, THRESHOLDS),
        len(without) - np.searchsorted(without, THRESHOLDS),
        len(with_event),
        len(without),
    )
