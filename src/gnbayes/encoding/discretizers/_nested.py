"""Fine quantile bins nested in coarse ones; fine cuts move to where the class distribution changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._column_summary import Summary
from gnbayes.encoding._feature import Feature
from gnbayes.encoding.discretizers._base import Discretizer, check_n_bins, interval_feature
from gnbayes.encoding.discretizers._mdlp import mdlp_starts
from gnbayes.encoding.discretizers._nested_block import features_of_block

# Maximum number of fine bins, rows per fine bin, and the range and rows of coarse bins.
_MOST_FINE, _ROWS_OF_FINE = 40, 10
_LEAST_COARSE, _MOST_COARSE, _ROWS_OF_COARSE_SQUARED = 5, 8, 40
# Changes of the class distribution are searched for between this many quantiles.
_PLACES_OF_CHANGE = 1000
# Part of a row by which weights may differ and still count as equal, for all bins together: numbers of rows differ by
# more or not at all, so that a small change of weights moves no cut.
_SLACK = 1 / 8


class NestedDiscretizer(Discretizer):
    """Cut each column into fine bins, and merge them into coarse ones.

    Both are quantile bins, which contain about the same number of rows. A value that alone holds more than such a share
    gets a bin of its own, and the remaining rows are divided again. Where the class distribution changes, according to
    the rule of Fayyad and Irani (1993), the nearest fine cut moves to that place. The fine cuts include the coarse
    ones, and each is the midpoint between two adjacent values. A column of one or two values is used unchanged.

    Parameters
    ----------
    n_bins : int, default=40
        Largest number of fine bins per column, not counting cuts that only the coarse bins have.
    n_coarse_bins : int, default=8
        Largest number of coarse bins.

    Attributes
    ----------
    features_, bin_edges_, bin_labels_, n_bins_, n_features_in_, feature_names_in_
        As in `QuantileDiscretizer`, for the fine bins; `coarse` of a feature merges them.

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
        return None if summary.has_at_most(self.most_left_alone) else self._fine_and_coarse_cuts(summary)[0]

    def _feature(self, name: str, index: int, summary: Summary, has_missing: bool) -> Feature:
        if summary.has_at_most(self.most_left_alone):
            return super()._feature(name, index, summary, has_missing)
        fine, coarse = self._fine_and_coarse_cuts(summary)
        feature = interval_feature(name, summary, fine, has_missing)
        if len(coarse) == len(fine):
            return feature
        joined = np.searchsorted(coarse, feature.lower_bounds, side="right")
        return replace(feature, coarse=tuple(joined.tolist()))

    def _features_at_once(
        self, names: Sequence[str], block: NDArray[np.float64], labels: NDArray[np.intp], n_classes: int
    ) -> Iterable[Feature | None]:
        return features_of_block(names, block, labels, n_classes, (self.n_bins, self.n_coarse_bins))

    def coarse_codes(self, rows: NDArray[Any]) -> tuple[int, ...]:
        starts = quantile_starts(rows, self.n_coarse_bins)
        if len(starts) + 1 >= len(rows):
            return ()
        return tuple(np.searchsorted(starts, np.arange(len(rows)), side="right").tolist())

    def _fine_and_coarse_cuts(self, summary: Summary) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        shares = _shares_of(summary.totals)
        coarse = summary.middles(shares.starts(self.n_coarse_bins))
        fine = _moved(shares.starts(self.n_bins), _changes(summary, shares), shares, self.n_bins)
        return _union(summary.middles(fine), coarse), coarse

    @property
    def most_left_alone(self) -> int:
        return 2


