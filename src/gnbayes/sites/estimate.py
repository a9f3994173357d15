"""Estimate valid, mutually consistent tables from tables with noise or with suppressed small cells.

First the classes, then columns, then pairs. Each level is measured in several ways, because sums over a larger table
are measurements of a smaller one; they are averaged by their precision. Then it is shrunk toward what the
previous level predicts: the values of a column toward independence of the class, pairs toward independence given the
class, first in the same way for all classes and then for each class. Only released numbers are used, so this costs no
privacy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import ranges
from gnbayes.sites.measurements import Measured, weighted_mean
from gnbayes.sites.shrinkage import positive_mean, shrink
from gnbayes.sites.site_counts import Table

Array = NDArray[np.float64]
Pair = tuple[int, int]

# Prior probability that a column is not informative about the class.
_INDEPENDENT_COLUMN = 0.5
# Prior probability that two features depend on each other in the same way in all classes.
_SAME_IN_ALL_CLASSES = 0.5
# Prior probability that the values of a column are equally frequent.
_EVEN_VALUES = 0.2
# Added to the sampling variance of a cell: a single row is never very improbable.
_LEAST_CHANCE = 0.25
_ADJUSTMENTS = 10
# Most cells of tables of the same shape that are estimated in one go.
_CELLS_AT_ONCE = 2**20
_SWEEPS = 50


@dataclass(frozen=True, eq=False)
class Estimate:
    """Nonnegative tables with consistent sums.

    Parameters
    ----------
    classes : ndarray of shape (k,)
    columns : list of ndarray of shape (v_j, k)
    column_spread : ndarray of shape (d,)
        How much the class shares vary between the values of a column: 0 if it is not informative.
    pairs : dict of {(i, j): ndarray of shape (v_i, v_j, k)}
    independent : dict of {(i, j): float}
        Probability that the features of a pair are independent given the class, given the noise.
    """

    classes: Array
    columns: list[Array]
    column_spread: Array
    pairs: dict[Pair, Array]
    independent: dict[Pair, float]

    @property
    def n(self) -> float:
        """Number of rows."""
        return float(self.classes.sum())

    def expected_pair(self, i: int, j: int) -> Array:
        """The table of a pair if its features were independent given the class."""
        return _product(self.columns[i], self.columns[j], self.classes)


def estimate_tables(
    measured: Mapping[Table, Measured], cardinalities: NDArray[np.intp], independent_pair: float
) -> Estimate:
    """Estimate mutually consistent tables.

    Parameters
    ----------
    measured : dict of {features: Measured}
        Every feature must be in one of the tables.
    cardinalities : ndarray of shape (d,)
    independent_pair : float
        Prior probability that a pair of features is independent given the class.
    """
    classes = weighted_mean([table.classes for table in measured.values()])
    totals = positive_mean(classes.cells, np.sqrt(classes.variance))
    found = [_column(margins, classes.cells, totals) for margins in _margins(measured, len(cardinalities))]
    columns = [column for column, _ in found]
    pairs: dict[Pair, Array] = {}
    independent: dict[Pair, float] = {}
    for tables in _of_one_shape(measured):
        of_columns = [[columns[j] for j in table] for table in tables]
        cells, chances = _pairs([measured[table] for table in tables], of_columns, totals, independent_pair)
        for at, (i, j) in enumerate(tables):
            pairs[i, j], independent[i, j] = cells[at], float(chances[at])
    return Estimate(totals, columns, np.array([spread for _, spread in found]), pairs, independent)


def _margins(measured: Mapping[Table, Measured], n_columns: int) -> list[Measured]:
    """All measurements of each column."""
    found: list[list[Measured]] = [[] for _ in range(n_columns)]
    for features, table in measured.items():
        for axis, j in enumerate(features):
            found[j].append(table if len(features) == 1 else table.margin(1 - axis))
    return [weighted_mean(parts) for parts in found]


def _of_one_shape(measured: Mapping[Table, Measured]) -> Iterator[list[Table]]:
    """Pairs whose tables have the same shape, in groups of limited size."""
    by_shape: defaultdict[tuple[int, ...], list[Table]] = defaultdict(list)
    for table, found in measured.items():
        if len(table) == 2:
            by_shape[found.cells.shape].append(table)
    for shape, alike in by_shape.items():
        for start, stop in ranges(len(alike), max(1, _CELLS_AT_ONCE // int(np.prod(shape)))):
            yield alike[start:stop]


def _column(measured: Measured, classes: Array, totals: Array) -> tuple[Array, float]:
    """The table of a column, shape (v, k), with the given totals, and its spread."""
    cells, variance = measured.cells, measured.variance
    shares = totals / totals.sum()
    cells = cells + (classes - cells.sum(axis=0)) * variance / variance.sum(axis=0)
    if len(cells) == 1:
        return totals[None], 0.0
    values = _values(cells.sum(axis=1), variance.sum(axis=1), totals.sum())
    expected = values[:, None] * shares
    variance = variance + expected + _LEAST_CHANCE
    free = 1.0 - variance / variance.sum(axis=0)
    noise = free * (variance * (1 - 2 * shares) + shares**2 * variance.sum(axis=1, keepdims=True))
    n_free = (len(values) - 1) * (len(shares) - 1)
    # The sums over classes are fixed by now; what remains is how they are divided among the classes.
    observed = expected + cells - cells.sum(axis=1, keepdims=True) * shares
    result = shrink(observed[None], expected[None], noise[None], n_free, _INDEPENDENT_COLUMN)
    return _with_margins(result.cells[0], values, totals), float(result.spread[0])


def _values(cells: Array, variance: Array, n: float) -> Array:
    """Number of rows of each value of a column, shape (v,), shrunk towards equal frequencies."""
    even = np.full(len(cells), n / len(cells))
    noise = (variance + even) * (1 - 1 / len(cells))
    values = shrink(cells[None], even[None], noise[None], len(cells) - 1, _EVEN_VALUES).cells[0]
    return values * (n / values.sum())


def _pairs(
    measured: list[Measured], columns: list[list[Array]], totals: Array, independent: float
) -> tuple[Array, Array]:
    """Tables of pairs of one shape, (m, v_i, v_j, k), and the probabilities that their features are independent."""
    cells, variance = (np.stack([getattr(table, name) for table in measured]) for name in ("cells", "variance"))
    left, right = (np.stack([pair[side] for pair in columns]) for side in (0, 1))
    expected = _product(left, right, totals)
    m, v_left, v_right, k = expected.shape
    if v_left == 1 or v_right == 1:
        return expected, np.ones(m)
    variance = variance + expected + _LEAST_CHANCE
    by_left, by_right = variance.sum(axis=2), variance.sum(axis=1)
    for _ in range(_ADJUSTMENTS):
        cells = cells + ((left - cells.sum(axis=2)) / by_left)[:, :, None] * variance
        cells = cells + ((right - cells.sum(axis=1)) / by_right)[:, None] * variance
    free = (1 - variance / by_left[:, :, None]) * (1 - variance / by_right[:, None])
    variance = variance * free
    n_free = (v_left - 1) * (v_right - 1)
    # What the classes have in common is known best, and noise in it must not be mistaken for evidence of a class.
    common = shrink(cells.sum(axis=3), expected.sum(axis=3), variance.sum(axis=3), n_free, independent)
    alike = fitted(expected * (common.cells / expected.sum(axis=3))[..., None], left, right)
    result = shrink(cells, alike, variance, n_free * (k - 1), _SAME_IN_ALL_CLASSES)
    # Evidence by class counts as much as evidence for all classes, whatever the prior probability.
    against = independent * result.independent / _SAME_IN_ALL_CLASSES
    in_favour = (1 - independent) * (1 - result.independent) / (1 - _SAME_IN_ALL_CLASSES)
    return fitted(result.cells, left, right), np.minimum(common.independent, against / (against + in_favour))


def _product(left: Array, right: Array, totals: Array) -> Array:
    return left[..., :, None, :] * right[..., None, :, :] / totals


def _with_margins(cells: Array, values: Array, totals: Array) -> Array:
    """Scale a table of a column, shape (v, k), to the given totals of its values and of the classes."""
    for _ in range(_SWEEPS):
        cells = cells * (values / cells.sum(axis=1))[:, None]
        cells = cells * (totals / cells.sum(axis=0))
    return cells


def fitted(table: Array, left: Array, right: Array) -> Array:
    """Scale tables of pairs to the given margins of their two features, shapes (m, v_i, k) and (m, v_j, k).

    This is iterative proportional fitting. The difference that remains is added as if the features were independent:
    the rounding of Altschuler, Weed and Rigollet (2017).
    """
    for _ in range(_SWEEPS):
        table = table * _ratio(left, table.sum(axis=2))[:, :, None]
        table = table * _ratio(right, table.sum(axis=1))[:, None]
    table = table * np.minimum(_ratio(left, table.sum(axis=2)), 1.0)[:, :, None]
    table = table * np.minimum(_ratio(right, table.sum(axis=1)), 1.0)[:, None]
    short_left, short_right = (np.maximum(t, 0.0) for t in (left - table.sum(axis=2), right - table.sum(axis=1)))
    total = np.broadcast_to(short_left.sum(axis=1, keepdims=True), short_right.shape)
    return table + short_left[:, :, None] * _ratio(short_right, total)[:, None]


def _ratio(wanted: Array, found: Array) -> Array:
    return np.divide(wanted, found, out=np.zeros_like(found), where=found > 0)
