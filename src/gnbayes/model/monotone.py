"""Monotone scores along a feature: learned terms are changed as little as necessary.

The score of the second of two classes changes from one value of a feature to the next by the step of its own table plus
the steps of all tables of several features with it. Its own table is made monotone by isotonic regression; the others
may then step the other way only as far as its own step compensates for it, whatever the values of their other features.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Feature
from gnbayes.model.interactions import column_position
from gnbayes.model.learned import LearnedTerms
from gnbayes.model.term import Term

Array = NDArray[np.float64]
# A margin for rounding errors is kept from each step.
_LEFT_OVER = 1 - 1e-9


def read_monotonic(value: Any, features: Sequence[Feature], n_classes: int) -> dict[int, int]:
    """The validated `monotonic_cst` parameter, as signs of features.

    Parameters
    ----------
    value : mapping of columns to -1, 0 or 1, array-like of shape (d,), or None
    features : sequence of Feature
    n_classes : int

    Examples
    --------
    >>> from gnbayes.encoding import Feature
    >>> from gnbayes.model.monotone import read_monotonic
    >>> features = [Feature("age", "interval", (40.0,), (30.0, 50.0)), Feature("dose", "interval", (1.0,), (0.5, 2.0))]
    >>> read_monotonic({"dose": -1}, features, 2)
    {1: -1}
    """
    names = [feature.name for feature in features]
    signs = read_signs(value, names, n_classes)
    for j in signs:
        if not features[j].is_ordered and (features[j].is_text or features[j].n_values > 2):
            raise ValueError(
                f"monotonic_cst must not name a column of categories, which have no order, got {names[j]!r}; give 0."
            )
    return signs


def read_signs(value: Any, names: Sequence[str], n_classes: int) -> dict[int, int]:
    """The same, checked as far as the names of the columns go, before features are learned.

    Parameters
    ----------
    value : mapping of columns to -1, 0 or 1, array-like of shape (d,), or None
    names : sequence of str
    n_classes : int

    Examples
    --------
    >>> from gnbayes.model import read_signs
    >>> read_signs({"dose": -1}, ["age", "dose"], 2)
    {1: -1}
    """
    if value is None:
        return {}
    if isinstance(value, Mapping):
        given = {column_position("monotonic_cst", name, names): sign for name, sign in value.items()}
    else:
        given = dict(enumerate(np.asarray(value).tolist()))
        if len(given) != len(names):
            raise ValueError(f"monotonic_cst must have one entry per column, {len(names)}, got {len(given)} instead.")
    wrong = [sign for sign in given.values() if sign not in (-1, 0, 1)]
    if wrong:
        raise ValueError(f"monotonic_cst must be -1, 0 or 1 for each column, got {wrong[0]!r} instead.")
    signs = {j: int(sign) for j, sign in given.items() if sign}
    if signs and n_classes != 2:
        raise ValueError(f"monotonic_cst needs two classes, got {n_classes} instead.")
    return signs


def without_double(terms: LearnedTerms, signs: Mapping[int, int]) -> LearnedTerms:
    """Specs without tables of several features that would have to be monotone in more than one of them."""
    kept = [term for term in terms.terms if len(term.features) == 1 or sum(j in signs for j in term.features) < 2]
    return replace(terms, terms=tuple(kept))


def make_monotone(learned: LearnedTerms, features: Sequence[Feature], signs: Mapping[int, int]) -> LearnedTerms:
    """Change terms so that the score of the second class is monotone in some features, given the others.

    Parameters
    ----------
    learned : LearnedTerms
        Terms for two classes.
    features : sequence of Feature
    signs : mapping of int to int
        1 for scores that never decrease along a feature, -1 for scores that never increase. Missing values are not
        ordered.
    """
    terms = list(without_double(learned, signs).terms) if signs else list(learned.terms)
    for j, sign in signs.items():
        axes = [
            _Axis.of(term, at, j, features[j].n_values, sign) for at, term in enumerate(terms) if j in term.features
        ]
        own = next(axis for axis in axes if axis.values.ndim == 1)
        others = [axis for axis in axes if axis is not own]
        isotonic = _isotonic(own.values, own.rows)
        steps = np.diff(isotonic)
        allowed = _allowed(others, steps)
        terms[own.position] = own.changed(terms[own.position], isotonic, j)
        for axis, least in zip(others, allowed, strict=True):
            terms[axis.position] = axis.changed(terms[axis.position], axis.clipped(least), j)
    return replace(learned, terms=tuple(terms))


@dataclass(frozen=True, eq=False)
class _Axis:
    """A table along one feature: log-odds of the second class, times the sign, with that feature first.

    Parameters
    ----------
    position : int
        Position of the term.
    codes : ndarray of shape (v,)
        Position along the axis of each value of the feature except "missing".
    values, rows : ndarray of shape (c, ...)
    sign : int
    """

    position: int
    codes: NDArray[np.intp]
    values: Array
    rows: Array
    sign: int

    @classmethod
    def of(cls, term: Term, position: int, j: int, n_values: int, sign: int) -> _Axis:
        at = term.features.index(j)
        codes = term.maps[at][:n_values]
        n = int(codes.max()) + 1
        odds = np.moveaxis(term.table[..., 1] - term.table[..., 0], at, 0)[:n]
        return cls(position, codes, sign * odds, np.moveaxis(term.rows, at, 0)[:n], sign)

    def falls(self) -> Array:
        """Largest decrease of the table from each value of the feature to the next, shape (v - 1,)."""
        steps = np.diff(self.values, axis=0).reshape(len(self.values) - 1, -1)
        lowest = np.append(np.maximum(-steps.min(axis=1), 0.0), 0.0) if len(steps) else np.zeros(1)
        return np.where(np.diff(self.codes) > 0, lowest[self.codes[:-1]], 0.0)

    def clipped(self, least: Array) -> Array:
        """Values that decrease by at most the given amounts, with the same mean over the rows for all other values."""
        at = np.flatnonzero(np.diff(self.codes))
        limit = least[at].reshape(-1, *(1,) * (self.values.ndim - 1))
        steps = np.maximum(np.diff(self.values, axis=0), -limit)
        new = np.concatenate([np.zeros_like(self.values[:1]), np.cumsum(steps, axis=0)])
        weights = np.maximum(self.rows, 1e-9)
        total = weights.sum(axis=0)
        return np.asarray(new + ((self.values - new) * weights).sum(axis=0) / total)

    def changed(self, term: Term, values: Array, j: int) -> Term:
        """The term with other values along the feature; both classes change by half."""
        at = term.features.index(j)
        table = term.table.copy()
        along = np.moveaxis(table, at, 0)
        change = self.sign * (values - self.values) / 2
        along[: len(values), ..., 1] += change
        along[: len(values), ..., 0] -= change
        return replace(term, table=table)


def _allowed(axes: Sequence[_Axis], steps: Array) -> list[Array]:
    """Allowed decrease of each table at each step, so that their sum does not exceed the feature's own increase."""
    falls = [axis.falls() for axis in axes]
    total = np.sum(falls, axis=0) if falls else np.zeros_like(steps)
    share = np.minimum(1.0, np.divide(steps * _LEFT_OVER, total, out=np.ones_like(steps), where=total > 0))
    return [fall * share for fall in falls]


def _isotonic(values: Array, weights: Array) -> Array:
    """Isotonic regression: the nearest values, in weighted squares, that never decrease; pools adjacent violators."""
    pools: list[tuple[float, float, int]] = []
    for value, weight in zip(values.tolist(), np.maximum(weights, 1e-9).tolist(), strict=True):
        pool = (value, weight, 1)
        while pools and pools[-1][0] >= pool[0]:
            mean, size, n = pools.pop()
            total = size + pool[1]
            pool = ((mean * size + pool[0] * pool[1]) / total, total, n + pool[2])
        pools.append(pool)
    return np.repeat([mean for mean, _, _ in pools], [n for _, _, n in pools])
