"""Data sets as numeric matrices: unchanged, and as the paper and its program prepare them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gnbayes.datasets import Dataset
from gnbayes.encoding import QuantileDiscretizer


@dataclass(frozen=True, eq=False)
class Prepared:
    """Rows to split, learn from and predict.

    Parameters
    ----------
    name : str
        Name of the data set.
    X : ndarray of shape (n, d)
        Numbers; NaN where missing.
    y : ndarray of shape (n,)
        0 or 1; a tie goes to class 0.
    categories : tuple of int
        Columns whose numbers represent categories.
    groups : ndarray of shape (n,)
        Rows with the same number belong together: one person, or duplicate rows.
    positive : {0, 1}
        The positive class.
    """

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.intp]
    categories: tuple[int, ...]
    groups: NDArray[np.intp]
    positive: int = 1


def as_numbers(dataset: Dataset) -> Prepared:
    """The data set with text encoded as numbers, all rows and columns kept.

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    prepared : Prepared

    Examples
    --------
    >>> from gnbayes.datasets import load_wdbc
    >>> from gnbayes.reproduction.prepare import as_numbers
    >>> wdbc = as_numbers(load_wdbc())
    >>> wdbc.X.shape, int(wdbc.y.sum()), wdbc.categories
    ((569, 30), 212, ())
    """
    columns = [dataset.data[name].to_numpy() for name in dataset.data.columns]
    text = tuple(j for j, column in enumerate(columns) if column.dtype.kind not in "iuf")
    for j in text:
        columns[j] = np.unique(columns[j].astype(str), return_inverse=True)[1]
    X = np.column_stack(columns).astype(np.float64)
    if dataset.groups is None:
        groups = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    else:
        groups = np.unique(dataset.groups, return_inverse=True)[1]
    y = (dataset.target == dataset.positive).astype(np.intp)
    return Prepared(dataset.name, X, y, text, groups)


def as_in_the_paper(prepared: Prepared) -> Prepared:
    """Rows without missing values, binned into five quantiles before any split.

    A column in which all rows but one are equal is also left out; the paper does so with one column of thyroid.

    Parameters
    ----------
    prepared : Prepared

    Returns
    -------
    prepared : Prepared
        All columns are categories; rows do not belong together.
    """
    X, y = _whole_rows(prepared)
    codes = QuantileDiscretizer(5).fit_transform(X).astype(np.float64)
    categories = tuple(range(codes.shape[1]))
    return replace(prepared, X=codes, y=y, categories=categories, groups=np.arange(len(codes)))


def as_in_the_program(prepared: Prepared, uncut: tuple[int, ...] = ()) -> Prepared:
    """The same rows and columns, as in the program of the paper's authors.

    It cuts at interpolated quantiles, and assigns ties to the positive class.

    Parameters
    ----------
    prepared : Prepared
    uncut : tuple of int
        Columns that are not binned, regardless of their number of values.

    Returns
    -------
    prepared : Prepared
        All columns are categories; rows do not belong together.
    """
    X, y = _whole_rows(prepared)
    codes = np.column_stack([x if j in uncut else _linear_codes(x) for j, x in enumerate(X.T)])
    categories, groups = tuple(range(codes.shape[1])), np.arange(len(codes))
    return replace(prepared, X=codes, y=1 - y, positive=0, categories=categories, groups=groups)


def as_values(prepared: Prepared) -> Prepared:
    """The same rows and columns, not binned.

    Parameters
    ----------
    prepared : Prepared

    Returns
    -------
    prepared : Prepared
    """
    X, y = _whole_rows(prepared)
    return replace(prepared, X=X, y=y, groups=np.arange(len(X)))


def as_averages(prepared: Prepared) -> Prepared:
    """The same, with each of the paper's bins represented by the average of its values, as in the paper.

    Parameters
    ----------
    prepared : Prepared

    Returns
    -------
    prepared : Prepared
    """
    X, y = _whole_rows(prepared)
    bins = QuantileDiscretizer(5).fit(X)
    averages = bins.inverse_transform(bins.transform(X)).astype(np.float64)
    return replace(prepared, X=averages, y=y, groups=np.arange(len(averages)))


def _whole_rows(prepared: Prepared) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Rows without missing values, columns that are not nearly constant, and the classes."""
    is_whole = ~np.isnan(prepared.X).any(axis=1)
    X = prepared.X[is_whole]
    varies = [len(X) - np.unique(column, return_counts=True)[1].max() > 1 for column in X.T]
    return X[:, varies], prepared.y[is_whole]


def _linear_codes(column: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bins between linearly interpolated quantiles, closed on the left; columns with at most five values are
    unchanged.
    """
    if len(np.unique(column)) <= 5:
        return column
    return np.searchsorted(np.quantile(column, [0.2, 0.4, 0.6, 0.8]), column, side="right").astype(np.float64)
