"""Counts become log-probabilities.

A table holds log P(x_j | x_mother, y) with axes (value of the mother, value of the feature, class); the first axis has
length 1 for a feature without a mother.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.structure import Tree

Tables = tuple[NDArray[np.float64], ...]


def log_class_prior(counts: Counts, class_prior: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Log-probabilities of the classes: given, or their shares of the rows; shape (k,)."""
    return log(counts.classes / counts.classes.sum() if class_prior is None else class_prior)


def additive_tables(counts: Counts, tree: Tree, alpha: float) -> Tables:
    """P(x_j | x_m, y) = (n(x_j, x_m, y) + alpha) / (n(x_m, y) + alpha v_j)."""
    if counts.pairs is None:
        return _additive_tables_at_once(counts, tree, alpha)
    cells = [daughter_counts(counts, tree, j) for j in range(tree.n_features)]
    rows = [counts.classes[None] if mother < 0 else counts.single(mother) for mother in tree.mother.tolist()]
    strength = alpha * counts.cardinalities
    log_rows = _logs([row + total for row, total in zip(rows, strength.tolist(), strict=True)])
    return tuple(cell - row[:, None] for cell, row in zip(_logs(cells, alpha), log_rows, strict=True))


def _additive_tables_at_once(counts: Counts, tree: Tree, alpha: float) -> Tables:
    """The same from the cells of all pairs, every table in one go: on small data most of the time goes into calls."""
    k, n_values, start = counts.n_classes, int(counts.offsets[-1]), counts.offsets[:-1]
    has_mother = tree.mother >= 0
    shapes = np.stack([np.where(has_mother, counts.cardinalities[tree.mother], 1), counts.cardinalities], axis=1)
    sizes = shapes.prod(axis=1) * k
    ends = np.cumsum(sizes)
    feature = np.repeat(np.arange(tree.n_features), sizes)
    rest, label = np.divmod(np.arange(ends[-1]) - (ends - sizes)[feature], k)
    above, value = np.divmod(rest, counts.cardinalities[feature])
    above += start[tree.mother][feature]
    value += start[feature]
    # Only what lies above the diagonal has a meaning.
    is_earlier = tree.mother[feature] < feature
    row, column = np.where(is_earlier, above, value), np.where(is_earlier, value, above)
    cells = counts.cells.ravel().take((label * n_values + row) * n_values + column)
    singles = counts.singles.ravel()
    totals = singles.take(above * k + label)
    roots = ~has_mother[feature]
    if roots.any():
        cells[roots] = singles.take(value[roots] * k + label[roots])
        totals[roots] = counts.classes.take(label[roots])
    logs = np.log(cells + alpha) - np.log(totals + (alpha * counts.cardinalities)[feature])
    return tuple(
        logs[stop - size : stop].reshape(*shape, k)
        for stop, size, shape in zip(ends.tolist(), sizes.tolist(), shapes.tolist(), strict=True)
    )


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


def _logs(arrays: list[NDArray[Any]], alpha: float = 0.0) -> list[NDArray[np.float64]]:
    """Logarithms of many small arrays in one call."""
    logs = np.log(np.concatenate([array.ravel() for array in arrays]) + alpha)
    ends = np.cumsum([array.size for array in arrays]).tolist()
    return [
        logs[start:stop].reshape(array.shape) for array, start, stop in zip(arrays, [0, *ends[:-1]], ends, strict=True)
    ]


def daughter_counts(counts: Counts, tree: Tree, j: int) -> NDArray[Any]:
    """Counts of feature j by value of its mother, its own value and class; shape (v_mother or 1, v_j, k)."""
    mother = int(tree.mother[j])
    return counts.single(j)[None] if mother < 0 else counts.pair(mother, j)


def log(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm that gives -inf for 0 without a warning."""
    return np.log(shares, where=shares > 0, out=np.full_like(shares, -np.inf, dtype=np.float64))
