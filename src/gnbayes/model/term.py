"""Terms: the summands of a model. A term is a table over the codes of one, two or three features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import for_each, limit_threads, native, ranges

# Number of rows scored at a time, so that the sums of a block stay in cache.
_BLOCK_ROWS = 16384
# Maximum number of features of a term.
MOST_FEATURES = 3


@dataclass(frozen=True, eq=False)
class Term:
    """The joint contribution of the values of one to three features to the score of each class.

    Parameters
    ----------
    features : tuple of int
        One to three features.
    maps : tuple of ndarray of shape (v_j,)
        For each of the features: the position along its axis of the table for every known code.
    table : ndarray of shape (c_1, ..., c_m, k)
        Contribution to the score of each class.
    rows : ndarray of shape (c_1, ..., c_m)
        Weight of the training rows in each cell.
    is_conditional : bool, default=False
        Whether it is the contribution of the last feature given the others, rather than of all together.
    spread : ndarray of shape (c_1, ..., c_m, k), optional
        Standard error of the table minus its mean over the classes.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import Term
    >>> table = np.array([[-1.0, 1.0], [1.0, -1.0]])
    >>> term = Term((0,), (np.array([0, 1, 1]),), table, np.array([3.0, 1.0]))
    >>> term.importance
    1.5
    """

    features: tuple[int, ...]
    maps: tuple[NDArray[np.intp], ...]
    table: NDArray[np.float64]
    rows: NDArray[np.float64]
    is_conditional: bool = False
    spread: NDArray[np.float64] | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return self.table.shape[-1]

    @cached_property
    def mean(self) -> NDArray[np.float64]:
        """Mean over the training rows, shape (k,)."""
        return weighted_mean(self.table, self.rows)

    @cached_property
    def importance(self) -> float:
        """Mean absolute contribution to the log-odds over the training rows, relative to its mean.

        The log-odds of a class are its score minus the mean score of the other classes, averaged over classes.
        """
        centred = self.table - self.mean
        odds = np.abs(log_odds(centred)).mean(axis=-1)
        total = self.rows.sum()
        return float((odds * self.rows).sum() / total) if total else 0.0

    def is_known(self, codes: NDArray[Any]) -> NDArray[np.bool_]:
        """Rows in which all of its features are known, shape (n,)."""
        is_known = np.ones(len(codes), dtype=bool)
        for j, own in zip(self.features, self.maps, strict=True):
            is_known &= codes[:, j] < len(own)
        return is_known

    def cells(self, codes: NDArray[Any]) -> NDArray[np.intp]:
        """The cell of the flattened table for each row, shape (n,); all codes must be known."""
        cell = np.zeros(len(codes), dtype=np.intp)
        for j, axis, size in zip(self.features, self.maps, self.table.shape, strict=False):
            cell = cell * size + axis[codes[:, j]]
        return cell

    def contributions(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Contribution of the term in each row, shape (n, k); all codes must be known."""
        return np.asarray(self.table.reshape(-1, self.n_classes)[self.cells(codes)])


