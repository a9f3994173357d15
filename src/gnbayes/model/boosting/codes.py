"""Codes of rows for trees, and which features may share a path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting import DistinctRows
from gnbayes.model.fitting.cells import sum_steps
from gnbayes.model.fitting.row_hashes import column_factors

Term = tuple[int, ...]
# Codes in trees have one byte.
MOST_CODES = 256


@dataclass(frozen=True, eq=False)
class TreeCodes:
    """Codes of rows at one resolution.

    Parameters
    ----------
    codes : ndarray of shape (d, n)
        uint8, column by column.
    sizes : ndarray of shape (d,)
        int32: the number of codes of each feature. A feature with fewer than two is not used.
    is_ordered : ndarray of shape (d,)
        uint8: whether codes are ordered.
    has_missing : ndarray of shape (d,)
        uint8: whether the last code stands for a missing value.
    terms : ndarray of shape (m, 3), optional
        int32: features that may share a path from the root to a leaf; -1 if a term has fewer than three. By default,
        all features may.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import distinct_rows
    >>> from gnbayes.model.boosting import TreeCodes, tree_codes
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 4, (200, 2)).astype(np.uint8)
    >>> rows = distinct_rows(codes, (codes[:, 0] > 1).astype(np.intp), None, 2)
    >>> same = [np.arange(4)] * 2
    >>> resolution = tree_codes(codes[rows.index], same, [True, True], [False, False], [(0, 1)])
    >>> isinstance(resolution, TreeCodes), resolution.n_rows == len(rows), resolution.sizes.tolist()
    (True, True, [4, 4])
    """

    codes: NDArray[np.uint8]
    sizes: NDArray[np.int32]
    is_ordered: NDArray[np.uint8]
    has_missing: NDArray[np.uint8]
    terms: NDArray[np.int32] | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.codes.shape[1]

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments of the C kernels."""
        flags = self.is_ordered, self.has_missing
        terms = (np.zeros((0, 3), dtype=np.int32), -1) if self.terms is None else (self.terms, len(self.terms))
        return (self.codes, self.n_rows, len(self.sizes), self.sizes, *flags, *terms)

    def allowed(self, path: Sequence[int]) -> NDArray[np.bool_]:
        """Features that may extend a path: all at the root, otherwise those of terms that contain the whole path."""
        if not path or self.terms is None:
            return np.ones(len(self.sizes), dtype=bool)
        is_allowed = np.zeros(len(self.sizes), dtype=bool)
        is_allowed[list(path)] = True
        holds = np.all([(self.terms == feature).any(axis=1) for feature in path], axis=0)
        found = self.terms[holds]
        is_allowed[found[found >= 0]] = True
        return is_allowed


def tree_codes(
    codes: NDArray[Any],
    maps: Sequence[NDArray[np.intp]],
    is_ordered: Sequence[bool],
    has_missing: Sequence[bool],
    terms: Sequence[Term] | None,
) -> TreeCodes:
    """Codes of rows for trees.

    Parameters
    ----------
    codes : ndarray of shape (n, d)
    maps : sequence of ndarray of shape (v_j,)
        Per feature, the code in trees of each of its codes. A feature with more than 256 is not used.
    is_ordered, has_missing : sequence of bool
    terms : sequence of tuple of int, or None
        Features that may share a path; None if all may.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.boosting.codes import tree_codes
    >>> halves = [np.array([0, 0, 1, 1])] * 2
    >>> rows = tree_codes(np.array([[0, 3], [2, 1]]), halves, [True, True], [False, False], [(0, 1)])
    >>> rows.codes.tolist(), rows.sizes.tolist(), rows.allowed([0]).tolist()
    ([[0, 1], [1, 0]], [2, 2], [True, True])
    """
    n, d = codes.shape
    out, sizes = np.zeros((d, n), dtype=np.uint8), np.zeros(d, dtype=np.int32)
    for j, own in enumerate(maps):
        size = int(own.max()) + 1
        if 1 < size <= MOST_CODES:
            sizes[j] = size
            sum_steps([codes[:, j]], [own], out.dtype, out[j])
    flags = np.array(is_ordered, dtype=np.uint8), np.array(has_missing, dtype=np.uint8)
    return TreeCodes(out, sizes, *flags, None if terms is None else _table_of(terms))


def _table_of(terms: Sequence[Term]) -> NDArray[np.int32]:
    """One line for each term."""
    table = np.full((len(terms), 3), -1, dtype=np.int32)
    for at, term in enumerate(terms):
        table[at, : len(term)] = term
    return table


def by_content(used: Sequence[int], codes: NDArray[Any], rows: DistinctRows) -> list[int]:
    """Features in an order that does not depend on that of columns; ties of splits go to the first.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import distinct_rows
    >>> from gnbayes.model.boosting import by_content
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 4, (200, 2)).astype(np.uint8)
    >>> rows = distinct_rows(codes, (codes[:, 0] > 1).astype(np.intp), None, 2)
    >>> sorted(by_content([0, 1], codes[rows.index], rows))
    [0, 1]
    """
    used = sorted(set(used))
    factors = column_factors(codes[:, used], rows.labels, rows.n_equal, int(rows.labels.max()) + 1)
    return [used[at] for at in np.argsort(factors, kind="stable").tolist()]