def nested_for(n_rows: int) -> NestedDiscretizer:
    """The numbers of bins that this many rows can support: five to eight coarse ones, and up to forty fine ones."""
    n_coarse = int(np.clip(np.sqrt(n_rows / _ROWS_OF_COARSE_SQUARED), _LEAST_COARSE, _MOST_COARSE))
    return NestedDiscretizer(min(_MOST_FINE, max(n_coarse, n_rows // _ROWS_OF_FINE)), n_coarse)


def quantile_starts(counts: NDArray[Any], n_bins: int) -> NDArray[np.intp]:
    """Positions of the values at which a new bin begins, except for the first bin: equal shares of the rows.

    A value that alone holds more than its share gets a bin of its own; the remaining rows are divided again.

    Parameters
    ----------
    counts : ndarray of shape (m,)
        Rows, or their weight, of each value.
    n_bins : int
    """
    return Shares(counts).starts(n_bins)


def _shares_of(counts: NDArray[Any]) -> Shares:
    """The shares of a column, cached: columns whose values all differ have the same, and wide tables have many."""
    is_of_different = counts.dtype.kind == "i" and len(counts) and int(counts.max()) == 1
    return _shares_of_different(len(counts)) if is_of_different else Shares(counts)


@lru_cache(maxsize=4)
def _shares_of_different(n_rows: int) -> Shares:
    return Shares(np.ones(n_rows, dtype=np.intp))


class Shares:
    """The rows of ordered values, to be divided among bins.

    Parameters
    ----------
    counts : ndarray of shape (m,)
        Rows, or their weight, of each value.

    Attributes
    ----------
    reached : ndarray of shape (m,)
        Rows up to each value.
    """

    def __init__(self, counts: NDArray[Any]) -> None:
        self.counts, self.reached = counts, np.cumsum(counts)
        self._starts: dict[int, NDArray[np.intp]] = {}

    def starts(self, n_bins: int) -> NDArray[np.intp]:
        """`quantile_starts` of the counts; read-only."""
        if n_bins not in self._starts:
            self._starts[n_bins] = self._find_starts(n_bins)
        return self._starts[n_bins]

    def _find_starts(self, n_bins: int) -> NDArray[np.intp]:
        n = len(self.counts)
        if n <= n_bins:
            return np.arange(1, n)
        heavy, reached = self._heavy(n_bins), self.reached
        if len(heavy):
            rest = self.counts.copy()
            rest[heavy] = 0
            reached = np.cumsum(rest)
        steps = self._steps(reached, heavy, n_bins - len(heavy))
        return _union(steps, heavy[heavy > 0], heavy[heavy < n - 1] + 1) if len(heavy) else _union(steps)

    def _heavy(self, n_bins: int) -> NDArray[np.intp]:
        """Values that alone hold more than an equal share of the rows that remain."""
        heavy, left = np.zeros(0, dtype=np.intp), self.reached[-1]
        while True:
            found = (self.counts > (left + _SLACK) / (n_bins - len(heavy))).nonzero()[0]
            found = _union(heavy, found) if len(heavy) else found
            if len(found) == len(heavy) or len(found) >= n_bins:
                return heavy
            heavy, left = found, self.reached[-1] - self.counts[found].sum()

    def _steps(self, reached: NDArray[Any], heavy: NDArray[np.intp], n_bins: int) -> NDArray[np.intp]:
        """The first value of each bin except the first, increasing."""
        share = float(reached[-1]) / n_bins
        slack = _SLACK / n_bins

        def interval(at: Any) -> Any:
            """The bin of the middle row of a value."""
            own = np.where(np.isin(at, heavy), 0, self.counts[at]) if len(heavy) else self.counts[at]
            return np.floor((reached[at] - own / 2 + slack) / share)

        last = len(reached) - 1
        steps = np.arange(interval(0) + 1, interval(last) + 1)
        # Bins increase along the values, and a bin begins near where its share is reached.
        near = reached.searchsorted(steps * share - slack)[:, None] + np.arange(-2, 4)
        near = np.maximum(np.minimum(near, last), 0)
        is_reached = interval(near) >= steps[:, None]
        return near[np.arange(len(near)), is_reached.argmax(axis=1)]


def _union(*parts: NDArray[Any]) -> NDArray[Any]:
    """Distinct numbers of all parts, increasing."""
    numbers = np.concatenate(parts)
    numbers.sort()
    is_new = np.ones(len(numbers), dtype=bool)
    np.not_equal(numbers[1:], numbers[:-1], out=is_new[1:])
    return numbers[is_new]


def _changes(summary: Summary, shares: Shares) -> NDArray[np.intp]:
    """Positions of the values at which the class distribution changes, according to MDLP."""
    places = shares.starts(_PLACES_OF_CHANGE)
    found = mdlp_starts(summary.group_counts(np.append(0, places)))
    return places[found - 1]


def _moved(starts: NDArray[np.intp], to: NDArray[np.intp], shares: Shares, n_bins: int) -> NDArray[np.intp]:
    """Starts of which the one nearest to each given position, in rows, is moved there; frequent values stay."""
    if not len(to):
        return starts
    below, counts = shares.reached, shares.counts
    most = (below[-1] + _SLACK) / (2 * n_bins)
    is_frequent = (counts[starts] > most) | (counts[starts - 1] > most)
    distances = np.abs(below[starts - 1][:, None] - below[to - 1])
    nearest = (distances <= distances.min(axis=0) + _SLACK).argmax(axis=0)
    moves = nearest[~is_frequent[nearest]]
    return _union(np.delete(starts, moves), to)
