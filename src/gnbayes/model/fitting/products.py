"""Products of small matrices along the axes of tables, in a fixed order of additions: no linear algebra library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import native

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AxisMatrix:
    """A matrix that is multiplied along one axis.

    Parameters
    ----------
    transposed : ndarray of shape (n_in, n_out)
        The matrix by columns.
    """

    transposed: Array

    @classmethod
    def of(cls, matrix: Array) -> AxisMatrix:
        """From a matrix of shape (n_out, n_in)."""
        return cls(np.ascontiguousarray(matrix.T))

    def multiply(self, values: Array, out: Array, n_before: int) -> None:
        """Multiply along the second axis of (n_before, n_in, n_after), into (n_before, n_out, n_after).

        Each result is the sum over the axis, added in order.
        """
        n_in, n_out = self.transposed.shape
        n_after = values.size // (n_before * n_in)
        if native is not None:
            native.axis_product(self.transposed, n_out, n_in, n_before, n_after, values, out)
            return
        from_, to = values.reshape(n_before, n_in, n_after), out.reshape(n_before, n_out, n_after)
        to[...] = 0.0
        for j in range(n_in):
            to += self.transposed[j][:, None] * from_[:, j, None]


def multiply_axes(matrices: Sequence[AxisMatrix], values: Array, out: Array, n_tables: int) -> None:
    """Multiply stacked tables by a matrix along each of their axes.

    Parameters
    ----------
    matrices : sequence of AxisMatrix
    values : ndarray of shape (n_tables * product of all n_in, ...)
        Contiguous.
    out : ndarray of shape (n_tables * product of all n_out, ...)
        Contiguous; the result.
    n_tables : int
    """
    n_before = n_tables
    for at, matrix in enumerate(matrices):
        n_in, n_out = matrix.transposed.shape
        target = out if at == len(matrices) - 1 else np.empty(values.size // n_in * n_out)
        matrix.multiply(values, target, n_before)
        values, n_before = target, n_before * n_out
