"""Bins of features in pairs and triples: fewer than for a single feature, and finer where the class changes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.encoding import Feature

Codes = NDArray[np.intp]
Array = NDArray[np.float64]
# Range of the number of bins in pairs and triples, and rows per cell of their square and cube, by which it grows;
# fewer rows for the cube if cuts come from trees.
_LEAST_OF_PAIR, _MOST_OF_PAIR, _ROWS_OF_SQUARE = 12, 24, 8
_LEAST_OF_TRIPLE, _MOST_OF_TRIPLE, _ROWS_OF_CUBE, _ROWS_OF_CUBE_OF_TREES = 6, 10, 8, 2
# Where rows abound, bins may be finer, but need more rows each.
_MOST_OF_PAIR_OF_MANY, _ROWS_OF_SQUARE_OF_MANY, _MOST_OF_TRIPLE_OF_MANY, _ROWS_OF_CUBE_OF_MANY = 32, 14, 16, 4
# From this number of rows on, up to three quarters of the cuts are those with the largest gains in boosted trees or,
# without trees, up to half are where the class changes most.
ROWS_FOR_CLASSES, _TREE_SHARE, _CLASS_SHARE = 1000, 0.75, 0.5
# A bin holds at least this share of the rows that it would hold if all bins were equal.
_LEAST_SHARE = 1 / 6


@dataclass(frozen=True, eq=False)
class Grids:
    """The codes of features in pairs and in triples.

    Parameters
    ----------
    pair, triple : tuple of ndarray of shape (v_j,)
        Per feature, the code of each of its values.
    is_ordered : tuple of bool
        Per feature, whether codes are ordered, which is also so if there are only two.
    """

    pair: tuple[Codes, ...]
    triple: tuple[Codes, ...]
    is_ordered: tuple[bool, ...]

    def of_order(self, n_features: int) -> tuple[Codes, ...]:
        """The codes in terms of n features, two or three."""
        return self.pair if n_features == 2 else self.triple

    def n_cells(self, term: tuple[int, ...]) -> int:
        """Number of cells of the table of a term."""
        sizes = self._sizes_of_pair if len(term) == 2 else self._sizes_of_triple
        return prod(sizes[j] for j in term)

    @cached_property
    def _sizes_of_pair(self) -> list[int]:
        return [int(own.max()) + 1 for own in self.pair]

    @cached_property
    def _sizes_of_triple(self) -> list[int]:
        return [int(own.max()) + 1 for own in self.triple]


def make_grids(
    features: Sequence[Feature],
    counts: Counts,
    share: float = 1.0,
    gains: Sequence[Array] | None = None,
    used: Collection[int] | None = None,
) -> Grids:
    """Codes in pairs and triples.

    Parameters
    ----------
    features : sequence of Feature
    counts : Counts
        Counts of the values of the features, by fine codes.
    share : float, default=1.0
        Number of distinct rows divided by the number of rows: copies do not make bins finer.
    gains : sequence of ndarray of shape (v_j + 1,), optional
        Per feature, the gain of boosted trees by a cut before each of its values, and after the last.
    used : collection of int, optional
        Features that terms may have, by default all; the others, of which wide tables have many, get coarse codes.
    """
    is_used = set(range(len(features)) if used is None else used)
    n_rows = share * float(counts.classes.sum())
    n_pair, n_triple = _most_bins(n_rows, has_gains=gains is not None)
    pair, triple = [], []
    for j, feature in enumerate(features):
        if j not in is_used:
            pair.append(feature.coarse_codes)
            triple.append(feature.coarse_codes)
            continue
        cells, own = share * counts.single(j).astype(np.float64), None if gains is None else gains[j]
        pair.append(_codes(feature, cells, n_pair, own))
        triple.append(_coarser(feature, cells, pair[-1], n_triple, own))
    return Grids(tuple(pair), tuple(triple), tuple(is_ordered(feature) for feature in features))


def _most_bins(n_rows: float, *, has_gains: bool) -> tuple[int, int]:
    """Most bins of an ordered feature in pairs and in triples."""
    n_pair = np.clip(np.sqrt(n_rows / _ROWS_OF_SQUARE), _LEAST_OF_PAIR, _MOST_OF_PAIR)
    of_cube = _ROWS_OF_CUBE_OF_TREES if has_gains else _ROWS_OF_CUBE
    n_triple = np.clip(np.cbrt(n_rows / of_cube), _LEAST_OF_TRIPLE, _MOST_OF_TRIPLE)
    if has_gains:
        n_pair = max(n_pair, min(np.sqrt(n_rows / _ROWS_OF_SQUARE_OF_MANY), _MOST_OF_PAIR_OF_MANY))
        n_triple = max(n_triple, min(np.cbrt(n_rows / _ROWS_OF_CUBE_OF_MANY), _MOST_OF_TRIPLE_OF_MANY))
    return int(n_pair), int(n_triple)


def is_ordered(feature: Feature) -> bool:
    """Whether the codes of a feature are ordered; two values always are."""
    return feature.n_values > 0 and (feature.is_ordered or feature.n_values <= 2)


def coarsened(feature: Feature, counts: Array, most: int, gains: Array | None = None) -> Codes:
    """Merge the codes of an ordered feature in pairs into at most `most`; the new code of each.

    Parameters
    ----------
    feature : Feature
    counts : ndarray of shape (number of codes, k)
        Rows of each code and class.
    most : int
    gains : ndarray of shape (number of codes without missing + 1,), optional
        Gain of trees by a cut before each code.
    """
    if not is_ordered(feature):
        return np.arange(len(counts))
    groups = group_ordered(counts[: len(counts) - feature.has_missing], most, gains=gains)
    return _with_missing(groups, feature)


def _codes(feature: Feature, counts: Array, most: int, gains: Array | None) -> Codes:
    if not is_ordered(feature):
        return feature.coarse_codes
    coarse = feature.coarse_codes[: feature.n_values]
    return _with_missing(group_ordered(counts[: feature.n_values], most, coarse, gains), feature)


def _coarser(feature: Feature, counts: Array, codes: Codes, most: int, gains: Array | None) -> Codes:
    """Codes merged into at most `most`."""
    joined = np.zeros((int(codes.max()) + 1, counts.shape[1]))
    np.add.at(joined, codes, counts[: len(codes)])
    if gains is not None and is_ordered(feature):
        starts = np.flatnonzero(np.diff(codes[: feature.n_values], prepend=-1))
        gains = np.append(gains[starts], 0.0)
    return coarsened(feature, joined, most, gains)[codes]


def _with_missing(codes: Codes, feature: Feature) -> Codes:
    return np.append(codes, codes.max() + 1) if feature.has_missing else codes


def group_ordered(counts: Array, most: int, coarse: Codes | None = None, gains: Array | None = None) -> Codes:
    """Merge ordered values into at most `most` groups of neighbours.

    Parameters
    ----------
    counts : ndarray of shape (v, k)
        Rows of each value and class.
    most : int
    coarse : ndarray of shape (v,), optional
        Codes whose bounds are kept if there are at most `most`.
    gains : ndarray of shape (v + 1,), optional
        Gain of trees by a cut before each value. Without it, cuts are made where the class changes.

    Returns
    -------
    groups : ndarray of shape (v,)

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.interactions.grids import group_ordered
    >>> group_ordered(np.full((8, 2), 3.0), 4).tolist()
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    n = len(counts)
    if n <= most:
        return np.arange(n)
    reached = np.concatenate([np.zeros((1, counts.shape[1])), np.cumsum(counts, axis=0)])
    bounds = [0, n]
    if coarse is not None and int(coarse.max()) < most:
        bounds = [0, *(np.flatnonzero(np.diff(coarse)) + 1).tolist(), n]
    # Rounded, so that equal halves are equal in whatever order the classes are added up.
    rows = np.round(reached.sum(axis=1), 6)
    if rows[-1] >= ROWS_FOR_CLASSES:
        if gains is None:
            _cut_by_class(reached, bounds, most)
        else:
            _cut_by_gain(rows, bounds, most, gains)
    _cut_in_half(rows, bounds, most)
    return np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))


