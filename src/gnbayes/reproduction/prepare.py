"""Data sets as matrices of numbers: as they are, and as the paper prepared them."""

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
        Of the data set.
    X : ndarray of shape (n, d)
        Numbers; NaN where missing.
    y : ndarray of shape (n,)
        1 for the positive class, 0 for the other.
    categories : tuple of int
        Columns whose numbers stand for categories.
    groups : ndarray of shape (n,)
        Rows with the same number belong together: one person, or one and the same row.
    """

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.intp]
    categories: tuple[int, ...]
    groups: NDArray[np.intp]


def as_numbers(dataset: Dataset) -> Prepared:
    """The data set with numbers for text, all rows and columns kept.

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
    """Rows with missing values left out, and cut into five quantiles before any split.

    A column in which all rows but one are equal is left out, too; the paper does so with one column of thyroid.

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


def as_averages(prepared: Prepared) -> Prepared:
    """The same, with the average of its training values for each interval, as the paper writes them.

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
    """Rows without missing values and columns that are not all but constant, and the classes."""
    is_whole = ~np.isnan(prepared.X).any(axis=1)
    X = prepared.X[is_whole]
    varies = [len(X) - np.unique(column, return_counts=True)[1].max() > 1 for column in X.T]
    return X[:, varies], prepared.y[is_whole]
