"""The paper's discretizer: bins that contain about the same number of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._column_summary import Summary
from gnbayes.encoding.discretizers._base import Discretizer, check_n_bins

# Part of a row that does not count: numbers of rows differ by more, so that a small change of weights moves no cut.
_SLACK = 1 / 8


class QuantileDiscretizer(Discretizer):
    """Cut each column at its quantiles, by the rule of the paper (section "Data preparation").

    The j-th cut is the ``floor(n * j / n_bins)``-th value, counted from 0, of the sorted column. Equal cuts are merged,
    and a cut at the smallest value is dropped because the bin below it would be empty. Bins are ``[cut, next cut)``. A
    column with at most `n_bins` distinct values is used unchanged. Missing values are ignored. If a column has
    millions of distinct values, or thousands in a table of a thousand columns, nearly equal ones are counted together,
    and cuts are at the smallest value of such a run.

    Parameters
    ----------
    n_bins : int, default=5
        Largest number of bins per column.

    Attributes
    ----------
    features_ : list of Feature
        One per column.
    bin_edges_ : list of ndarray
        Inner bin edges of each column; empty for a column that is used unchanged.
    bin_labels_ : list of ndarray of str
        A readable label for each code.
    n_bins_ : ndarray of shape (d,)
        Number of values of each column.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (d,)
        Only if X has column names that are all strings.

    See Also
    --------
    UniformDiscretizer : Bins of equal width.
    MDLPDiscretizer : Supervised bins.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes import QuantileDiscretizer
    >>> X = np.arange(10.0).reshape(-1, 1)
    >>> bins = QuantileDiscretizer(n_bins=2).fit(X)
    >>> bins.bin_labels_[0].tolist()
    ['x0 < 5', '5 <= x0']
    >>> bins.transform([[4.9], [5.0]]).ravel().tolist()
    [0, 1]
    >>> bins.inverse_transform([[0], [1]]).ravel().tolist()
    [2.0, 7.0]
    """

    def __init__(self, n_bins: int = 5) -> None:
        self.n_bins = n_bins

    def check_parameters(self) -> None:
        check_n_bins(self.n_bins)

    def _cuts(self, name: str, index: int, summary: Summary) -> NDArray[np.float64] | None:
        return quantile_cuts(summary, self.n_bins)

    @property
    def most_left_alone(self) -> int:
        return self.n_bins


def quantile_cuts(summary: Summary, n_bins: int) -> NDArray[np.float64] | None:
    """Cuts of the paper's rule, or None if the column has at most `n_bins` values."""
    values = summary.values
    if summary.has_at_most(n_bins):
        return None
    reached = np.cumsum(summary.totals)
    # The floor(W j / b)-th of W rows is the first value whose cumulative weight exceeds W j / b, for any weights; by at
    # least 1 / b if they are numbers of rows.
    at = np.searchsorted(reached * n_bins, reached[-1] * np.arange(1, n_bins) + _SLACK, side="right")
    at = np.minimum(at, len(values) - 1)
    return np.asarray(values[np.unique(at[at > 0])])
