"""Counting with the C kernels: bits for features with few values, histograms for many values and for weights."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import numpy_path
from gnbayes.counting._bits import TermScale, few_values
from gnbayes.counting._coded_rows import CodedRows
from gnbayes.counting._counts import value_offsets
from gnbayes.kernels import for_each, native, ranges
from gnbayes.progress import Progress, silent

# Number of pairs that a thread counts at a time.
_PAIRS_AT_ONCE = 64
# A pair with more cells than this is counted by sorting.
_MOST_CELLS = 2**26
# Number of rows up to which c log c is looked up in a table.
_MOST_ROWS = 2**24


def count_values(rows: CodedRows) -> tuple[NDArray[Any], NDArray[Any]]:
    """Class counts, shape (k,), and single counts, shape (sum of cardinalities, k)."""
    offsets = value_offsets(rows.cardinalities)
    singles = np.zeros((offsets[-1], rows.n_classes), dtype=np.int64 if rows.weights is None else np.float64)
    if rows.weights is None:
        classes = rows.bits.packed.class_rows
        rows.bits.count_values(offsets, singles)
    else:
        classes = np.bincount(rows.labels, rows.weights, minlength=rows.n_classes)
    rest = np.flatnonzero(rows.cardinalities > (few_values() if rows.weights is None else 0))
    if len(rest):
        steps = np.tile([-1, rows.n_classes, 0, 1], (len(rest), 1))
        groups = np.stack([rest, steps[:, 0]], axis=1)
        places = np.concatenate([(offsets[rest] * rows.n_classes)[:, None], steps[:, 1:]], axis=1)
        _histograms(rows, groups, places, singles)
    return rows.as_counts(classes), rows.as_counts(singles)


def count_pairs(rows: CodedRows, pairs: NDArray[np.intp]) -> NDArray[Any]:
    """Tables of the given pairs, one after the other, each (value, value, class) in C order."""
    k = rows.n_classes
    sizes = rows.cardinalities[pairs].prod(axis=1) * k
    out = np.zeros(sizes.sum(), dtype=np.int64 if rows.weights is None else np.float64)
    right = rows.cardinalities[pairs[:, 1]]
    places = np.stack([np.cumsum(sizes) - sizes, right * k, *np.broadcast_arrays(k, np.ones_like(right))], axis=1)
    _histograms(rows, pairs, places, out)
    return rows.as_counts(out)


def all_cells(rows: CodedRows, progress: Progress = silent) -> NDArray[Any]:
    """Cells of all pairs, shape (k, values, values); only the part above the diagonal is meaningful."""
    offsets = value_offsets(rows.cardinalities)
    n_values = int(offsets[-1])
    shape = (rows.n_classes, n_values, n_values)
    pairs = _other_pairs(rows)
    of_histograms = np.dtype(np.int64 if rows.weights is None else np.float64)
    cells: NDArray[Any] = np.zeros(shape, dtype=of_histograms if len(pairs) else rows.type_of_cells)
    if rows.weights is None:
        rows.bits.count_pairs(offsets, cells, progress)
    if len(pairs):
        starts = offsets[pairs[:, 0]] * n_values + offsets[pairs[:, 1]]
        steps = np.tile([n_values, 1, n_values * n_values], (len(pairs), 1))
        _histograms(rows, pairs, np.concatenate([starts[:, None], steps], axis=1), cells)
    return rows.as_cells(cells)


def can_sum_terms(rows: CodedRows) -> bool:
    """Whether information can be computed from the rows without storing cells."""
    return rows.weights is None and rows.n_rows <= _MOST_ROWS


def information(rows: CodedRows, scale: TermScale, progress: Progress = silent) -> NDArray[np.float64]:
    """Information of all pairs given the class, shape (d, d).

    Parameters
    ----------
    rows : CodedRows
        Rows for which `can_sum_terms` is true.
    scale : TermScale
    progress : callable
    """
    out = np.zeros((rows.n_features, rows.n_features))
    rows.bits.information(scale, out, progress)
    others = _other_pairs(rows)
    out[others[:, 0], others[:, 1]] = out[others[:, 1], others[:, 0]] = _of_pairs(rows, others, scale, progress)
    return out


def information_row(rows: CodedRows, scale: TermScale, i: int) -> NDArray[np.float64]:
    """One row of the same, shape (d,)."""
    out = np.zeros(rows.n_features)
    is_many = rows.cardinalities > few_values()
    if not is_many[i]:
        rows.bits.information_row(i, scale, out)
    others = np.flatnonzero(is_many | is_many[i])
    others = others[others != i]
    out[others] = _of_pairs(rows, np.stack([np.full_like(others, i), others], axis=1), scale, silent)
    return out


def _of_pairs(rows: CodedRows, pairs: NDArray[np.intp], scale: TermScale, progress: Progress) -> NDArray[np.float64]:
    """Information of pairs by histograms, one number per pair."""
    out = np.empty(len(pairs))
    sizes = rows.cardinalities[pairs].prod(axis=1) * rows.n_classes
    arguments = _RowArguments.of(rows)
    dense = np.flatnonzero(sizes <= _MOST_CELLS)

    def fill(piece: tuple[int, int]) -> None:
        at = dense[piece[0] : piece[1]]
        values = np.empty(len(at))
        native.histogram_information(arguments, pairs[at], len(at), scale, values)  # type: ignore[union-attr]
        out[at] = values
        progress(piece[1] / len(dense))

    for_each(fill, ranges(len(dense), _PAIRS_AT_ONCE), rows.n_threads)
    terms, joint = np.asarray(scale.terms), scale.of_features_and_class
    for at in np.flatnonzero(sizes > _MOST_CELLS).tolist():
        i, j = pairs[at].tolist()
        total = terms[numpy_path.cells_by_histogram(rows, i, j).cells].sum()
        out[at] = max(0.0, (total - joint[i] - joint[j] + scale.of_class) / scale.unit / scale.n)
    return out


def _other_pairs(rows: CodedRows) -> NDArray[np.intp]:
    """Pairs (i, j), i < j, not counted by bits, because of many values or weights; in increasing order."""
    is_many = rows.cardinalities > (few_values() if rows.weights is None else 0)
    many, d = np.flatnonzero(is_many), rows.n_features
    if not len(many):
        return np.zeros((0, 2), dtype=np.intp)
    # Every such feature is paired with all later features, and with earlier ones that are not such features themselves.
    parts = [np.stack(np.broadcast_arrays(i, np.arange(i + 1, d)), axis=1) for i in many.tolist()]
    few = np.flatnonzero(~is_many)
    parts += [np.stack(np.broadcast_arrays(few[few < i], i), axis=1) for i in many.tolist()]
    pairs = np.concatenate(parts)
    return pairs[np.lexsort(pairs.T[::-1])]


class _RowArguments(NamedTuple):
    """Coded rows in the argument order of the kernels."""

    codes: NDArray[Any]
    itemsize: int
    labels: NDArray[np.intp]
    weights: NDArray[np.float64] | None
    cardinalities: NDArray[np.intp]
    n_rows: int
    n_features: int
    n_classes: int

    @classmethod
    def of(cls, rows: CodedRows) -> Self:
        sizes = (rows.n_rows, rows.n_features, rows.n_classes)
        return cls(rows.codes, rows.codes.dtype.itemsize, rows.labels, rows.weights, rows.cardinalities, *sizes)


def _histograms(rows: CodedRows, groups: NDArray[np.intp], places: NDArray[np.intp], out: NDArray[Any]) -> None:
    """Fill tables; `groups` (m, 2) are features, `places` (m, 4) give the position of their cells in `out`."""
    arguments = _RowArguments.of(rows)

    def fill(piece: tuple[int, int]) -> None:
        part = slice(*piece)
        native.histograms(  # type: ignore[union-attr]
            *(arguments, np.ascontiguousarray(groups[part]), piece[1] - piece[0]),
            *(np.ascontiguousarray(places[part]), out, out.size),
        )

    for_each(fill, ranges(len(groups), _PAIRS_AT_ONCE), rows.n_threads)
