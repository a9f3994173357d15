"""Build a model from a tree and counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.encoding import Feature
from gnbayes.model.counted import CountedModel
from gnbayes.model.fitting import FittedTables, TermCounts, TermSpec
from gnbayes.model.joint import Joint
from gnbayes.model.learned import LearnedParts, LearnedTerms
from gnbayes.model.nested import NestedCounts
from gnbayes.model.paper import PaperJoint, paper_tables
from gnbayes.model.parameters import (
    additive_tables,
    backoff_tables,
    daughter_counts,
    log_class_prior,
    pooled_table,
)
from gnbayes.model.purify import purify
from gnbayes.model.term import Term
from gnbayes.model.weighted import WeightedModel
from gnbayes.structure import Tree

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Smoothing:
    """One value of the `smoothing` parameter.

    Parameters
    ----------
    build : callable
        Turns counts, tree, strength and log prior into a joint distribution.
    leaves_out : bool
        Whether the model without one of its rows can be computed exactly, for leave-one-out.
    description : str
        How combinations that are rare in training are treated.

    Examples
    --------
    >>> from gnbayes.model import SMOOTHINGS
    >>> SMOOTHINGS["additive"].description
    'add alpha to every count'
    """

    build: Callable[[Counts, Tree, float, Array], Joint]
    leaves_out: bool
    description: str


def _additive(counts: Counts, tree: Tree, alpha: float, prior: Array) -> Joint:
    return Joint(tree, prior, additive_tables(counts, tree, alpha))


def _backoff(counts: Counts, tree: Tree, alpha: float, prior: Array) -> Joint:
    return Joint(tree, prior, backoff_tables(counts, tree, alpha))


def _paper(counts: Counts, tree: Tree, _alpha: float, prior: Array) -> Joint:
    return PaperJoint(tree, prior, *paper_tables(counts, tree))


def _repair(counts: Counts, tree: Tree, _alpha: float, prior: Array) -> Joint:
    return PaperJoint(tree, prior, *paper_tables(counts, tree, always_repaired=True))


SMOOTHINGS: dict[str, Smoothing] = {
    "additive": Smoothing(_additive, True, "add alpha to every count"),
    "backoff": Smoothing(_backoff, True, "add the same total, distributed according to P(x_j | y)"),
    "paper": Smoothing(_paper, False, "the paper's steps 1 to 4: repair zeros where no class is possible"),
    "repair": Smoothing(_repair, False, "the program of the paper's authors: repair every zero"),
}
# Relative frequencies with repaired zeros: no alpha, and no exact leave-one-out.
REPAIRING = tuple(name for name, smoothing in SMOOTHINGS.items() if not smoothing.leaves_out)


def build_joint(
    tree: Tree,
    counts: Counts,
    smoothing: str = "additive",
    alpha: float = 1.0,
    class_prior: Array | None = None,
    pooling: Array | None = None,
) -> Joint:
    """Estimate the probabilities of a tree.

    Parameters
    ----------
    tree : Tree
    counts : Counts
        Must include the tables of the tree's edges.
    smoothing : {"additive", "backoff", "paper", "repair"}
    alpha : float
        Amount of smoothing; the paper's rules do not use it.
    class_prior : ndarray of shape (k,), optional
    pooling : ndarray of shape (d,), optional
        How many rows P(y | x_mother) counts for in each value of a feature, from `choose_pooling`; features with 0 are
        smoothed by themselves.

    Returns
    -------
    joint : Joint

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import information, tan
    >>> from gnbayes.model import build_joint
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> tree = tan(information(count(rows)))
    >>> joint = build_joint(tree, count(rows))
    >>> np.exp(joint.log_joint(rows.codes)[0]).round(3).tolist()
    [0.281, 0.062]
    """
    joint = SMOOTHINGS[smoothing].build(counts, tree, alpha, log_class_prior(counts, class_prior))
    if pooling is None or not pooling.any():
        return joint
    tables = list(joint.tables)
    for j in np.flatnonzero(pooling).tolist():
        tables[j] = pooled_table(daughter_counts(counts, tree, j), alpha, float(pooling[j]))
    return replace(joint, tables=tuple(tables))


def build_model(
    features: Sequence[Feature],
    classes: NDArray[Any],
    tree: Tree,
    counts: Counts,
    smoothing: str = "additive",
    alpha: float = 1.0,
    class_prior: Array | None = None,
    pooling: Array | None = None,
) -> CountedModel:
    """Build the counted model of a tree; parameters as in `build_joint`.

    Parameters
    ----------
    features : sequence of Feature
    classes : ndarray of shape (k,)
    tree, counts, smoothing, alpha, class_prior, pooling
        As in `build_joint`.

    Returns
    -------
    model : CountedModel

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model import build_model
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(weighting=None).fit(X, y)
    >>> model = build_model(clf.features_, clf.classes_, clf.tree_, clf.counts_)
    >>> model.unknown_rule, model.scores(clf._codes(X[:5])).shape
    ('summed out', (5, 3))
    """
    joint = build_joint(tree, counts, smoothing, alpha, class_prior, pooling)
    return CountedModel(tuple(features), classes, tree, joint, counts)


def build_weighted_model(
    features: Sequence[Feature],
    classes: NDArray[Any],
    tree: Tree,
    parts: LearnedParts,
    counts: Counts,
    class_prior: Array | None = None,
) -> WeightedModel:
    """Combine learned terms with the joint distribution.

    Parameters
    ----------
    features : sequence of Feature
    classes : ndarray of shape (k,)
    tree : Tree
    parts : LearnedParts
    counts : Counts
        Counts with the class shares, which a given prior replaces.
    class_prior : ndarray of shape (k,), optional

    Returns
    -------
    model : WeightedModel

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model import build_weighted_model
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> parts = clf.model_.learned_parts
    >>> model = build_weighted_model(clf.features_, clf.classes_, clf.tree_, parts, clf.counts_)
    >>> codes = clf._codes(X[:5])
    >>> bool(np.allclose(model.scores(codes), clf.model_.scores(codes)))
    True
    """
    shift = np.zeros(len(classes))
    if class_prior is not None:
        # A class whose rows all have weight 0 has no share to replace.
        own = log_class_prior(counts)
        shift = log_class_prior(counts, class_prior) - np.where(np.isfinite(own), own, 0.0)
    prior = log_class_prior(counts, class_prior)
    return WeightedModel(tuple(features), classes, tree, parts.learned, prior, shift, parts.nested)


def learned_terms(specs: Sequence[TermSpec], fitted: FittedTables, counts: TermCounts, n_features: int) -> LearnedTerms:
    """Fitted tables as pure terms, with the training rows in their cells.

    Parameters
    ----------
    specs : sequence of TermSpec
    fitted : FittedTables
        Their tables.
    counts : TermCounts
        The training rows in their cells.
    n_features : int

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import TermSpec, learned_terms
    >>> from gnbayes.model.fitting import count_terms, learn_terms
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> specs = [TermSpec((j,), (np.arange(2),), "free", (False,)) for j in range(2)]
    >>> learned = learned_terms(specs, learn_terms(specs, rows), count_terms(rows, specs), 2)
    >>> [term.features for term in learned.terms]
    [(0,), (1,)]
    """
    spreads: Sequence[Array | None] = fitted.spreads or [None] * len(specs)
    terms = [
        Term(spec.features, spec.maps, table, cells.astype(np.float64).reshape(spec.shape), spread=spread)
        for spec, table, cells, spread in zip(specs, fitted.tables, counts.cells, spreads, strict=True)
    ]
    return replace(_pure(terms, fitted.intercept, n_features), spread_ratio=fitted.spread_ratio)


def terms_of_tables(specs: Sequence[TermSpec], fitted: FittedTables, nested: NestedCounts) -> LearnedTerms:
    """The same for a tree if only counts are available, as in files of version 2.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import learn_terms, nested_from_coarse, terms_of_tables, tree_terms
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB("nb", interactions="tree").fit(X, y)
    >>> sizes = np.array([feature.cardinality for feature in clf.features_])
    >>> specs = tree_terms(clf.features_, clf.tree_)
    >>> fitted = learn_terms(specs, CodedRows(clf._codes(X), y, sizes, 3))
    >>> nested = nested_from_coarse(clf.features_, clf.counts_)
    >>> [term.features for term in terms_of_tables(specs, fitted, nested).terms]
    [(0,), (1,), (2,), (3,)]
    """
    terms = []
    for spec, table in zip(specs, fitted.tables, strict=True):
        *others, last = spec.features
        cells = nested.edges.pair(others[0], last) if others else nested.values.single(last)
        terms.append(Term(spec.features, spec.maps, table, np.asarray(cells.sum(axis=-1), dtype=np.float64)))
    return _pure(terms, fitted.intercept, nested.values.n_features)


def _pure(terms: list[Term], intercept: Array, n_features: int) -> LearnedTerms:
    values = [np.zeros(0)] * n_features
    for term in terms:
        if len(term.features) == 1:
            values[term.features[0]] = term.rows
    shift, pure = purify(terms, values)
    return LearnedTerms(intercept + shift, pure)
