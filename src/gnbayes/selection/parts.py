"""Scored rows of one split, by models of the first features of its order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import encode
from gnbayes.pipeline import Rows, learn
from gnbayes.prefixes import Fold, PathScores, counted_path_scores, for_all_classes, path_scores, plain
from gnbayes.progress import Progress
from gnbayes.selection.task import Task


@dataclass(frozen=True, eq=False)
class Part:
    """Rows to be scored, and their scores for the first features of an order.

    Parameters
    ----------
    numbers : ndarray of shape (m,)
        Numbers of features.
    order : ndarray of shape (d,)
        Features in the order in which they were added.
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,), optional
    scores : iterable of ndarray of shape (n, k)
        One for each number.
    final : ndarray of shape (n, k), optional
        Scores of the estimator with its own parameters and all features.
    groups : ndarray of shape (n,), optional
    """

    numbers: NDArray[np.intp]
    order: NDArray[np.intp]
    labels: NDArray[np.intp]
    weights: NDArray[np.float64] | None
    scores: Iterable[NDArray[np.float64]]
    final: NDArray[np.float64] | None = None
    groups: NDArray[np.intp] | None = None


def score_split(task: Task, fold: Fold, progress: Progress, numbers: NDArray[np.intp] | None = None) -> Part:
    """Learn from the training rows of a split and score its held-out rows, for all or some numbers of features.

    Parameters
    ----------
    task : Task
    fold : Fold
    progress : callable
    numbers : ndarray of shape (m,), optional
        Increasing. If given, the final model is not scored.
    """
    if task.is_weighted:
        options: dict[str, Any] = {"costs": task.search_costs, "by_tree": task.by_tree, "progress": progress}
        found = path_scores(task.settings, task.classes, fold, numbers=numbers, **options)
        final = None if numbers is not None else _final_scores(task, fold, found)
    else:
        found, final = counted_path_scores(task.settings, task.classes, fold, progress=progress), None
    weights = fold.test.score_weights
    return Part(found.numbers, found.order, found.labels, weights, found.scores, final, found.groups)


def _final_scores(task: Task, fold: Fold, found: PathScores) -> NDArray[np.float64] | None:
    """Scores of the estimator with its own parameters and all features; None if there are too many features."""
    if found.numbers[-1] < len(found.order):
        return None
    if plain(task.settings) == task.settings:
        return found.scores[-1]
    known = np.flatnonzero(np.bincount(fold.train.labels, minlength=len(task.classes)))
    train = replace(fold.train, labels=np.searchsorted(known, fold.train.labels))
    learned = learn(task.settings, task.classes[known], Rows(train))
    scores = learned.model.scores(encode(fold.test.table, learned.features))
    return for_all_classes(scores, known, len(task.classes))
