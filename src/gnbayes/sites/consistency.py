"""Valid tables that agree with each other, from tables with noise or without small cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tables = dict[tuple[int, ...], NDArray[Any]]

_SWEEPS = 100


def repaired(
    tables: Tables, cardinalities: NDArray[np.intp], n_classes: int
) -> tuple[NDArray[np.float64], list[NDArray[np.float64]], Tables]:
    """Valid tables that agree with each other, from tables with noise or without small cells.

    Totals of classes, then of single features, are means over all tables, which weigh the less the more cells they add
    up; cells below 0 are made 0 by taking the same off all cells of a class; and tables of pairs are brought to the
    totals by iterative proportional fitting.

    Parameters
    ----------
    tables : dict of {features: ndarray}
        Of shape (v_i, v_j, k), or (v_j, k).
    cardinalities : ndarray of shape (d,)
    n_classes : int

    Returns
    -------
    classes : ndarray of shape (k,)
        At least 1 each.
    singles : list of ndarray of shape (v_j, k)
    tables : dict of {features: ndarray}
    """
    sums = [table.reshape(-1, n_classes).sum(axis=0) for table in tables.values()]
    classes = np.maximum(_mean(sums, [table.size for table in tables.values()]), 1.0)
    singles = []
    for j in range(len(cardinalities)):
        found = [(features, table) for features, table in tables.items() if j in features]
        own = [table if len(features) == 1 else table.sum(axis=1 - features.index(j)) for features, table in found]
        singles.append(_with_total(_mean(own, [table.size for _, table in found]), classes))
    pairs: Tables = {
        (i, j): _fitted(_with_total(table, classes), singles[i], singles[j])
        for (i, j), table in ((features, table) for features, table in tables.items() if len(features) == 2)
    }
    return classes, singles, pairs or {(j,): single for j, single in enumerate(singles)}


def _mean(tables: Iterable[NDArray[Any]], sizes: Sequence[int]) -> NDArray[np.float64]:
    """Mean with weights 1 / size: noise adds up with the cells."""
    return np.average(np.stack(list(tables)).astype(np.float64), axis=0, weights=1 / np.array(sizes))


def _with_total(table: NDArray[Any], totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """The nearest table, by squares, without cells below 0 whose classes have the given totals."""
    cells = table.reshape(-1, len(totals)).astype(np.float64)
    ordered = -np.sort(-cells, axis=0)
    excess = (np.cumsum(ordered, axis=0) - totals) / np.arange(1, len(cells) + 1)[:, None]
    n_kept = (ordered > excess).sum(axis=0)
    cut = excess[n_kept - 1, np.arange(len(totals))]
    return np.maximum(cells - cut, 0.0).reshape(table.shape)


def _fitted(table: NDArray[np.float64], left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """A table of pairs with the totals of its two features, shapes (v_i, k) and (v_j, k).

    What proportions alone cannot reach, as where all cells of a value are 0, is added as if the features were
    independent: the rounding of Altschuler, Weed and Rigollet (2017).
    """
    for _ in range(_SWEEPS):
        table = table * _ratio(left, table.sum(axis=1))[:, None]
        table = table * _ratio(right, table.sum(axis=0))[None]
    table = table * np.minimum(_ratio(left, table.sum(axis=1)), 1.0)[:, None]
    table = table * np.minimum(_ratio(right, table.sum(axis=0)), 1.0)[None]
    short_left, short_right = (np.maximum(t, 0.0) for t in (left - table.sum(axis=1), right - table.sum(axis=0)))
    return table + short_left[:, None] * _ratio(short_right, np.broadcast_to(short_left.sum(axis=0), short_right.shape))


def _ratio(wanted: NDArray[np.float64], found: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(wanted, found, out=np.zeros_like(found), where=found > 0)
