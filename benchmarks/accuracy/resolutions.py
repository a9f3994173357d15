"""Intervals that the library does not have: the number of quantiles chosen for each feature by leave-one-out.

Measured by `ingredients.py`, where quantiles that are joined by what they tell of the class are better.
"""

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Discretizer, Summary
from gnbayes.encoding.discretizers._nested import middles, quantile_starts

RESOLUTIONS = (3, 5, 8, 12, 20)


class ResolutionDiscretizer(Discretizer):
    """Quantiles, as many as predict the class best from the feature alone when every row is left out in turn."""

    uses_labels = True
    _summarizes_by_class = True

    def _cuts(self, name: str, index: int, summary: Summary) -> NDArray[np.float64] | None:
        if len(summary.values) <= 2:
            return None
        below = np.concatenate([np.zeros((1, summary.counts.shape[1])), np.cumsum(summary.counts, axis=0)])
        tried = [quantile_starts(summary.counts.sum(axis=1), n_bins) for n_bins in RESOLUTIONS]
        tables = [np.diff(below[[0, *starts, len(summary.values)]], axis=0) for starts in tried]
        return middles(summary.values, tried[int(np.argmax([leave_one_out_likelihood(table) for table in tables]))])


def leave_one_out_likelihood(counts: NDArray[np.float64]) -> float:
    """Log-likelihood of the classes, by counts (v, k), under P(y) P(x | y) with add-one smoothing, rows left out."""
    v, in_class = len(counts), counts.sum(axis=0)
    joint = in_class * (counts + 1) / (in_class + v)
    others = np.maximum(in_class - 1, 1e-300)
    own = others * np.maximum(counts, 1) / (others + v)
    return float((counts * np.log(own / (joint.sum(axis=1, keepdims=True) - joint + own))).sum())
