"""Folds that depend on the values of rows, not on their order."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import are_whole
from gnbayes.encoding import Table
from gnbayes.model import copies_together, distinct_rows, row_hash
from gnbayes.pipeline import Batch

N_FOLDS = 5


@dataclass(frozen=True, eq=False)
class Fold:
    """Training rows and held-out rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.encoding import read_array
    >>> from gnbayes.pipeline import Batch
    >>> from gnbayes.prefixes import own_folds
    >>> X, y = load_iris(return_X_y=True)
    >>> batch = Batch(read_array(X), y, None)
    >>> fold = own_folds(batch, 3)[0]
    >>> fold.train.table.n_columns, len(fold.test.labels) == fold.test.table.n_rows
    (4, True)
    """

    train: Batch
    test: Batch


def own_folds(batch: Batch, n_folds: int = N_FOLDS) -> list[Fold]:
    """Assign rows to folds, class by class; equal rows are one row with a weight, which may be split among folds.

    Rows that are copies stay together, and so do rows of a group. Held-out rows of a class that does not occur in the
    training rows are omitted, and so are folds with fewer than two classes in the training rows.

    Parameters
    ----------
    batch : Batch
    n_folds : int, default=5

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.encoding import read_array
    >>> from gnbayes.pipeline import Batch
    >>> from gnbayes.prefixes import own_folds
    >>> X, y = load_iris(return_X_y=True)
    >>> batch = Batch(read_array(X), y, None)
    >>> [fold.train.table.n_rows for fold in own_folds(batch, 3)]
    [99, 99, 100]
    """
    n_classes = int(batch.labels.max()) + 1
    held_out = _held_out_weights(batch, n_classes, n_folds)
    total = held_out.sum(axis=1)
    folds = []
    for part in held_out.T:
        rest = total - part
        is_learned = np.bincount(batch.labels, rest, minlength=n_classes) > 0
        part = np.where(is_learned[batch.labels], part, 0.0)
        if is_learned.sum() > 1 and part.any():
            folds.append(Fold(rows_of(batch, rest), rows_of(batch, part)))
    return folds


def _held_out_weights(batch: Batch, n_classes: int, n_folds: int) -> NDArray[np.float64]:
    """The weight of each row in each fold, shape (n, n_folds); the first of equal rows has the weight of all.

    If weights are not numbers of rows, duplicate rows are not merged: the result would count as a single row.
    """
    keys, n = _keys(batch.table), len(batch.labels)
    found = copies_together(keys, distinct_rows(keys, batch.labels, batch.weights, n_classes, batch.groups))
    parts, held_out = found.fold_weights(n_folds), np.zeros((n, n_folds))
    if batch.weights is None or are_whole(batch.weights):
        held_out[found.index] = parts
        return held_out
    alike = np.column_stack([keys, batch.labels, np.zeros(n, dtype=int) if batch.groups is None else batch.groups])
    _, kind = np.unique(row_hash(alike), return_inverse=True)
    shares = np.empty((kind.max() + 1, n_folds))
    shares[kind[found.index]] = parts / parts.sum(axis=1, keepdims=True)
    # Equal rows by their weights, so that the order of rows does not matter.
    order = np.lexsort((batch.weights, kind))
    sizes = np.bincount(kind)
    place = (np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 0.5) / np.repeat(sizes, sizes)
    fold = (place[:, None] > np.cumsum(shares, axis=1)[kind[order], :-1]).sum(axis=1)
    held_out[order, fold] = batch.weights[order]
    return held_out


def rows_of(batch: Batch, weights: NDArray[np.float64], *, has_weights: bool = False) -> Batch:
    """The rows with a positive weight, and their weights; without weights if all are 1, unless they are requested.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.encoding import read_array
    >>> from gnbayes.pipeline import Batch
    >>> from gnbayes.prefixes import rows_of
    >>> X, y = load_iris(return_X_y=True)
    >>> batch = Batch(read_array(X), y, None)
    >>> rows_of(batch, (y > 0).astype(float)).table.n_rows
    100
    """
    kept = weights > 0
    own = weights[kept]
    is_plain = not has_weights and batch.class_factors is None and bool((own == 1).all())
    groups = None if batch.groups is None else batch.groups[kept]
    weighted = None if is_plain else own
    return Batch(batch.table.take(kept), batch.labels[kept], weighted, groups, batch.class_factors)


def _keys(table: Table) -> NDArray[np.uint32]:
    """A number for every value, equal for equal values of a column, shape (n, d).

    It depends on the values, not on the order of rows.
    """
    out = np.empty((table.n_rows, table.n_columns), dtype=np.uint32, order="F")
    for j in range(table.n_columns):
        column: NDArray[Any] = table.columns[j]
        if column.dtype == object:
            values = np.array(
                [0 if value is None else 1 + zlib.crc32(str(value).encode()) for value in column.tolist()]
            )
        else:
            numbers = np.asarray(column, dtype=np.float64) + 0.0  # -0.0 is 0.0
            values = np.where(np.isnan(numbers), np.nan, numbers).view(np.uint64)
        out[:, j] = np.unique(values, return_inverse=True)[1]
    return out
