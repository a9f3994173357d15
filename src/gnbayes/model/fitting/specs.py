"""The definition of a term, before it is fitted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.cells import sum_steps

PENALTIES = ("walk", "line", "free", "surface")
_OF_ONE_FEATURE = ("walk", "line")
MOST_FEATURES = 3


@dataclass(frozen=True, eq=False)
class TermSpec:
    """A table over the codes of 1 to 3 features, without values, and the penalty of its values.

    Parameters
    ----------
    features : tuple of int
        Columns of the codes, 1 to 3.
    maps : tuple of ndarray of shape (v_j,)
        One per feature: for each of its v_j codes, the code along its axis of the table. Codes along an axis go from 0
        to their maximum.
    penalty : {"walk", "line", "free", "surface"}
        "free": a ridge penalty on the cells. "walk", for one ordered feature: a random walk, which penalises
        differences of neighbours but not the level. "line", for one ordered feature: values on a straight line along
        the codes, with a ridge penalty on its slope. "surface", for ordered features: a ridge penalty on the
        coefficients of tensor products of waves, in which slow waves are large.
    has_missing : tuple of bool
        One per feature: whether the last code along its axis stands for a missing value, which has no neighbours.
    family : int, default=0
        Terms of a family share a multiplier of their penalties.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.fitting import TermSpec
    >>> fine, coarse = np.arange(4), np.array([0, 0, 1, 1])
    >>> TermSpec((2,), (fine,), "walk", (False,)).shape
    (4,)
    >>> TermSpec((0, 2), (np.arange(3), coarse), "free", (True, False), family=1).shape
    (3, 2)
    """

    features: tuple[int, ...]
    maps: tuple[NDArray[np.intp], ...]
    penalty: str
    has_missing: tuple[bool, ...]
    family: int = 0

    def __post_init__(self) -> None:
        n = len(self.features)
        if not 1 <= n <= MOST_FEATURES or len(self.maps) != n or len(self.has_missing) != n:
            raise ValueError(
                f"a term must have 1 to {MOST_FEATURES} features with one map and one has_missing each, got {n} "
                f"features, {len(self.maps)} maps and {len(self.has_missing)} has_missing instead."
            )
        if self.penalty not in PENALTIES or (self.penalty in _OF_ONE_FEATURE and n != 1):
            raise ValueError(
                f"penalty must be one of {', '.join(PENALTIES)}, and 'walk' and 'line' are for one feature, got "
                f"{self.penalty!r} for {n} features instead."
            )

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Number of codes along each axis."""
        return tuple(int(codes.max()) + 1 for codes in self.maps)

    @cached_property
    def n_cells(self) -> int:
        """Number of cells of the table."""
        return prod(self.shape)

    @cached_property
    def n_ordered(self) -> tuple[int, ...]:
        """Number of codes along each axis that stand for values."""
        return tuple(size - missing for size, missing in zip(self.shape, self.has_missing, strict=True))

    @cached_property
    def is_free(self) -> bool:
        """Whether every cell is an unknown of its own; also true of a walk or line along fewer than three values."""
        return self.penalty == "free" or (self.penalty in _OF_ONE_FEATURE and self.n_ordered[0] < 3)

    def cells(self, codes: NDArray[Any], out: NDArray[Any] | None = None) -> NDArray[np.unsignedinteger]:
        """The cell that each row falls into, numbered in C order.

        Parameters
        ----------
        codes : ndarray of shape (n, d)
        out : ndarray of shape (n,), optional
            Array for the result.

        Returns
        -------
        cells : ndarray of shape (n,)
            In the smallest unsigned type that holds all cells.
        """
        step, steps = self.n_cells, []
        for codes_along, size in zip(self.maps, self.shape, strict=True):
            step //= size
            steps.append(codes_along * step)
        columns = [codes[:, feature] for feature in self.features]
        return sum_steps(columns, steps, np.min_scalar_type(self.n_cells - 1), out)
