"""Rows become Counts, whichever path does the counting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import numpy_path as path
from gnbayes.counting.counts import Counts, value_offsets
from gnbayes.counting.rows import CodedRows
from gnbayes.progress import Progress, silent

# Tables of all pairs are kept up to this many cells, 256 MiB of int64.
MAX_KEPT_CELLS = 2**25


def count_values(rows: CodedRows) -> Counts:
    """Count classes and single values by class; no pairs."""
    no_pairs = np.zeros((0, 2), dtype=np.intp)
    return Counts(rows.cardinalities, *path.count_values(rows), no_pairs, rows.as_counts(np.zeros(0)))


def without_pairs(counts: Counts) -> Counts:
    """The same counts without any pairs."""
    return replace(counts, pairs=np.zeros((0, 2), dtype=np.intp), cells=counts.cells[:0].ravel())


def count_pairs(
    values: Counts, rows: CodedRows, pairs: NDArray[np.intp] | None = None, progress: Progress = silent
) -> Counts:
    """Add the tables of pairs to the Counts of the values of the same rows; arguments as in `count`."""
    cells = _all_cells(rows, progress) if pairs is None else path.count_pairs(rows, pairs)
    return replace(values, pairs=pairs, cells=cells)


def count(rows: CodedRows, pairs: NDArray[np.intp] | None = None, progress: Progress = silent) -> Counts:
    """Count values and pairs of values by class.

    Parameters
    ----------
    rows : CodedRows
    pairs : ndarray of shape (m, 2), optional
        Pairs (i, j), i < j, in increasing order, whose tables to keep. All pairs by default.
    progress : callable
        Called with the share done.

    Returns
    -------
    counts : Counts
    """
    return count_pairs(count_values(rows), rows, pairs, progress)


def n_cells(cardinalities: NDArray[np.intp], n_classes: int) -> int:
    """Number of cells that the tables of all pairs take."""
    return n_classes * int(cardinalities.astype(object).sum()) ** 2


def _all_cells(rows: CodedRows, progress: Progress) -> NDArray[Any]:
    offsets = value_offsets(rows.cardinalities)
    shape = (rows.n_classes, offsets[-1], offsets[-1])
    out = None
    for block in path.all_pair_cells(rows, progress):
        if len(block.left) == rows.n_features:
            return block.cells
        if out is None:
            out = np.zeros(shape, dtype=block.cells.dtype)
        if block.is_dense:
            cells = block.cells
        else:
            pair = np.array([[block.left[0], block.right[0]]])
            cells = path.count_pairs(rows, pair).reshape(*rows.cardinalities[pair[0]], -1).transpose(2, 0, 1)
        place_left, place_right = (_places(offsets, features) for features in (block.left, block.right))
        out[:, place_left[:, None], place_right] = cells
    return rows.as_counts(np.zeros(shape)) if out is None else out


def _places(offsets: NDArray[np.intp], features: NDArray[np.intp]) -> NDArray[np.intp]:
    """Positions of the values of some features among those of all."""
    return np.concatenate([np.arange(offsets[j], offsets[j + 1]) for j in features])
