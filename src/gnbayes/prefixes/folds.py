"""Folds that depend on the values of rows, not on their order."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Table
from gnbayes.model import copies_together, distinct_rows
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
    keys, weights, n_classes = _keys(batch.table), batch.weights, int(batch.labels.max()) + 1
    are_whole = weights is None or bool(np.all(weights == np.rint(weights)))
    found = distinct_rows(keys, batch.labels, weights, n_classes, are_whole, batch.groups)
    found = copies_together(keys, found) if are_whole else found.as_ratios()
    held_out = np.zeros((len(batch.labels), n_folds))
    held_out[found.index] = found.fold_weights(n_folds)
    total = held_out.sum(axis=1)
    folds = []
    for part in held_out.T:
        rest = total - part
        is_learned = np.bincount(batch.labels, rest, minlength=n_classes) > 0
        part = np.where(is_learned[batch.labels], part, 0.0)
        if is_learned.sum() > 1 and part.any():
            folds.append(Fold(rows_of(batch, rest), rows_of(batch, part)))
    return folds


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
    is_plain = not has_weights and bool((own == 1).all())
    groups = None if batch.groups is None else batch.groups[kept]
    return Batch(batch.table.take(kept), batch.labels[kept], None if is_plain else own, groups)


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
