"""Counts become log-probabilities.

A table holds log P(x_j | x_mother, y) with axes (value of the mother, value of the feature, class); the first axis has
length 1 for a feature without a mother.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.structure import Tree

Tables = tuple[NDArray[np.float64], ...]
# Cells of tables that are estimated together.
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
    sizes = counts.cardinalities[[tree.mother[daughters], daughters]].prod(axis=0) * counts.n_classes
    is_small = sizes <= _CELLS_AT_ONCE
    for j in daughters[~is_small].tolist():
        totals = np.log(counts.single(tree.mother[j]) + alpha * counts.cardinalities[j])
        tables[j] = np.log(daughter_counts(counts, tree, j) + alpha) - totals[:, None]
    # On small tables most of the time goes into calls: many at once, as far as memory allows.
    is_next = np.diff(np.cumsum(sizes[is_small]) // _CELLS_AT_ONCE, prepend=0) > 0
    for block in np.split(daughters[is_small], np.flatnonzero(is_next)):
        for j, table in zip(block.tolist(), _tables_of_daughters(counts, tree, alpha, block), strict=True):
            tables[j] = table
    return tuple(tables)


def _tables_of_daughters(
    counts: Counts, tree: Tree, alpha: float, daughters: NDArray[np.intp]
) -> list[NDArray[np.float64]]:
    """The tables of some features that have mothers."""
    k, mothers = counts.n_classes, tree.mother[daughters]
    shapes = np.stack([counts.cardinalities[mothers], counts.cardinalities[daughters]], axis=1)
    sizes = shapes.prod(axis=1) * k
    ends = np.cumsum(sizes)
    at = np.repeat(np.arange(len(daughters)), sizes)
    rest, label = np.divmod(np.arange(len(at)) - (ends - sizes)[at], k)
    above, value = np.divmod(rest, shapes[at, 1])
    first, above_step, value_step, label_step = counts.places(mothers, daughters)
    places = first[at] + above * above_step[at] + value * value_step[at] + label * label_step
    cells = counts.cells.ravel().take(places)
    totals = counts.singles.ravel().take((counts.offsets[mothers][at] + above) * k + label)
    logs = np.log(cells + alpha) - np.log(totals + alpha * shapes[at, 1])
    return [
        logs[stop - size : stop].reshape(*shape, k)
        for stop, size, shape in zip(ends.tolist(), sizes.tolist(), shapes.tolist(), strict=True)
    ]


def backoff_tables(counts: Counts, tree: Tree, alpha: float) -> Tables:
    """As additive smoothing, but what is added to the row of a mother's value is shared out as P(x_j | y), not evenly.

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


def daughter_counts(counts: Counts, tree: Tree, j: int) -> NDArray[Any]:
    """Counts of feature j by value of its mother, its own value and class; shape (v_mother or 1, v_j, k)."""
    mother = int(tree.mother[j])
    return counts.single(j)[None] if mother < 0 else counts.pair(mother, j)


def log(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm that gives -inf for 0 without a warning."""
    return np.log(shares, where=shares > 0, out=np.full_like(shares, -np.inf, dtype=np.float64))
