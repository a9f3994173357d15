"""Scores of predictions under scikit-learn's names, fast enough to be computed for every number of features.

The common ones come from the confusion matrix and one sort; any other name goes through scikit-learn's own scorer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer

Score = Callable[["Prediction"], float]


class Prediction:
    """Predictions of a model for rows with known classes.

    Parameters
    ----------
    joint : ndarray of shape (n, k)
        Log joint probabilities.
    labels : ndarray of shape (n,)
        Index of the true class of each row.
    classes : ndarray of shape (k,)
    positive : int
        Index of the positive class, for scores of two classes.
    weights : ndarray of shape (n,), optional
        Weights of the rows; all 1 by default.
    """

    def __init__(
        self,
        joint: NDArray[np.float64],
        labels: NDArray[np.intp],
        classes: NDArray[Any],
        positive: int,
        weights: NDArray[np.float64] | None = None,
    ) -> None:
        self.joint, self.labels, self.classes, self.positive = joint, labels, classes, positive
        self.weights = weights

    @cached_property
    def proba(self) -> NDArray[np.float64]:
        """Probability of each class, shape (n, k)."""
        # Column by column: reductions over a short last axis are many times slower.
        columns = self.joint.T
        shares = np.exp(self.joint - reduce(np.maximum, columns)[:, None])
        shares /= reduce(np.add, shares.T)[:, None]
        return shares

    @cached_property
    def predicted(self) -> NDArray[np.intp]:
        """Index of the most probable class, shape (n,)."""
        return np.argmax(self.joint, axis=1)

    @cached_property
    def confusion(self) -> NDArray[np.intp]:
        """Rows by true and by predicted class, shape (k, k)."""
        k = len(self.classes)
        return np.bincount(self.labels * k + self.predicted, minlength=k * k).reshape(k, k)

    @cached_property
    def row_losses(self) -> NDArray[np.float64]:
        """Log-loss of each row; probabilities are at least machine epsilon, as in scikit-learn."""
        own = self.proba[np.arange(len(self.labels)), self.labels]
        eps = np.finfo(np.float64).eps
        return -np.log(np.clip(own, eps, 1 - eps))


def make_score(name: str, n_classes: int) -> Score:
    """The function that computes the score of this name.

    Parameters
    ----------
    name : str
        A scikit-learn scorer name. "precision", "recall" and "f1" refer to the positive class and need two classes.
    n_classes : int
    """
    if n_classes == 2 and name in _BINARY:
        return _BINARY[name]
    if name in _BINARY and name != "roc_auc":
        raise ValueError(f"{name!r} is for two classes; use {name}_macro or {name}_weighted for {n_classes}.")
    if name == "roc_auc":
        raise ValueError(f"'roc_auc' is for two classes; use roc_auc_ovr or roc_auc_ovr_weighted for {n_classes}.")
    return _ANY.get(name) or partial(_by_scikit_learn, get_scorer(name))


def make_weighted_score(name: str, n_classes: int) -> Score:
    """The same for rows that may have weights: means over rows are weighted, other scores are scikit-learn's."""
    plain, of_rows = make_score(name, n_classes), _OF_ROWS.get(name)

    def score(prediction: Prediction) -> float:
        if prediction.weights is None:
            return plain(prediction)
        if of_rows is not None:
            return float(np.average(of_rows(prediction), weights=prediction.weights))
        return _by_scikit_learn(get_scorer(name), prediction)

    return score


def default_scoring(n_classes: int) -> tuple[str, ...]:
    """The default scores."""
    if n_classes == 2:
        return ("accuracy", "precision", "recall", "f1", "roc_auc", "balanced_accuracy", "neg_log_loss")
    averaged = [f"{score}_{kind}" for kind in ("macro", "weighted") for score in ("precision", "recall", "f1")]
    return ("accuracy", *averaged, "roc_auc_ovr", "roc_auc_ovr_weighted", "balanced_accuracy", "neg_log_loss")


def compares_rows(name: str) -> bool:
    """Whether a score compares the probabilities of different rows, which must then come from the same model.

    Examples
    --------
    >>> from gnbayes.selection.scores import compares_rows
    >>> [compares_rows(name) for name in ("roc_auc_ovr", "average_precision", "neg_log_loss")]
    [True, True, False]
    """
    return name.startswith("roc_auc") or name == "average_precision"


def row_scores(name: str, prediction: Prediction) -> NDArray[np.float64] | None:
    """Scores of single rows whose mean is the score; None for a score that is not a mean over rows."""
    return _OF_ROWS[name](prediction) if name in _OF_ROWS else None


