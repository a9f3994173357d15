"""Estimate log-probabilities from counts.

A table holds log P(x_j | x_mother, y) with axes (value of the parent, value of the feature, class); the first axis has
length 1 for a feature without a parent.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.kernels import ranges
from gnbayes.structure import Tree

Tables = tuple[NDArray[np.float64], ...]
# Number of table cells estimated together.
_CELLS_AT_ONCE = 2**18


def log_class_prior(counts: Counts, class_prior: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Log-probabilities of the classes: given, or their shares of the rows; shape (k,)."""
    return log(counts.classes / counts.classes.sum() if class_prior is None else class_prior)


def additive_tables(counts: Counts, tree: Tree, alpha: float) -> Tables:
    """P(x_j | x_m, y) = (n(x_j, x_m, y) + alpha) / (n(x_m, y) + alpha v_j)."""
    strength = alpha * np.repeat(counts.cardinalities, counts.cardinalities)
    alone = np.log(counts.singles + alpha) - np.log(counts.classes + strength[:, None])
    tables = [alone[None, start:stop] for start, stop in pairwise(counts.offsets.tolist())]
    daughters = np.flatnonzero(tree.mother >= 0)
    n_rows, n_columns = counts.cardinalities[tree.mother[daughters]], counts.cardinalities[daughters]
    sizes = n_rows * n_columns * counts.n_classes
    shapes = n_rows * (n_columns.max(initial=0) + 1) + n_columns
    # For small tables, calls take most of the time: process many of one shape at once, as far as memory allows.
    for shape in np.unique(shapes):
        alike = np.flatnonzero(shapes == shape)
        for start, stop in ranges(len(alike), max(1, _CELLS_AT_ONCE // int(sizes[alike[0]]))):
            block = daughters[alike[start:stop]]
            for j, table in zip(block.tolist(), _tables_of_one_shape(counts, tree, alpha, block), strict=True):
                tables[j] = table
    return tuple(tables)


def _tables_of_one_shape(counts: Counts, tree: Tree, alpha: float, daughters: NDArray[np.intp]) -> NDArray[np.float64]:
    """Tables of features with the same number of values, and parents with the same number; (m, v_mother, v, k)."""
    mothers = tree.mother[daughters]
    above = np.arange(counts.cardinalities[mothers[0]])
    value = np.arange(counts.cardinalities[daughters[0]])
    label = np.arange(counts.n_classes)
    first, above_step, value_step, label_step = counts.places(mothers, daughters)
    rows = first[:, None] + above_step[:, None] * above
    columns = (value_step[:, None] * value)[:, :, None] + label_step * label
    cells = counts.cells.ravel()[rows[:, :, None, None] + columns[:, None]]
    totals = counts.singles[counts.offsets[mothers][:, None] + above]
    return np.asarray(np.log(cells + alpha) - np.log(totals + alpha * len(value))[:, :, None])


def backoff_tables(counts: Counts, tree: Tree, alpha: float) -> Tables:
    """Like additive smoothing, but the added total is distributed according to P(x_j | y) instead of evenly.

    P(x_j | x_m, y) = (n(x_j, x_m, y) + s P(x_j | y)) / (n(x_m, y) + s), with s = alpha v_j, the same total as
    in additive smoothing, and P(x_j | y) smoothed additively.
    """
    tables = []
    for j in range(tree.n_features):
        alone = counts.single(j) + alpha
        alone = alone / alone.sum(axis=0)
        cells = daughter_counts(counts, tree, j)
        strength = alpha * alone.shape[0]
        shares = (cells + strength * alone) / (cells.sum(axis=1, keepdims=True) + strength)
        tables.append(np.log(shares if tree.mother[j] >= 0 else alone[None]))
    return tuple(tables)


def pooled_table(cells: NDArray[Any], alpha: float, strength: float) -> NDArray[np.float64]:
    """Log P(x_j | x_m, y) with the classes of each value shrunk toward those of all values, shape (v_mother, v_j, k).

    P(x_j | x_m, y) is proportional to P(x_j | x_m) P(y | x_j, x_m), where P(x_j | x_m) is smoothed additively, and
    P(y | x_j, x_m) = (n(x_j, x_m, y) + t P(y | x_m)) / (n(x_j, x_m) + t).

    Parameters
    ----------
    cells : ndarray of shape (v_mother, v_j, k)
    alpha : float
    strength : float
        The number t of rows that P(y | x_m) counts for in every value.
    """
    # Sums must not depend on where the cells are in memory.
    cells = np.ascontiguousarray(cells, dtype=np.float64)
    of_value = cells.sum(axis=2, keepdims=True)
    shares = (of_value + alpha) * (cells + strength * class_shares(cells)) / (of_value + strength)
    total = shares.sum(axis=1, keepdims=True)
    # A class without rows next to a value of the parent has the values of all rows there.
    shares = np.where(total > 0, shares, of_value + alpha)
    return np.asarray(np.log(shares / shares.sum(axis=1, keepdims=True)))


def class_shares(cells: NDArray[Any]) -> NDArray[np.float64]:
    """P(y | x_m) of counts by value of the parent, value and class, shape (v_mother, 1, k)."""
    of_class = cells.sum(axis=1, keepdims=True)
    return np.asarray(of_class / np.maximum(of_class.sum(axis=2, keepdims=True), 1e-300))


def daughter_counts(counts: Counts, tree: Tree, j: int) -> NDArray[Any]:
    """Counts of feature j by value of its parent, its own value and class; shape (v_mother or 1, v_j, k)."""
    mother = int(tree.mother[j])
    return counts.single(j)[None] if mother < 0 else counts.pair(mother, j)


def log(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm that gives -inf for 0 without a warning."""
    return np.log(shares, where=shares > 0, out=np.full_like(shares, -np.inf, dtype=np.float64))
