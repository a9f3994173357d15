"""Distance of two features from independence given the class, in rows: what a site reports for a pair in a survey."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

# One row more or less changes the dependence of a pair by at most this.
SENSITIVITY = 2
# From here on, products of counts may exceed 64 bits.
_LARGE = 2**30


def surveyed_pairs(cardinalities: NDArray[np.intp]) -> list[tuple[int, int]]:
    """Pairs of features that have two values or more: only they can depend on each other."""
    return list(combinations(np.flatnonzero(cardinalities > 1).tolist(), 2))


def dependence_of(table: NDArray[np.int64]) -> int:
    """Number of rows that would have to move to other cells to make two features independent given the class.

    For every class T = 1/2 sum over a, b of abs(n(a, b) - n(a) n(b) / n), rounded down; then the sum over the classes.
    Divided by n, it is the total variation distance from independence: 0 for independent features, always below 1.

    Parameters
    ----------
    table : ndarray of shape (v_i, v_j, k)
        Integer counts.

    Notes
    -----
    One additional row changes it by at most 2. Let p and q be the shares of the values among the n rows of the row's
    class, and (a, b) its cell. With e_a the vector that is 1 at a and 0 elsewhere, the differences n(., .) - n(.) n(.)
    / n change by the matrix n / (n + 1) (e_a - p) (e_b - q)^T. The sum of the absolute values of its cells is n / (n +
    1) times that of e_a - p, which is 2 - 2 p(a), times that of e_b - q: less than 4. So T changes by less than 2, and
    T rounded down by at most 2. The other classes do not change.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.sites.dependence import dependence_of
    >>> dependence_of(np.array([[[40], [0]], [[0], [40]]])), dependence_of(np.array([[[20], [20]], [[20], [20]]]))
    (40, 0)
    """
    return sum(_of_class(table[:, :, label]) for label in range(table.shape[2]))


def _of_class(cells: NDArray[np.int64]) -> int:
    n = int(cells.sum())
    if n == 0:
        return 0
    cells = cells.astype(object) if n >= _LARGE else cells.astype(np.int64)
    apart = np.abs(cells * n - np.outer(cells.sum(axis=1), cells.sum(axis=0)))
    return int(apart.sum()) // (2 * n)


def dependence_of_independent(
    left: NDArray[np.float64], right: NDArray[np.float64], classes: NDArray[np.float64]
) -> float:
    """Expected value of `dependence_of` for independent features, by chance alone.

    The difference of a cell is then about normal with variance n p (1 - p) q (1 - q), and the mean of its absolute
    value is sqrt(2 / pi) of the standard deviation.

    Parameters
    ----------
    left, right : ndarray of shape (v_i, k) and (v_j, k)
        Shares of the values within each class.
    classes : ndarray of shape (k,)
        Number of rows of each class at one site.
    """
    spread = np.sqrt(left * (1 - left)).sum(axis=0) * np.sqrt(right * (1 - right)).sum(axis=0)
    return float((np.sqrt(classes / (2 * np.pi)) * spread).sum())
