"""The joint distribution next to learned terms: codes between fine and coarse, and back-off to coarser counts.

A learned model has fine codes for single features and coarse ones for pairs. Its joint distribution has codes in
between: every coarse code is split in two. Their tables are large for the number of rows, so every table of a feature
given its parent backs off to the table of coarser codes, and that one to the feature alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, Counts, RowSource, count_pairs, count_values
from gnbayes.encoding import Feature
from gnbayes.model.fitting.cells import recode
from gnbayes.model.joint import Joint
from gnbayes.model.parameters import daughter_counts
from gnbayes.structure import Tree

Array = NDArray[np.float64]
# Number of rows that coarser tables count as, if both features are coarse, and if the parent is finer.
COARSE_STRENGTH, FINE_STRENGTH = 20.0, 40.0
# Pseudo-count of every code within a code of the joint distribution.
WITHIN_ROWS = 0.05


@dataclass(frozen=True, eq=False)
class NestedCounts:
    """The counts from which the joint distribution of a learned model is estimated.

    Parameters
    ----------
    maps : tuple of ndarray of shape (v_j,)
        For each feature, the code in the joint distribution of every code.
    values : Counts
        Counts of the codes, without pairs.
    edges : Counts
        Counts of the codes in the joint distribution, with the pairs of the tree's edges.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> nested = clf.model_.learned_parts.nested
    >>> nested.values.n, len(nested.maps)
    (150, 4)
    """

    maps: tuple[NDArray[np.intp], ...]
    values: Counts
    edges: Counts

    def joint(self, features: Sequence[Feature], tree: Tree, log_prior: Array) -> Joint:
        """The joint distribution along a tree."""
        coarse = [coarse_of(feature, own) for feature, own in zip(features, self.maps, strict=True)]
        tables = tuple(_table(self.edges, tree, j, coarse) for j in range(tree.n_features))
        return Joint(tree, log_prior, tables)

    def within(self) -> tuple[Array, ...]:
        """For each feature, P(code | its code in the joint distribution, y), shape (v_j, k)."""
        shares = []
        for j, own in enumerate(self.maps):
            rows = self.values.single(j) + WITHIN_ROWS
            total = np.zeros((int(own.max()) + 1, rows.shape[1]))
            np.add.at(total, own, rows)
            shares.append(np.asarray(rows / total[own]))
        return tuple(shares)


def count_nested(features: Sequence[Feature], tree: Tree, rows: RowSource) -> NestedCounts:
    """Count the rows for the joint distribution of a learned model, in two passes.

    Parameters
    ----------
    features : sequence of Feature
    tree : Tree
    rows : RowSource
        Rows in fine codes.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import count_nested
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> sizes = np.array([feature.cardinality for feature in clf.features_])
    >>> nested = count_nested(clf.features_, clf.tree_, CodedRows(clf._codes(X), y, sizes, 3))
    >>> nested.values.n, len(nested.maps)
    (150, 4)
    """
    values: Counts = rows.add_up(count_values)
    maps = tuple(split_codes(feature, values.single(j).sum(axis=1)) for j, feature in enumerate(features))
    return NestedCounts(maps, values, rows.add_up(partial(_count_edges, maps=maps, edges=tree.edges)))


def _count_edges(rows: CodedRows, maps: Sequence[NDArray[np.intp]], edges: NDArray[np.intp]) -> Counts:
    """Counts of pairs in other codes."""
    codes = recode(rows.codes, maps, rows.n_threads)
    sizes = np.array([int(own.max()) + 1 for own in maps], dtype=np.intp)
    between = replace(rows, codes=codes, cardinalities=sizes)
    return count_pairs(count_values(between), between, edges)


def nested_from_coarse(features: Sequence[Feature], counts: Counts) -> NestedCounts:
    """The same from coarse counts alone: the rows of a coarse code are divided evenly among its codes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model import nested_from_coarse
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> nested = nested_from_coarse(clf.features_, clf.counts_)
    >>> nested.values.n
    150.0
    """
    maps = tuple(feature.coarse_codes for feature in features)
    values = [counts.single(j)[own] / np.bincount(own)[own][:, None] for j, own in enumerate(maps)]
    sizes = np.array([len(own) for own in maps], dtype=np.intp)
    none = np.zeros((0, 2), dtype=np.intp)
    fine = Counts(sizes, counts.classes.astype(np.float64), np.concatenate(values), none, np.zeros(0))
    return NestedCounts(maps, fine, counts)


def split_codes(feature: Feature, rows: NDArray[np.float64]) -> NDArray[np.intp]:
    """Codes in the joint distribution: every coarse code with at least two codes is split in two.

    Parameters
    ----------
    feature : Feature
    rows : ndarray of shape (v,)
        Weight of the rows of each code.

    Returns
    -------
    codes : ndarray of shape (v,)

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import Feature
    >>> from gnbayes.model.nested import split_codes
    >>> age = Feature("age", "interval", (20, 30, 40, 50), (15, 25, 35, 45, 60), coarse=(0, 0, 0, 0, 1))
    >>> split_codes(age, np.array([5, 5, 5, 5, 9])).tolist()
    [0, 0, 1, 1, 2]
    """
    coarse = feature.coarse_codes
    before = np.cumsum(rows) - rows
    first = np.searchsorted(coarse, coarse)
    total = np.bincount(coarse, rows)[coarse]
    is_upper = before - before[first] + rows / 2 > total / 2
    # The first code of a coarse one belongs to its lower half, so that no half is empty.
    is_upper[np.unique(coarse, return_index=True)[1]] = False
    return np.unique(2 * coarse + is_upper, return_inverse=True)[1].astype(np.intp)


def coarse_of(feature: Feature, own: NDArray[np.intp]) -> NDArray[np.intp]:
    """Coarse code of each code in the joint distribution."""
    return np.asarray(feature.coarse_codes[np.unique(own, return_index=True)[1]])


def joint_feature(feature: Feature, own: NDArray[np.intp]) -> Feature:
    """The feature with its values in the joint distribution.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import Feature
    >>> from gnbayes.model import joint_feature
    >>> age = Feature("age", "interval", edges=(30.0, 40.0, 60.0), means=(25.0, 35.0, 50.0, 70.0))
    >>> joint_feature(age, np.array([0, 0, 1, 1])).labels
    ('age < 40', '40 <= age')
    """
    if len(own) == int(own.max()) + 1:
        return feature
    inner = np.flatnonzero(np.diff(own[: feature.n_values]))
    return replace(feature, edges=tuple(feature.edges[at] for at in inner.tolist()), means=(), coarse=())


def _table(counts: Counts, tree: Tree, j: int, coarse: Sequence[NDArray[np.intp]]) -> Array:
    """Log P(x_j | x_mother, y), shape (v_mother or 1, v_j, k)."""
    alone = counts.single(j) + 1.0
    alone = alone / alone.sum(axis=0)
    mother = int(tree.mother[j])
    if mother < 0:
        return np.log(alone[None])
    cells = daughter_counts(counts, tree, j).astype(np.float64)
    above, own = coarse[mother], coarse[j]
    by_mother = _summed(cells, above, 0)
    totals = by_mother.sum(axis=1, keepdims=True)
    alone_coarse = _summed(alone, own, 0)
    both_coarse = _leaning(_summed(by_mother, own, 1), totals, alone_coarse, COARSE_STRENGTH)
    spread = both_coarse[:, own] * (alone / alone_coarse[own])
    given_coarse = _leaning(by_mother, totals, spread, COARSE_STRENGTH)
    return np.log(_leaning(cells, cells.sum(axis=1, keepdims=True), given_coarse[above], FINE_STRENGTH))


def _leaning(cells: Array, totals: Array, toward: Array, strength: float) -> Array:
    return np.asarray((cells + strength * toward) / (totals + strength))


def _summed(cells: Array, groups: NDArray[np.intp], axis: int) -> Array:
    """Sum cells of the same group along an axis."""
    moved = np.moveaxis(cells, axis, 0)
    out = np.zeros((int(groups.max()) + 1, *moved.shape[1:]))
    np.add.at(out, groups, moved)
    return np.moveaxis(out, 0, axis)
