"""What a term would gain: a second-order estimate, from the residuals of a model without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Term = tuple[int, ...]
# Rows of curvature 1 that a cell is held back by.
_RIDGE = 5.0


@dataclass(frozen=True, eq=False)
class Residuals:
    """First and second derivatives of the log-loss by the scores of rows, with their sign turned.

    Parameters
    ----------
    first, second : ndarray of shape (c, n)
        (is of the class) - p and p (1 - p), times the weight of the row; one line for two classes, that of the second.
    """

    first: Array
    second: Array

    @classmethod
    def of(cls, scores: Array, labels: NDArray[np.intp], weights: Array) -> Residuals:
        """Of scores of shape (n, c)."""
        if scores.shape[1] == 1:
            proba = 1 / (1 + np.exp(-np.clip(scores, -700, 700)))
            is_class = (labels == 1)[:, None]
        else:
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            proba = shares / shares.sum(axis=1, keepdims=True)
            is_class = labels[:, None] == np.arange(scores.shape[1])
        first = (is_class - proba) * weights[:, None]
        second = proba * (1 - proba) * weights[:, None]
        return cls(np.ascontiguousarray(first.T), np.ascontiguousarray(second.T))

    def some(self, rows: NDArray[Any]) -> Residuals:
        """Those of some rows."""
        return Residuals(np.ascontiguousarray(self.first[:, rows]), np.ascontiguousarray(self.second[:, rows]))


def second_order_gains(
    terms: Sequence[Term], codes: Sequence[NDArray[np.intp]], sizes: Sequence[int], residuals: Residuals
) -> Array:
    """What a free table of each term would gain in log-loss, twice, less what it would gain from noise.

    With s and t the sums of first and second derivatives in a cell, it is the sum of (s^2 - t) / (t + 5) over cells
    and classes: s^2 has the mean t where there is nothing to gain.

    Parameters
    ----------
    terms : sequence of tuple of int
    codes : sequence of ndarray of shape (n,)
        Of each feature.
    sizes : sequence of int
        Number of codes of each feature.
    residuals : Residuals

    Returns
    -------
    gains : ndarray of shape (number of terms,)

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.interactions.gains import Residuals, second_order_gains
    >>> first, second, third = np.random.default_rng(0).integers(0, 2, (3, 400))
    >>> residuals = Residuals.of(np.zeros((400, 1)), first ^ second, np.ones(400))
    >>> gains = second_order_gains([(0, 1), (0, 2)], [first, second, third], [2, 2, 2], residuals)
    >>> bool(gains[0] > 100 > 10 > gains[1])
    True
    """
    gains = np.empty(len(terms))
    for at, term in enumerate(terms):
        cell, n_cells = codes[term[0]], sizes[term[0]]
        for j in term[1:]:
            cell, n_cells = cell * sizes[j] + codes[j], n_cells * sizes[j]
        gain = 0.0
        for first, second in zip(residuals.first, residuals.second, strict=True):
            s, t = np.bincount(cell, first, minlength=n_cells), np.bincount(cell, second, minlength=n_cells)
            gain += gain_of_sums(s, t)
        gains[at] = gain
    return gains


def gain_of_sums(first: NDArray[Any], second: NDArray[Any]) -> float:
    """The same of one table, from the sums of first and second derivatives in its cells; the sign does not matter."""
    return float(((first * first - second) / (second + _RIDGE)).sum())
