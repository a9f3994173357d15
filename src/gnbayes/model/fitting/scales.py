"""Factors of parts of the scores that minimise the log-loss: a logistic regression on a few columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.cholesky import cholesky, solve_lower, solve_upper

Array = NDArray[np.float64]
# Each scale is shrunk towards 1 as if by this many rows whose score from the part is 1.
_PULL_ROWS, _LEAST_CURVATURE = 100.0, 1e-5
_LARGEST = 4.0
_ITERATIONS, _SHORTEST, _TOLERANCE = 12, 1e-3, 1e-6


@dataclass(frozen=True, eq=False)
class HeldOutScores:
    """Scores of rows, as sums of parts.

    Parameters
    ----------
    parts : ndarray of shape (n, f, c)
        What each of f parts adds; for two classes c is 1, the log-odds of the second.
    start : ndarray of shape (n, c)
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,)
    """

    parts: Array
    start: Array
    labels: NDArray[np.intp]
    weights: Array

    def totals(self, scales: Array) -> Array:
        """Scores for given scales, shape (n, c)."""
        return self.start + np.einsum("nfc,f->nc", self.parts, scales)

    def losses(self, scales: Array | None = None) -> Array:
        """Log-loss of each row, with scales of 1 by default, shape (n,)."""
        totals = self.totals(np.ones(self.parts.shape[1]) if scales is None else scales)
        if totals.shape[1] == 1:
            return np.logaddexp(0.0, np.where(self.labels == 1, -1.0, 1.0) * totals[:, 0])
        return np.logaddexp.reduce(totals, axis=1) - totals[np.arange(len(totals)), self.labels]


def best_scales(scores: HeldOutScores) -> Array:
    """Scales from 0 to 4, slightly shrunk towards 1, that minimise the weighted log-loss, shape (f,); Newton's method.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.fitting.scales import HeldOutScores, best_scales
    >>> rng = np.random.default_rng(0)
    >>> true, noise = rng.normal(size=(2, 4000))
    >>> labels = (rng.random(4000) < 1 / (1 + np.exp(-true))).astype(int)
    >>> parts = np.stack([2 * true, noise], axis=1)[:, :, None]
    >>> best_scales(HeldOutScores(parts, np.zeros((4000, 1)), labels, np.ones(4000))).round(1).tolist()
    [0.5, 0.0]
    """
    scales = np.ones(scores.parts.shape[1])
    pull = _PULL_ROWS * max(_mean_curvature(scores), _LEAST_CURVATURE)
    value = _value(scores, scales, pull)
    for _ in range(_ITERATIONS):
        step = _newton_step(scores, scales, pull)
        length = 1.0
        while length > _SHORTEST:
            new = np.clip(scales - length * step, 0.0, _LARGEST)
            new_value = _value(scores, new, pull)
            if new_value < value:
                break
            length /= 2
        else:
            break
        is_last = value - new_value < _TOLERANCE * value
        scales, value = new, new_value
        if is_last:
            break
    return scales


def _value(scores: HeldOutScores, scales: Array, pull: float) -> float:
    return float((scores.weights * scores.losses(scales)).sum() + 0.5 * pull * ((scales - 1) ** 2).sum())


def _newton_step(scores: HeldOutScores, scales: Array, pull: float) -> Array:
    """Inverse curvature times gradient, for the scales that are not fixed at 0."""
    gradient, curvature = _derivatives(scores, scales)
    gradient += pull * (scales - 1)
    curvature[np.diag_indices_from(curvature)] += pull
    free = np.flatnonzero((scales > 0) | (gradient < 0))
    step = np.zeros_like(scales)
    if len(free):
        lower = cholesky(curvature[np.ix_(free, free)])
        step[free] = solve_upper(lower, solve_lower(lower, gradient[free]))
    return step


def _mean_curvature(scores: HeldOutScores) -> float:
    """Mean of p (1 - p) over rows and columns."""
    totals = scores.totals(np.ones(scores.parts.shape[1]))
    if totals.shape[1] == 1:
        totals = np.append(np.zeros_like(totals), totals, axis=1)
    shares = _softmax(totals)
    return float((shares * (1 - shares)).mean()) if len(shares) else 0.0


def _softmax(totals: Array) -> Array:
    shares = np.exp(totals - totals.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _derivatives(scores: HeldOutScores, scales: Array) -> tuple[Array, Array]:
    totals, parts, weights = scores.totals(scales), scores.parts, scores.weights
    if totals.shape[1] == 1:
        proba = 1 / (1 + np.exp(-np.clip(totals[:, 0], -700, 700)))
        gradient = np.einsum("n,nf->f", weights * (proba - (scores.labels == 1)), parts[:, :, 0])
        return gradient, np.einsum("n,nf,ng->fg", weights * proba * (1 - proba), parts[:, :, 0], parts[:, :, 0])
    shares = _softmax(totals)
    means = np.einsum("nfc,nc->nf", parts, shares)
    own = parts[np.arange(len(parts)), :, scores.labels]
    gradient = np.einsum("n,nf->f", weights, means - own)
    weighted = parts * (shares * weights[:, None])[:, None]
    return gradient, np.einsum("nfc,ngc->fg", weighted, parts) - np.einsum("n,nf,ng->fg", weights, means, means)
