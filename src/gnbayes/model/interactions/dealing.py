"""Which rows each fit uses, and on which of them its terms are chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting import DistinctRows

# Each of several fits omits 3 of 20 rows, different ones each time.
_CYCLE, _LEFT_OUT, _STRIDE = 20, 3, 7
LEFT_OUT_SHARE = _LEFT_OUT / _CYCLE
_SEED = 20241116


@dataclass(frozen=True, eq=False)
class Share:
    """The rows of one fit.

    Parameters
    ----------
    rows : DistinctRows
        The rows that it is fitted to.
    is_choosing : ndarray of shape (n,)
        The rows, among all, on which its terms are chosen: one half of each class.
    """

    rows: DistinctRows
    is_choosing: NDArray[np.bool_]


def deal_rows(distinct: DistinctRows, n_rows: int, n_fits: int) -> list[Share]:
    """The rows of each fit: all for a single fit, otherwise 17 of 20 of each class; groups are not divided.

    Parameters
    ----------
    distinct : DistinctRows
        Sorted by class, and within each class in an order that depends on the values of the rows.
    n_rows : int
        Number of all rows.
    n_fits : int
    """
    order = _within_class(distinct.labels) if distinct.groups is None else _in_order(distinct.groups)
    shares = []
    for fit in range(n_fits):
        is_left_out = np.zeros(len(distinct), dtype=bool)
        if n_fits > 1:
            is_left_out = (order * _STRIDE + fit * _LEFT_OUT) % _CYCLE < _LEFT_OUT
            # A class does not lose all of its rows.
            is_left_out &= np.bincount(distinct.labels, ~is_left_out)[distinct.labels] > 0
        shares.append(Share(distinct.some(~is_left_out), _choosing(distinct, n_rows, fit)))
    return shares


def _choosing(distinct: DistinctRows, n_rows: int, fit: int) -> NDArray[np.bool_]:
    rng = np.random.default_rng((_SEED, fit))
    is_choosing = np.zeros(n_rows, dtype=bool)
    if distinct.groups is not None:
        group = _in_order(distinct.groups)
        is_choosing[distinct.index] = (rng.permutation(int(group.max()) + 1) % 2 == 0)[group]
        return is_choosing
    shuffled = rng.permutation(len(distinct))
    # Classes in the order of occurrence: their original order must not matter.
    class_order = np.cumsum(np.diff(distinct.labels, prepend=distinct.labels[0]) != 0)
    shuffled = shuffled[np.argsort(class_order[shuffled], kind="stable")]
    is_choosing[distinct.index[shuffled[::2]]] = True
    return is_choosing


def _in_order(groups: NDArray[np.intp]) -> NDArray[np.intp]:
    """Groups numbered in order of occurrence, whatever their own numbers are."""
    _, first, group = np.unique(groups, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[group]


def _within_class(labels: NDArray[np.intp]) -> NDArray[np.intp]:
    """Position of each row among those of its class; rows are sorted by class."""
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    return np.arange(len(labels)) - np.repeat(starts, np.diff(np.append(starts, len(labels))))
