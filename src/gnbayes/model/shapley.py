"""Exact Shapley values of sums of tables, for a background of rows.

The value of a set S of features is the mean score of rows that have the features of S from the explained row and all
others from a row of the background ("interventional" Shapley values). A sum of tables splits into games of one to three
features each, so all subsets can be enumerated: the Shapley values of a term are again tables, one per feature.
"""

from __future__ import annotations

from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.term import Term

Array = NDArray[np.float64]


def shapley_tables(term: Term, background: NDArray[Any]) -> tuple[Array, Array]:
    """The Shapley values of the features of a term in every cell, and its mean over the background.

    Parameters
    ----------
    term : Term
    background : ndarray of shape (n, d)
        Codes of rows, all known.

    Returns
    -------
    tables : ndarray of shape (m, c_1, ..., c_m, k)
        One table per feature of the term; together with the mean they sum to the table of the term.
    mean : ndarray of shape (k,)

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import Term
    >>> from gnbayes.model.shapley import shapley_tables
    >>> both = Term((0, 1), (np.arange(2), np.arange(2)), np.array([[[0.0], [0.0]], [[0.0], [4.0]]]), np.ones((2, 2)))
    >>> tables, mean = shapley_tables(both, np.array([[0, 0], [1, 1]]))
    >>> tables[:, 1, 1, 0].tolist(), mean.tolist()
    ([1.0, 1.0], [2.0])
    """
    axes = range(len(term.features))
    shares = _shares(term, background)
    subsets = [chosen for size in range(len(axes) + 1) for chosen in combinations(axes, size)]
    means = {chosen: _mean_given(term.table, shares, chosen) for chosen in subsets}
    tables = np.zeros((len(axes), *term.table.shape))
    for axis in axes:
        others = [other for other in axes if other != axis]
        for size in range(len(axes)):
            weight = factorial(size) * factorial(len(axes) - size - 1) / factorial(len(axes))
            for chosen in combinations(others, size):
                tables[axis] += weight * (means[tuple(sorted((*chosen, axis)))] - means[chosen])
    return tables, means[()].reshape(-1)


def _shares(term: Term, background: NDArray[Any]) -> Array:
    """Share of the background rows in every cell, shape (c_1, ..., c_m)."""
    cells = np.bincount(term.cells(background), minlength=term.rows.size)
    return np.asarray((cells / len(background)).reshape(term.table.shape[:-1]))


def _mean_given(table: Array, shares: Array, chosen: tuple[int, ...]) -> Array:
    """Mean of a table over the background, given the chosen axes, which keep their length; the others have length 1."""
    rest = tuple(axis for axis in range(shares.ndim) if axis not in chosen)
    weights = shares.sum(axis=chosen, keepdims=True)
    return np.asarray((table * weights[..., None]).sum(axis=rest, keepdims=True))


def shapley_values(
    terms: tuple[Term, ...], start: Array, codes: NDArray[Any], background: NDArray[Any]
) -> tuple[Array, Array]:
    """Shapley values of the scores of rows, and the mean score of the background.

    Parameters
    ----------
    terms : tuple of Term
    start : ndarray of shape (k,)
        Start value of all scores.
    codes : ndarray of shape (n, d)
        Codes of the explained rows, all known.
    background : ndarray of shape (m, d)
        Codes of the background rows, all known.

    Returns
    -------
    values : ndarray of shape (n, d, k)
        Together with the base they sum to the scores.
    base : ndarray of shape (k,)

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model import shapley_values
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> codes, model = clf._codes(X), clf.model_
    >>> values, base = shapley_values(model.terms, model.intercept, codes[:5], codes[::10])
    >>> bool(np.allclose(values.sum(axis=1) + base, model.scores(codes[:5])))
    True
    """
    values = np.zeros((*codes.shape, len(start)))
    base = start.copy()
    for term in terms:
        tables, mean = shapley_tables(term, background)
        cells = term.cells(codes)
        base += mean
        for j, table in zip(term.features, tables, strict=True):
            values[:, j] += table.reshape(-1, len(start))[cells]
    return values, base
