"""Sites that may not share rows: each counts its own, and whoever merges the counts learns the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts, without_pairs
from gnbayes.estimator import GeneralizedNB, fit_counts, settings_of
from gnbayes.pipeline import is_wide
from gnbayes.scale import Plan, join_blocks, tree_of_blocks
from gnbayes.sites.consistency import repaired
from gnbayes.sites.site_counts import NOTHING_DONE, SiteCounts
from gnbayes.sites.site_features import SiteFeatures


def fit_sites(clf: GeneralizedNB, sites: Sequence[SiteCounts]) -> GeneralizedNB:
    """Fit a classifier on the counts of sites: the same as on all of their rows, where nothing was left out or added.

    Parameters
    ----------
    clf : GeneralizedNB
        With ``weighting=None``, as weights need rows.
    sites : sequence of SiteCounts

    Returns
    -------
    clf : GeneralizedNB
        The same object, fitted.
    """
    if clf.weighting is not None:
        raise ValueError(
            "weighting='discriminative' learns from rows, which sites do not share; use weighting=None, which needs "
            "counts alone."
        )
    if not sites:
        raise ValueError("there are no counts to learn from.")
    touched = next((site.privacy for site in sites if not site.privacy.is_exact), NOTHING_DONE)
    merged = replace(sites[0], cells=_merged(sites), privacy=touched)
    if not merged.cells.any():
        raise ValueError("the counts of all sites together hold no rows.")
    features, classes = list(merged.features.features), merged.features.classes
    settings = settings_of(clf, classes, len(features))
    values, blocks = _as_counts(merged)
    if not values.n > 0:
        raise ValueError("the counts of all sites together hold no rows.")
    if settings.structure == "nb":
        return fit_counts(clf, features, classes, without_pairs(values))
    if len(features) > 1 and not merged.has_pairs:
        raise ValueError(
            f"structure={clf.structure!r} needs counts of pairs, and these have none; use structure='nb', or count "
            "with pairs."
        )
    if not is_wide(settings, merged.features.cardinalities, len(classes)):
        return fit_counts(clf, features, classes, join_blocks(values, [blocks]))
    plan = Plan(merged.features.features, classes, merged.features.names, merged.features.target)
    tree = tree_of_blocks(clf, plan, values, [blocks])
    cells = [np.ascontiguousarray(blocks.pair(i, j)).ravel() for i, j in tree.edges.tolist()]
    return fit_counts(clf, features, classes, replace(values, pairs=tree.edges, cells=np.concatenate(cells)), tree)


def _merged(sites: Sequence[SiteCounts]) -> NDArray[np.int64]:
    """Cells of all sites together; an error for different Features."""
    first = sites[0]
    for at, site in enumerate(sites[1:], 2):
        if site.features.fingerprint != first.features.fingerprint:
            raise ValueError(
                f"the counts of site {at} were made with other Features than those of site 1 "
                f"({_difference(first.features, site.features)}); count both with the same Features file."
            )
        if site.has_pairs != first.has_pairs:
            raise ValueError(f"of sites 1 and {at} only one has counts of pairs; count both with or without pairs.")
        same = next((n for n, other in enumerate(sites[: at - 1], 1) if np.array_equal(other.cells, site.cells)), None)
        if same is not None and site.cells.any():
            raise ValueError(f"sites {same} and {at} have the same counts, cell by cell; give those of each site once.")
    return np.sum([site.cells for site in sites], axis=0)


def _as_counts(site: SiteCounts) -> tuple[Counts, Counts]:
    """Counts of the values, and the same with all pairs as chosen ones; valid tables that agree with each other."""
    cardinalities = site.features.cardinalities
    tables = dict(zip(site.tables, site.split(), strict=True))
    if site.privacy.is_exact:
        singles = [_single(tables, j) for j in range(len(cardinalities))]
        classes: NDArray[Any] = singles[0].sum(axis=0)
    else:
        classes, singles, tables = repaired(tables, cardinalities, len(site.features.classes))
    no_pairs = np.zeros((0, 2), dtype=np.intp)
    values = Counts(cardinalities, classes, np.concatenate(singles), no_pairs, classes[:0])
    pairs = np.array([table for table in tables if len(table) == 2], dtype=np.intp).reshape(-1, 2)
    cells = [table.ravel() for features, table in tables.items() if len(features) == 2]
    return values, replace(values, pairs=pairs, cells=np.concatenate(cells) if cells else values.cells)


def _single(tables: dict[tuple[int, ...], NDArray[Any]], j: int) -> NDArray[Any]:
    """The table of feature j, from the first that it is in."""
    features, table = next((features, table) for features, table in tables.items() if j in features)
    return table if len(features) == 1 else table.sum(axis=1 - features.index(j))


def _difference(mine: SiteFeatures, theirs: SiteFeatures) -> str:
    if mine.target != theirs.target:
        return f"targets {mine.target!r} and {theirs.target!r}"
    if mine.classes.tolist() != theirs.classes.tolist():
        return "other classes"
    for feature, other in zip(mine.features, theirs.features, strict=False):
        if feature != other:
            return f"column {feature.name!r}"
    return "other columns"
