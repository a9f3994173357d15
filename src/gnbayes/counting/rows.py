"""Coded rows: what there is to count."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class CodedRows:
    """A table of codes with the class of every row.

    Parameters
    ----------
    codes : ndarray of shape (n, d)
        Unsigned integers; ``codes[:, j] < cardinalities[j]``. Fastest when every column is contiguous.
    labels : ndarray of shape (n,)
        Class index of each row, 0 to ``n_classes - 1``.
    cardinalities : ndarray of shape (d,)
        Number of values of each feature.
    n_classes : int
    weights : ndarray of shape (n,), optional
        Weight of each row. Whole-number weights are counted exactly, as that many rows.
    """

    codes: NDArray[Any]
    labels: NDArray[np.intp]
    cardinalities: NDArray[np.intp]
    n_classes: int
    weights: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        if self.codes.shape != (len(self.labels), len(self.cardinalities)):
            raise ValueError(
                f"codes must have one row a label and one column a cardinality, {len(self.labels)} x "
                f"{len(self.cardinalities)}; got shape {self.codes.shape} instead."
            )

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.labels)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.cardinalities)

    @cached_property
    def are_whole(self) -> bool:
        """Whether counts are whole numbers."""
        if self.weights is None:
            return True
        # Beyond 2**53 every float is a whole number, and sums are rounded.
        return bool(np.all(self.weights == np.rint(self.weights)) and self.weights.sum() < 2**53)

    def as_counts(self, sums: NDArray[Any]) -> NDArray[Any]:
        """Sums of ones or of weights, as int64 when counts are whole numbers, else as float64."""
        return sums.astype(np.int64 if self.are_whole else np.float64, copy=False)
