"""The rows to learn from: alike ones together, dealt out to folds, thinned out where they are many.

Everything here depends on what the rows hold and how much they weigh, never on their order. A row of weight 2 is
treated as two rows in every way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Where the pseudo-random order of rows starts from.
_SEED = 20240829


@dataclass(frozen=True, eq=False)
class LearningRows:
    """Rows by class, and in each class in a pseudo-random order.

    Parameters
    ----------
    cells : ndarray of shape (n, g)
        The cells a row falls into.
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,)
    are_whole : bool
        Whether weights are numbers of rows.
    """

    cells: NDArray[np.int32]
    labels: NDArray[np.intp]
    weights: NDArray[np.float64]
    are_whole: bool

    def __len__(self) -> int:
        return len(self.labels)

    def thinned(self, n: int) -> LearningRows:
        """About n rows at even steps, in which every class has one at least."""
        total = float(self.weights.sum())
        ends = np.floor(np.cumsum(self.weights) * (n / total) + 1e-9)
        n_taken = np.diff(ends, prepend=0.0)
        firsts = np.unique(self.labels, return_index=True)[1]
        n_in_class = np.bincount(self.labels, n_taken)[self.labels[firsts]]
        n_taken[firsts[n_in_class == 0]] = 1.0
        kept = np.flatnonzero(n_taken)
        unit = 1.0 if self.are_whole else total / len(self)
        return LearningRows(self.cells[kept], self.labels[kept], n_taken[kept] * unit, self.are_whole)

    def dealt(self, n_parts: int) -> NDArray[np.float64]:
        """Deal the rows out like cards: the weight that each row has in each part, shape (n, n_parts)."""
        part = np.arange(n_parts)
        if not self.are_whole:
            is_own = np.arange(len(self))[:, None] % n_parts == part
            return np.where(is_own, self.weights[:, None], 0.0)
        # Of the cards 0, 1, ..., t - 1 the part gets (t - part) / n_parts, rounded up.
        reached = np.concatenate([[0], np.cumsum(self.weights.astype(np.int64))])[:, None]
        return np.diff(-((part - reached) // n_parts), axis=0).astype(np.float64)


def together(
    codes: NDArray[Any], labels: NDArray[np.intp], weights: NDArray[np.float64] | None, n_classes: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """One of each kind of row, by class and then in a pseudo-random order, and the weight of all that are alike.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,), optional
    n_classes : int

    Returns
    -------
    first : ndarray of shape (m,)
        A row of each kind.
    weights : ndarray of shape (m,)
    """
    mixed = _mixed(codes)
    weights = np.ones(len(labels)) if weights is None else weights
    # Classes by their size and smallest number, not by their place: the order of classes must not matter.
    smallest = np.full(n_classes, np.iinfo(np.uint64).max, dtype=np.uint64)
    np.minimum.at(smallest, labels, mixed)
    size = np.bincount(labels, weights, minlength=n_classes)
    order = np.lexsort((mixed, labels, smallest[labels], size[labels]))
    mixed, own = mixed[order], labels[order]
    suspects = np.flatnonzero((mixed[1:] == mixed[:-1]) & (own[1:] == own[:-1])) + 1
    is_first = np.ones(len(order), dtype=bool)
    is_first[suspects] = (codes[order[suspects]] != codes[order[suspects - 1]]).any(axis=1)
    starts = np.flatnonzero(is_first)
    return order[starts], np.add.reduceat(weights[order], starts)


def _mixed(codes: NDArray[Any]) -> NDArray[np.uint64]:
    """A pseudo-random number of each row, the same for rows that are alike."""
    factors = np.random.default_rng(_SEED).integers(1, 2**63, codes.shape[1], dtype=np.uint64) * np.uint64(2)
    out = np.zeros(len(codes), dtype=np.uint64)
    for j, factor in enumerate(factors + np.uint64(1)):
        out += (codes[:, j].astype(np.uint64) + np.uint64(1)) * factor
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (29, 0xC4CEB9FE1A85EC53)):
        out ^= out >> np.uint64(shift)
        out *= np.uint64(factor)
    out ^= out >> np.uint64(32)
    return out
