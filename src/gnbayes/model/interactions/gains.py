"""The gain of a term: a second-order estimate from the residuals of a model without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import native

Array = NDArray[np.float64]
Term = tuple[int, ...]
# Ridge penalty on a cell.
_RIDGE = 5.0
# Most features of a term, and cells of tables that are looked at together.
_MOST_AXES, _CELLS_AT_ONCE = 3, 2**14


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
    of_rows, of_codes = np.array(codes, dtype=np.int32), np.array(sizes, dtype=np.int32)
    described = np.full((len(terms), _MOST_AXES), -1, dtype=np.int32)
    for at, term in enumerate(terms):
        described[at, : len(term)] = term
    gains = np.zeros(len(terms))
    for own, n_cells in _of_one_size(terms, sizes):
        for first, second in zip(residuals.first, residuals.second, strict=True):
            sums = _sums_by_cells(of_rows, of_codes, described[own], (first, second), n_cells)
            gains[own] += gains_of_sums(*sums)
    return gains


def _of_one_size(terms: Sequence[Term], sizes: Sequence[int]) -> Iterator[tuple[NDArray[np.intp], int]]:
    """Positions of terms whose tables have the same number of cells, and this number, some at a time."""
    of_terms = np.array([prod(sizes[j] for j in term) for term in terms], dtype=np.intp)
    for n_cells in np.unique(of_terms).tolist():
        own = np.flatnonzero(of_terms == n_cells)
        most = max(1, _CELLS_AT_ONCE // n_cells)
        yield from ((own[start : start + most], n_cells) for start in range(0, len(own), most))


def _sums_by_cells(
    codes: NDArray[np.int32],
    sizes: NDArray[np.int32],
    terms: NDArray[np.int32],
    numbers: tuple[Array, Array],
    n_cells: int,
) -> Array:
    """Sums of two numbers of each row by the cells of each term, shape (2, number of terms, n_cells)."""
    sums = np.zeros((2, len(terms), n_cells))
    if native is not None:
        native.sum_by_cells(codes, sizes, codes.shape[1], len(codes), terms, len(terms), *numbers, *sums)
        return sums
    for at, term in enumerate(terms.tolist()):
        cell = codes[term[0]].astype(np.intp)
        for j in term[1:]:
            cell = cell * sizes[j] + codes[j] if j >= 0 else cell
        for own, out in zip(numbers, sums, strict=True):
            out[at] = np.bincount(cell, own, minlength=n_cells)
    return sums


def gains_of_sums(first: Array, second: Array) -> Array:
    """As `second_order_gains`, for tables of one size, from the sums by cells, along the last axis."""
    return np.asarray(((first * first - second) / (second + _RIDGE)).sum(axis=-1))


def gain_of_sums(first: NDArray[Any], second: NDArray[Any]) -> float:
    """As `second_order_gains`, for one table, from the sums of both derivatives in its cells, of either sign."""
    return float(gains_of_sums(first, second))
