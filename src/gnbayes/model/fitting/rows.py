"""Rows to learn from: equal ones as one row with a weight, in a pseudo-random order, and thinned out where many.

Everything here depends on what the rows hold and how much they weigh, never on their order. A row of weight 2 is
treated as two rows in every way. Where rows are copies of each other, or have weights that are no numbers of rows, only
the ratios of their weights count: copies say nothing new, and stay in the same fold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Where the pseudo-random order of rows starts from.
_SEED = 20240829
# A row that stands for more equal ones is spread over the folds evenly.
_MANY_EQUAL = 64
# Rows of a class that thinning keeps, where there are as many.
_LEAST_OF_CLASS = 200
# Equal rows are copies where they are at least this share of all rows, and at most this share of them is equal to rows
# of another class.
_COPIES, _IN_SEVERAL_CLASSES = 0.25, 0.1


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Rows that differ, by class, and in each class in a pseudo-random order.

    Parameters
    ----------
    index : ndarray of shape (n,)
        Where each of them is found among all rows.
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,)
    n_equal : ndarray of shape (n,)
        Number of equal rows that each stands for, which may go to different folds; 1 where they must not.
    """

    index: NDArray[np.intp]
    labels: NDArray[np.intp]
    weights: NDArray[np.float64]
    n_equal: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def effective_size(self) -> float:
        """Number of rows of equally frequent classes that would tell as much about the class."""
        size = np.bincount(self.labels, self.weights)
        shares = size / size.sum()
        of_equal_classes = 1 - 1 / max(2, int(np.count_nonzero(size)))
        return float((size * _squared_residuals(shares)).sum() / of_equal_classes)

    def as_copies(self) -> DistinctRows:
        """The same rows where only the ratios of weights count: their mean is 1, and equal rows stay together."""
        return replace(self, weights=self.weights / self.weights.mean(), n_equal=np.ones(len(self), dtype=np.int64))

    def some(self, which: NDArray[np.bool_]) -> DistinctRows:
        """Some of the rows."""
        return DistinctRows(self.index[which], self.labels[which], self.weights[which], self.n_equal[which])

    def with_shares(self, class_weights: NDArray[np.float64]) -> DistinctRows:
        """The same rows, a sample, with weights that give every class its share of all rows.

        Classes of which the smallest share was drawn keep their weights; see `thinned` for the size of the others.

        Parameters
        ----------
        class_weights : ndarray of shape (k,)
            Weight of all rows of each class, drawn or not.
        """
        k = len(class_weights)
        drawn = np.bincount(self.labels, self.weights, minlength=k)
        is_there = drawn > 0
        rate = np.divide(drawn, class_weights, out=np.ones(k), where=is_there)
        of_class = rate[is_there].min() / rate
        shares = class_weights / class_weights.sum()
        of_class *= _honest_scale(shares, of_class, np.bincount(self.labels, self.n_equal, minlength=k))
        return replace(self, weights=self.weights * of_class[self.labels])

    def thinned(self, n: int) -> DistinctRows:
        """About n rows at even steps, more of classes that would have few, with weights that make up for it.

        Rows of the most classes have the weight of the rows they stand for. Where a rare class keeps more of its
        rows, weights keep the shares of the classes, and their size is such that the rows say as much as their weights
        claim: the weighted sum of residuals varies by its own curvature.
        """
        k = int(self.labels.max()) + 1
        units = self.weights if (self.n_equal > 1).any() else np.ones(len(self))
        size, total = np.bincount(self.labels, self.weights, minlength=k), float(self.weights.sum())
        n_units = np.bincount(self.labels, units, minlength=k)
        least = np.minimum(max(1.0, min(_LEAST_OF_CLASS, n / (2 * np.count_nonzero(size)))), n_units)
        rate = np.maximum(n / total, least / np.where(size > 0, size, 1.0))
        n_taken = self._n_taken(rate)
        kept = np.flatnonzero(n_taken)
        labels, n_taken = self.labels[kept], n_taken[kept]
        of_class = (n / total) / rate
        of_class *= _honest_scale(size / total, of_class, np.bincount(labels, n_taken, minlength=k))
        n_equal = n_taken.astype(np.int64) if (self.n_equal > 1).any() else np.ones(len(kept), dtype=np.int64)
        return DistinctRows(self.index[kept], labels, n_taken * of_class[labels], n_equal)

    def _n_taken(self, rate: NDArray[np.float64]) -> NDArray[np.float64]:
        """Take a share of the weight of each class at even steps: how often each row is taken, shape (n,)."""
        reached = np.cumsum(self.weights)
        firsts = np.flatnonzero(np.diff(self.labels, prepend=-1))
        before = np.append(0.0, reached)[firsts]
        rates = rate[self.labels[firsts]]
        taken_before = np.cumsum(np.append(0.0, np.diff(before) * rates[:-1]))
        which = self._class_order
        # No sum of many rounded numbers: what is a whole number by design must come out as one.
        ends = np.floor(taken_before[which] + (reached - before[which]) * rates[which] + 1e-9)
        return np.diff(ends, prepend=0.0)

    def fold_weights(self, n_folds: int) -> NDArray[np.float64]:
        """Shuffle the rows of each class and deal them out: the weight that each row has in each fold, (n, n_folds).

        A row that stands for very many is spread evenly, as shuffling them would.
        """
        each = self.n_equal // n_folds
        each[self.n_equal <= _MANY_EQUAL] = 0
        row = np.repeat(np.arange(len(self)), self.n_equal - n_folds * each)
        shuffled = row[np.random.default_rng(_SEED).permutation(len(row))]
        shuffled = shuffled[np.argsort(self._class_order[shuffled], kind="stable")]
        place = shuffled * n_folds + np.arange(len(row)) % n_folds
        counts = np.bincount(place, minlength=len(self) * n_folds).reshape(-1, n_folds) + each[:, None]
        return counts * (self.weights / np.maximum(self.n_equal, 1))[:, None]

    @property
    def _class_order(self) -> NDArray[np.intp]:
        """Position of the class of each row among the classes as they come, shape (n,)."""
        return np.cumsum(np.diff(self.labels, prepend=self.labels[0]) != 0)


