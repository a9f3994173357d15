"""Counted models scored without folds: by leave-one-out, or on a validation set."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from gnbayes.encoding import check_table, check_target, encode, label_indices
from gnbayes.estimator import GeneralizedNB
from gnbayes.model import REPAIRING, Joint, build_joint, leave_one_out_prefixes
from gnbayes.pipeline import Learned, Rows, learn, order_of_prefixes
from gnbayes.selection.parts import Part
from gnbayes.selection.task import Task
from gnbayes.settings import Settings


def score_whole(task: Task, estimator: GeneralizedNB, X: Any, y: Any, cv: str) -> Part:
    """One part with all rows: by leave-one-out, or a validation set."""
    if cv not in ("loo", "prefit"):
        raise ValueError(
            f"cv must be 'loo', 'prefit', a number of splits, a splitter or an iterable, got {cv!r} instead."
        )
    if task.is_weighted:
        raise ValueError(
            f"cv={cv!r} is for weighting=None: the first features of a weighted model are a model of their own, which "
            "has to be learned without the rows it is scored on; use cross-validation, such as cv=5."
        )
    return _leave_one_out(task) if cv == "loo" else _validation(task, estimator, X, y)


def _validation(task: Task, fitted: GeneralizedNB, X: Any, y: Any) -> Part:
    check_is_fitted(fitted)
    codes = encode(check_table(fitted, X, reset=False), fitted.features_)
    labels = label_indices(check_target(y, len(codes)), fitted.classes_)
    learned = Learned(
        *(fitted.features_, fitted.counts_, fitted.tree_, fitted.model_, fitted.alpha_), pooling=fitted.pooling_
    )
    joint = _prefix_joint(task.settings, learned)
    known = np.searchsorted(task.classes, fitted.classes_)
    if not np.array_equal(task.classes, fitted.classes_):
        raise ValueError("a validation set must have rows of every class that the estimator knows.")
    return Part(_up_to(len(joint.tree.order)), joint.tree.order, known[labels], None, joint.prefixes(codes))


def _leave_one_out(task: Task) -> Part:
    settings = task.settings
    if settings.smoothing in REPAIRING:
        raise ValueError(
            f"cv='loo' is not possible with smoothing={settings.smoothing!r}; use cross-validation, such as cv=5."
        )
    counted = Rows(task.batch).count(settings, task.classes)
    learned = learn(settings, task.classes, counted)
    joint = _prefix_joint(settings, learned)
    rows, weights = counted.counted_rows, task.batch.weights
    assert rows is not None
    how = (settings.smoothing, learned.alpha, settings.class_prior, weights, learned.pooling)
    prefixes = leave_one_out_prefixes(joint, learned.counts, rows, *how)
    return Part(_up_to(len(joint.tree.order)), joint.tree.order, task.batch.labels, task.batch.score_weights, prefixes)


def _prefix_joint(settings: Settings, learned: Learned) -> Joint:
    """The joint distribution of a counted model, in the order of which first features are used."""
    tree = order_of_prefixes(settings, learned.tree, learned.counts)
    how = (settings.smoothing, learned.alpha, settings.class_prior, learned.pooling)
    return build_joint(tree, learned.counts, *how)


def _up_to(n: int) -> NDArray[np.intp]:
    return np.arange(1, n + 1)
