"""Counts, from which the structure and the parameters of a model are learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes._html import html_table


@dataclass(frozen=True, eq=False)
class Counts:
    """Class, single and pair counts of a coded table.

    ``a + b`` are the Counts of the two tables stacked. Integers if rows have no weights or integer weights, otherwise
    float64.

    Parameters
    ----------
    cardinalities : ndarray of shape (d,)
        Number of values of each feature.
    classes : ndarray of shape (k,)
        Rows of each class.
    singles : ndarray of shape (sum of cardinalities, k)
        Rows by value and class, one feature after another.
    pairs : ndarray of shape (m, 2), or None
        Pairs (i, j), i < j, whose tables are kept, in increasing order; None for all pairs.
    cells : ndarray
        For chosen pairs, their tables one after another, each (value of i, value of j, class) in C order. For all
        pairs, shape (k, sum of cardinalities, sum of cardinalities), by class, value and value, one feature after
        another on both axes; only the part above the diagonal is used. Whole numbers of all pairs take 2, 4 or 8 bytes,
        as few as hold the number of rows: `pair` returns int64.

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
    pairs: NDArray[np.intp] | None
    cells: NDArray[Any]

    @property
    def n(self) -> Any:
        """Number of rows, or their total weight."""
        return self.classes.sum().item()

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.cardinalities)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    def __repr__(self) -> str:
        pairs = "all pairs" if self.pairs is None else f"{len(self.pairs)} pairs"
        features = "1 feature" if self.n_features == 1 else f"{self.n_features} features"
        return f"Counts of {self.n:,.12g} rows: {features}, {self.n_classes} classes, {pairs}"

    def _repr_html_(self) -> str:
        lines = [[f"class {at}", f"{rows:,.12g}"] for at, rows in enumerate(self.classes.tolist())]
        return html_table(repr(self), ["", "rows"], lines)

    @cached_property
    def offsets(self) -> NDArray[np.intp]:
        """Row of `singles` where each feature starts, and the end."""
        return value_offsets(self.cardinalities)

    def single(self, j: int) -> NDArray[Any]:
        """Counts of feature j by value and class, shape (v_j, k)."""
        return self.singles[self.offsets[j] : self.offsets[j + 1]]

    def pair(self, i: int, j: int) -> NDArray[Any]:
        """Counts of features i and j by value, value and class, shape (v_i, v_j, k)."""
        low, high = (i, j) if i < j else (j, i)
        table = _wide(self._kept_pair(low, high) if self.pairs is not None else self._any_pair(low, high))
        return table if i < j else table.swapaxes(0, 1)

    def places(
        self, i: NDArray[np.intp], j: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], int]:
        """Where the tables of pairs of features lie in the flat `cells`.

        Parameters
        ----------
        i, j : ndarray of shape (m,)

        Returns
        -------
        first, i_step, j_step : ndarray of shape (m,)
            Position of the first cell of each table, and the step to the next value of i and of j.
        class_step : int
            Step to the next class.
        """
        low, high = np.minimum(i, j), np.maximum(i, j)
        if self.pairs is None:
            n = int(self.offsets[-1])
            first, class_step = self.offsets[low] * n + self.offsets[high], n * n
            low_step, high_step = np.full_like(low, n), np.ones_like(low)
        else:
            first, class_step = self._starts[self._positions(low, high)], 1
            low_step, high_step = self.cardinalities[high] * self.n_classes, np.full_like(low, self.n_classes)
        return first, np.where(i < j, low_step, high_step), np.where(i < j, high_step, low_step), class_step

    def _any_pair(self, i: int, j: int) -> NDArray[Any]:
        at = self.offsets
        return self.cells[:, at[i] : at[i + 1], at[j] : at[j + 1]].transpose(1, 2, 0)

    def _kept_pair(self, i: int, j: int) -> NDArray[Any]:
        at = int(self._positions(np.array([i]), np.array([j]))[0])
        table = self.cells[self._starts[at] : self._starts[at + 1]]
        return table.reshape(self.cardinalities[i], self.cardinalities[j], self.n_classes)

    def _positions(self, low: NDArray[np.intp], high: NDArray[np.intp]) -> NDArray[np.intp]:
        """Positions of the given pairs among the kept pairs."""
        keys, wanted = self._keys, low * self.n_features + high
        at = np.searchsorted(keys, wanted)
        lost = np.flatnonzero(np.append(keys, -1)[at] != wanted)
        if len(lost):
            raise KeyError(f"the table of features {low[lost[0]]} and {high[lost[0]]} was not kept")
        return at

    @cached_property
    def _keys(self) -> NDArray[np.intp]:
        """A sorted integer key for each kept pair."""
        pairs = np.empty((0, 2), dtype=np.intp) if self.pairs is None else self.pairs
        return np.asarray(pairs[:, 0] * self.n_features + pairs[:, 1])

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        """Where the table of each kept pair begins, and the end."""
        if self.pairs is None:
            return np.zeros(1, dtype=np.intp)
        return value_offsets(self.cardinalities[self.pairs].prod(axis=1) * self.n_classes)

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        for name in ("cardinalities", "pairs"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if (mine is None) != (theirs is None) or not np.array_equal(mine, theirs):
                raise ValueError(f"Counts of different {name} cannot be added; count both with the same features.")
        if self.n_classes != other.n_classes:
            raise ValueError(f"Counts of {self.n_classes} and of {other.n_classes} classes cannot be added.")
        return Counts(
            self.cardinalities,
            self.classes + other.classes,
            self.singles + other.singles,
            self.pairs,
            _sum_of_cells(self, other),
        )

    def recode(self, codes: Sequence[NDArray[np.intp]], cardinalities: NDArray[np.intp]) -> Counts:
        """The same counts, of all pairs or of none, for features with additional values.

        Parameters
        ----------
        codes : sequence of ndarray
            ``codes[j][a]`` is the new code of the value a of feature j.
        cardinalities : ndarray of shape (d,)
            The new numbers of values.
        """
        offsets = value_offsets(cardinalities)
        place = np.concatenate([start + code for start, code in zip(offsets[:-1], codes, strict=True)])
        singles = np.zeros((offsets[-1], self.n_classes), dtype=self.singles.dtype)
        singles[place] = self.singles
        cells = self.cells
        if self.pairs is None:
            cells = np.zeros((self.n_classes, offsets[-1], offsets[-1]), dtype=self.cells.dtype)
            cells[:, place[:, None], place] = self.cells
        return Counts(cardinalities, self.classes, singles, self.pairs, cells)


def value_offsets(cardinalities: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where each feature starts when the values of all features are concatenated, and the end."""
    return np.concatenate([[0], np.cumsum(cardinalities)])


def _wide(cells: NDArray[Any]) -> NDArray[Any]:
    """Cells in a type in which sums and differences are safe."""
    return cells.astype(np.int64) if cells.dtype.kind == "u" else cells


def _sum_of_cells(first: Counts, second: Counts) -> NDArray[Any]:
    """Sums of cells, in few bytes if they still fit."""
    if {first.cells.dtype.kind, second.cells.dtype.kind} != {"u"}:
        return np.asarray(_wide(first.cells) + _wide(second.cells))
    kinds = (first.cells.dtype, second.cells.dtype, np.min_scalar_type(first.n + second.n))
    return np.asarray(np.add(first.cells, second.cells, dtype=np.result_type(*kinds)))
