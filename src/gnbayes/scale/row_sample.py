"""A sample of rows that adds up, for weights: those whose pseudo-random numbers are smallest.

The number of a row follows from its codes and its class, and from how many rows like it came before it in its batch. So
the sample depends on what the batches hold, never on the order of rows or batches. Rows alike in several batches are
one row of the sample that weighs as many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows
from gnbayes.model.fitting.rows import row_hash


@dataclass(frozen=True, eq=False)
class RowSample:
    """Rows in the order of their numbers; at most `most` and one of each class.

    Parameters
    ----------
    numbers : ndarray of shape (m,)
    codes : ndarray of shape (m, d)
    labels : ndarray of shape (m,)
    weights : ndarray of shape (m,)
    most : int
    """

    numbers: NDArray[np.uint64]
    codes: NDArray[Any]
    labels: NDArray[np.int64]
    weights: NDArray[np.int64]
    most: int

    def __add__(self, other: RowSample) -> RowSample:
        parts = [
            np.concatenate([getattr(self, name), getattr(other, name)])
            for name in ("numbers", "codes", "labels", "weights")
        ]
        return _smallest(*parts, most=self.most)

    def rows(self, cardinalities: NDArray[np.intp], n_classes: int, n_threads: int) -> CodedRows:
        """The sample as rows with weights."""
        weights = self.weights.astype(np.float64)
        return CodedRows(self.codes, self.labels, cardinalities, n_classes, weights, n_threads)


def sample_rows(rows: CodedRows, most: int) -> RowSample:
    """The sample of one batch."""
    numbers = row_hash(np.column_stack([rows.labels.astype(np.uint32), rows.codes.astype(np.uint32)]))
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    is_first = np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]
    starts = np.flatnonzero(is_first)
    place = np.arange(len(numbers)) - starts[np.cumsum(is_first) - 1] if len(numbers) else numbers.astype(np.intp)
    numbers = row_hash(
        np.column_stack([numbers >> np.uint64(32), numbers & np.uint64(2**32 - 1), place.astype(np.uint64)])
    )
    return _smallest(numbers, rows.codes[order], rows.labels[order], np.ones(len(order), dtype=np.int64), most=most)


def _smallest(
    numbers: NDArray[np.uint64],
    codes: NDArray[Any],
    labels: NDArray[np.int64],
    weights: NDArray[np.int64],
    *,
    most: int,
) -> RowSample:
    """Rows alike together, and the first of them."""
    order = np.argsort(numbers, kind="stable")
    numbers, labels = numbers[order], labels[order]
    is_first = np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]
    starts = np.flatnonzero(is_first)
    sums = np.add.reduceat(weights[order], starts) if len(starts) else weights
    firsts = labels[starts]
    is_kept = np.arange(len(starts)) < most
    is_kept[np.unique(firsts, return_index=True)[1]] = True
    kept = starts[is_kept]
    return RowSample(numbers[kept], codes[order[kept]], labels[kept], sums[is_kept], most)
