"""Sites that may not share rows: each counts its own, and whoever merges the counts learns the model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts, without_pairs
from gnbayes.estimator import GeneralizedNB, fit_counts, settings_of
from gnbayes.pipeline import is_wide
from gnbayes.scale.count import Plan, count, join_blocks
from gnbayes.scale.features_file import SiteFeatures
from gnbayes.scale.finish import tree_of_blocks
from gnbayes.scale.privacy import NOTHING_DONE, Privacy, repaired

# Cells that a counts file may have.
_MOST_CELLS = 2**25


@dataclass(frozen=True, eq=False)
class SiteCounts:
    """The counts of one site, or of several together: tables of all pairs of features by class, or of single features.

    Tables of single features and of classes follow from those of pairs, so they are not kept beside them.

    Parameters
    ----------
    features : SiteFeatures
    has_pairs : bool
    cells : ndarray
        All tables one after the other, each (value, value, class) or (value, class) in C order; with noise some may be
        below 0.
    privacy : Privacy
    """

    features: SiteFeatures
    has_pairs: bool
    cells: NDArray[np.int64]
    privacy: Privacy = NOTHING_DONE

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """Features of each table."""
        return tables_of(len(self.features.features), self.has_pairs)

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """Shape of each table."""
        return shapes_of(self.features, self.has_pairs)

    def split(self) -> list[NDArray[np.int64]]:
        """The tables."""
        shapes = self.shapes
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
        parts = np.split(self.cells, ends[:-1])
        return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]


def tables_of(n_features: int, has_pairs: bool) -> list[tuple[int, ...]]:
    """Features of each table: all pairs, or each feature by itself, as where there is only one."""
    if has_pairs and n_features > 1:
        return list(combinations(range(n_features), 2))
    return [(j,) for j in range(n_features)]


def shapes_of(features: SiteFeatures, has_pairs: bool) -> list[tuple[int, ...]]:
    """Shape of each table."""
    sizes, k = features.cardinalities.tolist(), len(features.classes)
    return [(*(sizes[j] for j in table), k) for table in tables_of(len(sizes), has_pairs)]


def count_site(features: SiteFeatures, batches: Iterable[Any], *, pairs: bool = True, n_threads: int = 1) -> SiteCounts:
    """Count the rows of a site.

    Parameters
    ----------
    features : SiteFeatures
        The same at all sites.
    batches : iterable of data frames or pyarrow.RecordBatches
        With the columns of the features and the target.
    pairs : bool, default=True
        False for single features alone, which naive Bayes needs: fewer numbers, and less noise for the same privacy.
    n_threads : int
    """
    n_cells = sum(int(np.prod(shape)) for shape in shapes_of(features, pairs))
    if n_cells > _MOST_CELLS:
        raise ValueError(
            f"the tables of all pairs would have {n_cells} cells, at most {_MOST_CELLS}; use fewer columns or values, "
            "or pairs=False."
        )
    plan = Plan(features.features, features.classes, features.names, features.target, n_threads=n_threads)
    tables = tables_of(len(features.features), pairs)
    chosen = np.array([table for table in tables if len(table) == 2], dtype=np.intp).reshape(-1, 2)
    cells = np.zeros(n_cells, dtype=np.int64)
    for batch in batches:
        counts = count(plan, batch, chosen).counts
        cells += counts.cells if len(chosen) else counts.singles.ravel()
    return SiteCounts(features, pairs, cells)


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
