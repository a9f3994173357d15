"""The base classes of all classifiers of this package: fitting, probabilities from log joints, checks."""

from __future__ import annotations

import inspect
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from gnbayes._class_weight import check_weight_of_batches, factors_on_weights, weigh_by_class
from gnbayes._sklearn import DocumentedMixin, ShownMixin, fit_context, is_first_partial_fit
from gnbayes.encoding import (
    Encoder,
    Feature,
    Table,
    check_groups,
    check_labels,
    check_table,
    check_target,
    check_weights,
    label_indices,
    without_zero_weights,
)
from gnbayes.kernels import threads_of
from gnbayes.pipeline import Batch
from gnbayes.settings import Settings

_PARAMETER_NAMES: dict[type, tuple[str, ...]] = {}


class BaseBayes(DocumentedMixin, ClassifierMixin, ShownMixin, BaseEstimator, ABC):
    """A classifier on coded columns; subclasses learn `features_` and `model_` from a batch of rows."""

    classes_: NDArray[Any]
    features_: list[Feature]
    model_: Any
    n_jobs: int | None
    class_weight: Any = None  # a parameter of some subclasses

    @abstractmethod
    def _settings(self, classes: NDArray[Any], n_columns: int, *, in_batches: bool) -> Settings:
        """The parameters, checked for this number of columns."""

    @abstractmethod
    def _learn(self, settings: Settings, batch: Batch) -> None:
        """Learn from rows alone."""

    @fit_context
    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Fit the classifier: bins and categories, dependencies, probabilities.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
            Numbers, text, booleans, categories; missing values are allowed. Unstored entries of sparse arrays are zero.
        y : array-like of shape (n,)
            Class of each row.
        sample_weight : array-like of shape (n,), optional
            Integers: a row of weight 2 counts as two rows. Other weights are scaled to a mean of 1, so that only their
            ratios matter.
        groups : array-like of shape (n,), optional
            Group of each row, such as the patient. Whenever fitting holds out rows, it holds out whole groups.

        Returns
        -------
        self : object
        """
        with all_or_nothing(self):
            table = check_table(self, X, reset=True, n_threads=threads_of(self.n_jobs))
            self.classes_, labels = check_labels(y, table.n_rows)
            settings = self._settings(self.classes_, table.n_columns, in_batches=False)
            batch = weighed_batch(self.class_weight, self.classes_, table, labels, sample_weight, groups)
            self._learn(settings, batch)
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
        return np.asarray(self.model_.log_joint(self._codes(X), threads_of(self.n_jobs)))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)

        Returns
        -------
        y : ndarray of shape (n,)
        """
        return self._most_probable(self._scores(self._codes(X)))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probability of each class.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)

        Returns
        -------
        proba : ndarray of shape (n, k)
            Columns in the order of `classes_`.
        """
        return probabilities(self._scores(self._codes(X)))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Log-probability of each class.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)

        Returns
        -------
        log_proba : ndarray of shape (n, k)
        """
        return log_probabilities(self._scores(self._codes(X)))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Scores; probabilities are the softmax of the scores.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)

        Returns
        -------
        scores : ndarray of shape (n,) or (n, k)
            For two classes the log-odds of the second one, otherwise the score of each class.
        """
        return decision_values(self._scores(self._codes(X)))

    def _scores(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Scores, shape (n, k); probabilities are the softmax of the scores."""
        return np.asarray(self.model_.log_joint(codes, threads_of(self.n_jobs)))

    def _most_probable(self, scores: NDArray[np.float64]) -> NDArray[Any]:
        return np.asarray(self.classes_[np.argmax(scores, axis=1)])

    @property
    def _used(self) -> NDArray[np.intp]:
        """Features that predictions use."""
        return np.arange(len(self.features_))

    def _codes(self, X: Any) -> NDArray[Any]:
        check_is_fitted(self)
        encoder = Encoder(tuple(self.features_))
        codes = encoder.encode(check_table(self, X, reset=False, n_threads=threads_of(self.n_jobs)))
        self._warn_of_unseen(codes, encoder)
        return codes

    def _warn_of_unseen(self, codes: NDArray[Any], encoder: Encoder) -> None:
        """One warning that counts the values that training never saw."""
        used, features, unseen_codes = self._used, encoder.features, encoder.unseen_codes
        if codes.size and codes.max() < unseen_codes.min():  # much faster than the same by column
            return
        suspects = used[codes.max(axis=0)[used] >= unseen_codes[used]]
        unseen = np.zeros(len(features), dtype=np.intp)
        unseen[suspects] = (codes[:, suspects] == unseen_codes[suspects]).sum(axis=0)
        if unseen.any():
            columns = ", ".join(f"{features[j].name!r}: {unseen[j]}" for j in np.flatnonzero(unseen).tolist())
            warnings.warn(
                f"{unseen.sum()} values of X were never seen in training ({columns}); in those rows these features "
                "count as unknown.",
                UserWarning,
                stacklevel=_frames_in_this_package(),
            )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """Names of the parameters; scikit-learn looks them up in the signature at every fit, which is slow."""
        if cls not in _PARAMETER_NAMES:
            _PARAMETER_NAMES[cls] = tuple(super()._get_param_names())
        return list(_PARAMETER_NAMES[cls])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags


