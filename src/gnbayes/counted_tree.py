"""Counts of rows, and the tree that is learned from them: of all features, or of some if there are very many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import MAX_KEPT_CELLS, CodedRows, Counts, count_pairs, count_values, n_cells, row_numbers
from gnbayes.encoding import Feature
from gnbayes.model import ONLY_TREE, WEIGHTINGS, Interactions, read_interactions
from gnbayes.progress import progress_line
from gnbayes.settings import Settings
from gnbayes.structure import (
    STRUCTURES,
    Information,
    InformationByRow,
    Tree,
    choose_tree,
    choose_tree_among,
    class_information,
    information,
    information_of_rows,
    most_informative,
    tree_among,
    weighed,
)

# The information of all pairs is kept up to this size; for more features it is computed row by row, twice.
MAX_MATRIX_BYTES = 2**31
# A weighted model of more features than this, and than this many per row, uses the most informative ones.
MOST_FEATURES, _FEATURES_PER_ROW = 2000, 10
# Cells in the tables of all features given their parents: 1 GiB of float64.
_MAX_TABLE_CELLS = 2**27


def interactions_of(settings: Settings, features: list[Feature]) -> Interactions:
    """The requested terms; naive Bayes has no terms of several features unless they are named."""
    request = read_interactions(settings.interactions, [feature.name for feature in features])
    is_naive = not STRUCTURES[settings.structure].needs_pairs and settings.interactions == "auto"
    return ONLY_TREE if is_naive else request


def is_wide(settings: Settings, cardinalities: NDArray[np.intp], n_classes: int) -> bool:
    """Whether the tables of all pairs are needed but too large to keep."""
    return STRUCTURES[settings.structure].needs_pairs and n_cells(cardinalities, n_classes) > MAX_KEPT_CELLS


def count_all(settings: Settings, rows: CodedRows) -> Counts:
    """Count values and all pairs of values; no pairs for naive Bayes."""
    values = count_values(rows)
    if not STRUCTURES[settings.structure].needs_pairs:
        return values
    return count_pairs(values, rows, progress=progress_line("counting pairs", settings.verbose))


def kept_features(
    settings: Settings, features: list[Feature], values: Counts, n_rows: float
) -> NDArray[np.intp] | None:
    """The features that a model uses, in increasing order; None for all.

    A weighted model of a table with very many columns, compared to its rows, uses those that are individually most
    informative about the class, and those of requested interactions: others add more noise than information.

    Parameters
    ----------
    settings : Settings
    features : list of Feature
    values : Counts
        Counts of values, in the codes of pairs; pairs are not used.
    n_rows : float
    """
    most = max(MOST_FEATURES, int(_FEATURES_PER_ROW * n_rows))
    if len(features) <= most or not WEIGHTINGS[settings.weighting].needs_rows:
        return None
    named = interactions_of(settings, features).terms or ()
    return most_informative(values, most, {j for term in named for j in term})


def counts_and_tree(settings: Settings, features: list[Feature], rows: CodedRows) -> tuple[Counts, Tree]:
    """Count, and learn the tree; of some features if there are very many."""
    if rows.n_features <= MOST_FEATURES:
        return _of_all_features(settings, features, rows)
    values, n_rows = count_values(rows), int(row_numbers(rows.weights, rows.n_rows).sum())
    kept = kept_features(settings, features, values, n_rows)
    if kept is None:
        return _of_all_features(settings, features, rows)
    part = replace(rows, codes=np.asfortranarray(rows.codes[:, kept]), cardinalities=rows.cardinalities[kept])
    tree = _of_all_features(settings, [features[j] for j in kept.tolist()], part)[1]
    tree = tree_among(tree, kept, rows.n_features)
    counts = count_pairs(values, rows, tree.edges)
    return counts, weighed(tree, counts)


def _of_all_features(settings: Settings, features: list[Feature], rows: CodedRows) -> tuple[Counts, Tree]:
    """Count, and learn the tree."""
    if is_wide(settings, rows.cardinalities, rows.n_classes):
        return _of_wide_rows(settings, features, rows)
    counts = count_all(settings, rows)
    return counts, learn_tree(settings, features, counts)


def learn_tree(settings: Settings, features: list[Feature], counts: Counts) -> Tree:
    """Learn the tree from the counts of all pairs, or of single values for naive Bayes."""
    kept = kept_features(settings, features, counts, counts.n)
    if not STRUCTURES[settings.structure].needs_pairs:
        # Pairs are not used; a view of a single zero takes no memory.
        info = Information(class_information(counts), np.broadcast_to(0.0, (counts.n_features,) * 2))
    else:
        info = information(counts)
    return weighed(choose_tree_among(kept, settings.structure, settings.information, info, counts), counts)


def _of_wide_rows(settings: Settings, features: list[Feature], rows: CodedRows) -> tuple[Counts, Tree]:
    """Learn the tree without keeping pair tables, then count those of its edges."""
    values = count_values(rows)
    progress = progress_line("counting pairs", settings.verbose)
    is_large = 8 * rows.n_features**2 > MAX_MATRIX_BYTES
    info = InformationByRow(rows, values, progress) if is_large else information_of_rows(rows, values, progress)
    tree = choose_tree(settings.structure, settings.information, info, values)
    edges = tree.edges
    check_tables(features, rows.cardinalities, rows.n_classes, edges)
    counts = count_pairs(values, rows, edges)
    return counts, weighed(tree, counts)


def check_tables(
    features: list[Feature], cardinalities: NDArray[np.intp], n_classes: int, edges: NDArray[np.intp]
) -> None:
    """Raise an error if the tables of a tree are too large."""
    sizes = cardinalities[edges].prod(axis=1) * n_classes
    if sizes.sum() > _MAX_TABLE_CELLS:
        i, j = edges[np.argmax(sizes)].tolist()
        raise ValueError(
            f"the tables of all features and their parents would take {sizes.sum()} cells, at most {_MAX_TABLE_CELLS}; "
            f"the largest is that of columns {features[i].name!r} ({cardinalities[i]} values) and "
            f"{features[j].name!r} ({cardinalities[j]} values): merge rare values, drop columns, or use "
            "structure='nb'."
        )
