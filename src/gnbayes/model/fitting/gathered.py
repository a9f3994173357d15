"""Rows on disk or on other machines: the sums that are needed are computed where the rows are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, RowSource
from gnbayes.kernels import for_each, limit_threads
from gnbayes.model.fitting.cells import count_cells
from gnbayes.model.fitting.layout import Layout
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.sums import Array, FittingRows, Kind, RowSums, WholeSums, fixed_point_unit, whole_sums


@dataclass(frozen=True, eq=False)
class TermCounts:
    """Total weight of the rows of each class and in each cell of each term; ``a + b`` is that of both sets of rows.

    Parameters
    ----------
    classes : ndarray of shape (k,)
    cells : tuple of ndarray of shape (number of cells of the table,)
        One per term.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import TermSpec
    >>> from gnbayes.model.fitting import count_terms
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> specs = [TermSpec((j,), (np.arange(2),), "free", (False,)) for j in range(2)]
    >>> counts = count_terms(rows, specs) + count_terms(rows, specs)
    >>> counts.classes.tolist(), [cells.tolist() for cells in counts.cells]
    ([4, 4], [[6, 2], [4, 4]])
    """

    classes: NDArray[Any]
    cells: tuple[NDArray[Any], ...]

    def __add__(self, other: TermCounts) -> TermCounts:
        both = zip(self.cells, other.cells, strict=True)
        return TermCounts(self.classes + other.classes, tuple(mine + others for mine, others in both))


def count_terms(rows: CodedRows, specs: Sequence[TermSpec]) -> TermCounts:
    """Count the rows of each class and of each cell of terms.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import TermSpec
    >>> from gnbayes.model.fitting import count_terms
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> specs = [TermSpec((j,), (np.arange(2),), "free", (False,)) for j in range(2)]
    >>> [cells.tolist() for cells in count_terms(rows, specs).cells]
    [[3, 1], [2, 2]]
    """
    classes = np.bincount(rows.labels, rows.weights, minlength=rows.n_classes)
    cells: list[NDArray[Any]] = [np.zeros(0)] * len(specs)

    def count(at: int) -> None:
        own, n_cells = specs[at].cells(rows.codes), specs[at].n_cells
        is_plain = rows.weights is None
        cells[at] = count_cells(own, n_cells) if is_plain else np.bincount(own, rows.weights, minlength=n_cells)

    for_each(count, range(len(specs)), limit_threads(rows.n_threads, rows.n_rows * len(specs)))
    return TermCounts(classes, tuple(cells))


@dataclass(frozen=True, eq=False)
class GatheredRows:
    """All rows of a source, with the same weight, for an objective: each sum is one pass over them.

    Parameters
    ----------
    source : RowSource
    layout : Layout
        A layout with all cells that the rows fall into.
    n_of_class : ndarray of shape (k,)
        Number of rows of each class.
    weight : float, default=1.0
        Weight of each row.
    """

    source: RowSource
    layout: Layout
    n_of_class: Array
    weight: float = 1.0

    def __len__(self) -> int:
        return int(self.n_of_class.sum())

    @property
    def class_weights(self) -> Array:
        """Weight of the rows of each class, shape (k,)."""
        return self.n_of_class * self.weight

    @property
    def n_columns(self) -> int:
        """Columns of scores: 1 for two classes, the score of the second, else one for each class."""
        return 1 if len(self.n_of_class) == 2 else len(self.n_of_class)

    def sums(self, kind: Kind, tables: Array, base: Array, row_weights: Array | None = None) -> RowSums:
        """Sums over all rows, for one problem."""
        if row_weights is not None:
            raise ValueError("rows that are elsewhere have no weights of their own.")
        unit = fixed_point_unit(len(self) * self.weight, self.weight)
        problem = (kind, self.layout, tables, base)
        work = partial(_sums_of_part, problem=problem, weight=self.weight, unit=unit)
        found: WholeSums = self.source.add_up(work)
        return found.numbers(unit)


def _sums_of_part(rows: CodedRows, problem: tuple[Kind, Layout, Array, Array], weight: float, unit: float) -> WholeSums:
    kind, layout, tables, base = problem
    weights = np.full(rows.n_rows, weight)
    part = FittingRows(layout.cells_of(rows.codes), rows.labels, weights, rows.n_classes, rows.n_threads)
    return whole_sums(kind, part, weights[:, None], tables, base, unit)
