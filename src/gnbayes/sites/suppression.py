"""Suppress small cells before counts leave a site, and estimate tables from such counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import poisson

from gnbayes.sites.site_counts import SiteCounts, Table, check_untouched

Cells = NDArray[np.float64]


def suppress(counts: SiteCounts, threshold: int) -> SiteCounts:
    """Set cells with fewer rows than a threshold to 0.

    Each table then lacks different rows, so the model is not that of all rows; `fit_sites` replaces hidden cells by
    their expected counts, and reports how much is lost. This does not prove privacy, because tables of the same rows
    can be compared with each other; `add_noise` does.

    Parameters
    ----------
    counts : SiteCounts
        Counts of pairs, columns or a tree.
    threshold : int
        At least 2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import count_site, propose_features, suppress
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> counts = count_site(features, [table], "columns")
    >>> kept = suppress(counts, threshold=5)
    >>> bool(((kept.cells >= 5) | (kept.cells == 0)).all()), kept.privacy.suppressed_below
    (True, 5)
    """
    if not isinstance(threshold, int | np.integer) or threshold < 2:
        raise ValueError(f"threshold must be a whole number from 2, got {threshold!r} instead.")
    if counts.what == "survey":
        raise ValueError(
            "a survey holds numbers that are not counts of rows, and cannot be suppressed; add noise instead."
        )
    check_untouched(counts)
    cells = np.where(counts.cells < threshold, 0, counts.cells)
    privacy = replace(counts.privacy, suppressed_below=int(threshold))
    return replace(counts, cells=cells, privacy=privacy, words=None)


@dataclass(frozen=True, eq=False)
class Shown:
    """Lower bounds from the tables of a site: each hides different rows, so the largest sums are closest to the truth.

    Parameters
    ----------
    classes : ndarray of shape (k,)
        Number of rows of each class.
    columns : list of ndarray of shape (v_j, k)
        Number of rows of each value; 0 if no table includes the feature.
    """

    classes: Cells
    columns: list[Cells]


def shown(site: SiteCounts) -> Shown:
    """The largest sums over the tables of a site."""
    k = len(site.features.classes)
    columns = [np.zeros((size, k)) for size in site.features.cardinalities.tolist()]
    classes = np.zeros(k)
    for features, table in site.split().items():
        classes = np.maximum(classes, table.reshape(-1, k).sum(axis=0))
        for axis, j in enumerate(features):
            margin = table if len(features) == 1 else table.sum(axis=1 - axis)
            columns[j] = np.maximum(columns[j], margin)
    for column in columns:
        classes = np.maximum(classes, column.sum(axis=0))
    return Shown(classes, columns)


def filled(site: SiteCounts) -> dict[Table, tuple[Cells, Cells]]:
    """Expected cells and their variances, for a site that has suppressed small cells.

    A cell that shows 0 has fewer rows than the threshold. Their number is modeled as Poisson, truncated at the
    threshold. Its mean follows from independence for a pair; for a single feature, it is an equal share of the rows
    that its table lacks.
    """
    threshold = site.privacy.suppressed_below
    if threshold is None:
        raise ValueError("nothing was suppressed.")
    known = shown(site)
    out: dict[Table, tuple[Cells, Cells]] = {}
    for features, table in site.split().items():
        mean, variance = _hidden(_expected(features, table, known), threshold)
        out[features] = (np.where(table > 0, table, mean), np.where(table > 0, 0.0, variance))
    return out


def lost_shares(site: SiteCounts) -> dict[Table, float]:
    """A lower bound on the share of rows missing from each table of a site; 1 if nothing is left."""
    total = float(shown(site).classes.sum())
    return {features: 1.0 - table.sum() / total if total else 1.0 for features, table in site.split().items()}


def _expected(features: Table, table: NDArray[Any], known: Shown) -> Cells:
    """Expected number of rows in each cell, from the sums of other tables."""
    if len(features) == 2:
        left, right = (known.columns[j] for j in features)
        product = left[:, None] * right[None]
        return np.divide(product, known.classes, out=np.zeros_like(product), where=known.classes > 0)
    n_hidden = (table == 0).reshape(-1, len(known.classes)).sum(axis=0)
    missing = known.classes - table.reshape(-1, len(known.classes)).sum(axis=0)
    return np.broadcast_to(missing / np.maximum(n_hidden, 1), table.shape)


def _hidden(mean: Cells, threshold: int) -> tuple[Cells, Cells]:
    """Mean and variance of a Poisson variable truncated to values below a threshold.

    With F the distribution function, sum over x < t of x P(x) = m F(t - 2), and of x (x - 1) P(x) = m^2 F(t - 3).
    """
    total, one_less = poisson.cdf(threshold - 1, mean), poisson.cdf(threshold - 2, mean)
    two_less = poisson.cdf(threshold - 3, mean)
    # If far more rows are expected than can be hidden, nearly all of the probability is at the largest possible value.
    is_sound = total > 1e-12
    safe = np.where(is_sound, total, 1.0)
    first = np.where(is_sound, mean * one_less / safe, threshold - 1.0)
    # x^2 = x (x - 1) + x
    second = np.where(is_sound, mean**2 * two_less / safe + first, (threshold - 1.0) ** 2)
    return first, np.maximum(second - first**2, 0.0)
