"""Distribution of the risks of rows with and without the event."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.evidence.estimate import Risks

N_BINS = 20
EVEN_EDGES = np.arange(N_BINS + 1) / N_BINS


@dataclass(frozen=True, eq=False)
class Distribution:
    """Number of rows by risk, in bins from 0 to 1; a bin includes its lower end, the last one both ends.

    Parameters
    ----------
    edges : ndarray of shape (m + 1,)
    events, others : ndarray of shape (m,)
        Rows with and without the event.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence import Distribution
    >>> spread = Distribution(np.array([0.0, 0.5, 1.0]), np.array([1, 9]), np.array([20, 2]))
    >>> spread.is_even, int(spread.events.sum())
    (False, 10)
    """

    edges: NDArray[np.float64]
    events: NDArray[np.intp]
    others: NDArray[np.intp]

    @property
    def is_even(self) -> bool:
        """Whether the bins are the usual ones of equal width."""
        return np.array_equal(self.edges, EVEN_EDGES)

    def evenly(self, counts: NDArray[np.intp]) -> NDArray[np.float64]:
        """The counts in twenty bins of equal width; rows of wider bins are spread evenly."""
        sums = np.append(0, np.cumsum(counts))
        return np.diff(np.interp(EVEN_EDGES, self.edges, sums))


def distribute(risks: Risks) -> Distribution:
    """Rows in twenty bins of risk, by outcome.

    Examples
    --------
    >>> from gnbayes.evidence import Risks, distribute
    >>> spread = distribute(Risks([0.01, 0.02, 0.97], [False, False, True]))
    >>> spread.others[0].item(), spread.events[-1].item()
    (2, 1)
    """
    at = np.minimum(np.searchsorted(EVEN_EDGES, risks.risk, side="right") - 1, N_BINS - 1)
    events = np.bincount(at[risks.is_event], minlength=N_BINS)
    return Distribution(EVEN_EDGES, events, np.bincount(at, minlength=N_BINS) - events)
