"""Instability: how much a person's risk depends on the choice of training rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_BINS = 20
_FEWEST_ROWS = 5


@dataclass(frozen=True, eq=False)
class Instability:
    """Risks of the same rows by models fitted to other samples of the same size.

    Parameters
    ----------
    n_refits, n_rows : int
    mape : float
        Mean absolute prediction error: mean distance between the risks of the refits and that of the model.
    mape_90 : float
        The same for the row at the 90 % quantile: nine out of ten rows are more stable.
    risk : ndarray of shape (m,)
        Mean risk according to the model, in bins of rows with similar risk.
    low, lower, upper, high : ndarray of shape (m,)
        Quantiles 2.5 %, 25 %, 75 % and 97.5 % of the refitted risks of these rows.
    bin_mape : ndarray of shape (m,)
        Mean absolute prediction error of these rows.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence import measure_instability
    >>> found = measure_instability(np.full(5, 0.5), np.array([[0.4] * 5, [0.7] * 5]))
    >>> found.n_refits, found.n_rows, round(found.mape, 3)
    (2, 5, 0.15)
    """

    n_refits: int
    n_rows: int
    mape: float
    mape_90: float
    risk: NDArray[np.float64]
    low: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    high: NDArray[np.float64]
    bin_mape: NDArray[np.float64]


def measure_instability(risk: NDArray[np.float64], refitted: NDArray[np.float64]) -> Instability:
    """Instability of risks over refits to bootstrap samples (Riley and Collins 2023).

    Parameters
    ----------
    risk : ndarray of shape (n,)
        Risks according to the model.
    refitted : ndarray of shape (b, n)
        Risks of the same rows according to models fitted to bootstrap samples.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence import measure_instability
    >>> found = measure_instability(np.full(5, 0.5), np.array([[0.4] * 5, [0.7] * 5]))
    >>> round(found.mape, 3)
    0.15
    """
    errors = np.abs(refitted - risk).mean(axis=0)
    n_bins = max(1, min(MOST_BINS, len(risk) // _FEWEST_ROWS))
    bins = np.array_split(np.argsort(risk, kind="stable"), n_bins)
    quantiles = np.array([np.quantile(refitted[:, rows], (0.025, 0.25, 0.75, 0.975)) for rows in bins])
    low, lower, upper, high = quantiles.T
    return Instability(
        len(refitted),
        len(risk),
        float(errors.mean()),
        float(np.quantile(errors, 0.9)),
        np.array([risk[rows].mean() for rows in bins]),
        low,
        lower,
        upper,
        high,
        np.array([errors[rows].mean() for rows in bins]),
    )