def roc_auc(score: NDArray[np.float64], is_positive: NDArray[np.bool_]) -> float:
    """Area under the ROC curve: the share of pairs in which the positive row has the higher score; ties count half.

    Scores must not be negative. NaN where one of the two classes has no rows.
    """
    n_positive = int(np.count_nonzero(is_positive))
    n_negative = len(score) - n_positive
    if not n_positive or not n_negative:
        return float("nan")
    # Floats from 0 on are ordered as their bits are. With the class as the last bit one sort does for both, and
    # sorting whole numbers is several times faster than sorting positions.
    bits = np.ascontiguousarray(score, dtype=np.float64).view(np.uint64)
    ordered = np.sort((bits << np.uint64(1)) | is_positive)
    is_end = np.ones(len(score), dtype=bool)
    np.not_equal(ordered[1:] >> np.uint64(1), ordered[:-1] >> np.uint64(1), out=is_end[:-1])
    ends = np.flatnonzero(is_end)
    # Positive and negative rows up to the end of every run of equal scores, from 0 on: a trapezoid for each.
    positives = np.zeros(len(ends) + 1)
    positives[1:] = np.cumsum(ordered & np.uint64(1))[ends]
    negatives = np.zeros(len(ends) + 1)
    negatives[1:] = ends + 1 - positives[1:]
    area = np.dot(positives[1:] - positives[:-1], negatives[1:] + negatives[:-1]) / 2
    return float(area / n_positive / n_negative)


def _accuracy(prediction: Prediction) -> float:
    return float(np.trace(prediction.confusion) / prediction.confusion.sum())


def _balanced_accuracy(prediction: Prediction) -> float:
    support = prediction.confusion.sum(axis=1)
    has_rows = support > 0
    return float(np.mean(np.diag(prediction.confusion)[has_rows] / support[has_rows]))


def _neg_log_loss(prediction: Prediction) -> float:
    return -float(prediction.row_losses.mean())


def _by_class(kind: str, confusion: NDArray[np.intp]) -> NDArray[np.float64]:
    """Precision, recall or F1 of each class; 0 where it is 0 / 0."""
    hits, said, true = np.diag(confusion), confusion.sum(axis=0), confusion.sum(axis=1)
    if kind == "precision":
        top, bottom = hits, said
    elif kind == "recall":
        top, bottom = hits, true
    else:
        top, bottom = 2 * hits, said + true
    return np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1), 0.0)


def _of_positive(kind: str, prediction: Prediction) -> float:
    return float(_by_class(kind, prediction.confusion)[prediction.positive])


def _averaged(kind: str, average: str, prediction: Prediction) -> float:
    confusion = prediction.confusion
    support = confusion.sum(axis=1)
    weights = support if average == "weighted" else ((support + confusion.sum(axis=0)) > 0)
    return float(np.average(_by_class(kind, confusion), weights=weights))


def _binary_auc(prediction: Prediction) -> float:
    return roc_auc(prediction.proba[:, prediction.positive], prediction.labels == prediction.positive)


def _auc_ovr(is_weighted: bool, prediction: Prediction) -> float:
    classes = range(len(prediction.classes))
    areas = [roc_auc(prediction.proba[:, y], prediction.labels == y) for y in classes]
    weights = np.bincount(prediction.labels, minlength=len(classes)) if is_weighted else None
    return float(np.average(areas, weights=weights))


def _as_zero_and_one(prediction: Prediction) -> Prediction:
    """Two classes as 0 and 1, the positive one as 1, as scikit-learn's scorers expect."""
    if len(prediction.classes) != 2:
        return prediction
    columns = [1 - prediction.positive, prediction.positive]
    labels = (prediction.labels == prediction.positive).astype(np.intp)
    return Prediction(prediction.joint[:, columns], labels, np.arange(2), 1, prediction.weights)


def _by_scikit_learn(scorer: Any, prediction: Prediction) -> float:
    prediction = _as_zero_and_one(prediction)
    rows, target = np.empty((len(prediction.labels), 0)), prediction.classes[prediction.labels]
    weights = {} if prediction.weights is None else {"sample_weight": prediction.weights}
    return float(scorer(_Frozen(prediction), rows, target, **weights))


class _Frozen(ClassifierMixin, BaseEstimator):
    """A fitted classifier that has already predicted."""

    def __init__(self, prediction: Prediction) -> None:
        self.prediction = prediction
        self.classes_ = prediction.classes

    def predict(self, X: Any) -> NDArray[Any]:
        return np.asarray(self.classes_[self.prediction.predicted])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        return self.prediction.proba

    def __sklearn_is_fitted__(self) -> bool:
        return True


_OF_ROWS: dict[str, Callable[[Prediction], NDArray[np.float64]]] = {
    "accuracy": lambda prediction: (prediction.predicted == prediction.labels).astype(np.float64),
    "neg_log_loss": lambda prediction: -prediction.row_losses,
}
_KINDS = ("precision", "recall", "f1")
_BINARY: dict[str, Score] = {**{kind: partial(_of_positive, kind) for kind in _KINDS}, "roc_auc": _binary_auc}
_ANY: dict[str, Score] = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "neg_log_loss": _neg_log_loss,
    "roc_auc_ovr": partial(_auc_ovr, False),
    "roc_auc_ovr_weighted": partial(_auc_ovr, True),
    **{f"{kind}_{average}": partial(_averaged, kind, average) for kind in _KINDS for average in ("macro", "weighted")},
}
