"""How the tables of a tree are estimated: from counts, or by minimizing the log-loss; one entry for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, Counts, RowSource
from gnbayes.encoding import Feature
from gnbayes.kernels import beside, limit_threads
from gnbayes.model.build import build_model, build_weighted_model, learned_terms
from gnbayes.model.fitting import TermCounts, count_terms, learn_terms, tree_terms
from gnbayes.model.fitting.cells import recode
from gnbayes.model.interactions import ONLY_TREE, Interactions, learn_interactions
from gnbayes.model.learned import LearnedParts
from gnbayes.model.model import Model
from gnbayes.model.monotone import make_monotone
from gnbayes.model.nested import count_nested
from gnbayes.model.term import Term, TermSum
from gnbayes.progress import Progress, silent
from gnbayes.structure import Tree


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a model is built from.

    Parameters
    ----------
    features : sequence of Feature
    classes : ndarray of shape (k,)
    tree : Tree
    counts : Counts
        At least the counts of the tree's edges, in the codes of `Weighting.counted`.
    rows : RowSource or None
        All rows in fine codes, wherever they are stored; None if only counts are available.
    smoothing : str
    alpha : float
    class_prior : ndarray of shape (k,), optional
    pooling : ndarray of shape (d,), optional
        As in `build_joint`.
    interactions : Interactions
        Which terms of several features to learn.
    n_fits : int, optional
        Number of fits to average; by default determined by the number of rows.
    monotonic : mapping of int to int
        Features along which the score of the second class must not decrease (1) or increase (-1).

    Examples
    --------
    >>> from dataclasses import fields
    >>> from gnbayes.model import Evidence
    >>> [field.name for field in fields(Evidence)][:5]
    ['features', 'classes', 'tree', 'counts', 'rows']
    """

    features: Sequence[Feature]
    classes: NDArray[Any]
    tree: Tree
    counts: Counts
    rows: RowSource | None
    smoothing: str
    alpha: float
    class_prior: NDArray[np.float64] | None
    pooling: NDArray[np.float64] | None = None
    interactions: Interactions = ONLY_TREE
    n_fits: int | None = 1
    monotonic: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Weighting:
    """One value of the `weighting` parameter.

    Parameters
    ----------
    has_two_sizes : bool
        Whether there are fine codes for single features and coarse ones for pairs, whose numbers grow with the rows.
    needs_rows : bool
        Whether all rows are needed at once, in addition to their counts.
    build : callable
        Builds a model from evidence; also receives the progress callback.
    description : str

    Examples
    --------
    >>> from gnbayes.model import WEIGHTINGS
    >>> sorted(str(name) for name in WEIGHTINGS), WEIGHTINGS["discriminative"].needs_rows
    (['None', 'discriminative'], True)
    """

    has_two_sizes: bool
    needs_rows: bool
    build: Callable[[Evidence, Progress], Model]
    description: str

    def counted(self, features: Sequence[Feature], rows: CodedRows) -> CodedRows:
        """The rows in the codes used to count pairs."""
        return coarse_rows(features, rows) if self.has_two_sizes else rows


def _counted_model(evidence: Evidence, progress: Progress = silent) -> Model:
    estimation = (evidence.smoothing, evidence.alpha, evidence.class_prior, evidence.pooling)
    progress(1.0)
    return build_model(evidence.features, evidence.classes, evidence.tree, evidence.counts, *estimation)


def _learned_model(evidence: Evidence, progress: Progress = silent) -> Model:
    features, tree, rows = evidence.features, evidence.tree, evidence.rows
    if rows is None:
        raise ValueError(
            "weighting='discriminative' learns from rows, and only counts are available; use weighting=None instead."
        )
    nested = beside(partial(count_nested, features, tree, rows), _n_threads(rows))
    if evidence.interactions == ONLY_TREE and evidence.n_fits in (None, 1):
        specs = tree_terms(features, tree)
        counts: TermCounts = rows.add_up(partial(count_terms, specs=specs))
        fitted = learn_terms(specs, rows, counts, progress)
        learned = learned_terms(specs, fitted, counts, len(features))
    else:
        learned = learn_interactions(features, tree, rows, evidence.interactions, evidence.n_fits, progress)
    if evidence.monotonic:
        learned = make_monotone(learned, features, evidence.monotonic)
    parts = LearnedParts(learned, nested())
    return build_weighted_model(features, evidence.classes, tree, parts, evidence.counts, evidence.class_prior)


def _n_threads(rows: RowSource) -> int:
    """Number of threads for work beside the fit; rows elsewhere are read by one thing at a time."""
    return limit_threads(rows.n_threads, rows.codes.size) if isinstance(rows, CodedRows) else 1


def fit_tree_scores(features: Sequence[Feature], tree: Tree, rows: RowSource) -> TermSum:
    """Scores of a learned model that has only the tree's terms, without the parts that scoring does not need.

    Up to rounding, they equal the scores of the full model, provided that all codes are known and neither a class prior
    nor monotonic features are given.

    Parameters
    ----------
    features : sequence of Feature
    tree : Tree
    rows : RowSource
        The rows in fine codes.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import fit_tree_scores
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB("nb", interactions="tree").fit(X, y)
    >>> sizes = np.array([feature.cardinality for feature in clf.features_])
    >>> rows = CodedRows(clf._codes(X), y, sizes, 3)
    >>> scores, _ = fit_tree_scores(clf.features_, clf.tree_, rows).scores(rows.codes)
    >>> bool(np.allclose(scores, clf.model_.scores(rows.codes)))
    True
    """
    specs = tree_terms(features, tree)
    fitted = learn_terms(specs, rows)
    # The number of rows in each cell is not needed.
    terms = [
        Term(spec.features, spec.maps, table, np.zeros(spec.shape))
        for spec, table in zip(specs, fitted.tables, strict=True)
    ]
    return TermSum(fitted.intercept, tuple(terms))


WEIGHTINGS: dict[str | None, Weighting] = {
    None: Weighting(False, False, _counted_model, "probabilities P(x_j | y, x_mother), from counts, as in the paper"),
    "discriminative": Weighting(True, True, _learned_model, "tables fitted to minimize the log-loss of the class"),
}


def coarse_rows(features: Sequence[Feature], rows: CodedRows) -> CodedRows:
    """The same rows in coarse codes.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import coarse_rows
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> sizes = np.array([feature.cardinality for feature in clf.features_])
    >>> rows = CodedRows(clf._codes(X), y, sizes, 3)
    >>> coarse_rows(clf.features_, rows).cardinalities.tolist() == clf.counts_.cardinalities.tolist()
    True
    """
    if not any(feature.coarse for feature in features):
        return rows
    codes = recode(rows.codes, [feature.coarse_codes for feature in features], rows.n_threads)
    cardinalities = np.array([feature.coarse_cardinality for feature in features], dtype=np.intp)
    return replace(rows, codes=codes, cardinalities=cardinalities)
