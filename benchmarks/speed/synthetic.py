"""Synthetic tables of codes: 5 values, 2 classes, every feature hangs a little on the class and on its neighbour."""

import numpy as np
from numpy.typing import NDArray

N_VALUES = 5
# Small blocks keep the peak of memory at the table itself, so that it does not hide the peak of a fit.
_BLOCK_CELLS = 200_000


def make_table(n_rows: int, n_columns: int, seed: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Codes of shape (n, d) and classes of shape (n,), the same for the same seed."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n_rows)
    X = np.empty((n_rows, n_columns), dtype=np.int64)
    step = max(1, _BLOCK_CELLS // n_columns)
    for start in range(0, n_rows, step):
        X[start : start + step] = _rows(y[start : start + step], n_columns, rng)
    return X, y


def _rows(y: NDArray[np.int64], n_columns: int, rng: np.random.Generator) -> NDArray[np.int64]:
    # The sum of two is not uniform: a shift modulo 5 would leave a uniform code uniform, and the class unseen.
    shape = (len(y), n_columns)
    own = rng.integers(0, 3, shape) + rng.integers(0, 3, shape)
    copied = rng.random(shape) < 0.3
    codes = np.where(copied, np.roll(own, 1, axis=1), own)
    return (codes + y[:, None] * rng.integers(0, 2, shape)) % N_VALUES
