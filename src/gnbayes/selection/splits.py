"""Rows to learn from and held-out rows of each split, checked before any work is done."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold, check_cv

from gnbayes._sklearn import n_rows_of
from gnbayes.encoding import check_target
from gnbayes.prefixes import Fold, own_folds, rows_of
from gnbayes.selection.scores import Prediction
from gnbayes.selection.task import Task


class TooFewRowsError(ValueError):
    """There is nothing to hold out."""


def folds_of(task: Task, cv: Any, X: Any, y: Any, groups: Any) -> list[Fold]:
    """The splits of a `cv` as in `selection_curve`, or the five folds of the default.

    Parameters
    ----------
    task : Task
    cv, X, y, groups
        As in `selection_curve`; not "loo" or "prefit".
    """
    batch = task.batch
    if cv is None:
        folds = own_folds(batch)
        if not folds:
            raise TooFewRowsError("there are too few rows, or groups, to hold any out; keep all features.")
        for number, fold in enumerate(folds, start=1):
            _check_scores(task, fold, number)
        return folds
    if groups is not None and isinstance(cv, Integral):
        cv = StratifiedGroupKFold(int(cv))
    splits = list(check_cv(cv, check_target(y, n_rows_of(X)), classifier=True).split(X, y, groups))
    if not splits:
        raise ValueError("cv gives no splits.")
    weights = np.ones(len(batch.labels)) if batch.weights is None else batch.weights
    folds = []
    for number, (train, test) in enumerate(splits, start=1):
        parts = [np.where(_mask(rows, n_rows_of(X))[task.kept], weights, 0.0) for rows in (train, test)]
        fold = Fold(*(rows_of(batch, part, has_weights=task.has_weights) for part in parts))
        _check_fold(task, fold, number)
        folds.append(fold)
    return folds


def _mask(rows: Any, n: int) -> NDArray[np.bool_]:
    mask = np.zeros(n, dtype=bool)
    mask[rows] = True
    return mask


def _check_fold(task: Task, fold: Fold, number: int) -> None:
    """Refuse a fold that cannot be learned from or scored, before any work is done."""
    if not len(fold.test.labels):
        raise ValueError(f"split {number} has no held-out rows; use other splits.")
    strangers = np.setdiff1d(fold.test.labels, fold.train.labels)
    if len(strangers):
        label = task.classes[strangers].tolist()[0]
        raise ValueError(
            f"split {number} has held-out rows of class {label!r}, but no training rows of it; use other splits."
        )
    if len(np.unique(fold.train.labels)) < 2:
        raise ValueError(f"split {number} has rows of one class alone to learn from; use other splits.")
    _check_scores(task, fold, number)


def _check_scores(task: Task, fold: Fold, number: int) -> None:
    """Refuse a fold whose scores cannot be computed, by scoring made-up predictions."""
    joint = np.random.default_rng(0).random((len(fold.test.labels), len(task.classes)))
    said = Prediction(joint, fold.test.labels, task.classes, task.positive, fold.test.score_weights)
    for name, score in task.scores.items():
        check_score(score(said), name, number)


def check_score(score: float, name: str, number: int) -> float:
    """The score, or an error where it cannot be computed in the split of this number."""
    if np.isnan(score):
        raise ValueError(
            f"{name!r} cannot be computed in split {number}, where not all classes have rows; use fewer splits or "
            "another score."
        )
    return score
