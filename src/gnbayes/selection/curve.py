"""Scores for every number of features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from gnbayes.counting import CodedRows
from gnbayes.encoding import check_table, check_target, encode, label_indices
from gnbayes.estimator import GeneralizedNB
from gnbayes.model import leave_one_out_prefixes
from gnbayes.selection.scores import Prediction, default_scoring, make_score, row_scores


@dataclass(frozen=True, eq=False)
class SelectionCurve:
    """Scores of the first 1, 2, ..., d features of the order.

    Parameters
    ----------
    n_features : ndarray of shape (d,)
        1, 2, ..., d.
    scores : dict of {str: ndarray of shape (n_splits, d)}
        By scikit-learn scorer name, the larger the better; one split for leave-one-out and for a validation set.
    errors : dict of {str: ndarray of shape (d,)}
        Standard errors of the mean scores: over the splits, or over the rows for scores that are means of rows.
    order : tuple of str
        Names of the features in the order of the tree of all rows; empty for cross-validation, where every split has
        its own tree.
    """

    n_features: NDArray[np.intp]
    scores: dict[str, NDArray[np.float64]]
    errors: dict[str, NDArray[np.float64]]
    order: tuple[str, ...]

    def mean(self, scoring: str) -> NDArray[np.float64]:
        """Mean score over the splits, shape (d,)."""
        return np.asarray(self._of(scoring).mean(axis=0))

    def best(self, scoring: str) -> int:
        """The number of features with the best mean score; the smallest of several."""
        return int(self.n_features[np.nanargmax(self.mean(scoring))])

    def one_standard_error(self, scoring: str) -> int:
        """The smallest number of features whose mean score is within one standard error of the best."""
        mean = self.mean(scoring)
        if scoring not in self.errors:
            raise ValueError(
                f"{scoring!r} has no standard error here; use cross-validation (cv=5), or 'accuracy' or 'neg_log_loss'."
            )
        best = int(np.nanargmax(mean))
        return int(self.n_features[np.argmax(mean >= mean[best] - self.errors[scoring][best])])

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """One line a number of features: mean scores, and their standard errors where they are known."""
        columns: dict[str, Any] = {"n_features": self.n_features}
        if self.order:
            columns["feature"] = list(self.order)
        for name in self.scores:
            columns[name] = self.mean(name)
            if name in self.errors:
                columns[f"{name}_error"] = self.errors[name]
        return nw.from_dict(columns, backend=backend).to_native()

    def _of(self, scoring: str) -> NDArray[np.float64]:
        if scoring not in self.scores:
            raise ValueError(f"{scoring!r} is not on this curve; it has {', '.join(self.scores)}.")
        return self.scores[scoring]


def selection_curve(
    estimator: GeneralizedNB,
    X: Any,
    y: Any,
    *,
    cv: Any = "loo",
    scoring: str | Sequence[str] | None = None,
    groups: Any = None,
    pos_label: Any = None,
) -> SelectionCurve:
    """Scores for every number of features 1, ..., d, without refitting for any of them.

    All numbers of features come from one cumulated sum, so a curve costs O(n d) on top of the fits.

    Parameters
    ----------
    estimator : GeneralizedNB
        Its own `n_features` is not looked at.
    X : array-like or data frame of shape (n, d)
    y : array-like of shape (n,)
    cv : {"loo", "prefit"}, int, splitter or iterable, default="loo"
        "loo": every row is scored by the model of all other rows, exactly and in one pass; intervals and tree are those
        of all rows, which makes the scores somewhat too good. "prefit": `estimator` is fitted, and X and y are a
        validation set. Otherwise cross-validation as in scikit-learn, with intervals and tree learned anew in every
        split.
    scoring : str or sequence of str, optional
        scikit-learn scorer names. By default accuracy, precision, recall, F1, ROC AUC, balanced accuracy and log-loss;
        for more than two classes macro and weighted averages.
    groups : array-like of shape (n,), optional
        For a splitter that keeps groups together.
    pos_label : optional
        The positive class of two; the second by default.

    Returns
    -------
    curve : SelectionCurve

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from gnbayes import GeneralizedNB, selection_curve
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> curve = selection_curve(GeneralizedNB(), X, y)
    >>> curve.best("neg_log_loss"), curve.one_standard_error("neg_log_loss")
    (28, 26)
    """
    parts: Iterable[_Part]
    if isinstance(cv, str) and cv == "prefit":
        check_is_fitted(estimator)
        parts = [_validation(estimator, X, y)]
    elif isinstance(cv, str) and cv == "loo":
        parts = [_leave_one_out(_fitted(estimator, X, y), X, y)]
    elif isinstance(cv, str):
        raise ValueError(
            f"cv must be 'loo', 'prefit', a number of splits, a splitter or an iterable, got {cv!r} instead."
        )
    else:
        splits = check_cv(cv, y, classifier=True).split(X, y, groups)
        parts = (_split(estimator, X, y, train, test) for train, test in splits)
    return _curve(parts, scoring, pos_label)


@dataclass(frozen=True, eq=False)
class _Part:
    """Rows to be scored, and their log joint for the first 1, 2, ... features."""

    fitted: GeneralizedNB
    labels: NDArray[np.intp]
    prefixes: Iterator[NDArray[np.float64]]


def _fitted(estimator: GeneralizedNB, X: Any, y: Any) -> GeneralizedNB:
    return clone(estimator).set_params(n_features=None).fit(X, y)


def _coded(fitted: GeneralizedNB, X: Any, y: Any) -> tuple[NDArray[Any], NDArray[np.intp]]:
    codes = encode(check_table(fitted, X, reset=False), fitted.features_)
    return codes, label_indices(check_target(y, len(codes)), fitted.classes_)


def _validation(fitted: GeneralizedNB, X: Any, y: Any) -> _Part:
    codes, labels = _coded(fitted, X, y)
    return _Part(fitted, labels, fitted.model_.prefixes(codes))


def _split(estimator: GeneralizedNB, X: Any, y: Any, train: Any, test: Any) -> _Part:
    fitted = _fitted(estimator, _safe_indexing(X, train), _safe_indexing(y, train))
    return _validation(fitted, _safe_indexing(X, test), _safe_indexing(y, test))


def _leave_one_out(fitted: GeneralizedNB, X: Any, y: Any) -> _Part:
    if fitted.smoothing == "paper":
        raise ValueError("cv='loo' is not possible with smoothing='paper'; use cross-validation, such as cv=5.")
    codes, labels = _coded(fitted, X, y)
    rows = CodedRows(codes, labels, fitted.counts_.cardinalities, len(fitted.classes_))
    prior = None if fitted.class_prior is None else np.asarray(fitted.class_prior, dtype=np.float64)
    prefixes = leave_one_out_prefixes(fitted.model_, fitted.counts_, rows, fitted.smoothing, fitted.alpha, prior)
    return _Part(fitted, labels, prefixes)


def _curve(parts: Iterable[_Part], scoring: str | Sequence[str] | None, pos_label: Any) -> SelectionCurve:
    scores: dict[str, list[list[float]]] = {}
    row_errors: dict[str, list[float]] = {}
    n_parts = 0
    for part in parts:
        n_parts += 1
        names = _names(scoring, len(part.fitted.classes_))
        made = {name: make_score(name, len(part.fitted.classes_)) for name in names}
        positive = _positive(part.fitted.classes_, pos_label)
        for name in names:
            scores.setdefault(name, []).append([])
        for joint in part.prefixes:
            prediction = Prediction(joint, part.labels, part.fitted.classes_, positive)
            for name, score in made.items():
                scores[name][-1].append(score(prediction))
                rows = row_scores(name, prediction)
                if rows is not None and len(rows) > 1:
                    row_errors.setdefault(name, []).append(float(rows.std(ddof=1) / np.sqrt(len(rows))))
        order = tuple(part.fitted.features_[j].name for j in part.fitted.feature_order_)
    arrays = {name: np.array(parts_of_name) for name, parts_of_name in scores.items()}
    if n_parts == 1:
        errors = {name: np.array(values) for name, values in row_errors.items()}
    else:
        errors = {name: values.std(axis=0, ddof=1) / np.sqrt(n_parts) for name, values in arrays.items()}
        order = ()
    d = next(iter(arrays.values())).shape[1]
    return SelectionCurve(np.arange(1, d + 1), arrays, errors, order)


def _names(scoring: str | Sequence[str] | None, n_classes: int) -> Sequence[str]:
    if scoring is None:
        return default_scoring(n_classes)
    return (scoring,) if isinstance(scoring, str) else tuple(scoring)


def _positive(classes: NDArray[Any], pos_label: Any) -> int:
    if pos_label is None:
        return len(classes) - 1
    at = np.flatnonzero(classes == pos_label)
    if not len(at):
        raise ValueError(f"pos_label {pos_label!r} is not a class; the classes are {classes.tolist()}.")
    return int(at[0])
