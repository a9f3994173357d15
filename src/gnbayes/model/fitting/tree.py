"""The terms of a tree: every feature by itself, every edge as a pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gnbayes.encoding import Feature
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.structure import Tree


def tree_terms(features: Sequence[Feature], tree: Tree) -> list[TermSpec]:
    """A term for each used feature, by fine code, then one for each edge, by coarse codes of mother and daughter.

    An edge to a feature of one value has none: it would be a second term of the other feature.
    """
    used = np.sort(tree.order).tolist()
    singles = [
        TermSpec(
            (j,),
            (np.arange(features[j].cardinality),),
            "walk" if features[j].is_ordered else "free",
            (features[j].has_missing,),
        )
        for j in used
    ]
    edges = [(int(tree.mother[j]), j) for j in used if tree.mother[j] >= 0]
    edges = [edge for edge in edges if min(features[j].coarse_cardinality for j in edge) > 1]
    pairs = [
        TermSpec(
            edge, tuple(features[j].coarse_codes for j in edge), "free", tuple(features[j].has_missing for j in edge)
        )
        for edge in edges
    ]
    return singles + pairs
