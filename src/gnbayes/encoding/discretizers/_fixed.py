"""Bins with given edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._column_summary import Summary
from gnbayes.encoding._feature import Feature
from gnbayes.encoding._table import Table
from gnbayes.encoding.discretizers._base import ClassCounts, Discretizer, check_n_bins
from gnbayes.encoding.discretizers._quantile import quantile_cuts


class FixedDiscretizer(Discretizer):
    """Cut columns at given edges, and all other columns at their quantiles.

    Parameters
    ----------
    edges : mapping of {column: sequence of float}
        Columns by name, or by position if their names are not numbers. Inner edges: ``{"age": [40, 60]}`` makes the
        bins below 40, 40 to below 60, and 60 or more.
    n_bins : int, default=5
        For columns without edges, as in `QuantileDiscretizer`.
    others : Discretizer, optional
        The rule for columns without edges, instead of quantiles.

    Attributes
    ----------
    features_, bin_edges_, bin_labels_, n_bins_, n_features_in_, feature_names_in_
        As in `QuantileDiscretizer`.

    Examples
    --------
    >>> from gnbayes import FixedDiscretizer
    >>> bins = FixedDiscretizer({0: [40, 60]}).fit([[35.0], [61.0]])
    >>> bins.bin_labels_[0].tolist()
    ['x0 < 40', '40 <= x0 < 60', '60 <= x0']
    """

    def __init__(
        self, edges: Mapping[str | int, Sequence[float]], n_bins: int = 5, others: Discretizer | None = None
    ) -> None:
        self.edges = edges
        self.n_bins = n_bins
        self.others = others

    def check_parameters(self) -> None:
        check_n_bins(self.n_bins)
        if not isinstance(self.edges, Mapping):
            raise ValueError(f"edges must map columns to cuts, got {type(self.edges).__name__} instead.")
        for column, cuts in self.edges.items():
            _check_cuts(column, cuts)

    def _check_columns(self, table: Table, columns: Sequence[int]) -> None:
        self.edges_at_ = {}
        numeric = set(columns)
        for column, cuts in self.edges.items():
            at = table.position(column)
            if at is None:
                raise ValueError(f"edges are given for column {column!r}, which X does not have.")
            if at not in numeric:
                raise ValueError(f"edges are given for column {column!r}, which is not a column of numbers.")
            self.edges_at_[at] = np.asarray(cuts, dtype=np.float64)

    def _cuts(self, name: str, index: int, summary: Summary) -> NDArray[np.float64] | None:
        cuts = self.edges_at_.get(index)
        return quantile_cuts(summary, self.n_bins) if cuts is None else cuts

    def _feature(self, name: str, index: int, summary: Summary, has_missing: bool) -> Feature:
        if index in self.edges_at_ or self.others is None:
            return super()._feature(name, index, summary, has_missing)
        return self.others._feature(name, index, summary, has_missing)

    def coarse_codes(self, rows: NDArray[Any]) -> tuple[int, ...]:
        return () if self.others is None else self.others.coarse_codes(rows)

    def _refined(self, features: dict[int, Feature], count: ClassCounts) -> dict[int, Feature]:
        if self.others is None:
            return features
        rest = {j: feature for j, feature in features.items() if j not in self.edges_at_}
        return features | self.others._refined(rest, count)

    @property
    def uses_labels(self) -> bool:  # type: ignore[override]
        return self.others is not None and self.others.uses_labels

    @property
    def _summarizes_by_class(self) -> bool:  # type: ignore[override]
        return self.others is not None and self.others._summarizes_by_class

    @property
    def most_left_alone(self) -> int:
        return self.n_bins if self.others is None else self.others.most_left_alone

    def _leaves_alone(self, index: int, n_values: int) -> bool:
        return index not in self.edges_at_ and super()._leaves_alone(index, n_values)


def _check_cuts(column: Any, cuts: Any) -> None:
    try:
        numbers = np.asarray(cuts, dtype=np.float64)
        good = numbers.ndim == 1 and len(numbers) and np.isfinite(numbers).all() and (np.diff(numbers) > 0).all()
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(f"edges of column {column!r} must be increasing finite numbers, got {cuts!r} instead.")
