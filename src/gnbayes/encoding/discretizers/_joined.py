"""Quantile bins, merged where adjacent bins have similar class distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from gnbayes.encoding._column_summary import Summary
from gnbayes.encoding._feature import Feature
from gnbayes.encoding.discretizers._base import ClassCounts, Discretizer, check_n_bins
from gnbayes.encoding.discretizers._nested import quantile_starts

# Rows per initial bin, the minimum number of initial bins, and the number of bins of a column that is not informative
# about the class by itself.
_ROWS_OF_FINE, _LEAST_FINE = 5, 5
_IF_ALL_ALIKE = 3
# Number of cells of columns that are merged at the same time.
_CELLS_AT_ONCE = 2**20


class JoinedDiscretizer(Discretizer):
    """Cut each column into many quantiles, and merge adjacent bins with similar class distributions.

    Of all ways to merge the quantiles, the one that makes the classes of the rows most probable is chosen: each bin has
    its own class distribution, with Jeffreys' prior, and each cut has a cost, the logarithm of the number of positions
    it could have. The optimum is found exactly, by dynamic programming. A column that is best left uncut is not
    informative by itself, but may be informative together with another: it is cut into three quantiles. A value that
    alone holds more than a quantile's share of the rows starts as a bin of its own. A column of one or two values is
    used unchanged.

    Parameters
    ----------
    n_bins : int, default=40
        Largest number of initial quantiles; fewer if they would contain less than five rows each, but at least five.

    Attributes
    ----------
    features_, bin_edges_, bin_labels_, n_bins_, n_features_in_, feature_names_in_
        As in `QuantileDiscretizer`.

    See Also
    --------
    MDLPDiscretizer : Cuts at any value, one after another.

    Notes
    -----
    The probability of the classes in a bin with counts c_y is the Dirichlet-multinomial one,
    Gamma(k/2) / Gamma(c + k/2) times the product of Gamma(c_y + 1/2) / Gamma(1/2). The score is close to that of
    M. Boullé (2006), MODL: a Bayes optimal discretization method for continuous attributes, Machine Learning 65.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.encoding import JoinedDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> [cuts.round(2).tolist() for cuts in JoinedDiscretizer().fit(X, y).bin_edges_]
    [[5.45, 6.15], [2.95, 3.35], [3.15, 4.75], [0.8, 1.75]]
    """

    uses_labels = True

    def __init__(self, n_bins: int = 40) -> None:
        self.n_bins = n_bins

    def check_parameters(self) -> None:
        check_n_bins(self.n_bins)

    def _cuts(self, name: str, index: int, summary: Summary) -> NDArray[np.float64] | None:
        if summary.has_at_most(self.most_left_alone):
            return None
        weight = summary.totals
        n_bins = min(self.n_bins, max(_LEAST_FINE, round(float(weight.sum())) // _ROWS_OF_FINE))
        return summary.middles(quantile_starts(weight, n_bins))

    @property
    def most_left_alone(self) -> int:
        return 2

    def _refined(self, features: dict[int, Feature], count: ClassCounts) -> dict[int, Feature]:
        cut = {j: feature for j, feature in features.items() if feature.kind == "interval"}
        counts = count(cut)
        refined = dict(features)
        for j, starts in zip(cut, best_starts([counts[j] for j in cut]), strict=True):
            weight = counts[j].sum(axis=1)
            refined[j] = _joined(cut[j], weight, starts if len(starts) else quantile_starts(weight, _IF_ALL_ALIKE))
        return refined


def best_starts(counts: Sequence[NDArray[Any]]) -> list[NDArray[np.intp]]:
    """Where the bins of each column begin, except for the first bin, after optimal merging.

    Parameters
    ----------
    counts : sequence of ndarray of shape (f, k)
        Weight of the rows of each class in the initial bins of each column.

    Returns
    -------
    starts : list of ndarray
        Positions among the initial bins of the column.
    """
    if not counts:
        return []
    at_once = max(1, _CELLS_AT_ONCE // max(of_column.size for of_column in counts))
    groups = (counts[first : first + at_once] for first in range(0, len(counts), at_once))
    return [starts for group in groups for starts in _best_starts_of_group(group)]


def _best_starts_of_group(counts: Sequence[NDArray[Any]]) -> list[NDArray[np.intp]]:
    sizes = np.array([len(of_column) for of_column in counts])
    below = np.zeros((counts[0].shape[1], len(counts), sizes.max() + 1), dtype=np.result_type(*counts))
    for j, of_column in enumerate(counts):
        below[:, j, 1 : len(of_column) + 1] = of_column.T
    np.cumsum(below, axis=2, out=below)
    price = np.log(sizes)[:, None]
    best, start = np.zeros(below.shape[1:]), np.zeros(below.shape[1:], dtype=np.intp)
    log_probability = _LogProbability(below)
    for stop in range(1, below.shape[2]):
        scores = best[:, :stop] + log_probability(below[:, :, stop, None] - below[:, :, :stop]) - price
        start[:, stop] = scores.argmax(axis=1)
        best[:, stop] = scores.max(axis=1)
    return [_back(column, size) for column, size in zip(start.tolist(), sizes.tolist(), strict=True)]


class _LogProbability:
    """Log-probability of the classes of rows, from their counts (k, ...), with Jeffreys' prior on the class shares."""

    def __init__(self, below: NDArray[Any]) -> None:
        k, d, size = below.shape
        n = below[:, :, -1].sum(axis=0).max()
        self._k = k
        # The log-gamma function is slow, and integer counts have few distinct values.
        self._tables = None
        if below.dtype.kind == "i" and n < d * size**2:
            self._tables = tuple(gammaln(np.arange(n + 1) + shift) for shift in (0.5, k / 2))

    def __call__(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        total = counts.sum(axis=0)
        if self._tables is not None:
            of_classes, of_total = self._tables[0].take(counts), self._tables[1].take(total)
        else:
            of_classes, of_total = gammaln(np.maximum(counts, 0) + 0.5), gammaln(np.maximum(total, 0) + self._k / 2)
        return of_classes.sum(axis=0) - of_total + (gammaln(self._k / 2) - self._k * gammaln(0.5))


def _back(start: list[int], stop: int) -> NDArray[np.intp]:
    """The chain of bin starts that leads to the end of a column, except for the first."""
    chain = []
    while start[stop]:
        stop = start[stop]
        chain.append(stop)
    return np.array(chain[::-1], dtype=np.intp)


def _joined(feature: Feature, weight: NDArray[Any], starts: NDArray[np.intp]) -> Feature:
    """A feature with fewer cuts: those where the bins in `starts` begin."""
    firsts = [0, *starts.tolist()]
    # Numbers near the limit of floats are scaled down before they are added.
    share = weight / weight.sum()
    means = np.add.reduceat(share * feature.means, firsts) / np.add.reduceat(share, firsts)
    edges = tuple(feature.edges[start - 1] for start in firsts[1:])
    return Feature(feature.name, "interval", edges, tuple(means.tolist()), has_missing=feature.has_missing)
