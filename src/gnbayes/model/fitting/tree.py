"""The terms of a tree: every single feature, and every edge as a pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gnbayes.encoding import Feature
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.structure import Tree


def tree_terms(features: Sequence[Feature], tree: Tree) -> list[TermSpec]:
    """A term per used feature, by fine codes, then one per edge, by coarse codes of mother and daughter.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model import tree_terms
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> [spec.features for spec in tree_terms(clf.features_, clf.tree_)]
    [(0,), (1,), (2,), (3,), (2, 0), (3, 1), (2, 3)]
    """
    return single_terms(features, tree) + [coarse_pair(features, edge) for edge in tree_edges(tree)]


def single_terms(features: Sequence[Feature], tree: Tree) -> list[TermSpec]:
    """A term per used feature, by fine codes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model.fitting import single_terms
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> [spec.features for spec in single_terms(clf.features_, clf.tree_)]
    [(0,), (1,), (2,), (3,)]
    """
    return [
        TermSpec(
            (j,),
            (np.arange(features[j].cardinality),),
            "walk" if features[j].is_ordered else "free",
            (features[j].has_missing,),
        )
        for j in np.sort(tree.order).tolist()
    ]


def tree_edges(tree: Tree) -> list[tuple[int, int]]:
    """Mother and daughter of each edge, sorted by daughter."""
    return [(int(tree.mother[j]), j) for j in np.sort(tree.order).tolist() if tree.mother[j] >= 0]


def coarse_pair(features: Sequence[Feature], pair: tuple[int, int], family: int = 0) -> TermSpec:
    """A term of two features, by coarse codes, with a value for every cell."""
    maps = tuple(features[j].coarse_codes for j in pair)
    return TermSpec(pair, maps, "free", tuple(features[j].has_missing for j in pair), family)
