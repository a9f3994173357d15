"""Cholesky factors of small matrices, bit for bit the same with every linear algebra library."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def cholesky(matrix: Array) -> Array:
    """Lower triangular L with L L' = matrix, which must be positive definite.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.fitting.cholesky import cholesky
    >>> cholesky(np.array([[4.0, 2.0], [2.0, 5.0]])).tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    lower = np.zeros_like(matrix)
    for j in range(len(matrix)):
        column = matrix[j:, j] - np.einsum("ij,j->i", lower[j:, :j], lower[j, :j])
        lower[j:, j] = column / np.sqrt(column[0])
    return lower


def solve_lower(lower: Array, right: Array) -> Array:
    """The X with ``lower @ X = right``, shapes (n, n) and (n, ...)."""
    out = np.zeros_like(right)
    for i in range(len(lower)):
        out[i] = (right[i] - np.einsum("j,j...->...", lower[i, :i], out[:i])) / lower[i, i]
    return out


def solve_upper(lower: Array, right: Array) -> Array:
    """The X with ``lower.T @ X = right``, shapes (n, n) and (n, ...)."""
    out = np.zeros_like(right)
    for i in reversed(range(len(lower))):
        out[i] = (right[i] - np.einsum("j,j...->...", lower[i + 1 :, i], out[i + 1 :])) / lower[i, i]
    return out
