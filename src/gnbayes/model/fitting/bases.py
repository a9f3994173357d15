"""Bases of smooth tables: cosine waves along ordered codes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Most coefficients along an axis of a surface, by its number of features; faster waves are small and add little.
_MOST_UNKNOWNS = {1: 64, 2: 8, 3: 4}


def random_walk_basis(n_values: int, has_missing: bool = False) -> NDArray[np.float64]:
    """Waves along ordered bins, slow ones with large amplitude: a ridge penalty on their coefficients is smoothing.

    The m-th column is sqrt(2) cos(pi (r + 1/2) m / v) / m, an eigenvector of the penalty sum_r (U[r+1] - U[r])^2
    over about the root of its eigenvalue. A missing value has a column of its own.

    Parameters
    ----------
    n_values : int
        Number of bins, v; at least 3.
    has_missing : bool, default=False

    Returns
    -------
    basis : ndarray of shape (v, v - 1), or (v + 1, v)
    """
    return wave_basis(n_values, has_missing)[:, 1:]


def wave_basis(n_values: int, has_missing: bool = False) -> NDArray[np.float64]:
    """The waves of `random_walk_basis` after a constant column: one axis of a surface.

    Parameters
    ----------
    n_values : int
        v, at least 1.
    has_missing : bool, default=False

    Returns
    -------
    basis : ndarray of shape (v, v), or (v + 1, v + 1)
    """
    frequency = np.arange(1, n_values)
    basis = np.zeros((n_values + has_missing, n_values + has_missing))
    waves = np.cos(np.pi * np.outer(np.arange(n_values) + 0.5, frequency) / n_values)
    basis[:n_values, 0] = 1.0
    basis[:n_values, 1:n_values] = np.sqrt(2.0) * waves / frequency
    basis[n_values:, n_values:] = 1.0
    return basis


def line_basis(n_values: int, has_missing: bool = False) -> NDArray[np.float64]:
    """A straight line along ordered bins, of mean 0 and variance about 1; a missing value has a column of its own.

    Parameters
    ----------
    n_values : int
        Number of bins, v.
    has_missing : bool, default=False

    Returns
    -------
    basis : ndarray of shape (v, 1), or (v + 1, 2)
    """
    basis = np.zeros((n_values + has_missing, 1 + has_missing))
    basis[:n_values, 0] = np.sqrt(3.0) * (2 * (np.arange(n_values) + 0.5) / n_values - 1)
    basis[n_values:, 1:] = 1.0
    return basis


def axis_bases(
    penalty: str, n_ordered: tuple[int, ...], has_missing: tuple[bool, ...]
) -> tuple[NDArray[np.float64], ...]:
    """One matrix per axis of a smooth table: the table is their tensor product times the unknowns.

    Parameters
    ----------
    penalty : {"walk", "line", "surface"}
    n_ordered : tuple of int
        Number of codes along each axis that stand for values.
    has_missing : tuple of bool
        Whether another one stands for a missing value.
    """
    axes = zip(n_ordered, has_missing, strict=True)
    if penalty == "walk":
        return tuple(random_walk_basis(n, missing) for n, missing in axes)
    if penalty == "line":
        return tuple(line_basis(n, missing) for n, missing in axes)
    most = _MOST_UNKNOWNS[len(n_ordered)]
    return tuple(_without_fast_waves(wave_basis(n, missing), n, most) for n, missing in axes)


def _without_fast_waves(basis: NDArray[np.float64], n_values: int, most: int) -> NDArray[np.float64]:
    """The constant and the slow waves, at most `most` columns, and the column of the missing value, if any."""
    return np.delete(basis, np.arange(most, n_values), axis=1)
