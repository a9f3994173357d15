"""From a source of counts to a model: encoding, counting, structure and model, one after the other."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gnbayes.counted_tree import count_all, counts_and_tree, interactions_of, is_wide, learn_tree
from gnbayes.counting import CodedRows, Counts, RowSource, row_numbers, without_pairs
from gnbayes.encoding import (
    Discretizer,
    Feature,
    Table,
    choose_categories,
    choose_discretizer,
    encode,
    extend_features,
    learn_features,
    new_codes,
)
from gnbayes.kernels import limit_threads, threads_of
from gnbayes.model import (
    REPAIRING,
    WEIGHTINGS,
    Evidence,
    Model,
    choose_pooling,
    choose_strength,
    read_interactions,
    read_monotonic,
    read_signs,
)
from gnbayes.progress import progress_line
from gnbayes.settings import Settings
from gnbayes.structure import STRUCTURES, Tree, class_information, lead_with_more_informative, weighed

# Rows that are counted about as quickly as a value is looked up.
_ROWS_OF_WORD = 32


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows to learn from: a table, the class index of every row, and optional weights and groups.

    `groups` has one number per row; rows of the same group are always held out together. `class_factors`, shape (k,),
    are the factors of `class_weight` that the weights contain.
    """

    table: Table
    labels: NDArray[np.intp]
    weights: NDArray[np.float64] | None
    groups: NDArray[np.intp] | None = None
    class_factors: NDArray[np.float64] | None = None

    @property
    def score_weights(self) -> NDArray[np.float64] | None:
        """Weights for scores of these rows, shape (n,): without the factors of `class_weight`."""
        if self.weights is None or self.class_factors is None:
            return self.weights
        return np.asarray(self.weights / self.class_factors[self.labels])


@dataclass(frozen=True, eq=False)
class Learned:
    """What was learned.

    Parameters
    ----------
    features : list of Feature
    counts : Counts
    tree : Tree
    model : Model
    alpha : float
    rows : RowSource, optional
        The rows in fine codes if they are available.
    pooling : ndarray of shape (d,), optional
        From `choose_pooling`; by default no feature is pooled.
    """

    features: list[Feature]
    counts: Counts
    tree: Tree
    model: Model
    alpha: float
    rows: RowSource | None = None
    pooling: NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class Counted:
    """What a source provides: features and counts, the tree if it is already known, and rows if they are available.

    Parameters
    ----------
    features : list of Feature
    counts : Counts
        Counts of all pairs, or of the edges of `tree`; in coarse codes if the weighting uses both fine and coarse ones.
    tree : Tree, optional
        Learned from the counts by default.
    rows : RowSource, optional
        All rows in fine codes, wherever they are stored.
    counted_rows : CodedRows, optional
        All rows in the codes that were counted, for leave-one-out.
    """

    features: list[Feature]
    counts: Counts
    tree: Tree | None = None
    rows: RowSource | None = None
    counted_rows: CodedRows | None = None

    def count(self, settings: Settings, classes: NDArray[Any]) -> Counted:
        """The counts already exist: they come from batches, a cluster or sites."""
        return self


class Source(Protocol):
    """Where counts come from."""

    def count(self, settings: Settings, classes: NDArray[Any]) -> Counted:
        """Features and counts."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows in memory, as a source of counts."""

    batch: Batch

    def count(self, settings: Settings, classes: NDArray[Any]) -> Counted:
        """Learn bins and categories, encode the rows, and count them."""
        check_columns(settings, self.batch.table.names, len(classes))
        features, rows = learn_codes(settings, classes, self.batch)
        counted = _to_count(WEIGHTINGS[settings.weighting].counted(features, rows))
        return Counted(features, *counts_and_tree(settings, features, counted), rows, counted)


@dataclass(frozen=True, eq=False)
class MoreRows:
    """Rows that are added to earlier counts, as a source of counts."""

    features: list[Feature]
    counts: Counts
    batch: Batch

    def count(self, settings: Settings, classes: NDArray[Any]) -> Counted:
        """Extend the features, encode the rows, and add their counts."""
        features, counts, rows = count_more(settings, classes, self.features, self.counts, self.batch)
        return Counted(features, counts, None, rows, rows)


def learn(settings: Settings, classes: NDArray[Any], source: Source) -> Learned:
    """Learn a model: the only place where encoding, counting, structure and model are combined.

    Parameters
    ----------
    settings : Settings
    classes : ndarray of shape (k,)
    source : Rows, MoreRows or Counted
    """
    counted = source.count(settings, classes)
    tree = learn_tree(settings, counted.features, counted.counts) if counted.tree is None else counted.tree
    alpha, tree = _strength_and_tree(settings, tree, counted)
    # The counted rows and their bits are not needed any more, and the model needs memory of its own.
    counted = replace(counted, counted_rows=None)
    return build(settings, classes, counted, tree, alpha)


def build(settings: Settings, classes: NDArray[Any], counted: Counted, tree: Tree, alpha: float) -> Learned:
    """The model of a tree.

    Parameters
    ----------
    settings : Settings
    classes : ndarray of shape (k,)
    counted : Counted
    tree : Tree
    alpha : float
    """
    pooling = choose_pooling(counted.counts, tree) if _pools(settings) else None
    probabilities = (settings.smoothing, alpha, settings.class_prior, pooling)
    request = interactions_of(settings, counted.features)
    n_fits = None if settings.n_fits == "auto" else int(settings.n_fits)
    signs = read_monotonic(settings.monotonic_cst, counted.features, len(classes))
    evidence = Evidence(
        counted.features, classes, tree, counted.counts, counted.rows, *probabilities, request, n_fits, signs
    )
    weighting = WEIGHTINGS[settings.weighting]
    progress = progress_line("learning weights", settings.verbose if weighting.needs_rows else 0)
    model = weighting.build(evidence, progress)
    return Learned(counted.features, counted.counts, tree, model, alpha, counted.rows, pooling)


