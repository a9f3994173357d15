"""Bins of equal width."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._column_summary import Summary
from gnbayes.encoding.discretizers._base import Discretizer, check_n_bins


class UniformDiscretizer(Discretizer):
    """Cut the range of each column into bins of equal width.

    A column with at most `n_bins` distinct values is used unchanged.

    Parameters
    ----------
    n_bins : int, default=5
        Number of bins per column.

    Attributes
    ----------
    features_, bin_edges_, bin_labels_, n_bins_, n_features_in_, feature_names_in_
        As in `QuantileDiscretizer`.

    See Also
    --------
    QuantileDiscretizer : Bins that contain about the same number of rows.

    Examples
    --------
    >>> from gnbayes import UniformDiscretizer
    >>> bins = UniformDiscretizer(n_bins=2).fit([[0.0], [1.0], [10.0]])
    >>> bins.bin_labels_[0].tolist()
    ['x0 < 5', '5 <= x0']
    """

    def __init__(self, n_bins: int = 5) -> None:
        self.n_bins = n_bins

    def check_parameters(self) -> None:
        check_n_bins(self.n_bins)

    def _cuts(self, name: str, index: int, summary: Summary) -> NDArray[np.float64] | None:
        if summary.has_at_most(self.most_left_alone):
            return None
        low, high = summary.values[0], summary.lasts[-1]
        share = np.arange(1, self.n_bins) / self.n_bins
        cuts = np.unique(low * (1 - share) + high * share)  # high - low could overflow
        return np.asarray(cuts[(cuts > low) & (cuts <= high)])

    @property
    def most_left_alone(self) -> int:
        return self.n_bins
