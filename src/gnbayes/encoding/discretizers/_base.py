"""The common part of all discretizers: a scikit-learn transformer around one binning rule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from gnbayes._sklearn import DocumentedMixin
from gnbayes.encoding._column_summary import RowsByClass, Summary, summarizers
from gnbayes.encoding._encode import encode, encode_numbers
from gnbayes.encoding._feature import Feature
from gnbayes.encoding._runs import most_numbers
from gnbayes.encoding._table import Table
from gnbayes.encoding._validation import check_labels, check_table, check_weights, without_zero_weights
from gnbayes.kernels import for_each, limit_threads, native

ClassCounts = Callable[[dict[int, Feature]], dict[int, NDArray[Any]]]


class Discretizer(DocumentedMixin, OneToOneFeatureMixin, TransformerMixin, BaseEstimator, ABC):
    """Base class: numbers become bin codes.

    A subclass supplies `_cuts`, the rule that turns the distinct values of one column into cuts.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import Discretizer, QuantileDiscretizer
    >>> isinstance(QuantileDiscretizer(2), Discretizer)
    True
    >>> QuantileDiscretizer(2).fit_transform(np.array([[1.0], [2.0], [3.0], [4.0]])).ravel().tolist()
    [0, 0, 1, 1]
    """

    uses_labels = False
    # Whether `_cuts` has to know how often each value occurs in each class.
    _summarizes_by_class = False

    @abstractmethod
    def _cuts(self, name: str, index: int, summary: Summary) -> NDArray[np.float64] | None:
        """Increasing cuts inside the range of the values, or None to use the values unchanged."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the cuts of each column.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
            Numbers; missing values are allowed.
        y : array-like of shape (n,), optional
            Class labels, for supervised discretizers.
        sample_weight : array-like of shape (n,), optional
            Integers: a row of weight 2 counts as two rows. For other weights only the ratios matter.

        Returns
        -------
        self : object
        """
        self.check_parameters()
        table = check_table(self, X, reset=True)
        _only_numbers(table)
        labels, n_classes = np.zeros(table.n_rows, dtype=np.intp), 1
        if self.uses_labels:
            classes, labels = check_labels(y, table.n_rows)
            n_classes = len(classes)
        weights = check_weights(sample_weight, table.n_rows)
        table, labels, weights = without_zero_weights(table, labels, weights)
        self.features_ = self.learn(table, range(table.n_columns), labels, n_classes, weights)
        self.bin_edges_ = [np.asarray(feature.edges) for feature in self.features_]
        self.bin_labels_ = [np.asarray(feature.labels) for feature in self.features_]
        self.n_bins_ = np.array([feature.n_values for feature in self.features_])
        return self

    def transform(self, X: Any) -> NDArray[np.intp]:
        """Replace each number by the code of its bin.

        Returns
        -------
        codes : ndarray of shape (n, d)
            ``0 .. n_bins_[j] - 1``; ``n_bins_[j]`` for a missing value, and ``n_bins_[j] + 1`` for a value never seen
            in training in a column that is used unchanged.
        """
        check_is_fitted(self)
        table = check_table(self, X, reset=False)
        _only_numbers(table)
        return encode(table, self.features_).astype(np.intp)

    def inverse_transform(self, X: Any) -> NDArray[np.float64]:
        """Replace each code by the mean of the training values in its bin, the paper's representative value.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Codes as returned by `transform`.

        Returns
        -------
        values : ndarray of shape (n, d)
            NaN for missing and unseen values.
        """
        check_is_fitted(self)
        codes = np.asarray(X)
        if codes.ndim != 2 or codes.shape[1] != len(self.features_):
            shape = f"(n, {len(self.features_)})"
            raise ValueError(f"X must have shape {shape}, one column per feature; got {codes.shape} instead.")
        if codes.dtype.kind not in "iu" or (codes.size and codes.min() < 0):
            raise ValueError("X must hold codes, whole numbers from 0, as transform gives them.")
        return np.column_stack([feature.decode(codes[:, j]) for j, feature in enumerate(self.features_)])

    def learn(
        self,
        table: Table,
        columns: Sequence[int],
        labels: NDArray[np.intp],
        n_classes: int,
        weights: NDArray[np.float64] | None,
    ) -> list[Feature]:
        """Features of the given numeric columns of a table."""
        self._check_columns(table, columns)
        features = self._left_alone(table, columns)
        rest = [j for j in columns if j not in features]
        of_rows = labels if self._summarizes_by_class else None
        by_class = None if of_rows is None or weights is not None else RowsByClass.of(of_rows, n_classes)
        most = most_numbers(table.n_columns, n_classes if self.uses_labels else 1)
        for block_columns, block in table.number_blocks(rest):
            names = [table.names[j] for j in block_columns]
            at_once = list(self._features_at_once(names, block, labels, n_classes)) if weights is None else []
            known = {t: feature for t, feature in enumerate(at_once) if feature is not None}
            features |= {block_columns[t]: feature for t, feature in known.items()}
            others = [t for t in range(len(block_columns)) if t not in known]
            rest_of_block = block[:, others] if known else block
            find = summarizers(rest_of_block, of_rows, n_classes, weights, by_class, most)
            n_threads = limit_threads(table.n_threads, rest_of_block.size)
            found = self._each_feature([(names[t], block_columns[t]) for t in others], find, n_threads)
            features |= {block_columns[t]: feature for t, feature in zip(others, found, strict=True)}
        refined = self._refined(features, lambda cut: _counts_of_rows(cut, table, labels, n_classes, weights))
        return [refined[j] for j in columns]

    def _each_feature(
        self, columns: Sequence[tuple[str, int]], find: Sequence[Callable[[], tuple[Summary, bool]]], n_threads: int
    ) -> list[Feature]:
        """Features of columns, given by name and position, each with a function that finds its summary."""
        features: list[Any] = [None] * len(columns)
        turn = Lock()

        def learn(at: int) -> None:
            found = find[at]()
            # Only sorting runs in parallel. Without turns, two threads would take the interpreter from each other.
            with turn:
                features[at] = self._feature(*columns[at], *found)

        for_each(learn, range(len(columns)), n_threads)
        return features

    def learn_from_summaries(self, table: Table, summaries: Mapping[int, tuple[Summary, bool]]) -> list[Feature]:
        """The same from summaries of columns, by position, each with a flag for missing values.

        Only the names and kinds of `table` are used, so its rows may be stored elsewhere.
        """
        self._check_columns(table, list(summaries))
        features = {j: self._feature(table.names[j], j, *found) for j, found in summaries.items()}
        refined = self._refined(
            features, lambda cut: {j: _counts_of_summary(feature, summaries[j][0]) for j, feature in cut.items()}
        )
        return list(refined.values())

    def _features_at_once(
        self, names: Sequence[str], block: NDArray[np.float64], labels: NDArray[np.intp], n_classes: int
    ) -> Iterable[Feature | None]:
        """Features of columns of rows without weights, if the rule finds them faster for many columns at once.

        None for those that `_feature` has to find.
        """
        return [None] * len(names)

    def coarse_codes(self, rows: NDArray[Any]) -> tuple[int, ...]:
        """Coarse codes of ordered categories, from the number of rows in each, if the rule has any; see `Feature`."""
        return ()

    def _refined(self, features: dict[int, Feature], count: ClassCounts) -> dict[int, Feature]:
        """Adjust features that were learned without class labels, by position, to the classes of the rows.

        `count` returns the weight of the rows of each class in the bins of such features, each of shape (n_values, k).
        """
        return features

    def _left_alone(self, table: Table, columns: Sequence[int]) -> dict[int, Feature]:
        """Features of columns of small integers with too few distinct values for cuts, without sorting."""
        in_bytes = table.byte_columns
        if in_bytes is None:
            return {}
        n_values = in_bytes.seen[:, :-1].sum(axis=1).tolist()
        fits_byte = in_bytes.fits_byte.tolist()
        return {
            j: Feature(
                table.names[j], "category", categories=in_bytes.categories(j), has_missing=bool(in_bytes.has_missing(j))
            )
            for j in columns
            if fits_byte[j] and self._leaves_alone(j, n_values[j])
        }

    @property
    def most_left_alone(self) -> int:
        """Number of distinct values up to which a column is always used unchanged."""
        return 0

    def _leaves_alone(self, index: int, n_values: int) -> bool:
        """Whether the column at a position, with this many distinct values, is used unchanged."""
        return n_values <= self.most_left_alone

    def _check_columns(self, table: Table, columns: Sequence[int]) -> None:
        """Raise an error if a parameter does not fit the table."""

    def _feature(self, name: str, index: int, summary: Summary, has_missing: bool) -> Feature:
        cuts = self._cuts(name, index, summary)
        if cuts is None:
            return Feature(name, "category", categories=tuple(summary.values.tolist()), has_missing=has_missing)
        return interval_feature(name, summary, cuts, has_missing)

    def check_parameters(self) -> None:
        """Raise an error for a parameter out of its range."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = []
        tags.target_tags.required = self.uses_labels
        return tags


