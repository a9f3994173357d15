"""Coded rows, the input of counting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting._bits import Bits, few_values
from gnbayes.kernels import for_each, ranges


class RowSource(Protocol):
    """Coded rows, local or remote, that can be processed in parts any number of times.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, RowSource, count
    >>> rows = CodedRows(np.array([[0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1]), np.array([2, 2]), 2)
    >>> source: RowSource = rows
    >>> source.add_up(count).n
    3
    """

    def add_up(self, work: Callable[[CodedRows], Any]) -> Any:
        """The sum, by ``+``, of the results for all parts of the rows.

        Parameters
        ----------
        work : callable
            Called with every part; must be picklable, without side effects, and return sums that do not depend on how
            the rows are divided.
        """


@dataclass(frozen=True, eq=False)
class CodedRows:
    """A table of codes with the class of every row.

    Parameters
    ----------
    codes : ndarray of shape (n, d)
        Integers, ``0 <= codes[:, j] < cardinalities[j]``; unsigned with contiguous columns, otherwise a copy is made.
    labels : ndarray of shape (n,)
        Class index of each row, 0 to ``n_classes - 1``.
    cardinalities : ndarray of shape (d,)
        Number of values of each feature.
    n_classes : int
    weights : ndarray of shape (n,), optional
        Weight of each row. Integer weights are counted exactly, as that many rows.
    n_threads : int, default=1
        Number of threads for counting; the counts do not depend on it.
    groups : ndarray of shape (n,), optional
        Number of the group of each row. Rows are held out in whole groups.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> rows = CodedRows(np.array([[0, 2], [1, 0], [1, 1]]), np.array([0, 1, 1]), np.array([2, 3]), 2)
    >>> rows.n_rows, rows.n_features, rows.codes.dtype.kind
    (3, 2, 'u')
    """

    codes: NDArray[Any]
    labels: NDArray[np.intp]
    cardinalities: NDArray[np.intp]
    n_classes: int
    weights: NDArray[np.float64] | None = None
    n_threads: int = 1
    groups: NDArray[np.intp] | None = None

    def __post_init__(self) -> None:
        if self.codes.shape != (len(self.labels), len(self.cardinalities)):
            raise ValueError(
                f"codes must have one row per label and one column per cardinality, {len(self.labels)} x "
                f"{len(self.cardinalities)}; got shape {self.codes.shape} instead."
            )
        if len(self.labels) and not (self.labels.min() >= 0 and self.labels.max() < self.n_classes):
            raise ValueError(f"labels must be class indices from 0 to {self.n_classes - 1}.")
        object.__setattr__(self, "codes", np.asfortranarray(_unsigned(self.codes)))
        object.__setattr__(self, "labels", np.ascontiguousarray(self.labels, dtype=np.int64))
        object.__setattr__(self, "cardinalities", np.ascontiguousarray(self.cardinalities, dtype=np.intp))
        if self.weights is not None:
            object.__setattr__(self, "weights", np.ascontiguousarray(self.weights, dtype=np.float64))
        if (self._largest_codes() >= np.maximum(self.cardinalities, 1)).any():
            raise ValueError("codes must be below the cardinality of their feature.")

    def _largest_codes(self) -> NDArray[Any]:
        largest = np.zeros(self.n_features, dtype=self.codes.dtype)

        def look(columns: tuple[int, int]) -> None:
            self.codes[:, slice(*columns)].max(axis=0, initial=0, out=largest[slice(*columns)])

        for_each(look, ranges(self.n_features, self.n_features // self.n_threads + 1), self.n_threads)
        return largest

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.labels)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.cardinalities)

    def add_up(self, work: Callable[[CodedRows], Any]) -> Any:
        """The result for all rows: they are a `RowSource` of one part."""
        return work(self)

    @cached_property
    def are_whole(self) -> bool:
        """Whether counts are integers."""
        return self.weights is None or are_whole(self.weights)

    @cached_property
    def bits(self) -> Bits:
        """The features with few values as bit strings."""
        few = np.flatnonzero(self.cardinalities <= few_values())
        codes, columns = self.codes, few
        if codes.dtype != np.uint8:
            codes, columns = codes[:, few].astype(np.uint8, order="F"), np.arange(len(few))
        return Bits.of(codes, columns, few, self.cardinalities[few], self.labels, self.n_classes, self.n_threads)

    def as_counts(self, sums: NDArray[Any]) -> NDArray[Any]:
        """Sums of ones or of weights: int64 if counts are integers, otherwise float64."""
        return sums.astype(np.int64 if self.are_whole else np.float64, copy=False)

    def as_cells(self, sums: NDArray[Any]) -> NDArray[Any]:
        """The same for the cells of all pairs, of which there may be very many: see `type_of_cells`."""
        return sums.astype(self.type_of_cells, copy=False)

    @cached_property
    def type_of_cells(self) -> np.dtype[Any]:
        """float64, or, for whole numbers, 2, 4 or 8 bytes: as few as hold the number of rows."""
        if not self.are_whole:
            return np.dtype(np.float64)
        n = self.n_rows if self.weights is None else int(self.weights.sum())
        return np.dtype(np.uint16 if n < 2**16 else np.uint32 if n < 2**32 else np.int64)


def row_numbers(weights: NDArray[np.float64] | None, n: int) -> NDArray[np.int64]:
    """How many rows each row stands for: its weight if all weights are whole numbers, otherwise 1, shape (n,).

    Parameters
    ----------
    weights : ndarray of shape (n,), optional
    n : int
        Number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import row_numbers
    >>> row_numbers(np.array([1.0, 3.0]), 2).tolist(), row_numbers(np.array([1.0, 3.5]), 2).tolist()
    ([1, 3], [1, 1])
    """
    return weights.astype(np.int64) if weights is not None and are_whole(weights) else np.ones(n, dtype=np.int64)


def are_whole(weights: NDArray[np.float64]) -> bool:
    """Whether weights are numbers of rows: integers whose sum float64 holds exactly.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import are_whole
    >>> are_whole(np.array([1.0, 3.0])), are_whole(np.array([1.0, 3.5]))
    (True, False)
    """
    # Beyond 2**53 every float is an integer, and sums are rounded.
    return bool(np.all(weights == np.rint(weights)) and weights.sum() < 2**53)


def _unsigned(codes: NDArray[Any]) -> NDArray[Any]:
    if codes.dtype.kind == "u" and codes.dtype.itemsize <= 4:
        return codes.astype(codes.dtype.newbyteorder("="), copy=False)
    if codes.dtype.kind not in "iub" or (codes.size and codes.min() < 0):
        raise ValueError(f"codes must be whole numbers from 0, got {codes.dtype} instead.")
    return codes.astype(np.min_scalar_type(codes.max(initial=0)))
