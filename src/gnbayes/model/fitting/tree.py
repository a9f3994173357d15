"""The terms of a tree: every single feature, and every edge as a pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gnbayes.encoding import Feature
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.structure import Tree


def tree_terms(features: Sequence[Feature], tree: Tree) -> list[TermSpec]:
    """A term per used feature, by fine codes, then one per edge, by coarse codes of mother and daughter."""
    return single_terms(features, tree) + [coarse_pair(features, edge) for edge in tree_edges(tree)]


def single_terms(features: Sequence[Feature], tree: Tree) -> list[TermSpec]:
    """A term per used feature, by fine codes."""
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
