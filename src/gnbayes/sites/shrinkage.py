"""Shrink noisy counts towards their expected values, according to the noise.

A table is compared with what it would be if its features were independent. A cell with expected count E is assumed to
have E r rows, where r varies around 1 with a standard deviation that all cells of a table share, its spread: 0 for
independent features. The likelihood of the noisy cells determines which spreads are probable (empirical Bayes), and
each cell is replaced by its posterior mean, kept above 0. Cells with large expected counts keep most of what was
counted; cells that noise alone could have produced keep next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

Array = NDArray[np.float64]

# Positive spreads on a grid, and their prior: exponential, with this mean.
_SPREADS = np.geomspace(0.02, 8.0, 25)
_MEAN_SPREAD = 0.3
_PRIOR = _SPREADS * np.exp(-_SPREADS / _MEAN_SPREAD)
_PRIOR /= _PRIOR.sum()
# Spreads with a smaller probability than this are ignored.
_NEGLIGIBLE = 1e-4


@dataclass(frozen=True, eq=False)
class Shrunk:
    """Tables of one shape after shrinkage.

    Parameters
    ----------
    cells : ndarray of shape (m, ...)
        Positive wherever the expected count is.
    independent : ndarray of shape (m,)
        Probability that the spread of a table is 0.
    spread : ndarray of shape (m,)
        Posterior mean of the spread.
    """

    cells: Array
    independent: Array
    spread: Array


def shrink(observed: Array, expected: Array, variance: Array, n_free: int, independent: float) -> Shrunk:
    """Posterior means of the cells of tables of one shape.

    Parameters
    ----------
    observed : ndarray of shape (m, ...)
        Noisy cells, with the same sums as `expected`.
    expected : ndarray of shape (m, ...)
        Expected cells if features are independent.
    variance : ndarray of shape (m, ...)
        Variance of their difference if features are independent: from noise and from sampling the rows.
    n_free : int
        Number of cells of a table that are free once its sums are known.
    independent : float
        Prior probability that the features of a table are independent.
    """
    m = len(observed)
    shape = (m, -1)
    difference, base, noise = (array.reshape(shape) for array in (observed - expected, expected, variance))
    noise = np.maximum(noise, 1e-12)
    spreads = np.concatenate([[0.0], _SPREADS])
    prior = np.concatenate([[independent], (1 - independent) * _PRIOR])
    fits = [_log_likelihood(difference, (base * spread) ** 2 + noise) for spread in spreads]
    # Cells determined by the sums of others provide no additional evidence.
    scores = np.stack(fits, axis=1) * (n_free / difference.shape[1]) + np.log(prior)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    cells = weights[:, :1] * base
    for at, spread in enumerate(_SPREADS, 1):
        rows = np.flatnonzero(weights[:, at] > _NEGLIGIBLE)
        kept = (base[rows] * spread) ** 2
        kept /= kept + noise[rows]
        mean = positive_mean(base[rows] + kept * difference[rows], np.sqrt(kept * noise[rows]))
        cells[rows] += weights[rows, at, None] * mean
    return Shrunk(cells.reshape(observed.shape), weights[:, 0], weights @ spreads)


def positive_mean(mean: Array, deviation: Array) -> Array:
    """Mean of a normal variable conditional on being positive.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.sites.shrinkage import positive_mean
    >>> positive_mean(np.array([100.0, 0.0, -50.0]), np.full(3, 10.0)).round(2).tolist()
    [100.0, 7.98, 1.87]
    """
    scale = np.maximum(deviation, 1e-9)
    ratio = mean / scale
    # Far below 0, a difference of nearly equal numbers would lose all precision; a series is used there.
    far = np.maximum(-ratio, 30.0)
    near = np.maximum(ratio, -30.0)
    hazard = np.exp(-0.5 * near**2 - 0.5 * np.log(2 * np.pi) - log_ndtr(near))
    return scale * np.where(ratio > -30.0, near + hazard, 1 / far - 2 / far**3)


def _log_likelihood(difference: Array, variance: Array) -> Array:
    return -0.5 * (np.log(variance) + difference**2 / variance).sum(axis=1)
