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
from sklearn.utils.validation import check_is_fitted

from gnbayes._class_weight import weigh_by_class
from gnbayes._html import html_table
from gnbayes._sklearn import n_rows_of, take_rows
from gnbayes.counting import CodedRows
from gnbayes.encoding import check_table, check_target, check_weights, encode, label_indices
from gnbayes.estimator import GeneralizedNB
from gnbayes.model import REPAIRING, WEIGHTINGS, leave_one_out_prefixes
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
        Names of the features in the order of the tree; empty for several splits, where every one has its own tree.
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

    def __repr__(self) -> str:
        names = ", ".join(self.scores)
        return f"SelectionCurve of {self.n_features[0]} to {self.n_features[-1]} features: {names}"

    def _repr_html_(self) -> str:
        lines = []
        for name in self.scores:
            mean = self.mean(name)
            if not np.isnan(mean).all():
                lines.append([name, str(self.best(name)), f"{np.nanmax(mean):.4f}", f"{mean[-1]:.4f}"])
        return html_table(repr(self), ["score", "best number of features", "score there", "of all"], lines)

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
        Its own `n_features` is not looked at, unless ``cv="prefit"``. Its `weighting` is not looked at either: all
        weights are learned together, so that the first features of a weighted model are no model of their own, and the
        curve is that of ``weighting=None``; ``cv="prefit"`` refuses a weighted model.
    X : array-like or data frame of shape (n, d)
    y : array-like of shape (n,)
    cv : {"loo", "prefit"}, int, splitter or iterable, default="loo"
        "loo": every row is scored by the model of all other rows, exactly and in one pass; intervals and tree are those
        of all rows, which makes the scores somewhat too good, and more so where the intervals have seen the classes
        (``n_bins="auto"``, "mdlp"). "prefit": `estimator` is fitted, and X and y are a validation set. Otherwise
        cross-validation as in scikit-learn, with intervals and tree learned anew in every split.
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
    (24, 16)
    """
    if not isinstance(estimator, GeneralizedNB):
        raise TypeError(f"estimator must be a GeneralizedNB, got {type(estimator).__name__} instead.")
    classes = np.unique(check_target(y, n_rows_of(X)))
    task = _Task(classes, _names(scoring, len(classes)), _positive(classes, pos_label))
    parts: Iterable[_Part]
    if isinstance(cv, str) and cv == "prefit":
        check_is_fitted(estimator)
        task = _Task(estimator.classes_, task.scoring, _positive(estimator.classes_, pos_label))
        parts = [_validation(estimator, X, y)]
    elif isinstance(cv, str) and cv == "loo":
        parts = [_leave_one_out(_fitted(estimator, X, y), X, y)]
    elif isinstance(cv, str):
        raise ValueError(
            f"cv must be 'loo', 'prefit', a number of splits, a splitter or an iterable, got {cv!r} instead."
        )
    else:
        splits = enumerate(check_cv(cv, y, classifier=True).split(X, y, groups), start=1)
        parts = (_split(estimator, X, y, train, test, number) for number, (train, test) in splits)
    return _curve(parts, task)


@dataclass(frozen=True, eq=False)
class _Task:
    """What is the same for all splits: the classes, the scores, and which class is positive."""

    classes: NDArray[Any]
    scoring: Sequence[str]
    positive: int


@dataclass(frozen=True, eq=False)
class _Part:
    """Rows to be scored, and their log joint for the first 1, 2, ... features."""

    fitted: GeneralizedNB
    labels: NDArray[np.intp]
    prefixes: Iterator[NDArray[np.float64]]


def _fitted(estimator: GeneralizedNB, X: Any, y: Any) -> GeneralizedNB:
    return clone(estimator).set_params(n_features=None, weighting=None).fit(X, y)


def _coded(fitted: GeneralizedNB, X: Any, y: Any) -> tuple[NDArray[Any], NDArray[np.intp]]:
    codes = encode(check_table(fitted, X, reset=False), fitted.features_)
    return codes, label_indices(check_target(y, len(codes)), fitted.classes_)


def _validation(fitted: GeneralizedNB, X: Any, y: Any) -> _Part:
    if WEIGHTINGS[fitted.weighting].needs_rows:
        raise ValueError(
            "a weighted model has no scores for its first features alone, as all its weights were learned together; "
            "use weighting=None for curves over the number of features."
        )
    codes, labels = _coded(fitted, X, y)
    return _Part(fitted, labels, fitted.joint_.prefixes(codes))


def _split(estimator: GeneralizedNB, X: Any, y: Any, train: Any, test: Any, number: int) -> _Part:
    y_train, y_test = take_rows(y, train), take_rows(y, test)
    strangers = np.setdiff1d(check_target(y_test, len(y_test)), check_target(y_train, len(y_train)))
    if len(strangers):
        raise ValueError(
            f"split {number} has rows of class {strangers.tolist()[0]!r} to score, but none to learn from; use other "
            "splits."
        )
    return _validation(_fitted(estimator, take_rows(X, train), y_train), take_rows(X, test), y_test)


def _leave_one_out(fitted: GeneralizedNB, X: Any, y: Any) -> _Part:
    if fitted.smoothing in REPAIRING:
        raise ValueError(
            f"cv='loo' is not possible with smoothing={fitted.smoothing!r}; use cross-validation, such as cv=5."
        )
    codes, labels = _coded(fitted, X, y)
    weights = check_weights(weigh_by_class(fitted.class_weight, fitted.classes_, labels), len(labels))
    rows = CodedRows(codes, labels, fitted.counts_.cardinalities, len(fitted.classes_), weights)
    prior = None if fitted.class_prior is None else np.asarray(fitted.class_prior, dtype=np.float64)
    # The weight of a class makes no two rows of one.
    how = (fitted.smoothing, fitted.alpha_, prior, weights)
    prefixes = leave_one_out_prefixes(fitted.joint_, fitted.counts_, rows, *how)
    return _Part(fitted, labels, prefixes)


def _curve(parts: Iterable[_Part], task: _Task) -> SelectionCurve:
    made = {name: make_score(name, len(task.classes)) for name in task.scoring}
    scores: dict[str, list[list[float]]] = {name: [] for name in made}
    row_errors: dict[str, list[float]] = {}
    orders: list[tuple[str, ...]] = []
    for part in parts:
        orders.append(tuple(part.fitted.features_[j].name for j in part.fitted.feature_order_))
        for name in made:
            scores[name].append([])
        for prediction in _predictions(part, task):
            for name, score in made.items():
                scores[name][-1].append(_known(score(prediction), name, len(orders)))
                rows = row_scores(name, prediction)
                if rows is not None and len(rows) > 1:
                    row_errors.setdefault(name, []).append(float(rows.std(ddof=1) / np.sqrt(len(rows))))
    if not orders:
        raise ValueError("cv gives no splits.")
    arrays = {name: np.array(values) for name, values in scores.items()}
    if len(orders) == 1:
        errors = {name: np.array(values) for name, values in row_errors.items()}
    else:
        errors = {name: values.std(axis=0, ddof=1) / np.sqrt(len(orders)) for name, values in arrays.items()}
    order = orders[0] if len(orders) == 1 else ()
    d = next(iter(arrays.values())).shape[1]
    return SelectionCurve(np.arange(1, d + 1), arrays, errors, order)


def _predictions(part: _Part, task: _Task) -> Iterator[Prediction]:
    """Predictions for the first 1, 2, ... features, with a column for every class there is."""
    known = np.searchsorted(task.classes, part.fitted.classes_)
    for joint in part.prefixes:
        if len(known) < len(task.classes):
            full = np.full((len(joint), len(task.classes)), -np.inf)
            full[:, known] = joint
            joint = full
        yield Prediction(joint, known[part.labels], task.classes, task.positive)


def _known(score: float, name: str, number: int) -> float:
    if np.isnan(score):
        raise ValueError(
            f"{name!r} cannot be computed in split {number}, where not all classes have rows; use fewer splits or "
            "another score."
        )
    return score


def _names(scoring: Any, n_classes: int) -> tuple[str, ...]:
    if scoring is None:
        return default_scoring(n_classes)
    names = (scoring,) if isinstance(scoring, str) else tuple(scoring) if isinstance(scoring, Iterable) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise ValueError(f"scoring must be one or more names of scikit-learn's scorers, got {scoring!r} instead.")
    return tuple(dict.fromkeys(names))


def _positive(classes: NDArray[Any], pos_label: Any) -> int:
    if pos_label is None:
        return len(classes) - 1
    if len(classes) != 2:
        raise ValueError(f"pos_label is for two classes; there are {len(classes)}.")
    at = np.flatnonzero(classes == pos_label)
    if not len(at):
        raise ValueError(f"pos_label {pos_label!r} is not a class; the classes are {classes.tolist()}.")
    return int(at[0])