def interval_feature(name: str, summary: Summary, cuts: NDArray[np.float64], has_missing: bool) -> Feature:
    """The feature of the bins between `cuts`, with their means."""
    means = _means(summary, cuts)
    return Feature(name, "interval", tuple(cuts.tolist()), tuple(means.tolist()), has_missing=has_missing)


def _means(summary: Summary, cuts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of the values in each bin; for an empty bin, its midpoint or its finite end."""
    values = summary.representatives
    ends = np.concatenate([cuts[:1], cuts, cuts[-1:]]) if len(cuts) else np.zeros(2)
    middle = ends[:-1] / 2 + ends[1:] / 2
    # Numbers near the limit of floats are scaled down by a power of two, so that no sum overflows.
    scale = 2.0**-100 if max(-values.min(initial=0.0), values.max(initial=0.0)) > 1e200 else 1.0
    weight, sums = bin_sums(values, summary.totals, np.append(np.searchsorted(values, cuts), len(values)), scale)
    return np.where(weight > 0, sums / np.where(weight > 0, weight, 1.0) / scale, middle)


def bin_sums(values: NDArray[np.float64], totals: NDArray[Any], ends: NDArray[np.intp], scale: float) -> NDArray[Any]:
    """Weight of the values of each bin, and the weighted sum of these values times a scale, shape (2, number of bins).

    They are added in their order, in C as in NumPy.

    Parameters
    ----------
    values : ndarray of shape (m,)
    totals : ndarray of shape (m,)
        Weight of each; int64 or float64.
    ends : ndarray of shape (number of bins,)
        Position after the last value of each bin.
    scale : float

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding.discretizers._base import bin_sums
    >>> bin_sums(np.array([1.0, 2.0, 5.0]), np.array([2, 1, 1]), np.array([2, 3]), 1.0).tolist()
    [[3.0, 1.0], [4.0, 5.0]]
    """
    out = np.zeros((2, len(ends)))
    if native is not None:
        kept = np.ascontiguousarray(values), np.ascontiguousarray(totals)
        native.bin_sums(*kept, totals.dtype.kind == "i", len(values), ends, len(ends), scale, out)
        return out
    code = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    out[0] = np.bincount(code, totals, minlength=len(ends))
    out[1] = np.bincount(code, totals * (values * scale), minlength=len(ends))
    return out


def _only_numbers(table: Table) -> None:
    for name, kind in zip(table.names, table.kinds, strict=True):
        if kind == "text":
            raise ValueError(f"column {name!r} holds text; a discretizer takes numbers only.")


def check_n_bins(n_bins: Any) -> None:
    """Raise an error unless `n_bins` is an integer of at least 2."""
    if isinstance(n_bins, bool) or not isinstance(n_bins, int | np.integer) or n_bins < 2:
        raise ValueError(f"n_bins must be a whole number of at least 2, got {n_bins!r} instead.")


def _counts_of_rows(
    features: dict[int, Feature],
    table: Table,
    labels: NDArray[np.intp],
    n_classes: int,
    weights: NDArray[np.float64] | None,
) -> dict[int, NDArray[Any]]:
    """Weight of the rows of each class in each bin, shape (n_values, k); missing values are ignored."""
    counts = {}
    for columns, block in table.number_blocks(list(features)):
        for j, column in zip(columns, block.T, strict=True):
            cell = encode_numbers(column, features[j]) * np.intp(n_classes) + labels
            found = np.bincount(cell, weights, minlength=(features[j].n_values + 1) * n_classes)
            counts[j] = found.reshape(-1, n_classes)[: features[j].n_values]
    return counts


def _counts_of_summary(feature: Feature, summary: Summary) -> NDArray[Any]:
    """The same from a summary by class."""
    counts = np.zeros((feature.n_values, summary.counts.shape[1]), dtype=summary.counts.dtype)
    np.add.at(counts, encode_numbers(summary.values, feature), summary.counts)
    return counts
