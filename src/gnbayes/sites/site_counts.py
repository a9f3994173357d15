"""The counts of a site, and what was done to them before they left it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.scale import Plan, count_batch
from gnbayes.sites.site_features import SiteFeatures

# Cells that a counts file may have.
_MOST_CELLS = 2**25


@dataclass(frozen=True)
class Privacy:
    """What was done to counts.

    Parameters
    ----------
    suppressed_below : int, optional
        Cells of fewer rows were set to 0.
    epsilon : str, optional
        Of differential privacy, as a decimal number: neighbours differ by one row that is added or removed.
    sensitivity : int, optional
        Cells that one row changes, by 1 each: the number of tables.
    seed : int, optional
        Of the noise, for tests: whoever knows it can take the noise off again.
    """

    suppressed_below: int | None = None
    epsilon: str | None = None
    sensitivity: int | None = None
    seed: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether nothing was done."""
        return self.suppressed_below is None and self.epsilon is None


NOTHING_DONE = Privacy()


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
        counts = count_batch(plan, batch, chosen).counts
        cells += counts.cells if len(chosen) else counts.singles.ravel()
    return SiteCounts(features, pairs, cells)


def check_untouched(counts: SiteCounts) -> None:
    """Refuse counts that were changed already."""
    if not counts.privacy.is_exact:
        raise ValueError(
            "something was done to these counts already; start from the counts of the rows, and choose one."
        )