def log_odds(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Score of each class minus the mean score of the others, along the last axis; shape unchanged.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import log_odds
    >>> log_odds(np.array([3.0, 1.0, 1.0])).tolist()
    [2.0, -1.0, -1.0]
    """
    k = scores.shape[-1]
    return np.asarray((scores - scores.mean(axis=-1, keepdims=True)) * (k / (k - 1)))


def weighted_mean(table: NDArray[np.float64], rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of a table over the rows in its cells, shape (k,); 0 if there are none."""
    total = rows.sum()
    flat = table.reshape(-1, table.shape[-1])
    return np.asarray((flat * rows.reshape(-1, 1)).sum(axis=0) / (total if total else 1.0))


def feature_importances(terms: Sequence[Term], n_features: int) -> NDArray[np.float64]:
    """Importance of each feature, shape (d,): that of its terms, divided evenly among their features; the sum is 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model import feature_importances
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> int(feature_importances(clf.model_.terms, 4).argmax())
    3
    """
    importances = np.zeros(n_features)
    for term in terms:
        for j in term.features:
            importances[j] += term.importance / len(term.features)
    return np.asarray(importances / (importances.sum() or 1.0))


@dataclass(frozen=True, eq=False)
class TermSum:
    """Scores of rows: a start value and the terms added to it, one after the other.

    Parameters
    ----------
    start : ndarray of shape (k,)
    terms : tuple of Term

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import Term, TermSum
    >>> term = Term((0,), (np.array([0, 1]),), np.array([[-1.0, 1.0], [1.0, -1.0]]), np.array([3.0, 1.0]))
    >>> TermSum(np.array([0.5, 0.0]), (term,)).scores(np.array([[0], [1]], dtype=np.uint32))[0].tolist()
    [[-0.5, 1.0], [1.5, -1.0]]
    """

    start: NDArray[np.float64]
    terms: tuple[Term, ...]

    def scores(self, codes: NDArray[Any], n_threads: int = 1) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Scores of all rows, and the rows for which they are invalid because a code of a term is unknown.

        Parameters
        ----------
        codes : ndarray of shape (n, d)
            Integers from 0; unsigned for the kernels.
        n_threads : int, default=1
            Number of threads; the result does not depend on it.

        Returns
        -------
        scores : ndarray of shape (n, k)
        is_incomplete : ndarray of shape (n,)
        """
        if native is not None and self._first is not None:
            first, is_incomplete = self._first.scores(codes, n_threads)
            return np.concatenate([first, 0.0 - first], axis=1), is_incomplete
        return self._scores(codes, n_threads)

    @cached_property
    def _first(self) -> TermSum | None:
        """The sum of the first of two classes, if all numbers of the second one are the same with the other sign.

        The scores of the second one are then its scores with the other sign, to the last bit, as rounding is symmetric.
        A sum that is 0 has no sign, unless it starts from one.
        """
        numbers = [self.start, *(term.table for term in self.terms)]
        is_plain = len(self.start) == 2 and np.isfinite(self.start).all() and not _is_negative_zero(self.start).any()
        if not is_plain or not all(np.array_equal(own[..., 0], -own[..., 1]) for own in numbers):
            return None
        return TermSum(self.start[:1], tuple(replace(term, table=term.table[..., :1]) for term in self.terms))

    def _scores(self, codes: NDArray[Any], n_threads: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The same, all classes on their own."""
        out = np.empty((len(codes), len(self.start)))
        is_incomplete = np.zeros(len(codes), dtype=np.uint8)
        is_unsigned = codes.dtype.kind == "u" and codes.dtype.itemsize <= 4
        if native is not None and is_unsigned:
            self._by_kernels(np.asfortranarray(codes), out, is_incomplete, limit_threads(n_threads, codes.size))
        else:
            self._by_numpy(codes, out, is_incomplete, n_threads)
        return out, is_incomplete.astype(bool)

    def _by_kernels(
        self, codes: NDArray[Any], out: NDArray[np.float64], is_incomplete: NDArray[np.uint8], n_threads: int
    ) -> None:
        packed = self.packed

        def add(rows: tuple[int, int]) -> None:
            native.score_terms(  # type: ignore[union-attr]
                *(codes, codes.dtype.itemsize, *codes.shape, packed.terms, len(packed.terms), packed.offsets),
                *(len(packed.offsets), packed.tables, len(packed.tables), self.start, len(self.start)),
                *(*rows, out, is_incomplete),
            )

        for_each(add, ranges(len(codes), _BLOCK_ROWS), n_threads)

    def _by_numpy(
        self, codes: NDArray[Any], out: NDArray[np.float64], is_incomplete: NDArray[np.uint8], n_threads: int
    ) -> None:
        def add(rows: tuple[int, int]) -> None:
            block = codes[slice(*rows)]
            total, is_absent = np.tile(self.start, (len(block), 1)), np.zeros(len(block), dtype=bool)
            for term in self.terms:
                is_known = term.is_known(block)
                total[is_known] += term.contributions(block[is_known])
                is_absent |= ~is_known
            out[slice(*rows)], is_incomplete[slice(*rows)] = total, is_absent

        for_each(add, ranges(len(codes), _BLOCK_ROWS), n_threads)

    @cached_property
    def packed(self) -> PackedTerms:
        return pack(self.terms)


def _is_negative_zero(numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
    return (numbers == 0) & np.signbit(numbers)


@dataclass(frozen=True, eq=False)
class PackedTerms:
    """Terms in the memory layout of the kernels.

    Parameters
    ----------
    terms : ndarray of shape (number of terms, 11)
        Start of the table, number of features, and for each of three features: feature, number of known codes, start of
        its offsets.
    offsets : ndarray of int32
        For every code of every feature of a term: distance of its cell from that of code 0, in cells.
    tables : ndarray of float64
        All tables, one after the other.
    """

    terms: NDArray[np.int64]
    offsets: NDArray[np.int32]
    tables: NDArray[np.float64]


def pack(terms: Sequence[Term]) -> PackedTerms:
    """Lay out terms for the kernels.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import Term, pack
    >>> term = Term((0,), (np.array([0, 1]),), np.array([[-1.0, 1.0], [1.0, -1.0]]), np.array([3.0, 1.0]))
    >>> type(pack([term])).__name__
    'PackedTerms'
    """
    described = np.zeros((len(terms), 2 + 3 * MOST_FEATURES), dtype=np.int64)
    offsets: list[NDArray[np.int32]] = []
    at = n_offsets = 0
    for row, term in zip(described, terms, strict=True):
        row[:2] = at, len(term.features)
        step = 1
        for axis in reversed(range(len(term.features))):
            own = (term.maps[axis] * step).astype(np.int32)
            row[2 + 3 * axis : 5 + 3 * axis] = term.features[axis], len(own), n_offsets
            offsets.append(own)
            n_offsets += len(own)
            step *= term.table.shape[axis]
        at += term.table.size
    tables = [term.table.ravel() for term in terms]
    return PackedTerms(
        described,
        np.concatenate([*offsets, np.zeros(0, dtype=np.int32)]),
        np.concatenate([*tables, np.zeros(0)]).astype(np.float64),
    )
