"""The gain of a term: a second-order estimate from the residuals of a model without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Term = tuple[int, ...]
# Ridge penalty on a cell.
_RIDGE = 5.0


@dataclass(frozen=True, eq=False)
class Residuals:
    """First and second derivatives of the log-likelihood by the scores of rows, the second with opposite sign.

    Parameters
    ----------
    first, second : ndarray of shape (c, n)
        [own class] - p and p (1 - p), times the weight of the row; for two classes, one line for the second.
    """

    first: Array
    second: Array

    @classmethod
    def of(cls, scores: Array, labels: NDArray[np.intp], weights: Array) -> Residuals:
        """From scores of shape (n, c)."""
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
        """The residuals of some rows."""
        return Residuals(np.ascontiguousarray(self.first[:, rows]), np.ascontiguousarray(self.second[:, rows]))


def second_order_gains(
    terms: Sequence[Term], codes: Sequence[NDArray[np.intp]], sizes: Sequence[int], residuals: Residuals
) -> Array:
    """Twice the gain in log-loss of a free table of each term, less the expected gain from noise.

    With s and t the sums of first and second derivatives in a cell, it is the sum of (s^2 - t) / (t + 5) over cells
    and classes: the mean of s^2 is t if there is nothing to gain.

    Parameters
    ----------
    terms : sequence of tuple of int
    codes : sequence of ndarray of shape (n,)
        One per feature.
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
    """As `second_order_gains`, for one table, from the sums of both derivatives in its cells, of either sign."""
    return float(((first * first - second) / (second + _RIDGE)).sum())
