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
    cells = [daughter_counts(counts, tree, j) for j in range(tree.n_features)]
    rows = [counts.classes[None] if mother < 0 else counts.single(mother) for mother in tree.mother.tolist()]
    strength = alpha * counts.cardinalities
    log_rows = _logs([row + total for row, total in zip(rows, strength.tolist(), strict=True)])
    return tuple(cell - row[:, None] for cell, row in zip(_logs(cells, alpha), log_rows, strict=True))


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