def _pools(settings: Settings) -> bool:
    """Whether the classes of each of many values are drawn to those of all values.

    Not those of naive Bayes, which is that of scikit-learn, nor with the paper's information, nor if one amount of
    smoothing is to be chosen for all features.
    """
    is_tree = STRUCTURES[settings.structure].needs_pairs
    is_counted = settings.weighting is None and settings.smoothing not in REPAIRING
    return is_tree and is_counted and settings.information == "corrected" and settings.alpha != "auto"


def check_columns(settings: Settings, names: Sequence[str], n_classes: int) -> None:
    """Refuse parameters that name columns which are not there, before any work is done."""
    read_interactions(settings.interactions, names)
    read_signs(settings.monotonic_cst, names, n_classes)


def learn_codes(settings: Settings, classes: NDArray[Any], batch: Batch) -> tuple[list[Feature], CodedRows]:
    """Learn bins and categories, and encode the rows with them."""
    is_category = choose_categories(settings.categorical_features, batch.table)
    n_rows = _n_rows(batch) if WEIGHTINGS[settings.weighting].has_two_sizes else None
    discretizer = choose_discretizer(settings.discretizer, settings.n_bins, n_rows)
    features = learn_features(batch.table, discretizer, is_category, batch.labels, len(classes), batch.weights)
    return features, _coded(settings, features, classes, batch)


def count_more(
    settings: Settings, classes: NDArray[Any], features: list[Feature], counts: Counts, batch: Batch
) -> tuple[list[Feature], Counts, CodedRows]:
    """Extend features with one more batch of rows, and add its counts; also returns the encoded batch."""
    extended = extend_features(features, batch.table)
    _warn_of_growth(settings, features, extended, batch.table)
    rows = _to_count(_coded(settings, extended, classes, batch))
    before = _counts_to_go_on_from(settings, counts, rows)
    codes = [new_codes(old, new) for old, new in zip(features, extended, strict=True)]
    return extended, before.recode(codes, rows.cardinalities) + count_all(settings, rows), rows


def _n_rows(batch: Batch) -> int:
    return int(row_numbers(batch.weights, len(batch.labels)).sum())


def _coded(settings: Settings, features: list[Feature], classes: NDArray[Any], batch: Batch) -> CodedRows:
    cardinalities = np.array([feature.cardinality for feature in features], dtype=np.intp)
    codes, n_threads = encode(batch.table, features), threads_of(settings.n_jobs)
    return CodedRows(codes, batch.labels, cardinalities, len(classes), batch.weights, n_threads, batch.groups)


def _to_count(rows: CodedRows) -> CodedRows:
    """The same rows, to be counted by one thread if they are few: each word of bits covers many rows."""
    n_threads = limit_threads(rows.n_threads, rows.codes.size * rows.n_features // _ROWS_OF_WORD)
    return rows if n_threads == rows.n_threads else replace(rows, n_threads=n_threads)


def _strength_and_tree(settings: Settings, tree: Tree, counted: Counted) -> tuple[float, Tree]:
    """The amount of smoothing, and the tree of the first features if a number of them was requested."""
    n_features, alpha, rows = settings.n_features, settings.alpha, counted.counted_rows
    if n_features is not None:
        tree = order_of_prefixes(settings, tree, counted.counts).first(n_features)
    if alpha == "auto" and rows is not None:
        alpha = choose_strength(tree, counted.counts, rows, settings.smoothing, settings.class_prior)
    return float(alpha), tree


def order_of_prefixes(settings: Settings, tree: Tree, counts: Counts) -> Tree:
    """The tree in the order in which features are selected: the more informative feature of its first pair comes first.

    The paper (plug-in information) begins with the one that comes first in the table.
    """
    if settings.information == "plug-in":
        return tree
    return weighed(lead_with_more_informative(tree, class_information(counts)), counts)


def _counts_to_go_on_from(settings: Settings, counts: Counts, rows: CodedRows) -> Counts:
    if not STRUCTURES[settings.structure].needs_pairs:
        return without_pairs(counts)
    if is_wide(settings, rows.cardinalities, rows.n_classes) or (counts.pairs is not None and len(counts.pairs)):
        raise ValueError(
            "partial_fit continues from the counts of all pairs of values, which are too many to keep here, or were "
            "not kept in a model file; use fit on all rows, fewer columns or values, or GeneralizedNB(structure='nb')."
        )
    if counts.pairs is not None:
        raise ValueError(
            "partial_fit cannot continue: the rows so far were counted with structure='nb', which keeps no counts of "
            "pairs; start again with fit."
        )
    return counts


def _warn_of_growth(settings: Settings, old: list[Feature], new: list[Feature], table: Table) -> None:
    """Warn if a column of numbers that the first batch left unbinned turns out to have many values."""
    is_category = choose_categories(settings.categorical_features, table)
    discretizer = choose_discretizer(settings.discretizer, settings.n_bins)
    most = discretizer.most_left_alone if isinstance(discretizer, Discretizer) else 0
    grown = [
        repr(after.name)
        for before, after, is_chosen in zip(old, new, is_category, strict=True)
        if not (is_chosen or after.is_text) and after.kind == "category" and before.n_values <= most
        if after.n_values > most
    ]
    if grown:
        warnings.warn(
            f"the first batch had too few numbers in {', '.join(grown)} for bins, so that each number is now a "
            "category of its own; start with a larger batch, or give bin edges.",
            UserWarning,
            stacklevel=5,
        )
