"""Quantiles of two sizes, fine intervals inside coarse ones; fine cuts move to where the class changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._column_summary import Summary, middles
from gnbayes.encoding._feature import Feature
from gnbayes.encoding.discretizers._base import Discretizer, check_n_bins
from gnbayes.encoding.discretizers._mdlp import mdlp_starts

# Most fine intervals, rows that each of them takes, and the range and rows of coarse intervals.
_MOST_FINE, _ROWS_OF_FINE = 40, 10
_LEAST_COARSE, _MOST_COARSE, _ROWS_OF_COARSE_SQUARED = 5, 8, 40
# Changes of the class are looked for between so many quantiles.
_PLACES_OF_CHANGE = 1000


class NestedDiscretizer(Discretizer):
    """Cut each column into fine intervals, and join them to coarse ones.

    Both are quantiles: intervals that hold about the same number of rows. A value that alone holds more than such a
    share gets an interval of its own, and what is left is shared out anew. Where the class changes, by the rule of
    Fayyad and Irani (1993), the nearest fine cut moves to that place. Fine cuts include the coarse ones, and each lies
    in the middle between two neighbouring values. A column of one or two values is left as it is.

    Parameters
    ----------
    n_bins : int, default=40
        Largest number of fine intervals per column, apart from cuts that only the coarse intervals have.
    n_coarse_bins : int, default=8
        Largest number of coarse intervals.

    Attributes
    ----------
    features_, bin_edges_, bin_labels_, n_bins_, n_features_in_, feature_names_in_
        As in `QuantileDiscretizer`, of the fine intervals; `coarse` of a feature joins them.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import NestedDiscretizer
    >>> X, y = np.arange(40.0).reshape(-1, 1), np.arange(40) > 12
    >>> bins = NestedDiscretizer(n_bins=4, n_coarse_bins=2).fit(X, y)
    >>> bins.bin_edges_[0].tolist(), bins.features_[0].coarse
    ([12.5, 19.5, 29.5], (0, 0, 1, 1))
    """

    uses_labels = True
    _summarizes_by_class = True

    def __init__(self, n_bins: int = 40, n_coarse_bins: int = 8) -> None:
        self.n_bins = n_bins
        self.n_coarse_bins = n_coarse_bins

    def check_parameters(self) -> None:
        check_n_bins(self.n_bins)
        if not isinstance(self.n_coarse_bins, int | np.integer) or not 2 <= self.n_coarse_bins <= self.n_bins:
            raise ValueError(
                f"n_coarse_bins must be a whole number from 2 to n_bins, {self.n_bins}, got {self.n_coarse_bins!r} "
                "instead."
            )

    def _cuts(self, name: str, index: int, summary: Summary) -> NDArray[np.float64] | None:
        if len(summary.values) <= self.most_left_alone:
            return None
        rows = summary.counts.sum(axis=1)
        fine = _moved(quantile_starts(rows, self.n_bins), _changes(summary.counts), rows, self.n_bins)
        return np.union1d(middles(summary.values, fine), self._coarse_cuts(summary))

    def _feature(self, name: str, index: int, summary: Summary, has_missing: bool) -> Feature:
        feature = super()._feature(name, index, summary, has_missing)
        if feature.kind == "category":
            return feature
        coarse = self._coarse_cuts(summary)
        if len(coarse) == len(feature.edges):
            return feature
        joined = np.searchsorted(coarse, feature.lower_bounds, side="right")
        return replace(feature, coarse=tuple(joined.tolist()))

    def coarse_codes(self, rows: NDArray[Any]) -> tuple[int, ...]:
        starts = quantile_starts(rows, self.n_coarse_bins)
        if len(starts) + 1 >= len(rows):
            return ()
        return tuple(np.searchsorted(starts, np.arange(len(rows)), side="right").tolist())

    def _coarse_cuts(self, summary: Summary) -> NDArray[np.float64]:
        return middles(summary.values, quantile_starts(summary.counts.sum(axis=1), self.n_coarse_bins))

    @property
    def most_left_alone(self) -> int:
        return 2


def nested_for(n_rows: float) -> NestedDiscretizer:
    """The numbers of intervals that so many rows can feed: five to eight coarse ones, and up to forty fine ones."""
    n_coarse = int(np.clip(np.sqrt(n_rows / _ROWS_OF_COARSE_SQUARED), _LEAST_COARSE, _MOST_COARSE))
    return NestedDiscretizer(min(_MOST_FINE, max(n_coarse, int(n_rows // _ROWS_OF_FINE))), n_coarse)


def quantile_starts(counts: NDArray[Any], n_bins: int) -> NDArray[np.intp]:
    """Positions of the values at which a new interval begins, the first interval aside: equal shares of the rows.

    A value that alone holds more than a share gets an interval of its own, and what is left is shared out anew.

    Parameters
    ----------
    counts : ndarray of shape (m,)
        Rows, or their weight, of each value.
    n_bins : int
    """
    if len(counts) <= n_bins:
        return np.arange(1, len(counts))
    is_heavy = np.zeros(len(counts), dtype=bool)
    while True:
        is_new = ~is_heavy & (counts > counts[~is_heavy].sum() / (n_bins - is_heavy.sum()))
        if not is_new.any() or is_heavy.sum() + is_new.sum() >= n_bins:
            break
        is_heavy |= is_new
    rest = np.where(is_heavy, 0, counts)
    share = rest.sum() / (n_bins - is_heavy.sum())
    # The interval of a value is that of its middle row; the last bits of a quotient do not decide.
    interval = np.floor((np.cumsum(rest) - rest / 2) / share + 1e-9)
    is_start = (np.diff(interval) > 0) | is_heavy[1:] | is_heavy[:-1]
    return np.flatnonzero(is_start) + 1


def _changes(counts: NDArray[Any]) -> NDArray[np.intp]:
    """Positions of the values from which on the class is another, by MDLP; counts by value and class."""
    places = quantile_starts(counts.sum(axis=1), _PLACES_OF_CHANGE)
    found = mdlp_starts(np.add.reduceat(counts, np.append(0, places), axis=0))
    return places[found - 1]


def _moved(starts: NDArray[np.intp], to: NDArray[np.intp], rows: NDArray[Any], n_bins: int) -> NDArray[np.intp]:
    """Starts of which the nearest to each other place, counted in rows, has moved there; not from a frequent value."""
    if not len(to):
        return starts
    below, is_frequent = np.cumsum(rows), rows > rows.sum() / (2 * n_bins)
    nearest = np.abs(below[starts - 1][:, None] - below[to - 1]).argmin(axis=0)
    moves = nearest[~(is_frequent[starts] | is_frequent[starts - 1])[nearest]]
    return np.union1d(np.delete(starts, moves), to)
