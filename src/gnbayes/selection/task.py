"""The request for a curve, checked before any work is done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.base import weighed_batch
from gnbayes.encoding import check_labels, check_table, check_weights
from gnbayes.estimator import GeneralizedNB
from gnbayes.kernels import threads_of
from gnbayes.model import WEIGHTINGS
from gnbayes.pipeline import Batch, check_columns
from gnbayes.selection.costs import check_costs
from gnbayes.selection.scores import Score, compares_rows, default_scoring, make_weighted_score
from gnbayes.settings import Settings


@dataclass(frozen=True, eq=False)
class Request:
    """The arguments of `selection_curve` other than estimator and rows."""

    scoring: Any = "neg_log_loss"
    pos_label: Any = None
    sample_weight: Any = None
    groups: Any = None
    order: str = "auto"
    costs: Any = None


@dataclass(frozen=True, eq=False)
class Task:
    """What is the same for all splits.

    Parameters
    ----------
    settings : Settings
    classes : ndarray of shape (k,)
    batch : Batch
        All rows that have a weight.
    kept : ndarray of shape (n,)
        Their positions among all rows.
    scores : dict
        The scores, by name.
    positive : int
        Which class is the positive one.
    by_tree : bool
    costs : ndarray of shape (d,), optional
    """

    settings: Settings
    classes: NDArray[Any]
    batch: Batch
    kept: NDArray[np.intp]
    scores: dict[str, Score]
    positive: int
    by_tree: bool
    costs: NDArray[np.float64] | None

    @property
    def is_weighted(self) -> bool:
        """Whether a model is learned from rows for each number of features."""
        return WEIGHTINGS[self.settings.weighting].needs_rows

    @property
    def has_weights(self) -> bool:
        """Whether rows have weights."""
        return self.batch.weights is not None

    @property
    def search_costs(self) -> NDArray[np.float64] | None:
        """Costs that the search divides by: a free feature costs very little."""
        if self.costs is None or not self.costs.any():
            return None
        return np.maximum(self.costs / self.costs.mean(), 1e-6)


def make_task(estimator: Any, X: Any, y: Any, request: Request) -> Task:
    """Check everything that can be checked before any work is done."""
    if not isinstance(estimator, GeneralizedNB):
        raise TypeError(f"estimator must be a GeneralizedNB, got {type(estimator).__name__} instead.")
    if request.order not in ("auto", "tree"):
        raise ValueError(f"order must be 'auto' or 'tree', got {request.order!r} instead.")
    estimator._validate_params()
    model = type(estimator)(**{**estimator.get_params(deep=False), "n_features": None, "verbose": 0})
    table = check_table(model, X, reset=True, n_threads=threads_of(estimator.n_jobs))
    classes, labels = check_labels(y, table.n_rows)
    settings = model._settings(classes, table.n_columns, in_batches=False)
    check_columns(settings, table.names, len(classes))
    batch = weighed_batch(estimator.class_weight, classes, table, labels, request.sample_weight, request.groups)
    checked = check_weights(request.sample_weight, table.n_rows)
    kept = np.arange(table.n_rows) if checked is None else np.flatnonzero(checked)
    names = _names(request.scoring, len(classes))
    found = {name: make_weighted_score(name, len(classes)) for name in names}
    prices = check_costs(request.costs, table.names)
    by_tree = request.order == "tree"
    if prices is not None and (by_tree or not WEIGHTINGS[settings.weighting].needs_rows):
        raise ValueError("costs need order='auto' and a model with weighting; other orders do not depend on them.")
    positive = _positive(classes, request.pos_label)
    return Task(settings, classes, batch, kept, found, positive, by_tree, prices)


def without_comparisons(task: Task, scoring: Any) -> Task:
    """Leave-one-out scores every row by a different model, in which its own class has one row fewer.

    Rows with the same value of a feature are thus ranked in the wrong order, and the pooled AUC falls below chance.
    """
    for name in task.scores if scoring is not None else ():
        if compares_rows(name):
            raise ValueError(
                f"{name!r} compares rows with each other, but cv='loo' scores each row by another model; use "
                "cross-validation, such as cv=5."
            )
    return replace(task, scores={name: score for name, score in task.scores.items() if not compares_rows(name)})


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
