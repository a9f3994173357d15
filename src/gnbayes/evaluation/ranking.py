"""Discrimination: how well a score separates two classes, as the area under the ROC curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from gnbayes.evaluation.intervals import NORMAL_95, Estimate, wilson_interval


def auroc(
    score: NDArray[np.float64],
    is_positive: NDArray[np.bool_],
    clusters: NDArray[np.intp] | None = None,
    strata: NDArray[np.intp] | None = None,
) -> Estimate | None:
    """The share of pairs in which the positive row has the higher score, ties counting half; None without pairs.

    The standard error is that of DeLong, DeLong and Clarke-Pearson (1988), or of Obuchowski (1997) for clusters, and
    the interval is normal on the log-odds scale, so that it stays between 0 and 1. If all pairs agree, there is no
    standard error; the interval is then Wilson's, with the number of pairs without a common row as the number of
    trials.

    Parameters
    ----------
    score : ndarray of shape (n,)
    is_positive : ndarray of shape (n,)
    clusters : ndarray of shape (n,), optional
        Rows of the same cluster are not independent of each other.
    strata : ndarray of shape (n,), optional
        Only rows of the same stratum are compared, such as rows scored by the same model of a cross-validation.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import auroc
    >>> auroc(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True])).value
    0.75
    """
    strata = np.zeros(len(score), dtype=np.intp) if strata is None else strata
    parts = [rows for rows in _parts(strata) if 0 < is_positive[rows].sum() < len(rows)]
    if not parts:
        return None
    pairs = np.array([is_positive[rows].sum() * (~is_positive[rows]).sum() for rows in parts], dtype=np.float64)
    weights = pairs / pairs.sum()
    used = np.concatenate(parts)
    placements = np.concatenate([_placements(score[rows], is_positive[rows]) for rows in parts])
    each = np.concatenate([_shares(is_positive[rows], weight) for rows, weight in zip(parts, weights, strict=True)])
    positive = is_positive[used]
    area = float((placements * each)[positive].sum())
    # The influence of each row on the area.
    moves = (placements - area) * each
    error = _error(moves, positive, used if clusters is None else clusters[used])
    return _interval(area, error, int(min(positive.sum(), (~positive).sum())))


def _parts(strata: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    order = np.argsort(strata, kind="stable")
    return [part for part in np.split(order, np.flatnonzero(np.diff(strata[order])) + 1) if len(part)]


def _placements(score: NDArray[np.float64], is_positive: NDArray[np.bool_]) -> NDArray[np.float64]:
    """For a positive row the share of negatives below it, for a negative row the share of positives above it."""
    out = np.empty(len(score))
    ranks = rankdata(score)
    n_positive = int(is_positive.sum())
    n_negative = len(score) - n_positive
    out[is_positive] = (ranks[is_positive] - rankdata(score[is_positive])) / n_negative
    out[~is_positive] = 1 - (ranks[~is_positive] - rankdata(score[~is_positive])) / n_positive
    return out


def _shares(is_positive: NDArray[np.bool_], weight: float) -> NDArray[np.float64]:
    """The weight of a stratum, divided among its positive rows, and again among its negative rows."""
    return weight / np.where(is_positive, is_positive.sum(), (~is_positive).sum())


def _error(moves: NDArray[np.float64], is_positive: NDArray[np.bool_], clusters: NDArray[np.intp]) -> float | None:
    """Standard error by Obuchowski's formula, which equals DeLong's if every row is its own cluster."""
    codes = np.unique(clusters, return_inverse=True)[1]
    n_clusters = int(codes.max()) + 1
    with_positive = len(np.unique(codes[is_positive]))
    with_negative = len(np.unique(codes[~is_positive]))
    if with_positive < 2 or with_negative < 2:
        return None
    of_positives = np.bincount(codes[is_positive], moves[is_positive], minlength=n_clusters)
    of_negatives = np.bincount(codes[~is_positive], moves[~is_positive], minlength=n_clusters)
    variance = (
        with_positive / (with_positive - 1) * (of_positives**2).sum()
        + with_negative / (with_negative - 1) * (of_negatives**2).sum()
        + 2 * n_clusters / (n_clusters - 1) * (of_positives * of_negatives).sum()
    )
    return float(np.sqrt(max(0.0, variance)))


def _interval(area: float, error: float | None, n_disjoint: int) -> Estimate:
    area = min(1.0, max(0.0, area))
    if error is None:
        return Estimate(area)
    if error == 0 or area in (0.0, 1.0):
        return wilson_interval(area, n_disjoint)
    logit, reach = np.log(area / (1 - area)), NORMAL_95 * error / (area * (1 - area))
    return Estimate(area, float(1 / (1 + np.exp(reach - logit))), float(1 / (1 + np.exp(-reach - logit))))