def _honest_scale(shares: NDArray[np.float64], weights: NDArray[np.float64], n_rows: NDArray[Any]) -> float:
    """Factor of weights, one for each class, with which sums of residuals vary as much as their curvature says.

    Weighted sums vary by the squares of weights, and curve by the weights; equal weights become 1.
    """
    squares = n_rows * weights * _squared_residuals(shares)
    return float(squares.sum() / (squares * weights).sum())


def _squared_residuals(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum over classes c of ((is class c) - share_c)^2, of a row of each class."""
    return 1 - 2 * shares + (shares**2).sum()


def distinct_rows(
    codes: NDArray[Any], labels: NDArray[np.intp], weights: NDArray[np.float64] | None, n_classes: int, are_whole: bool
) -> DistinctRows:
    """One of each kind of row, with the weight of all that are equal to it.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,), optional
    n_classes : int
    are_whole : bool
        Whether weights are numbers of rows.
    """
    hashes = row_hash(codes)
    weights = np.ones(len(labels)) if weights is None else weights
    # Classes by their size and smallest hash, not by their place: the order of classes must not matter.
    smallest = np.full(n_classes, np.iinfo(np.uint64).max, dtype=np.uint64)
    np.minimum.at(smallest, labels, hashes)
    size = np.bincount(labels, weights, minlength=n_classes)
    rank = np.empty(n_classes, dtype=np.min_scalar_type(n_classes))
    rank[np.lexsort((smallest, size))] = np.arange(n_classes)
    order = np.argsort(hashes)
    order = order[np.argsort(rank[labels[order]], kind="stable")]
    hashes, own = hashes[order], labels[order]
    suspects = np.flatnonzero((hashes[1:] == hashes[:-1]) & (own[1:] == own[:-1])) + 1
    is_first = np.ones(len(order), dtype=bool)
    is_first[suspects] = (codes[order[suspects]] != codes[order[suspects - 1]]).any(axis=1)
    starts = np.flatnonzero(is_first)
    index, sums = order[starts], np.add.reduceat(weights[order], starts)
    n_equal = sums.astype(np.int64) if are_whole else np.ones(len(index), dtype=np.int64)
    return DistinctRows(index, labels[index], sums, n_equal)


def are_copies(codes: NDArray[Any], rows: DistinctRows) -> bool:
    """Whether equal rows look like copies, made to count for more, rather than like rows drawn one by one.

    Where few features leave few values, rows of the same values come in several classes. Copies have the class copied.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
        Of all rows.
    rows : DistinctRows
        Found among them; weights are numbers of rows.
    """
    weights = rows.weights
    if weights[weights > 1].sum() < (1 - _IN_SEVERAL_CLASSES) * _COPIES * weights.sum():
        return False
    _, kind, n_classes = np.unique(row_hash(codes[rows.index]), return_inverse=True, return_counts=True)
    equal = np.bincount(kind, weights)
    n_equal, n_mixed = equal[equal > 1].sum(), equal[n_classes > 1].sum()
    return bool(n_equal >= _COPIES * equal.sum() and n_mixed <= _IN_SEVERAL_CLASSES * n_equal)


def row_hash(codes: NDArray[Any]) -> NDArray[np.uint64]:
    """A pseudo-random number for each row, the same for equal rows."""
    factors: NDArray[np.uint64] = np.random.default_rng(_SEED).integers(2**63, size=codes.shape[1:], dtype=np.uint64)
    out = np.zeros(len(codes), dtype=np.uint64)
    for j in range(codes.shape[1]):
        out += (codes[:, j].astype(np.uint64) + np.uint64(1)) * (factors[j] | np.uint64(1))
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (29, 0xC4CEB9FE1A85EC53)):
        out ^= out >> np.uint64(shift)
        out *= np.uint64(factor)
    out ^= out >> np.uint64(32)
    return out
