"""Supervised bins: entropy cuts with the stopping rule of Fayyad and Irani (1993)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._column_summary import Summary
from gnbayes.encoding.discretizers._base import Discretizer


class MDLPDiscretizer(Discretizer):
    """Cut each column where the class distribution changes, as long as a cut pays for its own description.

    This is the minimum description length principle of Fayyad and Irani [1]_: among the midpoints between adjacent
    distinct values, take the cut with the lowest class entropy; accept it if its gain exceeds ``(log2(N - 1) +
    log2(3**k - 2) - (k E - k1 E1 - k2 E2)) / N``, and continue in both halves. Equal values are never separated. A
    column without an accepted cut becomes a single bin: it is not informative about the class.

    Attributes
    ----------
    features_, bin_edges_, bin_labels_, n_bins_, n_features_in_, feature_names_in_
        As in `QuantileDiscretizer`.

    References
    ----------
    .. [1] U. M. Fayyad and K. B. Irani (1993), Multi-interval discretization of continuous-valued attributes for
       classification learning, IJCAI, 1022-1027.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import MDLPDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> [cuts.round(2).tolist() for cuts in MDLPDiscretizer().fit(X, y).bin_edges_]
    [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    """

    uses_labels = True
    _summarizes_by_class = True

    def _cuts(self, name: str, index: int, summary: Summary) -> NDArray[np.float64] | None:
        return summary.middles(mdlp_starts(summary.counts)) if len(summary.values) else None


def mdlp_starts(counts: NDArray[Any]) -> NDArray[np.intp]:
    """Positions of the values at which an accepted cut begins a new bin, increasing; counts by value and class."""
    below = np.concatenate([np.zeros((1, counts.shape[1])), np.cumsum(counts, axis=0)])
    starts: list[int] = []
    open_ranges = [(0, len(counts))]
    while open_ranges:
        start, stop = open_ranges.pop()
        at = _best_cut(below[start : stop + 1] - below[start])
        if at is not None:
            starts.append(start + at)
            open_ranges += [(start, start + at), (start + at, stop)]
    return np.array(sorted(starts), dtype=np.intp)


def _best_cut(below: NDArray[Any]) -> int | None:
    """Index of the accepted cut of one range, or None; ``below[i]`` are the class counts of its first i values."""
    if len(below) < 3:
        return None
    left, whole = below[1:-1], below[-1]
    right = whole - left
    sizes, entropies = _sizes_and_entropies(np.concatenate([left, right, whole[None]]))
    (n_left, entropy_left), (n_right, entropy_right) = (
        (sizes[part], entropies[part]) for part in (slice(len(left)), slice(len(left), -1))
    )
    n, entropy = sizes[-1], entropies[-1]
    after = (n_left * entropy_left + n_right * entropy_right) / n
    best = int(np.argmin(after))
    k, k_left, k_right = (np.count_nonzero(part) for part in (whole, left[best], right[best]))
    saved = k * entropy - k_left * entropy_left[best] - k_right * entropy_right[best]
    # 3**k - 2 overflows a float for k > 646; log2(3**k - 2) equals k log2(3) to the last digit for much smaller k.
    price = np.log2(max(n - 1, 1e-300)) + (np.log2(3.0**k - 2) if k < 100 else k * np.log2(3)) - saved
    return best + 1 if entropy - after[best] > price / n else None


def _sizes_and_entropies(counts: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Sum of each row, and its entropy in bits."""
    sizes = counts.sum(axis=1)
    share = counts / sizes[:, None]
    return sizes, -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=1)
