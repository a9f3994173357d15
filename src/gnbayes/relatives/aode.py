"""AODE, averaged one-dependence estimators (Webb, Boughton and Wang 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gnbayes._sklearn import Interval
from gnbayes.base import BaseBayesInBatches
from gnbayes.counted_tree import count_all
from gnbayes.counting import MAX_KEPT_CELLS, Counts, n_cells
from gnbayes.encoding import Feature
from gnbayes.kernels import for_each, limit_threads, ranges
from gnbayes.model.parameters import log
from gnbayes.pipeline import Batch, count_more, learn_codes
from gnbayes.relatives.relative import Relative
from gnbayes.settings import Settings

# Size of the arrays of a block of rows.
_BLOCK_VALUES = 2**18


class AODE(Relative, BaseBayesInBatches):
    """Averaged one-dependence estimators: each feature in turn is the parent of all others.

    For each feature i there is a model P(y, x_i) prod_j P(x_j | y, x_i), and P(y, x) is the average of these models
    [1]_. No structure is learned; pairs of values are counted, and nothing else.

    Parameters
    ----------
    discretizer : {"quantile", "uniform", "mdlp"}, mapping or transformer, default="quantile"
        How columns of numbers are binned, as in `GeneralizedNB`.
    n_bins : int, default=5
        Number of bins, for "quantile" and "uniform", and for columns that a mapping omits.
    alpha : float, default=1.0
        Added to every count; above 0, at most 1e100.
    min_count : int, default=1
        A feature is used as a parent only in rows whose value of it occurs in at least this many training rows, the
        paper's m. Rows without any parent get the probabilities of naive Bayes. With sample weights: values with a
        weight above `min_count` - 1, so that 1 stands for every value seen in training.
    categorical_features : "from_dtype" or sequence, default="from_dtype"
        Columns of numbers to treat as categories, by name, by position or as a mask.
    class_prior : array-like of shape (k,), optional
        Probabilities of the classes, in the order of `classes_`.
    n_jobs : int, optional
        Number of threads; -1 for all cores. The result does not depend on it.
    verbose : int, default=0
        Show progress on standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    features_ : list of Feature
        Bins or categories of each column.
    counts_ : Counts
        Counts of all pairs of values, from which everything is computed.
    model_ : OneDependenceModels
        Log-probabilities, by value and pair of values.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (d,)
        Only if X has column names that are all strings.

    See Also
    --------
    AveragedTAN : The average of trees.

    Notes
    -----
    P(y, x_i) = (n(y, x_i) + alpha) / (n + alpha k v_i), or `class_prior` times (n(y, x_i) + alpha) / (n(y) + alpha v_i)
    if that is given, and P(x_j | y, x_i) = (n(y, x_i, x_j) + alpha) / (n(y, x_i) + alpha v_j).

    A missing value is a category of its own if the column had missing values in training. Otherwise, and for a value
    never seen in training, the feature is left out of that row, as parent and as child.

    Memory grows with the square of the number of values, d times the number of bins; the prediction time per row grows
    with d squared.

    References
    ----------
    .. [1] G. I. Webb, J. R. Boughton and Z. Wang (2005), Not so naive Bayes: aggregating one-dependence estimators,
       Machine Learning 58, 5-24.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from gnbayes import AODE
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> AODE().fit(X, y).predict_proba(X[40:42]).round(3).tolist()
    [[0.943, 0.057], [0.983, 0.017]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **Relative._parameter_constraints,
        "min_count": [Interval(Integral, 1, None, closed="left")],
    }
    _structure = "tan"  # all pairs are counted

    def __init__(
        self,
        *,
        discretizer: Any = "quantile",
        n_bins: int = 5,
        alpha: float = 1.0,
        min_count: int = 1,
        categorical_features: Any = "from_dtype",
        class_prior: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.discretizer = discretizer
        self.n_bins = n_bins
        self.alpha = alpha
        self.min_count = min_count
        self.categorical_features = categorical_features
        self.class_prior = class_prior
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _learn(self, settings: Settings, batch: Batch) -> None:
        features, rows = learn_codes(settings, self.classes_, batch)
        _check_size(features, len(self.classes_))
        self._set(settings, features, count_all(settings, rows))

    def _learn_more(self, settings: Settings, batch: Batch) -> None:
        features, counts, _ = count_more(settings, self.classes_, self.features_, self.counts_, batch)
        self._set(settings, features, counts)

    def _set(self, settings: Settings, features: list[Feature], counts: Counts) -> None:
        self.features_, self.counts_ = features, counts
        self.model_ = one_dependence_models(counts, settings.alpha, settings.class_prior, self.min_count)


@dataclass(frozen=True, eq=False)
class OneDependenceModels:
    """Tables of all models: each has one feature as the parent of all others.

    The values of all features are concatenated, V in total, with one more at the end for an absent feature. Its entries
    are 0, as are those of two values of the same feature, so that sums can run over all features.

    Parameters
    ----------
    cardinalities : ndarray of shape (d,)
    log_class : ndarray of shape (k,)
        log P(y), for rows without a parent.
    log_single : ndarray of shape (k, V + 1)
        log P(x_j | y), for the same.
    log_mother : ndarray of shape (k, V + 1)
        log P(y, x_i).
    log_daughter : ndarray of shape (k, V + 1, V + 1)
        log P(x_j | y, x_i), by class, value of i and value of j.
    is_mother : ndarray of shape (V + 1,)
        Whether a value is frequent enough for a parent.
    """

    cardinalities: NDArray[np.intp]
    log_class: NDArray[np.float64]
    log_single: NDArray[np.float64]
    log_mother: NDArray[np.float64]
    log_daughter: NDArray[np.float64]
    is_mother: NDArray[np.bool_]

    def log_joint(self, codes: NDArray[Any], n_threads: int = 1) -> NDArray[np.float64]:
        """Log P(x, y) of every row and class, shape (n, k); codes beyond the cardinalities mean absent features.

        Rows are processed in blocks, so that memory does not grow with their number.
        """
        n, d = codes.shape
        out = np.empty((n, len(self.log_class)))

        def score(rows: tuple[int, int]) -> None:
            block = slice(*rows)
            out[block] = self._log_joint_of_block(self._values(codes[block]))

        size = max(1, _BLOCK_VALUES // (d * len(self.log_class)))
        for_each(score, ranges(n, size), limit_threads(n_threads, n * d * d))
        return out

    def _values(self, codes: NDArray[Any]) -> NDArray[np.intp]:
        """Values by their position among those of all features, shape (d, n)."""
        starts = np.cumsum(self.cardinalities) - self.cardinalities
        absent = len(self.is_mother) - 1
        values = np.where(codes < self.cardinalities, codes + starts, absent)
        return np.ascontiguousarray(values.T)

    def _log_joint_of_block(self, values: NDArray[np.intp]) -> NDArray[np.float64]:
        d, n = values.shape
        k, n_values = self.log_mother.shape
        joint = np.full((d, n, k), -np.inf)
        tables = [table.ravel() for table in self.log_daughter]
        for i, mother in enumerate(values):
            is_used = self.is_mother[mother]
            if not is_used.any():
                continue
            cells = values + mother * n_values
            for c, table in enumerate(tables):
                score = self.log_mother[c, mother] + table.take(cells).sum(axis=0)
                joint[i, :, c] = np.where(is_used, score, -np.inf)
        n_mothers = self.is_mother[values].sum(axis=0)
        out = np.logaddexp.reduce(joint, axis=0) - np.log(np.maximum(n_mothers, 1))[:, None]
        alone = np.flatnonzero(n_mothers == 0)
        out[alone] = self.log_class + self.log_single[:, values[:, alone]].sum(axis=1).T
        return out


def one_dependence_models(
    counts: Counts, alpha: float, class_prior: NDArray[np.float64] | None, min_count: int
) -> OneDependenceModels:
    """Estimate the probabilities of all models.

    Parameters
    ----------
    counts : Counts
        Counts of all pairs.
    alpha : float
    class_prior : ndarray of shape (k,) or None
    min_count : int
    """
    k, card = counts.n_classes, counts.cardinalities
    of_value = np.repeat(card, card)  # cardinality of the feature that a value belongs to
    singles, classes = counts.singles.T.astype(np.float64), counts.classes[:, None].astype(np.float64)
    log_single = np.log(singles + alpha) - np.log(classes + alpha * of_value)
    if class_prior is None:
        log_class = np.log(classes[:, 0] + alpha) - np.log(counts.n + alpha * k)
        log_mother = np.log(singles + alpha) - np.log(counts.n + alpha * k * of_value)
    else:
        log_class = log(class_prior)
        log_mother = log_class[:, None] + log_single
    return OneDependenceModels(
        card,
        log_class,
        np.pad(log_single, ((0, 0), (0, 1))),
        np.pad(log_mother, ((0, 0), (0, 1))),
        _log_daughter(counts, of_value, alpha),
        np.append(counts.singles.sum(axis=1) > min_count - 1, False),
    )


def _log_daughter(counts: Counts, of_value: NDArray[np.intp], alpha: float) -> NDArray[np.float64]:
    """Log P(x_j | y, x_i) of all pairs of values, shape (k, V + 1, V + 1)."""
    n_values = len(of_value)
    feature = np.repeat(np.arange(counts.n_features), counts.cardinalities)
    is_later = feature[:, None] < feature  # only the part above the diagonal is counted
    out = np.zeros((counts.n_classes, n_values + 1, n_values + 1))
    for c in range(counts.n_classes):
        above = np.where(is_later, counts.cells[c], 0)
        table = np.log(above + above.T + alpha) - np.log(counts.singles[:, c, None] + alpha * of_value)
        out[c, :-1, :-1] = np.where(is_later | is_later.T, table, 0.0)
    return out


def _check_size(features: list[Feature], n_classes: int) -> None:
    cardinalities = np.array([feature.cardinality for feature in features], dtype=np.intp)
    size = n_cells(cardinalities, n_classes)
    if size > MAX_KEPT_CELLS:
        most = features[int(np.argmax(cardinalities))]
        raise ValueError(
            f"AODE keeps the counts of all pairs of values, {size} cells here, at most {MAX_KEPT_CELLS}; column "
            f"{most.name!r} has the most values ({most.cardinality}): merge rare values, drop columns, or use "
            "AveragedTAN."
        )
