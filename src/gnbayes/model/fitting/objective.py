"""The penalised log-loss of rows under tables, and its gradient, for several problems at once.

Unknowns have the shape (p + 1, b, c): one for the intercept before the p unknowns of the tables, b problems that differ
in the weights of the rows, and c columns. For two classes there is one column, the difference of the two, with half the
ridge penalty: the same model as with two columns, whose optimum is plus and minus half of it.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.layout import Layout
from gnbayes.model.fitting.lbfgs import dots
from gnbayes.model.fitting.sums import Kind, RowSums

Array = NDArray[np.float64]


class SummedRows(Protocol):
    """Rows, in memory or elsewhere, of which only sums are needed."""

    @property
    def n_columns(self) -> int:
        """Columns of scores: 1 for two classes, the score of the second, else one for each class."""

    @property
    def class_weights(self) -> Array:
        """Weight of the rows of each class, shape (k,)."""

    def __len__(self) -> int: ...

    def sums(self, kind: Kind, tables: Array, base: Array, row_weights: Array | None = None) -> RowSums:
        """Sums over the rows, with weights of shape (n, b) in b problems, or of one problem with their own weights."""


class Objective:
    """The penalised log-loss of rows as a function of the unknowns of a layout.

    Parameters
    ----------
    layout : Layout
    rows : SummedRows

    Attributes
    ----------
    base : ndarray of shape (c,)
        Log shares of the classes, slightly smoothed and centred: scores without any table.
    ridge_share : float
        Share of a ridge penalty that applies to a column.
    cell_weights : ndarray of shape (number of cells,)
        Weight of the rows in each cell.
    size : ndarray of shape (p + 1,)
        Weight of the rows that each unknown applies to.
    curvature : float
        Mean of p (1 - p), updated by `update_curvature`.
    """

    def __init__(self, layout: Layout, rows: SummedRows) -> None:
        self.layout, self.rows = layout, rows
        self.ridge_share = 0.5 if rows.n_columns == 1 else 1.0
        shares = rows.class_weights + 0.5
        shares /= shares.sum()
        logs = np.log(shares)
        self.base = logs[1:] - logs[:1] if rows.n_columns == 1 else logs - logs.mean()
        self.curvature = float((shares * (1 - shares)).mean())
        no_tables = np.zeros((layout.n_cells, 1, 1))
        sums = rows.sums(Kind.TOTALS, no_tables, np.zeros((1, 1)))
        self.cell_weights = sums.cells[:, 0, 0]
        self.size = np.append(sums.total[0, 0], layout.project_squares(sums.cells)[:, 0, 0])

    def zeros(self, n_problems: int = 1) -> Array:
        """Unknowns that are all 0."""
        return np.zeros((len(self.size), n_problems, self.rows.n_columns))

    def value_and_gradient(self, x: Array, row_weights: Array | None, ridge: Array) -> tuple[Array, Array]:
        """The weighted log-loss plus 1/2 sum_i ridge_i x_i^2 of each problem, shape (b,), and its gradient.

        Parameters
        ----------
        x : ndarray of shape (p + 1, b, c)
        row_weights : ndarray of shape (n, b), optional
            By default, one problem with the weights of the rows.
        ridge : ndarray of shape (p + 1,)
        """
        sums = self._sums(Kind.GRADIENT, x, row_weights)
        gradient = ridge[:, None, None] * x
        value = sums.losses + 0.5 * dots(gradient, x)
        gradient[0] += sums.total
        gradient[1:] += self.layout.project(sums.cells)
        return value, gradient

    def losses(self, x: Array, row_weights: Array) -> Array:
        """Weighted log-loss of each problem, shape (b,)."""
        return self._sums(Kind.LOSSES, x, row_weights).losses

    def update_curvature(self, x: Array) -> Array:
        """Curvature of the log-loss along each unknown of the tables at x, for one problem with all rows, (p, c)."""
        sums = self._sums(Kind.CURVATURE, x, None)
        total = float(self.rows.class_weights.sum())
        self.curvature = max(float(sums.total.sum() / (total * self.rows.n_columns)), 1e-4)
        return self.layout.project_squares(sums.cells)[:, 0]

    def disagreement(self, x: Array, row_weights: NDArray[np.float64]) -> float:
        """Probability that two classes drawn for a row at x differ, weighted mean over the rows; for one problem."""
        sums = self._sums(Kind.CURVATURE, x, row_weights[:, None])
        columns_of_class = 2 if self.rows.n_columns == 1 else 1
        return columns_of_class * float(sums.total.sum()) / float(row_weights.sum())

    def _sums(self, kind: Kind, x: Array, row_weights: Array | None) -> RowSums:
        return self.rows.sums(kind, self.layout.expand(x[1:]), x[0] + self.base, row_weights)