def _cut_by_gain(reached: Array, bounds: list[int], most: int, gains: Array) -> None:
    """Cut where trees gain most, provided that no bin becomes too small."""
    smallest = max(1.0, _LEAST_SHARE * reached[-1] / most)
    left = min(int((most - 1) * _TREE_SHARE), most + 1 - len(bounds))
    for cut in np.argsort(-gains, kind="stable").tolist():
        if left <= 0 or gains[cut] <= 0:
            return
        at = bisect_left(bounds, cut)
        if cut == bounds[at]:
            continue
        if min(reached[cut] - reached[bounds[at - 1]], reached[bounds[at]] - reached[cut]) >= smallest:
            bounds.insert(at, cut)
            left -= 1


def _cut_by_class(reached: Array, bounds: list[int], most: int) -> None:
    """Cut where the class changes most, as long as the change is significant."""
    n, k = len(reached) - 1, reached.shape[1]
    total = float(reached[-1].sum())
    least = 0.5 * (k - 1) * np.log(total) + np.log(n)
    smallest = max(1.0, _LEAST_SHARE * total / most)
    for _ in range(int(most * _CLASS_SHARE)):
        if len(bounds) > most:
            return
        cuts = [_best_cut(reached, low, high, smallest) for low, high in pairwise(bounds)]
        best = max(range(len(cuts)), key=lambda at: cuts[at][0])
        if cuts[best][0] < least:
            return
        bounds.insert(best + 1, cuts[best][1])


def _best_cut(reached: Array, low: int, high: int, smallest: float) -> tuple[float, int]:
    """The gain in log-likelihood of the best cut between two bounds, and its position."""
    at = np.arange(low + 1, high)
    if not len(at):
        return -np.inf, low
    left, right = reached[at] - reached[low], reached[high] - reached[at]
    gain = _log_likelihood(left) + _log_likelihood(right) - _log_likelihood(reached[high] - reached[low])
    gain = np.where(np.minimum(left.sum(axis=1), right.sum(axis=1)) >= smallest, gain, -np.inf)
    best = int(np.argmax(gain))
    return float(gain[best]), int(at[best])


def _log_likelihood(counts: Array) -> Array:
    """Log-likelihood of the classes of rows under their own shares, along the last axis."""
    return np.asarray(_times_log(counts).sum(axis=-1) - _times_log(counts.sum(axis=-1)))


def _times_log(counts: Array) -> Array:
    return counts * np.log(np.maximum(counts, 1e-300))


def _cut_in_half(reached: Array, bounds: list[int], most: int) -> None:
    """Divide the largest bin that can be divided, until there are `most` bins."""
    while len(bounds) <= most:
        sizes = [reached[high] - reached[low] if high - low > 1 else -1.0 for low, high in pairwise(bounds)]
        largest = int(np.argmax(sizes))
        if sizes[largest] <= 0:
            return
        low, high = bounds[largest], bounds[largest + 1]
        middle = (reached[low] + reached[high]) / 2
        bounds.insert(largest + 1, low + 1 + int(np.argmin(np.abs(reached[low + 1 : high] - middle))))
