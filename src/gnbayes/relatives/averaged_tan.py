"""ATAN, the average of tree-augmented naive Bayes over every root (Jiang, Cai, Wang and Zhang 2012)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gnbayes._sklearn import StrOptions
from gnbayes.base import BaseBayesInBatches
from gnbayes.counting import Counts
from gnbayes.kernels import for_each, limit_threads, ranges
from gnbayes.model import Joint
from gnbayes.pipeline import Batch, Learned, MoreRows, Rows, learn
from gnbayes.relatives.relative import Relative
from gnbayes.settings import Settings
from gnbayes.structure import Tree

# Size of the arrays of a block of rows.
_BLOCK_VALUES = 2**20


class AveragedTAN(Relative, BaseBayesInBatches):
    """Averaged TAN: the tree of TAN with each feature in turn as its root.

    All of these models have the same edges. Without smoothing they would be the same model; smoothing makes them
    differ, because it acts on P(child | parent). The class probabilities of all of them are averaged [1]_.

    Parameters
    ----------
    discretizer : {"quantile", "uniform", "mdlp"}, mapping or transformer, default="quantile"
        How columns of numbers are binned, as in `GeneralizedNB`.
    n_bins : int, default=5
        Number of bins, for "quantile" and "uniform", and for columns that a mapping omits.
    smoothing : {"additive", "backoff"}, default="additive"
        Add `alpha` to every count, or add the same total, distributed according to P(x_j | y).
    alpha : float, default=1.0
        Amount of smoothing; above 0, at most 1e100.
    categorical_features : "from_dtype" or sequence, default="from_dtype"
        Columns of numbers to treat as categories, by name, by position or as a mask.
    class_prior : array-like of shape (k,), optional
        Probabilities of the classes, in the order of `classes_`. Class frequencies of the training rows by default.
    n_jobs : int, optional
        Number of threads; -1 for all cores. The result does not depend on it.
    verbose : int, default=0
        Show progress on standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    tree_ : Tree
        The tree of ``GeneralizedNB("tan")``, whose root is the most informative feature about the class.
    features_ : list of Feature
        Bins or categories of each column.
    counts_ : Counts
        The counts from which everything was learned.
    model_ : AveragedTANModel
        Tables of all features given each of their neighbors in the tree.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (d,)
        Only if X has column names that are all strings.

    See Also
    --------
    GeneralizedNB : ``structure="tan"`` has one root.
    AODE : The average of stars, without structure learning.

    Notes
    -----
    Missing and unseen values are treated as in `GeneralizedNB`: if a feature is unknown, it is summed out of every
    model exactly, which takes d times as long as for one tree. For complete rows, time grows with d, not with d
    squared.

    `predict_joint_log_proba` gives the mean P(y | x) times the mean P(x), of all models.

    References
    ----------
    .. [1] L. Jiang, Z. Cai, D. Wang and H. Zhang (2012), Improving tree augmented naive Bayes for class probability
       estimation, Knowledge-Based Systems 26.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from gnbayes import AveragedTAN
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> AveragedTAN().fit(X, y).predict_proba(X[40:42]).round(3).tolist()
    [[0.724, 0.276], [0.685, 0.315]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **Relative._parameter_constraints,
        "smoothing": [StrOptions({"additive", "backoff"})],
    }
    _structure = "tan"

    def __init__(
        self,
        *,
        discretizer: Any = "quantile",
        n_bins: int = 5,
        smoothing: str = "additive",
        alpha: float = 1.0,
        categorical_features: Any = "from_dtype",
        class_prior: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.discretizer = discretizer
        self.n_bins = n_bins
        self.smoothing = smoothing
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.class_prior = class_prior
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _learn(self, settings: Settings, batch: Batch) -> None:
        self._set(settings, learn(settings, self.classes_, Rows(batch)))

    def _learn_more(self, settings: Settings, batch: Batch) -> None:
        self._set(settings, learn(settings, self.classes_, MoreRows(self.features_, self.counts_, batch)))

    def _set(self, settings: Settings, learned: Learned) -> None:
        self.features_, self.counts_, self.tree_ = learned.features, learned.counts, learned.tree
        self.model_ = averaged_tan_model(learned.model.joint, learned.counts, settings.smoothing, settings.alpha)


@dataclass(frozen=True, eq=False)
class AveragedTANModel:
    """One tree of features with each of them as the root.

    Parameters
    ----------
    first : Joint
        The tree with the root it was learned with.
    alone : tuple of ndarray of shape (1, v_j, k)
        log P(x_j | y) of each feature.
    upward : tuple of ndarray of shape (v_j, v_mother, k)
        log P(x_mother | x_j, y) of each feature's parent in `first`; meaningless for the root.
    """

    first: Joint
    alone: tuple[NDArray[np.float64], ...]
    upward: tuple[NDArray[np.float64], ...]

    def log_joint(self, codes: NDArray[Any], n_threads: int = 1) -> NDArray[np.float64]:
        """Log of the mean P(y | x) times the mean P(x) of all models, shape (n, k)."""
        out = np.empty((len(codes), len(self.first.log_prior)))

        def score(rows: tuple[int, int]) -> None:
            block = slice(*rows)
            out[block] = self._average(self.log_joint_by_root(codes[block]))

        size = max(1, _BLOCK_VALUES // (codes.shape[1] * out.shape[1]))
        for_each(score, ranges(len(codes), size), limit_threads(n_threads, codes.size))
        return out

    def log_joint_by_root(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Log P(x, y) under the model of every root, shape (d, n, k)."""
        is_absent = self.first.absent(codes)
        safe = np.where(is_absent, 0, codes)
        out = np.empty((codes.shape[1], len(codes), len(self.first.log_prior)))
        root, *others = self.first.tree.order.tolist()
        out[root] = self.first.log_joint(safe)
        for j in others:
            mother = int(self.first.tree.mother[j])
            out[j] = out[mother] + self._moves[j][safe[:, mother], safe[:, j]]
        rows = np.flatnonzero(is_absent.any(axis=1))
        if len(rows):
            some = codes[rows]
            for j, model in enumerate(self.models()):
                out[j, rows] = model.log_joint(some)
        return out

    def models(self) -> Iterator[Joint]:
        """The model of every root, one after the other."""
        first = self.first
        for root in range(first.tree.n_features):
            tree, path = rerooted(first.tree, root)
            tables = list(first.tables)
            tables[root] = self.alone[root]
            for below, above in path:
                tables[above] = self.upward[below]
            yield Joint(tree, first.log_prior, tuple(tables))

    @cached_property
    def _moves(self) -> tuple[NDArray[np.float64], ...]:
        """Change of the log joint when the root moves from a parent to its child j, shape (v_mother, v_j, k).

        P(x_m | y) P(x_j | x_m, y) is replaced by P(x_j | y) P(x_m | x_j, y), and everything else stays the same.
        """
        first = self.first
        return tuple(
            self.alone[j] + self.upward[j].swapaxes(0, 1) - self.alone[mother].swapaxes(0, 1) - first.tables[j]
            for j, mother in enumerate(first.tree.mother.tolist())
        )

    def _average(self, by_root: NDArray[np.float64]) -> NDArray[np.float64]:
        evidence = np.logaddexp.reduce(by_root, axis=2)
        posterior = np.logaddexp.reduce(by_root - evidence[:, :, None], axis=0)
        return posterior + np.logaddexp.reduce(evidence, axis=0)[:, None] - 2 * np.log(len(by_root))


def averaged_tan_model(first: Joint, counts: Counts, smoothing: str, alpha: float) -> AveragedTANModel:
    """Add the tables of the reversed edges to those of a tree.

    Parameters
    ----------
    first : Joint
        The joint distribution of a tree that spans all features.
    counts : Counts
        Counts with the tables of its edges.
    smoothing : {"additive", "backoff"}
    alpha : float
    """
    mothers = first.tree.mother.tolist()
    alone = [counts.single(j) + alpha for j in range(len(mothers))]
    alone = [table / (counts.classes + alpha * len(table)) for table in alone]
    upward = []
    for j, mother in enumerate(mothers):
        strength = alpha * len(alone[mother])
        added = alpha if smoothing == "additive" else strength * alone[mother]
        table = (counts.pair(j, mother) if mother >= 0 else counts.single(j)[:, None]) + added
        upward.append(np.log(table / (counts.single(j)[:, None] + strength)))
    return AveragedTANModel(first, tuple(np.log(table)[None] for table in alone), tuple(upward))


def rerooted(tree: Tree, root: int) -> tuple[Tree, list[tuple[int, int]]]:
    """The same edges with another root.

    Returns
    -------
    tree : Tree
        Its gains are 0, because they refer to the other root.
    path : list of tuple
        The reversed edges (new parent, new child), from the new root to the old one.
    """
    mother = tree.mother.copy()
    mother[root] = -1
    path, above = [], [root]
    while tree.mother[above[-1]] >= 0:
        path.append((above[-1], int(tree.mother[above[-1]])))
        mother[path[-1][1]] = above[-1]
        above.append(path[-1][1])
    others = tree.order[~np.isin(tree.order, above)]
    order = np.concatenate([np.array(above, dtype=np.intp), others])
    return Tree(mother, order, np.zeros(len(order))), path
