"""Synthetic rows drawn from the counts of all sites, to approximate the curvature of the sites' rows.

The counts of the first questions determine the joint distribution of the features along the tree. Rows drawn from it
have nearly the curvature of the sites' rows, so the sites need not be asked for it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Feature
from gnbayes.model import NestedCounts
from gnbayes.model.fitting.dual import project_rows, table_scores
from gnbayes.model.fitting.layout import Layout
from gnbayes.model.fitting.lbfgs import dots
from gnbayes.model.fitting.objective import Objective
from gnbayes.model.fitting.sums import FittingRows, Kind
from gnbayes.model.model import draw_within, softmax
from gnbayes.model.parameters import log_class_prior
from gnbayes.structure import Tree

Array = NDArray[np.float64]

_SEED = 20240829
# Rows to draw per coefficient and per row of the sites: the smaller number of the two, within limits.
_ROWS_PER_UNKNOWN, _ROWS_PER_ROW = 20, 10
_FEWEST_ROWS, _MOST_ROWS = 2_000, 20_000
_MOST_STEPS, _TOLERANCE = 40, 1e-3
# Fractions of a step to try on synthetic rows.
_SHORTER = (1.0, 0.5, 0.25, 0.125, 0.0625)


def draw_rows(
    features: Sequence[Feature], tree: Tree, nested: NestedCounts, n_unknowns: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Draw codes, shape (m, d), and classes from the joint distribution of a tree; every call draws the same rows."""
    rng = np.random.default_rng(_SEED)
    wanted = min(_ROWS_PER_UNKNOWN * n_unknowns, _ROWS_PER_ROW * nested.values.n)
    n_rows = int(np.clip(wanted, _FEWEST_ROWS, _MOST_ROWS))
    between, labels = nested.joint(features, tree, log_class_prior(nested.values)).sample(n_rows, rng)
    within = nested.within()
    codes = np.zeros(between.shape, dtype=np.intp)
    for j in tree.order.tolist():
        codes[:, j] = draw_within(between[:, j], labels, nested.maps[j], within[j], rng)
    return codes, labels


class SyntheticRows:
    """Loss and curvature of synthetic rows for several problems at once.

    Parameters
    ----------
    layout : Layout
    codes : ndarray of shape (m, d)
    labels : ndarray of shape (m,)
    n_classes : int
    n_rows : float
        Number of rows of all sites, which the synthetic rows represent.

    Attributes
    ----------
    objective : Objective
        Objective of the synthetic rows.
    n_rows : float
    """

    def __init__(
        self, layout: Layout, codes: NDArray[np.intp], labels: NDArray[np.intp], n_classes: int, n_rows: float
    ) -> None:
        weights = np.full(len(codes), n_rows / len(codes))
        self._rows = FittingRows(layout.cells_of(codes), labels.astype(np.int64), weights, n_classes)
        self.objective, self.n_rows = Objective(layout, self._rows), n_rows

    def direction(self, x: Array, gradient: Array, ridge: Array, shares: Array, curvature: Array) -> Array:
        """Solve curvature times direction = gradient by conjugate gradients.

        Where the synthetic rows have less curvature along a coefficient than the real rows, as in a cell without
        synthetic rows, the difference is added.

        Parameters
        ----------
        x : ndarray of shape (p + 1, b, c)
            Point at which the curvature of the synthetic rows is computed.
        gradient : ndarray of shape (p + 1, b, c)
        ridge : ndarray of shape (p + 1, b)
            Added to the curvature.
        shares : ndarray of shape (b,)
            Share of the rows that each problem is fitted to.
        curvature : ndarray of shape (p + 1, b, c)
            Second derivative of the real rows' log-loss with respect to each coefficient.
        """
        proba = self._proba(x)
        own = self._diagonal(x, shares)
        added = ridge[:, :, None] + np.maximum(curvature - own, 0.0)
        diagonal = own + added + 1e-9
        out, left = np.zeros_like(gradient), gradient.copy()
        eased = left / diagonal
        step, product = eased.copy(), dots(left, eased)
        enough = _TOLERANCE**2 * product
        for _ in range(_MOST_STEPS):
            is_active = product > np.maximum(enough, 1e-200)
            if not is_active.any():
                break
            curved = self._multiply(proba, step, shares) + added * step
            length = np.where(is_active, product / np.where(is_active, dots(step, curved), 1.0), 0.0)
            out += length[:, None] * step
            left -= length[:, None] * curved
            eased = left / diagonal
            before, product = product, np.where(is_active, dots(left, eased), product)
            step = eased + np.where(is_active, product / np.where(is_active, before, 1.0), 0.0)[:, None] * step
        return out

    def shorten(self, x: Array, direction: Array, gradient: Array, ridge: Array, shares: Array) -> Array:
        """Choose the fraction of a step that lowers the loss most, as estimated from synthetic rows.

        Their log-loss is a better model of the real loss than a quadratic one; a linear term is added so that its
        gradient equals that of the real rows.
        """
        weights = np.ascontiguousarray(self._rows.weights[:, None] * shares)
        start, slope = self.objective.value_and_gradient(x, weights, np.zeros(len(x)))
        lacking = dots(gradient - slope, direction)
        best, lowest = np.zeros(len(shares)), np.zeros(len(shares))
        for part in _SHORTER:
            new = x - part * direction
            change = self.objective.losses(new, weights) - start - part * lacking
            change += 0.5 * (dots(ridge[:, :, None] * new, new) - dots(ridge[:, :, None] * x, x))
            best, lowest = np.where(change < lowest, part, best), np.minimum(change, lowest)
        return x - np.maximum(best, _SHORTER[-1])[:, None] * direction

    def _proba(self, x: Array) -> Array:
        """Probabilities of the synthetic rows, shape (m, b, c)."""
        scores = table_scores(self.objective.layout, self._rows, x) + (x[0] + self.objective.base)
        if scores.shape[2] == 1:
            return np.asarray(0.5 + 0.5 * np.tanh(scores / 2))
        m, b, c = scores.shape
        return np.asarray(softmax(scores.reshape(-1, c)).reshape(m, b, c))

    def _multiply(self, proba: Array, vector: Array, shares: Array) -> Array:
        """Curvature of the log-loss times a vector."""
        scores = table_scores(self.objective.layout, self._rows, vector) + vector[0]
        if scores.shape[2] > 1:
            scores -= (proba * scores).sum(axis=2, keepdims=True)
        else:
            scores *= 1.0 - proba
        return self._sums(proba * scores, shares)

    def _sums(self, values: Array, shares: Array) -> Array:
        """Sums over the rows, for the intercept and each coefficient."""
        weighted = values * (self._rows.weights[0] * shares)[:, None]
        return np.concatenate([weighted.sum(axis=0)[None], project_rows(self.objective.layout, self._rows, weighted)])

    def _diagonal(self, x: Array, shares: Array) -> Array:
        """Second derivative of the log-loss with respect to each coefficient."""
        layout = self.objective.layout
        weights = np.ascontiguousarray(self._rows.weights[:, None] * shares)
        sums = self._rows.sums(Kind.CURVATURE, layout.expand(x[1:]), x[0] + self.objective.base, weights)
        return np.concatenate([sums.total[None], layout.project_squares(sums.cells)])
