"""The counts of a site, and what was done to them before they left it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.scale import Plan, count_batch
from gnbayes.sites.dependence import dependence_of, surveyed_pairs
from gnbayes.sites.persons import Persons, first_rows
from gnbayes.sites.privacy import NOTHING_DONE, Privacy
from gnbayes.sites.site_features import SiteFeatures
from gnbayes.sites.site_tree import SiteTree

# Most cells that a counts file may have.
_MOST_CELLS = 2**25

# The features of a table; empty for the table of the classes.
Table = tuple[int, ...]
What = Literal["pairs", "columns", "survey", "tree"]


@dataclass(frozen=True, eq=False)
class SiteCounts:
    """The counts of one site: tables of values by class.

    Parameters
    ----------
    features : SiteFeatures
    what : {"pairs", "columns", "survey", "tree"}
        Tables of all pairs; of single columns; of single columns with the dependence of every pair; or those that a
        tree asks for.
    tables : tuple of tuple of int
        Features of each table: two, one, or none for that of the classes.
    cells : ndarray
        All tables one after the other, each (value, value, class), (value, class) or (class,) in C order; with noise
        some may be below 0.
    dependences : ndarray
        In a survey, one number per pair of `surveyed_pairs`; otherwise empty.
    privacy : Privacy
    persons : Persons, optional
        Who is protected; None for single rows.
    site : str, optional
        Name of the site; with a ledger, a random one.
    words : str, optional
        For counts read from a file, the file's own text about what it reveals, which is part of the release even if
        this version of the library words it differently.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import count_site, propose_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> a, b = count_site(features, [table[:70]]), count_site(features, [table[70:]])
    >>> len(a.tables), a.privacy.is_exact
    (6, True)
    >>> bool((a.cells + b.cells == count_site(features, [table]).cells).all())
    True
    """

    features: SiteFeatures
    what: What
    tables: tuple[Table, ...]
    cells: NDArray[np.int64]
    dependences: NDArray[np.int64]
    privacy: Privacy = NOTHING_DONE
    persons: Persons | None = None
    site: str | None = None
    words: str | None = None

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """Shape of each table."""
        return shapes_of(self.features, self.tables)

    def split(self) -> dict[Table, NDArray[np.int64]]:
        """The tables, by their features."""
        shapes = self.shapes
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
        parts = np.split(self.cells, ends[:-1])
        return {table: part.reshape(shape) for table, part, shape in zip(self.tables, parts, shapes, strict=True)}


def tables_of(what: What, n_features: int) -> tuple[Table, ...]:
    """Features of each table that a site counts: all pairs, or single features. Trees list their own tables."""
    if what == "pairs" and n_features > 1:
        return tuple(combinations(range(n_features), 2))
    return tuple((j,) for j in range(n_features))


def shapes_of(features: SiteFeatures, tables: Iterable[Table]) -> list[tuple[int, ...]]:
    """Shape of each table."""
    sizes, k = features.cardinalities.tolist(), len(features.classes)
    return [(*(sizes[j] for j in table), k) for table in tables]


def count_site(
    features: SiteFeatures,
    batches: Iterable[Any],
    what: What | SiteTree = "pairs",
    *,
    persons: Persons | None = None,
    site: str | None = None,
    n_threads: int = 1,
) -> SiteCounts:
    """Count the rows of a site.

    Parameters
    ----------
    features : SiteFeatures
        Must be the same at all sites.
    batches : iterable of data frames or pyarrow.RecordBatches
        Tables with the columns of the features and the target.
    what : {"pairs", "columns", "survey"} or SiteTree, default="pairs"
        "pairs": everything that a tree is learned from. "columns": single columns, which is all that naive Bayes needs,
        with fewer numbers and less noise for the same privacy. "survey", the first of two steps: single columns, and
        how strongly the columns of each pair depend on each other. A tree, the second step: the tables of its edges.
    persons : Persons, optional
        Limits the number of rows that are counted per person.
    site : str, optional
        Name of the site, required if there are several steps; a `Ledger` has one.
    n_threads : int

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import count_site, propose_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> counts = count_site(features, [table[:70], table[70:]], "columns")
    >>> counts.what, counts.tables, int(counts.cells.sum())
    ('columns', ((0,), (1,), (2,), (3,)), 600)
    """
    if isinstance(what, SiteTree):
        _check_tree(what, features)
    name: What = "tree" if isinstance(what, SiteTree) else what
    tables = what.tables if isinstance(what, SiteTree) else tables_of(what, len(features.features))
    counted = tables if name != "survey" else (*tables, *surveyed_pairs(features.cardinalities))
    _check_size(features, counted)
    found = _counted(features, batches if persons is None else first_rows(batches, persons), counted, n_threads)
    cells = np.concatenate([found[table].ravel() for table in tables])
    surveyed = surveyed_pairs(features.cardinalities) if name == "survey" else []
    dependences = np.array([dependence_of(found[pair]) for pair in surveyed], dtype=np.int64)
    return SiteCounts(features, name, tables, cells, dependences, persons=persons, site=site)


def check_untouched(counts: SiteCounts) -> None:
    """Raise an error for counts that were already protected."""
    if not counts.privacy.is_exact:
        raise ValueError("these counts are suppressed or noisy already; start from the exact counts.")


def _check_tree(tree: SiteTree, features: SiteFeatures) -> None:
    if tree.fingerprint != features.fingerprint:
        raise ValueError("the tree was made with other Features; use the Features file that it was made with.")
    last = max((j for table in tree.tables for j in table), default=-1)
    if last >= len(features.features):
        raise ValueError(f"the tree has column {last}, and there are {len(features.features)} columns, counted from 0.")


def _check_size(features: SiteFeatures, tables: tuple[Table, ...]) -> None:
    n_cells = sum(int(np.prod(shape)) for shape in shapes_of(features, tables))
    if n_cells > _MOST_CELLS:
        raise ValueError(
            f"the tables of all pairs would have {n_cells} cells, at most {_MOST_CELLS}; use fewer columns or values, "
            "or count columns alone."
        )


def _counted(
    features: SiteFeatures, batches: Iterable[Any], tables: tuple[Table, ...], n_threads: int
) -> dict[Table, NDArray[Any]]:
    """Sum of all batches' tables."""
    plan = Plan(features.features, features.classes, features.names, features.target, n_threads=n_threads)
    pairs = np.array(sorted(table for table in tables if len(table) == 2), dtype=np.intp).reshape(-1, 2)
    total: Counts | None = None
    for batch in batches:
        counts = count_batch(plan, batch, pairs).counts
        total = counts if total is None else total + counts
    if total is None:
        raise ValueError("there are no rows to count.")
    return {table: _table(total, table) for table in tables}


def _table(counts: Counts, table: Table) -> NDArray[Any]:
    if not table:
        return counts.classes
    return counts.single(table[0]) if len(table) == 1 else counts.pair(*table)
