"""The terms of a tree: every feature by itself, every edge as a pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows
from gnbayes.encoding import Feature
from gnbayes.model.fitting.learn import learn_terms
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.progress import Progress, silent
from gnbayes.structure import Tree

Array = NDArray[np.float64]


class Weights(NamedTuple):
    """Learned scores: b + sum of singles + sum of pairs.

    Parameters
    ----------
    intercept : ndarray of shape (k,)
    singles : list of ndarray of shape (v_j, k)
        One for each feature; 0 for one that is not used.
    pairs : list of ndarray of shape (c_mother, c_j, k), or None for a feature without a mother
    """

    intercept: Array
    singles: list[Array]
    pairs: list[Array | None]


def learn_weights(
    features: Sequence[Feature],
    tree: Tree,
    rows: CodedRows,
    coarse: NDArray[np.unsignedinteger],  # noqa: ARG001
    progress: Progress = silent,
) -> Weights:
    """Learn the tables of a tree for the log-loss of the rows.

    Parameters
    ----------
    features : sequence of Feature
    tree : Tree
    rows : CodedRows
        Of fine codes.
    coarse : ndarray of shape (n, d)
        Not needed any more: terms take the fine codes.
    progress : callable
        Called with the share done, as far as it can be foreseen.
    """
    specs = tree_terms(features, tree)
    learned = learn_terms(specs, rows, progress)
    singles = [np.zeros((feature.cardinality, rows.n_classes)) for feature in features]
    pairs: list[Array | None] = [None] * len(features)
    for spec, table in zip(specs, learned.tables, strict=True):
        if len(spec.features) == 1:
            singles[spec.features[0]] = table
        else:
            pairs[spec.features[1]] = table
    return Weights(learned.intercept, singles, pairs)


def tree_terms(features: Sequence[Feature], tree: Tree) -> list[TermSpec]:
    """A term for each used feature, by fine code, then one for each edge, by coarse codes of mother and daughter."""
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
    pairs = [
        TermSpec(
            edge, tuple(features[j].coarse_codes for j in edge), "free", tuple(features[j].has_missing for j in edge)
        )
        for edge in edges
    ]
    return singles + pairs
