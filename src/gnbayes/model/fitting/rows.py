"""Rows to learn from: equal ones as one row with a weight, in a pseudo-random order, and thinned out where many.

Everything here depends on what the rows hold and how much they weigh, never on their order. A row of weight 2 is
treated as two rows in every way. Where rows are copies of each other, or have weights that are no numbers of rows, only
the ratios of their weights count: copies say nothing new, and stay in the same fold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Where the pseudo-random order of rows starts from.
_SEED = 20240829
# A row that stands for more equal ones is spread over the folds evenly.
_MANY_EQUAL = 64
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
    are_whole : bool
        Whether weights are numbers of rows.
    """

    index: NDArray[np.intp]
    labels: NDArray[np.intp]
    weights: NDArray[np.float64]
    are_whole: bool

    def __len__(self) -> int:
        return len(self.labels)

    def thinned(self, n: int) -> DistinctRows:
        """About n rows at even steps, in which every class has one at least."""
        total = float(self.weights.sum())
        ends = np.floor(np.cumsum(self.weights) * (n / total) + 1e-9)
        n_taken = np.diff(ends, prepend=0.0)
        firsts = np.unique(self.labels, return_index=True)[1]
        n_in_class = np.bincount(self.labels, n_taken)[self.labels[firsts]]
        n_taken[firsts[n_in_class == 0]] = 1.0
        kept = np.flatnonzero(n_taken)
        unit = 1.0 if self.are_whole else total / len(self)
        return DistinctRows(self.index[kept], self.labels[kept], n_taken[kept] * unit, self.are_whole)

    def fold_weights(self, n_folds: int) -> NDArray[np.float64]:
        """Shuffle the rows of each class and deal them out: the weight that each row has in each fold, (n, n_folds).

        A row that stands for very many is spread evenly, as shuffling them would.
        """
        each = np.floor(self.weights / n_folds) if self.are_whole else np.zeros(len(self))
        each[self.weights <= _MANY_EQUAL] = 0.0
        n_cards = (self.weights - n_folds * each).astype(np.intp) if self.are_whole else np.ones(len(self), np.intp)
        card = np.repeat(np.arange(len(self)), n_cards)
        shuffled = card[np.random.default_rng(_SEED).permutation(len(card))]
        shuffled = shuffled[np.argsort(self._class_order[shuffled], kind="stable")]
        place = shuffled * n_folds + np.arange(len(card)) % n_folds
        value = np.ones(len(self)) if self.are_whole else self.weights
        dealt = np.bincount(place, value[shuffled], minlength=len(self) * n_folds)
        return dealt.reshape(-1, n_folds) + each[:, None]

    @property
    def _class_order(self) -> NDArray[np.intp]:
        """Position of the class of each row among the classes as they come, shape (n,)."""
        return np.cumsum(np.diff(self.labels, prepend=self.labels[0]) != 0)


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
    index = order[starts]
    return DistinctRows(index, labels[index], np.add.reduceat(weights[order], starts), are_whole)


def are_copies(codes: NDArray[Any], weights: NDArray[np.float64]) -> bool:
    """Whether equal rows look like copies, made to count for more, rather than like rows drawn one by one.

    Where few features leave few values, rows of the same values come in several classes. Copies have the class copied.

    Parameters
    ----------
    codes : ndarray of shape (m, s)
        One row of each kind, as `distinct_rows` finds them.
    weights : ndarray of shape (m,)
        Their numbers.
    """
    if weights[weights > 1].sum() < (1 - _IN_SEVERAL_CLASSES) * _COPIES * weights.sum():
        return False
    _, kind, n_classes = np.unique(row_hash(codes), return_inverse=True, return_counts=True)
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
