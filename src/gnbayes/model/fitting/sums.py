"""Sums over rows: log-loss, gradient, curvature and weight of every cell, for several problems at once.

All sums are integers in fixed point: they are bit for bit the same for every order of the rows and number of threads,
with the C kernels and with NumPy. The unit is a power of two as small as the sum of all weights allows, about 2^-62 of
it, and not below 2^-50 of the largest weight; losses have 18 more bits.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import for_each, limit_threads, native, ranges
from gnbayes.model.fitting.cells import TermCells
from gnbayes.model.fitting.elementary import exp_negative, log_above_1, to_whole

Array = NDArray[np.float64]
Wholes = NDArray[np.int64]

# Bits of sums and of single numbers; bits by which the largest loss of a row, 4096, exceeds 1.
_SUM_BITS, _NUMBER_BITS, _LOSS_BITS = 62, 50, 12
_LARGEST_LOSS = 2.0**_LOSS_BITS
# Losses are summed in whole units and in fractions of a unit, with this denominator.
_LOSS_PARTS = 2.0**30
# Threads get their rows in so many parts each: the first to begin does more, and none waits long for another.
_PARTS_OF_THREAD = 4
# Rows of a block of the NumPy path.
_BLOCK_ROWS = 4096


class Kind(IntEnum):
    """What is summed over the rows of a cell, besides losses: nothing, w (p - [own class]), w p (1 - p), or w."""

    LOSSES = 0
    GRADIENT = 1
    CURVATURE = 2
    TOTALS = 3


@dataclass(frozen=True, eq=False)
class FittingRows:
    """Rows to fit tables to.

    Parameters
    ----------
    cells : TermCells
    labels : ndarray of shape (n,)
        int64.
    weights : ndarray of shape (n,)
    n_classes : int
    n_threads : int, default=1
        Number of threads; the sums do not depend on it.
    """

    cells: TermCells
    labels: NDArray[np.int64]
    weights: Array
    n_classes: int
    n_threads: int = 1

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def n_columns(self) -> int:
        """Columns of scores: 1 for two classes, the score of the second, else one for each class."""
        return 1 if self.n_classes == 2 else self.n_classes

    @cached_property
    def class_weights(self) -> Array:
        """Weight of the rows of each class, shape (k,)."""
        return np.bincount(self.labels, self.weights, minlength=self.n_classes).astype(np.float64)

    @cached_property
    def unit(self) -> float:
        """Weight that is 1 in fixed point."""
        return fixed_point_unit(float(self.weights.sum()), float(self.weights.max(initial=0.0)))

    def sums(self, kind: Kind, tables: Array, base: Array, row_weights: Array | None = None) -> RowSums:
        """As `sum_over_rows`; by default for one problem, with the weights of the rows."""
        weights = self.weights[:, None] if row_weights is None else row_weights
        return sum_over_rows(kind, self, weights, tables, base)


@dataclass(frozen=True, eq=False)
class RowSums:
    """Sums over rows as numbers.

    Parameters
    ----------
    cells : ndarray of shape (number of cells, b, c)
        Empty for `Kind.LOSSES`.
    total : ndarray of shape (b, c)
        Sum over all rows.
    losses : ndarray of shape (b,)
        Weighted log-loss.
    """

    cells: Array
    total: Array
    losses: Array


@dataclass(frozen=True, eq=False)
class WholeSums:
    """Sums over rows in fixed point; ``a + b`` are the sums over both sets of rows.

    Parameters
    ----------
    cells : ndarray of shape (number of cells + 1, b, c)
        The last one is the sum over all rows, and the only one for `Kind.LOSSES`.
    losses : ndarray of shape (2, b)
        In multiples of the largest loss, and in fractions of it.
    """

    cells: Wholes
    losses: Wholes

    def __add__(self, other: WholeSums) -> WholeSums:
        return WholeSums(self.cells + other.cells, self.losses + other.losses)

    def numbers(self, unit: float) -> RowSums:
        """The sums as numbers."""
        total: Array = self.cells * np.float64(unit)
        wholes, parts = self.losses * (unit * _LARGEST_LOSS)
        return RowSums(total[:-1], total[-1], wholes + parts / _LOSS_PARTS)


def fixed_point_unit(total: float, largest: float) -> float:
    """Weight that is 1 in fixed point, for the total weight of the rows and the largest weight of a row."""
    return float(2.0 ** max(_exponent(total) - _SUM_BITS, _exponent(largest) - _NUMBER_BITS))


def sum_over_rows(kind: Kind, rows: FittingRows, row_weights: Array, tables: Array, base: Array) -> RowSums:
    """Sums over the rows under given tables.

    Parameters
    ----------
    kind : Kind
    rows : FittingRows
    row_weights : ndarray of shape (n, b)
        Weights of the rows in each problem, at most those of `rows`.
    tables : ndarray of shape (number of cells, b, c)
        What each cell adds to the scores.
    base : ndarray of shape (b, c)
        Scores without any table.
    """
    return whole_sums(kind, rows, row_weights, tables, base, rows.unit).numbers(rows.unit)


def whole_sums(kind: Kind, rows: FittingRows, row_weights: Array, tables: Array, base: Array, unit: float) -> WholeSums:
    """As `sum_over_rows`, in fixed point, so that sums over batches add up; the unit must be that of all rows."""
    b, c = base.shape
    n_threads = limit_threads(rows.n_threads, len(rows) * len(rows.cells.starts) * b * c)
    n_parts = 1 if n_threads == 1 else n_threads * _PARTS_OF_THREAD
    n_cells = 0 if kind is Kind.LOSSES else rows.cells.n_cells
    sums = np.zeros((n_threads, n_cells + 1, b, c), dtype=np.int64)
    losses = np.zeros((n_threads, 2, b), dtype=np.int64)
    # Each thread adds to sums that no other thread uses at the same time.
    free = deque(range(n_threads))
    add = _add_by_numpy if native is None else _add_by_kernel
    arguments = (kind, rows, row_weights / unit, np.ascontiguousarray(tables), np.ascontiguousarray(base))

    def work(part: tuple[int, int]) -> None:
        at = free.pop()
        add(*arguments, part, sums[at], losses[at])
        free.append(at)

    for_each(work, ranges(len(rows), -(-len(rows) // n_parts)), n_threads)
    return WholeSums(sums[0], losses[0]) if n_threads == 1 else WholeSums(sums.sum(axis=0), losses.sum(axis=0))


def row_scores(cells: TermCells, tables: Array, base: Array) -> Array:
    """Scores of the rows: base plus entries of tables, added in the order of the columns.

    Parameters
    ----------
    cells : TermCells
    tables : ndarray of shape (number of cells, b, c)
    base : ndarray of shape (b, c)

    Returns
    -------
    scores : ndarray of shape (n, b, c)
    """
    if native is None:
        columns = [column for columns in cells.columns for column in columns.T]
        return _scores(columns, cells.starts, tables, base, cells.n_rows)
    out = np.empty((cells.n_rows, *base.shape))
    tables, base = np.ascontiguousarray(tables), np.ascontiguousarray(base)
    native.row_scores(cells.arguments, tables, base, base.size, 0, cells.n_rows, out)
    return out


def _exponent(x: float) -> int:
    """The least e with x <= 2^e."""
    return int(np.ceil(np.log2(max(x, 1e-300))))


def _add_by_kernel(
    kind: Kind,
    rows: FittingRows,
    weights: Array,
    tables: Array,
    base: Array,
    part: tuple[int, int],
    sums: Wholes,
    losses: Wholes,
) -> None:
    assert native is not None
    problems = (tables, base, rows.labels, weights, *base.shape, 1 / _LARGEST_LOSS)
    native.sum_over_rows(int(kind), rows.cells.arguments, *problems, *part, sums, losses)


def _add_by_numpy(
    kind: Kind,
    rows: FittingRows,
    weights: Array,
    tables: Array,
    base: Array,
    part: tuple[int, int],
    sums: Wholes,
    losses: Wholes,
) -> None:
    for first in range(*part, _BLOCK_ROWS):
        block = slice(first, min(first + _BLOCK_ROWS, part[1]))
        columns = [column[block] for columns in rows.cells.columns for column in columns.T]
        own = rows.labels[block]
        if kind is Kind.TOTALS:
            values = np.broadcast_to(weights[block][:, :, None], (len(own), *base.shape))
        else:
            scores = _scores(columns, rows.cells.starts, tables, base, len(own))
            # A step that is much too long gives meaningless scores, and a large loss.
            with np.errstate(invalid="ignore", over="ignore"):
                proba, loss = _probabilities(scores, own)
            small = np.where(loss < _LARGEST_LOSS, loss, _LARGEST_LOSS) * (weights[block] * (1 / _LARGEST_LOSS))
            wholes = to_whole(small)
            losses += [wholes.sum(axis=0), to_whole((small - wholes) * _LOSS_PARTS).sum(axis=0)]
            values = _values(kind, proba, own, weights[block])
        if kind is not Kind.LOSSES:
            _scatter(columns, rows.cells.starts, to_whole(np.ascontiguousarray(values)), sums)


def _scores(columns: list[NDArray[np.unsignedinteger]], starts: Wholes, tables: Array, base: Array, n: int) -> Array:
    """Base plus entries of tables, added in the order of the columns, shape (n, b, c)."""
    out = np.repeat(base[None], n, axis=0)
    for column, start in zip(columns, starts.tolist(), strict=True):
        out += tables[start:].take(column, axis=0)
    return out


def _probabilities(scores: Array, own: NDArray[np.int64]) -> tuple[Array, Array]:
    """Probabilities of the classes of the columns, shape (n, b, c), and log-losses, shape (n, b)."""
    if scores.shape[2] == 1:
        score = scores[:, :, 0]
        small = exp_negative(-np.abs(score))
        total = 1.0 + small
        losses = (np.where(score > 0, score, 0.0) + log_above_1(total)) - score * own[:, None]
        return (np.where(score > 0, 1.0, small) / total)[:, :, None], losses
    top = scores.max(axis=2)
    proba = exp_negative(scores - top[:, :, None])
    total = proba[:, :, 0].copy()
    for q in range(1, proba.shape[2]):
        total += proba[:, :, q]
    losses = log_above_1(total) + (top - scores[np.arange(len(own)), :, own])
    return proba / total[:, :, None], losses


def _values(kind: Kind, proba: Array, own: NDArray[np.int64], weights: Array) -> Array:
    """The summands of each row, shape (n, b, c)."""
    if kind is not Kind.GRADIENT:
        return (proba * (1.0 - proba)) * weights[:, :, None]
    residuals = proba.copy()
    if proba.shape[2] == 1:
        residuals[:, :, 0] -= own[:, None]
    else:
        residuals[np.arange(len(own)), :, own] -= 1.0
    return residuals * weights[:, :, None]


def _scatter(columns: list[NDArray[np.unsignedinteger]], starts: Wholes, values: Wholes, sums: Wholes) -> None:
    flat = values.reshape(len(values), -1)
    out = sums.reshape(len(sums), -1)
    for column, start in zip(columns, starts.tolist(), strict=True):
        places = column.astype(np.intp) + start
        for q in range(flat.shape[1]):
            np.add.at(out[:, q], places, flat[:, q])
    out[-1] += flat.sum(axis=0)
