"""Selective naive Bayes (Langley and Sage 1994), on the exact leave-one-out log-loss."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counted_tree import count_all
from gnbayes.counting import CodedRows, Counts
from gnbayes.model import Joint, build_joint, leave_one_out_terms
from gnbayes.pipeline import Batch, learn_codes
from gnbayes.progress import Progress, progress_line, silent
from gnbayes.relatives.relative import Relative
from gnbayes.settings import Settings
from gnbayes.structure import Tree, class_information

# The contributions of features to the scores are kept up to this size; above, they are recomputed at every step.
_MAX_KEPT_BYTES = 2**28
# A loss must decrease by more than this to count as lower.
_TOLERANCE = 1e-12


class SelectiveNB(Relative):
    """Naive Bayes on selected features, added one at a time, always the one that helps most.

    A feature helps if it lowers the leave-one-out log-loss of the training rows, which is computed exactly, with one
    subtraction per row. Selection stops when no further feature helps. The selection of features by leave-one-out
    accuracy is due to [1]_.

    Parameters
    ----------
    discretizer : {"quantile", "uniform", "mdlp"}, mapping or transformer, default="quantile"
        How columns of numbers are binned, as in `GeneralizedNB`.
    n_bins : int, default=5
        Number of bins, for "quantile" and "uniform", and for columns that a mapping omits.
    alpha : float, default=1.0
        Added to every count; above 0, at most 1e100.
    categorical_features : "from_dtype" or sequence, default="from_dtype"
        Columns of numbers to treat as categories, by name, by position or as a mask.
    class_prior : array-like of shape (k,), optional
        Probabilities of the classes, in the order of `classes_`. Class frequencies of the training rows by default.
    n_jobs : int, optional
        Number of threads for prediction; -1 for all cores. The result does not depend on it.
    verbose : int, default=0
        Show progress on standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    feature_order_ : ndarray of shape (n_features_,)
        The selected features, in the order of selection.
    n_features_ : int
        Number of selected features, at least 1.
    losses_ : ndarray of shape (n_features_,)
        Leave-one-out log-loss of the first 1, 2, ... of them.
    features_ : list of Feature
        Bins or categories of each column, selected or not.
    counts_ : Counts
        The counts of values from which everything was learned.
    model_ : Joint
        The fitted distribution.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (d,)
        Only if X has column names that are all strings.

    See Also
    --------
    GeneralizedNB : ``GeneralizedNB("nb", weighting=None, n_features="auto")`` adds features in the order of their
        individual information about the class.

    Notes
    -----
    Langley and Sage evaluate features by accuracy. Here it is the log-loss of left-out rows, so a feature that only
    makes wrong probabilities more confident is not selected. Bins are held fixed as learned from all rows.

    Missing and unseen values are treated as in `GeneralizedNB`: if a feature is unknown, it is summed out, which in
    naive Bayes means that it is left out.

    References
    ----------
    .. [1] P. Langley and S. Sage (1994), Induction of selective Bayesian classifiers, Proc. of the 10th Conference on
       Uncertainty in Artificial Intelligence, 399-406.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from gnbayes import SelectiveNB
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> clf = SelectiveNB().fit(X, y)
    >>> clf.n_features_
    10
    >>> clf.feature_names_in_[clf.feature_order_[:3]].tolist()
    ['worst perimeter', 'worst smoothness', 'worst texture']
    >>> clf.losses_[:3].round(3).tolist()
    [0.224, 0.176, 0.138]
    """

    _structure = "nb"

    def __init__(
        self,
        *,
        discretizer: Any = "quantile",
        n_bins: int = 5,
        alpha: float = 1.0,
        categorical_features: Any = "from_dtype",
        class_prior: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.discretizer = discretizer
        self.n_bins = n_bins
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.class_prior = class_prior
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def n_features_(self) -> int:
        """Number of chosen features."""
        return len(self.feature_order_)

    def _learn(self, settings: Settings, batch: Batch) -> None:
        self.features_, rows = learn_codes(settings, self.classes_, batch)
        self.counts_ = count_all(settings, rows)
        gain = class_information(self.counts_)
        mother = np.full(len(gain), -1, dtype=np.intp)
        everything = Tree(mother, np.arange(len(gain)), gain)
        smoothing = (settings.smoothing, settings.alpha, settings.class_prior)
        joint = build_joint(everything, self.counts_, *smoothing)
        progress = progress_line("choosing features", settings.verbose)
        order, self.losses_ = choose_features(joint, self.counts_, rows, settings.alpha, settings.class_prior, progress)
        chosen = Tree(mother, order, gain[order])
        self.feature_order_ = order
        self.model_ = Joint(chosen, joint.log_prior, joint.tables)

    @property
    def _used(self) -> NDArray[np.intp]:
        return self.feature_order_


def choose_features(
    joint: Joint,
    counts: Counts,
    rows: CodedRows,
    alpha: float,
    class_prior: NDArray[np.float64] | None = None,
    progress: Progress = silent,
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Greedy choice of features by the leave-one-out log-loss of naive Bayes; ties go to the first feature.

    Parameters
    ----------
    joint : Joint
        Naive Bayes of all features.
    counts : Counts
        The counts it was built from.
    rows : CodedRows
        The rows that were counted.
    alpha : float
    class_prior : ndarray of shape (k,), optional
    progress : callable
        Called with the share of the features that have been added.

    Returns
    -------
    order : ndarray of shape (number of chosen features,)
    losses : ndarray of the same shape
        Log-loss of the first 1, 2, ... of them; probabilities are at least machine epsilon.
    """
    log_prior, term = leave_one_out_terms(joint, counts, rows, "additive", alpha, class_prior)
    against_own = _AgainstOwn(rows)
    kept_bytes = 8 * log_prior.size * rows.n_features

    def lead(j: int) -> NDArray[np.float64]:
        return against_own.lead(term(j))

    lead_of = cache(lead) if kept_bytes <= _MAX_KEPT_BYTES else lead
    total, outside = against_own.lead(log_prior), list(range(rows.n_features))
    order: list[int] = []
    losses: list[float] = []
    while outside:
        candidates = [against_own.loss(total + lead_of(j)) for j in outside]
        best = int(np.argmin(candidates))
        if losses and candidates[best] >= losses[-1] - _TOLERANCE:
            break
        order.append(outside.pop(best))
        losses.append(candidates[best])
        total += lead_of(order[-1])
        progress(1.0 if not outside else len(order) / rows.n_features)
    return np.array(order, dtype=np.intp), np.array(losses)


class _AgainstOwn:
    """Scores of the other classes relative to that of a row's own class, which determine the log-loss."""

    def __init__(self, rows: CodedRows) -> None:
        self._index, self._labels = np.arange(rows.n_rows), rows.labels
        self._weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights

    def lead(self, log_joint: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores of the classes minus that of the row's own class, shape (n, k); infinite if the own class is
        impossible.
        """
        own = log_joint[self._index, self._labels][:, None]
        is_possible = np.isfinite(own)
        return np.where(is_possible, log_joint - np.where(is_possible, own, 0.0), np.inf)

    def loss(self, lead: NDArray[np.float64]) -> float:
        """Mean log-loss; probabilities are at least machine epsilon."""
        most = -np.log(np.finfo(float).eps)
        odds = np.exp(np.minimum(lead, 2 * most))
        # There are few classes, and summing along rows is slow.
        total = odds[:, 0].copy()
        for column in odds.T[1:]:
            total += column
        return float(np.average(np.minimum(np.log(total), most), weights=self._weights))
