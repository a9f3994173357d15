"""The log-loss of rows under tables, and its gradient, for several problems at once.

Unknowns have the shape (b, p + 1, c): b problems that differ in the weights of the rows, p unknowns of the tables after
one for the intercept, and c columns. For two classes there is one column, the difference of the two, with half the
ridge: the same model as with two columns, whose best values are plus and minus half of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.weighting.layout import Layout
from gnbayes.model.weighting.rows import LearningRows

Array = NDArray[np.float64]


class Objective:
    """Rows, and what they say of the unknowns of a layout.

    Parameters
    ----------
    layout : Layout
    rows : LearningRows
    n_classes : int

    Attributes
    ----------
    base : ndarray of shape (c,)
        Log shares of the classes, a little smoothed and centred: what the scores start from.
    size : ndarray of shape (p,)
        Weight of the rows that speak for each unknown.
    curvature : float
        Mean of p (1 - p), which `see` brings up to date.
    """

    def __init__(self, layout: Layout, rows: LearningRows, n_classes: int) -> None:
        self.layout, self.rows, self.n_classes = layout, rows, n_classes
        self.n_columns = 1 if n_classes == 2 else n_classes
        self.ridge_share = 0.5 if n_classes == 2 else 1.0
        self._hot = layout.one_hot(rows.cells)
        self._hot_t = self._hot.T.tocsr()
        self._basis, self._basis_t = layout.basis, layout.basis.T.tocsr()
        self._squares_t = self._basis_t.multiply(self._basis_t).tocsr()
        shares = np.bincount(rows.labels, rows.weights, minlength=n_classes) + 0.5
        shares /= shares.sum()
        logs = np.log(shares)
        self.base = logs[1:] - logs[:1] if n_classes == 2 else logs - logs.mean()
        self._is_own = np.eye(n_classes)[rows.labels][:, None, -self.n_columns :]
        self.curvature = float((shares * (1 - shares)).mean())
        self.size = self._squares_t @ (self._hot_t @ rows.weights)

    @property
    def n_unknowns(self) -> int:
        """Number of unknowns of the tables, p."""
        return len(self.layout.table_of)

    def table_scores(self, z: Array) -> Array:
        """What the tables of unknowns z, shape (p, m), add to the scores of the rows, shape (n, m)."""
        return np.asarray(self._hot @ (self._basis @ z))

    def back(self, residuals: Array) -> Array:
        """The other way round: sums of what stands in the rows, shape (n, m), by unknown, shape (p, m)."""
        return np.asarray(self._basis_t @ (self._hot_t @ residuals))

    def scores(self, x: Array) -> Array:
        """Scores of the rows, shape (n, b, c)."""
        b, _, c = x.shape
        out = self.table_scores(x[:, 1:].transpose(1, 0, 2).reshape(-1, b * c)).reshape(-1, b, c)
        out += x[:, 0] + self.base
        return out

    def probabilities(self, scores: Array) -> tuple[Array, Array]:
        """Probabilities of the classes of the columns, shape (n, b, c), and log-losses of the rows, shape (n, b)."""
        if self.n_classes == 2:
            score = scores[:, :, 0]
            # log(1 + e^s) and 1 / (1 + e^-s) from one exponential that cannot overflow.
            small = np.exp(-np.abs(score))
            proba = np.where(score > 0, 1.0, small) / (1 + small)
            losses = np.maximum(score, 0.0) + np.log1p(small) - score * self._is_own[:, :, 0]
            return proba[:, :, None], losses
        top = scores.max(axis=2)
        proba = np.exp(scores - top[:, :, None])
        total = proba.sum(axis=2)
        proba /= total[:, :, None]
        own = scores[np.arange(len(scores)), :, self.rows.labels]
        return proba, np.log(total) + top - own

    def residuals(self, proba: Array, row_weights: Array) -> Array:
        """Weighted differences between probabilities and what came, shape (n, b, c)."""
        return (proba - self._is_own) * row_weights[:, :, None]

    def see(self, x: Array) -> Array:
        """Curvature of the log-loss along each unknown at x, one problem with all rows, shape (p, c)."""
        proba = self.probabilities(self.scores(x))[0][:, 0]
        curvature = proba * (1 - proba) * self.rows.weights[:, None]
        self.curvature = max(float(curvature.sum() / (self.rows.weights.sum() * self.n_columns)), 1e-4)
        return np.asarray(self._squares_t @ (self._hot_t @ curvature))
