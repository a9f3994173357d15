"""What the relatives share: parameters, `fit`, and `partial_fit` for those whose counts are all they need."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import _fit_context
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.multiclass import _check_partial_fit_first_call

from gnbayes.base import BaseBayes, all_or_nothing, as_batch, check_classes, check_prior
from gnbayes.counting import Counts
from gnbayes.encoding import check_labels, check_table, check_target, label_indices
from gnbayes.kernels import threads_of
from gnbayes.learning import Batch, Settings


class Relative(BaseBayes):
    """A relative of `GeneralizedNB`; a subclass learns from a batch."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "discretizer": [StrOptions({"quantile", "uniform", "mdlp"}), Mapping, HasMethods(["fit", "transform"])],
        "n_bins": [Interval(Integral, 2, None, closed="left")],
        "alpha": [Interval(Real, 0, 1e100, closed="right")],
        "categorical_features": [StrOptions({"from_dtype"}), "array-like"],
        "class_prior": ["array-like", None],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    discretizer: Any
    n_bins: int
    smoothing: str = "additive"  # a parameter only where there is a choice
    alpha: float
    categorical_features: Any
    class_prior: Any
    verbose: int
    counts_: Counts
    model_: Any

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
            Numbers, text, booleans, categories; missing values are allowed.
        y : array-like of shape (n,)
            Class of each row.
        sample_weight : array-like of shape (n,), optional
            A row of weight 2 counts as two rows.

        Returns
        -------
        self : object
        """
        with all_or_nothing(self):
            table = check_table(self, X, reset=True, n_threads=threads_of(self.n_jobs))
            self.classes_, labels = check_labels(y, table.n_rows)
            self._learn(self._settings(), as_batch(table, labels, sample_weight))
        return self

    def predict_joint_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Log of the joint probability P(x, y) of each row and class.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)

        Returns
        -------
        log_joint : ndarray of shape (n, k)
        """
        codes = self._codes(X)
        return np.asarray(self.model_.log_joint(codes, threads_of(self.n_jobs)))

    @abstractmethod
    def _learn(self, settings: Settings, batch: Batch) -> None:
        """Learn from rows alone."""

    # By its name in `GeneralizedNB`; all pairs are counted for any but "nb".
    _structure: ClassVar[str]

    def _settings(self) -> Settings:
        check_classes(self.classes_)
        return Settings(
            structure=self._structure,
            discretizer=self.discretizer,
            n_bins=self.n_bins,
            smoothing=self.smoothing,
            alpha=self.alpha,
            weighting=None,
            n_features=None,
            categorical_features=self.categorical_features,
            class_prior=check_prior(self.class_prior, len(self.classes_)),
            n_jobs=self.n_jobs,
            verbose=self.verbose,
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")


class RelativeInBatches(Relative):
    """A relative that can go on from its counts."""

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from one more batch of rows.

        The first batch fixes the intervals of numeric columns; later batches may bring new categories and missing
        values. With edges given by `discretizer`, batches give the same model as one `fit`.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        y : array-like of shape (n,)
        classes : array-like of shape (k,)
            All classes there will ever be; needed in the first call only.
        sample_weight : array-like of shape (n,), optional

        Returns
        -------
        self : object
        """
        with all_or_nothing(self):
            is_first = _check_partial_fit_first_call(self, classes)
            table = check_table(self, X, reset=is_first, n_threads=threads_of(self.n_jobs))
            settings = self._settings()
            labels = label_indices(check_target(y, table.n_rows), self.classes_)
            batch = as_batch(table, labels, sample_weight)
            if is_first:
                self._learn(settings, batch)
            else:
                self._learn_more(settings, batch)
        return self

    @abstractmethod
    def _learn_more(self, settings: Settings, batch: Batch) -> None:
        """Learn from one more batch."""