class BaseBayesInBatches(BaseBayes):
    """A classifier that can be updated from its counts."""

    @abstractmethod
    def _learn_more(self, settings: Settings, batch: Batch) -> None:
        """Learn from one more batch."""

    @fit_context
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Update the model with one more batch of rows.

        The first batch determines the bins of numeric columns; later batches may contain new categories and missing
        values. With bin edges given by `discretizer`, batches give the same model as one `fit`.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        y : array-like of shape (n,)
        classes : array-like of shape (k,)
            All classes that can occur; needed in the first call only.
        sample_weight : array-like of shape (n,), optional
            Used without scaling, so that batches are consistent: a row of weight 0.5 is half a row.

        Returns
        -------
        self : object
        """
        with all_or_nothing(self):
            is_first = is_first_partial_fit(self, classes)
            table = check_table(self, X, reset=is_first, n_threads=threads_of(self.n_jobs))
            settings = self._settings(self.classes_, table.n_columns, in_batches=True)
            labels = label_indices(check_target(y, table.n_rows), self.classes_)
            check_weight_of_batches(self.class_weight)
            weights = weigh_by_class(self.class_weight, self.classes_, labels, sample_weight)
            batch = as_batch(table, labels, weights, in_batches=True)
            if is_first:
                self._learn(settings, batch)
            else:
                self._learn_more(settings, batch)
        return self


@contextmanager
def all_or_nothing(estimator: BaseEstimator) -> Iterator[None]:
    """Put an estimator back as it was when learning fails."""
    before = dict(estimator.__dict__)
    try:
        yield
    except BaseException:
        estimator.__dict__.clear()
        estimator.__dict__.update(before)
        raise


def as_batch(
    table: Table, labels: NDArray[np.intp], sample_weight: Any, groups: Any = None, *, in_batches: bool = False
) -> Batch:
    """Rows to learn from; those of weight 0 are left out."""
    weights = check_weights(sample_weight, table.n_rows, in_batches=in_batches)
    numbers = check_groups(groups, table.n_rows)
    if numbers is not None and weights is not None:
        numbers = numbers[weights > 0]
    return Batch(*without_zero_weights(table, labels, weights), numbers)


def weighed_batch(
    class_weight: Any, classes: NDArray[Any], table: Table, labels: NDArray[np.intp], sample_weight: Any, groups: Any
) -> Batch:
    """Rows to learn from, with the weights of their classes."""
    weights = weigh_by_class(class_weight, classes, labels, sample_weight)
    factors = factors_on_weights(class_weight, classes, labels, sample_weight)
    return replace(as_batch(table, labels, weights, groups), class_factors=factors)


def check_classes(classes: NDArray[Any]) -> None:
    """Raise an error unless there are at least two classes."""
    if len(classes) < 2:
        raise ValueError(f"y holds only one class, {classes.tolist()[0]!r}; a classifier needs rows of two or more.")


def check_prior(class_prior: Any, n_classes: int) -> NDArray[np.float64] | None:
    """The `class_prior` parameter as an array of shape (k,)."""
    if class_prior is None:
        return None
    try:
        prior = np.asarray(class_prior, dtype=np.float64)
    except (TypeError, ValueError):
        prior = np.zeros(0)
    if prior.shape != (n_classes,) or not (prior >= 0).all() or not np.isclose(prior.sum(), 1.0):
        raise ValueError(
            f"class_prior must hold {n_classes} probabilities that sum to 1, one per class, got "
            f"{class_prior!r} instead."
        )
    return prior


def probabilities(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Softmax of scores, shape (n, k)."""
    shares, total = _exponentials(scores)[1:]
    return np.asarray(shares / total[:, None])


def log_probabilities(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm of the softmax of scores, shape (n, k)."""
    shifted, _, total = _exponentials(scores)
    return np.asarray(shifted - np.log(total)[:, None])


def decision_values(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores as `decision_function` returns them: log-odds of shape (n,) for two classes, otherwise unchanged."""
    if scores.shape[1] > 2:
        return scores
    # An impossible class has odds of 0; if both are impossible, the log-odds are 0.
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(scores[:, 1] - scores[:, 0], nan=0.0, posinf=np.inf, neginf=-np.inf)


def _exponentials(
    scores: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Scores less the largest value in each row, the exponentials of that, shape (n, k), and their sums, (n,)."""
    shifted = scores - _over_classes(np.maximum, scores)[:, None]
    shares = np.exp(shifted)
    return shifted, shares, _over_classes(np.add, shares)


def _over_classes(function: np.ufunc, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Combine the columns one after the other: rows are short, and reducing along them is slow."""
    out = values[:, 0].copy()
    for column in values.T[1:]:
        function(out, column, out=out)
    return out


def _frames_in_this_package() -> int:
    """How far up a warning has to go to point at the caller's line: all predict methods end here."""
    frame, depth = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "gnbayes":
        frame, depth = frame.f_back, depth + 1
    return depth
