"""The rows to learn from: alike ones together, dealt out to folds, thinned out where they are many.

Everything here depends on what the rows hold and how much they weigh, never on their order. A row of weight 2 is
treated as two rows in every way. Where rows are copies of each other, or have weights that are no numbers of rows, only
the ratios of their weights count: copies say nothing new, and stay together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Where the pseudo-random order of rows starts from.
_SEED = 20240829
# Rows alike, above which they are dealt out evenly.
_MANY_ALIKE = 64
# Rows that are alike are copies where they are at least this share of all rows, and at most this share of them is alike
# to rows of another class.
_COPIES, _MIXED = 0.25, 0.1


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
        """Shuffle the rows of each class and deal them out: the weight that each row has in each part, (n, n_parts).

        A row that stands for very many is dealt out evenly, as shuffling them would.
        """
        each = np.floor(self.weights / n_parts) if self.are_whole else np.zeros(len(self))
        each[self.weights <= _MANY_ALIKE] = 0.0
        n_cards = (self.weights - n_parts * each).astype(np.intp) if self.are_whole else np.ones(len(self), np.intp)
        card = np.repeat(np.arange(len(self)), n_cards)
        shuffled = card[np.random.default_rng(_SEED).permutation(len(card))]
        shuffled = shuffled[np.argsort(self._class_order[shuffled], kind="stable")]
        place = shuffled * n_parts + np.arange(len(card)) % n_parts
        value = np.ones(len(self)) if self.are_whole else self.weights
        dealt = np.bincount(place, value[shuffled], minlength=len(self) * n_parts)
        return dealt.reshape(-1, n_parts) + each[:, None]

    @property
    def _class_order(self) -> NDArray[np.intp]:
        """Position of the class of each row among the classes as they come, shape (n,)."""
        return np.cumsum(np.diff(self.labels, prepend=self.labels[0]) != 0)


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
    numbers = mixed(codes)
    weights = np.ones(len(labels)) if weights is None else weights
    # Classes by their size and smallest number, not by their place: the order of classes must not matter.
    smallest = np.full(n_classes, np.iinfo(np.uint64).max, dtype=np.uint64)
    np.minimum.at(smallest, labels, numbers)
    size = np.bincount(labels, weights, minlength=n_classes)
    order = np.lexsort((numbers, labels, smallest[labels], size[labels]))
    numbers, own = numbers[order], labels[order]
    suspects = np.flatnonzero((numbers[1:] == numbers[:-1]) & (own[1:] == own[:-1])) + 1
    is_first = np.ones(len(order), dtype=bool)
    is_first[suspects] = (codes[order[suspects]] != codes[order[suspects - 1]]).any(axis=1)
    starts = np.flatnonzero(is_first)
    return order[starts], np.add.reduceat(weights[order], starts)


def are_copies(codes: NDArray[Any], weights: NDArray[np.float64]) -> bool:
    """Whether rows that are alike look like copies, made to count for more, rather than like rows drawn one by one.

    Where few features leave few values, rows of the same values come in several classes. Copies have the class copied.

    Parameters
    ----------
    codes : ndarray of shape (m, s)
        One row of each kind, as `together` finds them.
    weights : ndarray of shape (m,)
        Their numbers.
    """
    _, kind, n_classes = np.unique(mixed(codes), return_inverse=True, return_counts=True)
    alike = np.bincount(kind, weights)
    n_alike, n_mixed = alike[alike > 1].sum(), alike[n_classes > 1].sum()
    return bool(n_alike >= _COPIES * alike.sum() and n_mixed <= _MIXED * n_alike)


def mixed(codes: NDArray[Any]) -> NDArray[np.uint64]:
    """A pseudo-random number of each row, the same for rows that are alike."""
    factors: NDArray[np.uint64] = np.random.default_rng(_SEED).integers(2**63, size=codes.shape[1:], dtype=np.uint64)
    out = np.zeros(len(codes), dtype=np.uint64)
    for j in range(codes.shape[1]):
        out += (codes[:, j].astype(np.uint64) + np.uint64(1)) * (factors[j] | np.uint64(1))
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (29, 0xC4CEB9FE1A85EC53)):
        out ^= out >> np.uint64(shift)
        out *= np.uint64(factor)
    out ^= out >> np.uint64(32)
    return out
