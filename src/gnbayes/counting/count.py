"""Rows become Counts, whichever path does the counting."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import numpy_path as path
from gnbayes.counting.counts import Counts, all_pairs, pair_starts
from gnbayes.counting.rows import CodedRows
from gnbayes.progress import Progress, silent

# Tables of all pairs are kept up to this many cells, 256 MiB of int64.
MAX_KEPT_CELLS = 2**25


def count_values(rows: CodedRows) -> Counts:
    """Count classes and single values by class; no pairs."""
    no_pairs = np.zeros((0, 2), dtype=np.intp)
    return Counts(rows.cardinalities, *path.count_values(rows), no_pairs, rows.as_counts(np.zeros(0)))


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


def count_pairs(
    values: Counts, rows: CodedRows, pairs: NDArray[np.intp] | None = None, progress: Progress = silent
) -> Counts:
    """Add the tables of pairs to the Counts of the values of the same rows; arguments as in `count`."""
    if pairs is None:
        return replace(values, pairs=all_pairs(rows.n_features), cells=_all_cells(rows, progress))
    return replace(values, pairs=pairs, cells=path.count_pairs(rows, pairs))


def n_cells(cardinalities: NDArray[np.intp], n_classes: int) -> int:
    """Number of cells of the tables of all pairs."""
    sizes = cardinalities.astype(object)  # exact for any sizes
    return int((sizes.sum() ** 2 - (sizes**2).sum()) // 2 * n_classes)


def _all_cells(rows: CodedRows, progress: Progress) -> NDArray[np.generic]:
    d, k = rows.n_features, rows.n_classes
    pairs = all_pairs(d)
    starts = pair_starts(rows.cardinalities, pairs, k)
    start_of = np.zeros((d, d), dtype=np.intp)
    start_of[pairs[:, 0], pairs[:, 1]] = starts[:-1] // k
    out = rows.as_counts(np.zeros(int(starts[-1]))).reshape(-1, k)
    for block in path.all_pair_cells(rows, progress):
        if block.is_dense:
            _lay_out(block, start_of, out)
        else:
            pair = np.array([[block.left[0], block.right[0]]])
            at = start_of[pair[0, 0], pair[0, 1]]
            table = path.count_pairs(rows, pair).reshape(-1, k)
            out[at : at + len(table)] = table
    return out.ravel()


def _lay_out(block: path.PairCells, start_of: NDArray[np.intp], out: NDArray[np.generic]) -> None:
    """Put every cell of a block in its place in the tables laid one after the other."""
    feature, width, value = _describe(block.right, block.right_starts)
    left_feature, _, left_value = _describe(block.left, block.left_starts)
    wanted = np.flatnonzero(left_feature[:, None] < feature)
    place = start_of[left_feature][:, feature] + left_value[:, None] * width + value
    cells = np.ascontiguousarray(block.cells.transpose(1, 2, 0)).reshape(place.size, -1)
    out[place.ravel()[wanted]] = cells[wanted]


def _describe(features: NDArray[np.intp], starts: NDArray[np.intp]) -> tuple[NDArray[np.intp], ...]:
    """Feature, number of values and value of each row or column of a block."""
    widths = np.diff(starts)
    return (
        np.repeat(features, widths),
        np.repeat(widths, widths),
        np.arange(starts[-1]) - np.repeat(starts[:-1], widths),
    )
