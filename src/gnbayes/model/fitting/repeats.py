"""Rows whose values occur more than once: independent rows, or copies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.row_hashes import row_hash
from gnbayes.model.fitting.rows import DistinctRows


class Repeats(NamedTuple):
    """Rows whose values occur more than once, in any class.

    Parameters
    ----------
    is_repeated : ndarray of shape (n,)
        Among all rows, True for a distinct row if another row has the same values.
    disagreement : float
        Probability that two rows with the same values have different classes; mean over repeated rows.
    by_chance : float
        Share of the pairs of equal rows that there would be if columns were independent: few values cannot but recur.
    """

    is_repeated: NDArray[np.bool_]
    disagreement: float
    by_chance: float

    @property
    def may_be_copies(self) -> bool:
        """Whether duplicate rows never differ in class, and most of them are not explained by chance."""
        return not self.disagreement and self.by_chance < 0.5


def find_repeats(codes: NDArray[Any], rows: DistinctRows, n_threads: int = 1) -> Repeats:
    """Find rows whose values occur more than once, and how often their classes differ.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
        Codes of all rows.
    rows : DistinctRows
        The distinct rows among them.
    n_threads : int, default=1

    Notes
    -----
    Two rows with the same values are drawn with probabilities proportional to their weights; duplicate rows of one
    class share their weight evenly.
    """
    hashes = row_hash(codes, n_threads=n_threads)[rows.index]
    in_order = np.sort(hashes)
    is_new = np.append(True, in_order[1:] != in_order[:-1])
    if is_new.all() and (rows.n_equal == 1).all():
        return Repeats(np.zeros(len(codes), dtype=bool), 0.0, 0.0)
    kind = np.searchsorted(in_order[is_new], hashes)
    k = int(rows.labels.max()) + 1
    n_kinds, cell = int(kind.max()) + 1, kind * k + rows.labels
    n_rows, weights = (
        np.bincount(cell, numbers, minlength=k * n_kinds).reshape(-1, k) for numbers in (rows.n_equal, rows.weights)
    )
    several = n_rows.sum(axis=1) > 1
    is_repeated = np.zeros(len(codes), dtype=bool)
    is_repeated[rows.index] = several[kind]
    by_chance = _by_chance(codes[rows.index], rows.n_equal, n_rows.sum(axis=1)) if several.any() else 0.0
    n_rows, weights = n_rows[several], weights[several]
    size, of_one = weights.sum(axis=1), weights / np.maximum(n_rows, 1)
    of_other_rows = size - (weights * of_one).sum(axis=1) / size
    differ = size - (weights * (weights - of_one)).sum(axis=1) / of_other_rows
    # Rounding must not make rows of one class differ.
    differ[np.count_nonzero(n_rows, axis=1) == 1] = 0.0
    return Repeats(is_repeated, float(differ.sum() / max(size.sum(), 1e-300)), by_chance)


def _by_chance(codes: NDArray[Any], n_equal: NDArray[np.int64], n_rows: NDArray[np.float64]) -> float:
    """Probability that two rows are equal if columns are independent, divided by the share of equal pairs; at most 1.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
        Of the distinct rows.
    n_equal : ndarray of shape (n,)
        Number of rows that each stands for.
    n_rows : ndarray of shape (number of kinds,)
        Rows of each kind.
    """
    total = float(n_equal.sum())
    share = float((n_rows * (n_rows - 1)).sum()) / (total * (total - 1))
    expected = 1.0
    for column in codes.T:
        _, value = np.unique(column, return_inverse=True)
        expected *= float((np.bincount(value, n_equal) ** 2).sum()) / total**2
        if expected < 1e-6 * share:
            return 0.0
    return min(1.0, expected / share)


def copies_together(codes: NDArray[Any], rows: DistinctRows) -> DistinctRows:
    """The same rows; if duplicates are probably copies, which never differ in class, they stay in one fold.

    Parameters
    ----------
    codes, rows
        As in `find_repeats`.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import copies_together, distinct_rows
    >>> codes = np.tile(np.arange(30), 2)[:, None] % [30, 10]
    >>> rows = CodedRows(codes, codes[:, 0] % 2, np.array([30, 10]), 2)
    >>> found = distinct_rows(rows.codes, rows.labels, None, 2)
    >>> set(found.n_equal.tolist()), set(copies_together(rows.codes, found).n_equal.tolist())
    ({2}, {1})
    """
    if not find_repeats(codes, rows).may_be_copies:
        return rows
    return replace(rows, n_equal=np.ones(len(rows), dtype=np.int64))
