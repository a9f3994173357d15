"""Counting with NumPy alone.

Pairs of features with few values are counted many at once, from the sets of rows that have each value
(`indicators.py`). Single tables, and pairs with a feature of many values, are histograms.

`c_path.py` offers the same functions, and returns the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting._coded_rows import CodedRows
from gnbayes.counting._counts import value_offsets
from gnbayes.counting._indicators import SortedRows, pair_sums
from gnbayes.progress import Progress, silent

# A feature with more values than this is counted by histograms: sets of rows would be mostly empty.
_MANY_VALUES = 32
# Memory for the cells that are counted at once.
_BLOCK_BYTES = 32 * 2**20
# Tables with at most this many cells and rows are counted in one histogram.
_SMALL = 2**16


class PairCells(NamedTuple):
    """Cells of the pairs of each feature in `left` with each feature in `right`.

    ``cells[:, left_starts[s]:left_starts[s + 1], right_starts[t]:right_starts[t + 1]]`` are the cells of the pair
    (left[s], right[t]), by class, value and value; the pairs to use are those with ``left[s] < right[t]``. Where
    `is_dense` is false, the block is a single pair, and only its nonzero cells are given, in no particular order.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, all_pair_cells
    >>> rows = CodedRows(np.array([[0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1]), np.array([2, 2]), 2)
    >>> for pairs in all_pair_cells(rows):
    ...     print(pairs.left.tolist(), pairs.right.tolist(), pairs.cells.shape)
    [0, 1] [0, 1] (2, 4, 4)
    """

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    cells: NDArray[Any]
    left_starts: NDArray[np.intp]
    right_starts: NDArray[np.intp]
    is_dense: bool


def count_values(rows: CodedRows) -> tuple[NDArray[Any], NDArray[Any]]:
    """Class counts, shape (k,), and single counts, shape (sum of cardinalities, k)."""
    classes = np.bincount(rows.labels, rows.weights, minlength=rows.n_classes)
    singles = _histograms(rows, np.arange(rows.n_features)[:, None])
    return rows.as_counts(classes), singles.reshape(-1, rows.n_classes)


def count_pairs(rows: CodedRows, pairs: NDArray[np.intp]) -> NDArray[Any]:
    """Tables of the given pairs, one after the other, each (value, value, class) in C order."""
    return _histograms(rows, pairs)


def all_pair_cells(rows: CodedRows, progress: Progress = silent) -> Iterator[PairCells]:
    """Cells of every pair of features once, in memory that does not grow with the number of rows or pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, all_pair_cells
    >>> rows = CodedRows(np.array([[0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1]), np.array([2, 2]), 2)
    >>> [pairs] = all_pair_cells(rows)
    >>> pairs.cells[:, :2, 2:].tolist()  # by class, value of the first and value of the second feature
    [[[1, 1], [0, 0]], [[0, 0], [0, 1]]]
    """
    few = np.flatnonzero(rows.cardinalities <= _MANY_VALUES)
    many = np.flatnonzero(rows.cardinalities > _MANY_VALUES)
    yield from _cells_of_few_values(rows, few, progress)
    for t, i in enumerate(many.tolist()):
        for j in np.concatenate([few, many[t + 1 :]]).tolist():
            yield cells_by_histogram(rows, min(i, j), max(i, j))
        progress((t + 1) / len(many))


def all_cells(rows: CodedRows, progress: Progress = silent) -> NDArray[Any]:
    """Cells of all pairs, shape (k, values, values); only the part above the diagonal is meaningful."""
    offsets = value_offsets(rows.cardinalities)
    shape = (rows.n_classes, offsets[-1], offsets[-1])
    out = None
    for block in all_pair_cells(rows, progress):
        if len(block.left) == rows.n_features:
            return rows.as_cells(block.cells)
        if out is None:
            out = np.zeros(shape, dtype=rows.type_of_cells)
        if block.is_dense:
            cells = block.cells
        else:
            pair = np.array([[block.left[0], block.right[0]]])
            cells = count_pairs(rows, pair).reshape(*rows.cardinalities[pair[0]], -1).transpose(2, 0, 1)
        place_left, place_right = (_places(offsets, features) for features in (block.left, block.right))
        out[:, place_left[:, None], place_right] = cells
    return np.zeros(shape, dtype=rows.type_of_cells) if out is None else out


def _places(offsets: NDArray[np.intp], features: NDArray[np.intp]) -> NDArray[np.intp]:
    """Positions of the values of some features among those of all."""
    return np.concatenate([np.arange(offsets[j], offsets[j + 1]) for j in features])


def row_cells(rows: CodedRows, i: int) -> Iterator[NDArray[Any]]:
    """Cells of feature i with every feature in turn, itself included; for a large table, only the nonzero cells.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, row_cells
    >>> rows = CodedRows(np.array([[0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1]), np.array([2, 2]), 2)
    >>> [cells.shape for cells in row_cells(rows, 0)]
    [(2, 2, 2), (2, 2, 2)]
    """
    for j in range(rows.n_features):
        yield cells_by_histogram(rows, i, j).cells


def _histograms(rows: CodedRows, groups: NDArray[np.intp]) -> NDArray[Any]:
    """Counts of the cells (value, ..., class) of each group of features, one table after the other."""
    sizes = rows.cardinalities[groups].prod(axis=1) * rows.n_classes
    if not len(groups):
        return rows.as_counts(np.zeros(0))
    if len(groups) * rows.n_rows <= _SMALL and sizes.sum() <= _SMALL:
        # All tables in one histogram: for small data, most of the time is spent on calls.
        cells = _cell_numbers(rows, groups.T) + (np.cumsum(sizes) - sizes)
        weights = None if rows.weights is None else np.repeat(rows.weights, len(groups))
        return rows.as_counts(np.bincount(cells.ravel(), weights, minlength=int(sizes.sum())))
    tables = [
        np.bincount(_cell_numbers(rows, group), rows.weights, minlength=size)
        for group, size in zip(groups.tolist(), sizes.tolist(), strict=True)
    ]
    return rows.as_counts(np.concatenate(tables))


def _cell_numbers(rows: CodedRows, features: Any) -> NDArray[np.intp]:
    """Number of the cell (value, ..., class) that each row falls into.

    `features` are positions, which gives shape (n,), or arrays of m positions, for the cells of m tables, which gives
    shape (n, m).
    """
    cell, step = rows.labels if np.ndim(features[0]) == 0 else rows.labels[:, None], rows.n_classes
    for j in reversed(features):
        cell = cell + np.multiply(rows.codes[:, j], step, dtype=np.intp)
        step = step * rows.cardinalities[j]
    return cell


def cells_by_histogram(rows: CodedRows, i: int, j: int) -> PairCells:
    """Cells of one pair; for a large table, only the nonzero ones."""
    shape = (int(rows.cardinalities[i]), int(rows.cardinalities[j]), rows.n_classes)
    size = shape[0] * shape[1] * shape[2]
    cell = _cell_numbers(rows, (i, j))
    is_dense = size <= 4 * rows.n_rows + 2**16
    if is_dense:
        cells = np.bincount(cell, rows.weights, minlength=size).reshape(shape).transpose(2, 0, 1)
    else:
        cell = np.unique(cell, return_inverse=True)[1]
        cells = np.bincount(cell, rows.weights).reshape(1, 1, -1)
    left_starts, right_starts = np.array([0, cells.shape[1]]), np.array([0, cells.shape[2]])
    return PairCells(np.array([i]), np.array([j]), rows.as_counts(cells), left_starts, right_starts, is_dense)


def _cells_of_few_values(rows: CodedRows, features: NDArray[np.intp], progress: Progress) -> Iterator[PairCells]:
    if len(features) < 2:
        return
    by_class = SortedRows.of(rows, features)
    offsets = by_class.offsets
    blocks = _feature_blocks(offsets, rows.n_classes)
    for at, (first, stop) in enumerate(blocks):
        cells = rows.as_counts(pair_sums(by_class, first, stop, _part_of(progress, at, len(blocks))))
        left_starts, right_starts = offsets[first : stop + 1] - offsets[first], offsets[first:] - offsets[first]
        yield PairCells(features[first:stop], features[first:], cells, left_starts, right_starts, True)


def _part_of(progress: Progress, at: int, n_parts: int) -> Progress:
    return lambda share: progress((at + share) / n_parts)


def _feature_blocks(offsets: NDArray[np.intp], n_classes: int) -> list[tuple[int, int]]:
    """Ranges of features whose cells with all later features fit into memory."""
    d, blocks, first = len(offsets) - 1, [], 0
    while first < d:
        width = offsets[-1] - offsets[first]
        fitting = offsets[first] + max(1, _BLOCK_BYTES // (8 * n_classes * int(width)))
        stop = max(first + 1, int(np.searchsorted(offsets, fitting, side="right")) - 1)
        blocks.append((first, stop))
        first = stop
    return blocks
