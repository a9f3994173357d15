"""Purification: effects of single features are moved from the tables of pairs and triples to their own tables.

The same score can be written in many ways as a sum of tables. Here every table has mean 0 over the training rows, and
a table of several features also has mean 0 along each of its axes, for all values of the others: it shows the effect
beyond those of the single features (functional analysis of variance, weighted by the training rows).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.term import Term, weighted_mean

Array = NDArray[np.float64]
# Sweeps over the axes stop when all means are below this share of the largest entry, or after this many sweeps.
_TOLERANCE, _MOST_SWEEPS = 1e-12, 200
# Number of table cells processed together.
_CELLS_AT_ONCE = 2**20


def purify(terms: Sequence[Term], rows_of_values: Sequence[Array]) -> tuple[Array, tuple[Term, ...]]:
    """Move means to the intercept, and effects of single features to terms of one feature; sums do not change.

    Parameters
    ----------
    terms : sequence of Term
        At least one, with finite tables.
    rows_of_values : sequence of ndarray of shape (v_j,)
        Weight of the training rows with each value of each feature.

    Returns
    -------
    shift : ndarray of shape (k,)
        What to add to the intercept.
    terms : tuple of Term
        Terms of one feature in increasing order, then those of several features in the given order. Terms keep their
        spread.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import Term
    >>> from gnbayes.model.purify import purify
    >>> both = np.arange(2)
    >>> pair = Term((0, 1), (both, both), np.array([[[0.0], [1.0]], [[2.0], [3.0]]]), np.ones((2, 2)))
    >>> shift, terms = purify([pair], [np.ones(2), np.ones(2)])
    >>> shift.tolist(), [term.table.ravel().tolist() for term in terms]
    ([1.5], [[-1.0, 1.0], [-0.5, 0.5], [0.0, 0.0, 0.0, 0.0]])
    """
    k = terms[0].n_classes
    singles = {j: np.zeros((len(rows_of_values[j]), k)) for term in terms for j in term.features}
    spreads: dict[int, Array] = {}
    for term in terms:
        if len(term.features) == 1:
            singles[term.features[0]] += term.table[term.maps[0]]
            if term.spread is not None:
                spreads[term.features[0]] = term.spread[term.maps[0]]
    of_several = [term for term in terms if len(term.features) > 1]
    # Terms whose only owner was this call lose their old tables one by one, as they get new ones.
    del terms, term
    for alike in _of_one_shape(of_several):
        tables, parts = _without_parts(
            np.stack([of_several[at].table for at in alike]), np.stack([of_several[at].rows for at in alike])
        )
        for row, at in enumerate(alike):
            own = of_several[at]
            for j, axis, part in zip(own.features, own.maps, parts, strict=True):
                singles[j] += part[row][axis]
            of_several[at] = replace(own, table=tables[row])
    shift, centred = np.zeros(k), []
    for j in sorted(singles):
        mean = weighted_mean(singles[j], rows_of_values[j])
        shift += mean
        codes = np.arange(len(singles[j]))
        rows = np.asarray(rows_of_values[j], dtype=np.float64)
        centred.append(Term((j,), (codes,), singles[j] - mean, rows, spread=spreads.get(j)))
    return shift, (*centred, *of_several)


def _of_one_shape(terms: Sequence[Term]) -> Iterable[list[int]]:
    """Positions of terms whose tables have the same shape, as many at a time as memory allows."""
    by_shape: dict[tuple[int, ...], list[int]] = {}
    for at, term in enumerate(terms):
        by_shape.setdefault(term.table.shape, []).append(at)
    for shape, alike in by_shape.items():
        most = max(1, _CELLS_AT_ONCE // int(np.prod(shape)))
        yield from (alike[start : start + most] for start in range(0, len(alike), most))


def _without_parts(tables: Array, rows: Array) -> tuple[Array, list[Array]]:
    """Subtract the means along each axis from tables, repeatedly until all are 0.

    Parameters
    ----------
    tables : ndarray of shape (t, c_1, ..., c_m, k)
    rows : ndarray of shape (t, c_1, ..., c_m)

    Returns
    -------
    tables : ndarray of the same shape
    parts : list of ndarray of shape (t, c_i, k)
        What was subtracted, for each axis.
    """
    n_axes = rows.ndim - 1
    # Tables are on the last axis, so that every step processes all of them at once: there are many small tables.
    limit = _TOLERANCE * np.abs(tables).max(initial=0.0)
    weights = np.ascontiguousarray(np.moveaxis(rows, 0, -1))
    values = np.ascontiguousarray(np.moveaxis(tables, 0, -1))
    # The largest arrays of a fit may be these: what is not needed any more must not take memory.
    del rows, tables
    parts = [np.zeros((weights.shape[axis], *values.shape[-2:])) for axis in range(n_axes)]
    others = [tuple(other for other in range(n_axes) if other != axis) for axis in range(n_axes)]
    shares = [weights / np.maximum(_sum_over(weights, axes), np.finfo(float).tiny) for axes in others]
    del weights
    for _ in range(_MOST_SWEEPS):
        largest = 0.0
        for axis, (axes, share) in enumerate(zip(others, shares, strict=True)):
            mean = _sum_over(values * share[..., None, :], axes)
            values -= mean
            mean = mean.reshape(parts[axis].shape)
            parts[axis] += mean
            largest = max(largest, float(np.abs(mean).max(initial=0.0)))
        if largest <= limit:
            break
    return np.ascontiguousarray(np.moveaxis(values, -1, 0)), [np.moveaxis(part, -1, 0) for part in parts]


def _sum_over(values: Array, axes: tuple[int, ...]) -> Array:
    """Sum over axes, which stay with a length of 1; one axis after the other, so that rounding is always the same."""
    for axis in axes:
        values = np.add.reduce(values, axis=axis, keepdims=True)
    return values
