"""Counts: all that the structure and the parameters of a model are learned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Counts:
    """Class, single and pair counts of a coded table.

    ``a + b`` is the Counts of the two tables stacked. Integers when rows have no weights or whole-number weights,
    float64 otherwise.

    Parameters
    ----------
    cardinalities : ndarray of shape (d,)
        Number of values of each feature.
    classes : ndarray of shape (k,)
        Rows of each class.
    singles : ndarray of shape (sum of cardinalities, k)
        Rows by value and class, one feature after the other.
    pairs : ndarray of shape (m, 2)
        Pairs (i, j), i < j, whose tables are kept, in increasing order.
    cells : ndarray
        The tables of the pairs, one after the other, each (value of i, value of j, class) in C order.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> codes = np.array([[0, 1], [1, 1], [1, 0]], dtype=np.uint8)
    >>> rows = CodedRows(codes, np.array([0, 1, 1]), np.array([2, 2]), n_classes=2)
    >>> counts = count(rows)
    >>> counts.n
    3
    >>> counts.single(0)
    array([[1, 0],
           [0, 2]])
    >>> counts.pair(0, 1)[1, 0]
    array([0, 1])
    >>> (counts + counts).classes
    array([2, 4])
    """

    cardinalities: NDArray[np.intp]
    classes: NDArray[Any]
    singles: NDArray[Any]
    pairs: NDArray[np.intp]
    cells: NDArray[Any]

    @property
    def n(self) -> Any:
        """Number of rows, or their weight."""
        return self.classes.sum().item()

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.cardinalities)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def has_all_pairs(self) -> bool:
        """Whether the tables of all pairs of features are kept."""
        return 2 * len(self.pairs) == self.n_features * (self.n_features - 1)

    @cached_property
    def offsets(self) -> NDArray[np.intp]:
        """Row of `singles` where each feature starts, and the end."""
        return np.concatenate([[0], np.cumsum(self.cardinalities)])

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """Position in `cells` where the table of each pair starts, and the end."""
        return pair_starts(self.cardinalities, self.pairs, self.n_classes)

    def single(self, j: int) -> NDArray[Any]:
        """Counts of feature j by value and class, shape (v_j, k)."""
        return self.singles[self.offsets[j] : self.offsets[j + 1]]

    def pair(self, i: int, j: int) -> NDArray[Any]:
        """Counts of features i and j by value, value and class, shape (v_i, v_j, k)."""
        low, high = (i, j) if i < j else (j, i)
        if (low, high) not in self._rows:
            raise KeyError(f"the table of features {i} and {j} was not kept")
        at = self._rows[low, high]
        shape = (self.cardinalities[low], self.cardinalities[high], self.n_classes)
        table = self.cells[self.starts[at] : self.starts[at + 1]].reshape(shape)
        return table if i < j else table.swapaxes(0, 1)

    @cached_property
    def _rows(self) -> dict[tuple[int, int], int]:
        """Row of `pairs` that holds each pair."""
        return {(i, j): row for row, (i, j) in enumerate(self.pairs.tolist())}

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        for name in ("cardinalities", "pairs"):
            if not np.array_equal(getattr(self, name), getattr(other, name)):
                raise ValueError(f"Counts of different {name} cannot be added; count both with the same features.")
        if self.n_classes != other.n_classes:
            raise ValueError(f"Counts of {self.n_classes} and of {other.n_classes} classes cannot be added.")
        return Counts(
            self.cardinalities,
            self.classes + other.classes,
            self.singles + other.singles,
            self.pairs,
            self.cells + other.cells,
        )

    def recode(self, codes: Sequence[NDArray[np.intp]], cardinalities: NDArray[np.intp]) -> Counts:
        """The same counts for features that have more values.

        Parameters
        ----------
        codes : sequence of ndarray
            ``codes[j][a]`` is the new code of the value a of feature j.
        cardinalities : ndarray of shape (d,)
            The new numbers of values.
        """
        if np.array_equal(cardinalities, self.cardinalities) and all(
            np.array_equal(code, np.arange(len(code))) for code in codes
        ):
            return self
        k = self.n_classes
        starts = pair_starts(cardinalities, self.pairs, k)
        out = Counts(
            cardinalities,
            self.classes,
            np.zeros((int(cardinalities.sum()), k), dtype=self.singles.dtype),
            self.pairs,
            np.zeros(int(starts[-1]), dtype=self.cells.dtype),
        )
        for j, code in enumerate(codes):
            out.single(j)[code] = self.single(j)
        for i, j in self.pairs.tolist():
            out.pair(i, j)[np.ix_(codes[i], codes[j])] = self.pair(i, j)
        return out


def pair_starts(cardinalities: NDArray[np.intp], pairs: NDArray[np.intp], n_classes: int) -> NDArray[np.intp]:
    """Where the table of each pair starts when tables are laid one after the other, and the end."""
    sizes = cardinalities[pairs[:, 0]] * cardinalities[pairs[:, 1]] * n_classes
    return np.concatenate([[0], np.cumsum(sizes)])


def all_pairs(n_features: int) -> NDArray[np.intp]:
    """All pairs (i, j), i < j, in increasing order, shape (d (d - 1) / 2, 2)."""
    return np.stack(np.triu_indices(n_features, 1), axis=1)
