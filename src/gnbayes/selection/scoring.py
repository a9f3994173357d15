"""Compute selection curves: models of the first features, scored on rows that were not used to learn them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.estimator import GeneralizedNB
from gnbayes.prefixes import (
    MOST_CANDIDATES,
    HeldOut,
    class_shares,
    evidence_of,
    means_of_rows,
    means_of_splits,
    surplus,
)
from gnbayes.progress import part_of, progress_line
from gnbayes.selection.curve import SelectionCurve
from gnbayes.selection.ordering import order_of_all_rows
from gnbayes.selection.parts import Part, score_split
from gnbayes.selection.scores import Prediction, row_scores
from gnbayes.selection.splits import check_score, folds_of
from gnbayes.selection.task import Request, Task, make_task, without_comparisons
from gnbayes.selection.whole import score_whole


def selection_curve(
    estimator: GeneralizedNB,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    scoring: str | Sequence[str] | None = None,
    groups: Any = None,
    sample_weight: Any = None,
    pos_label: Any = None,
    order: str = "auto",
    costs: Any = None,
) -> SelectionCurve:
    """Score the models with the first 1, 2, ..., d features, as `n_features` selects them.

    Parameters
    ----------
    estimator : GeneralizedNB
        Its own `n_features` is ignored, unless ``cv="prefit"``.
    X : array-like or data frame of shape (n, d)
    y : array-like of shape (n,)
    cv : int, splitter, iterable, "loo" or "prefit", optional
        Cross-validation as in scikit-learn, with bins, order and tables learned anew in every split. By default five
        folds that depend on the values of the rows and not on their order, as in ``n_features="auto"``. With
        ``weighting=None`` also "loo": every row is scored by the model of all other rows, exactly and in one pass, but
        with bins and tree learned from all rows, which makes the scores somewhat optimistic. Standard errors are then
        not shown, and ROC AUC, which would compare rows scored by different models, is not available. "prefit":
        `estimator` is already fitted, and X and y are a validation set; also for ``weighting=None`` only.
    scoring : str or sequence of str, optional
        scikit-learn scorer names. By default accuracy, precision, recall, F1, ROC AUC, balanced accuracy and log-loss;
        for more than two classes macro and weighted averages.
    groups : array-like of shape (n,), optional
        Rows of the same group are held out together: in the default folds, in the folds inside a fit, if `cv` is a
        number, and if it is a splitter for groups. Standard errors allow for them.
    sample_weight : array-like of shape (n,), optional
        As in `fit`; scores are weighted, too.
    pos_label : optional
        The positive class of two; the second by default.
    order : {"auto", "tree"}, default="auto"
        "auto": with `weighting`, the feature that improves the log-loss of held-out rows most comes first, then the one
        that improves it most given the first, and so on; without `weighting`, the c-ordering of the tree. "tree": the
        c-ordering in any case.
    costs : mapping or sequence, optional
        Costs of the features, by name or one per column; the feature with the largest gain per cost is added first.

    Returns
    -------
    curve : SelectionCurve

    Notes
    -----
    Every number of features up to 30 is scored; after that, each is about a tenth larger than the one before. With more
    than 100 columns, the search for the order ignores pairs of features; with more than 300, it considers only the 300
    most informative ones, chosen anew in every split, and the curve ends with all columns together, at most the 2,000
    most informative ones.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, selection_curve
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> curve = selection_curve(GeneralizedNB(interactions="tree"), X, y, scoring="neg_log_loss")
    >>> curve.order[:2]
    ('petal length (cm)', 'petal width (cm)')
    >>> curve.best("neg_log_loss"), curve.one_standard_error("neg_log_loss")
    (3, 2)
    """
    is_leave_one_out = isinstance(cv, str) and cv == "loo"
    if is_leave_one_out and groups is not None:
        raise ValueError("groups go with folds, such as cv=5; cv='loo' leaves out single rows.")
    task = make_task(estimator, X, y, Request(scoring, pos_label, sample_weight, groups, order, costs))
    task = without_comparisons(task, scoring) if is_leave_one_out else task
    if isinstance(cv, str):
        curve = _curve([score_whole(task, estimator, X, y, cv)], task, ())
        return replace(curve, is_leave_one_out=is_leave_one_out)
    folds = folds_of(task, cv, X, y, groups)
    progress = progress_line("scoring numbers of features", estimator.verbose)
    parts = [score_split(task, fold, part_of(progress, at, len(folds) + 1)) for at, fold in enumerate(folds)]
    final = order_of_all_rows(task, part_of(progress, len(folds), len(folds) + 1)).order
    progress(1.0)
    return _curve(parts, task, tuple(task.batch.table.names[j] for j in final.tolist()))


def _curve(parts: Sequence[Part], task: Task, final: tuple[str, ...]) -> SelectionCurve:
    values: dict[str, list[list[float]]] = {name: [[] for _ in parts] for name in task.scores}
    rows: dict[str, list[list[NDArray[np.float64]]]] = {name: [[] for _ in parts] for name in task.scores}
    weights = [np.ones(len(part.labels)) if part.weights is None else part.weights for part in parts]
    groups = [part.groups for part in parts]
    shares = class_shares([part.labels for part in parts], weights, len(task.classes))
    told: list[HeldOut] = []
    for at, part in enumerate(parts):
        of_rows: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
        for scores in part.scores:
            said = Prediction(scores, part.labels, task.classes, task.positive, part.weights)
            of_rows.append((said.row_losses, surplus(said.proba, part.labels, shares)))
            for name, score in task.scores.items():
                values[name][at].append(check_score(score(said), name, at + 1))
                own = row_scores(name, said)
                if own is not None:
                    rows[name][at].append(own)
        losses, told_apart = (np.stack(own, axis=1) for own in zip(*of_rows, strict=True))
        told.append(HeldOut(losses, told_apart, part.labels, weights[at], part.groups))
    names = task.batch.table.names
    orders = tuple(tuple(names[j] for j in part.order.tolist()) for part in parts)
    n_looked_at = MOST_CANDIDATES if task.is_weighted and not task.by_tree and len(names) > MOST_CANDIDATES else None
    evidence = evidence_of(told)
    errors, paired, to_all, is_wide = {}, {}, {}, n_looked_at is not None and evidence.of_all
    for name in task.scores:
        if rows[name][0]:
            means = means_of_rows([-np.stack(own, axis=1) for own in rows[name]], weights, groups, is_wide=is_wide)
        else:
            means = means_of_splits(-np.array(values[name]), is_wide=is_wide)
        if np.isfinite(means.errors).all():
            errors[name], paired[name] = means.errors, means.paired
            if means.to_all is not None:
                to_all[name] = means.to_all
    return SelectionCurve(
        parts[0].numbers,
        {name: np.array(found) for name, found in values.items()},
        errors,
        final or orders[0],
        paired,
        orders,
        _costs(parts, task.costs),
        n_looked_at,
        _final(parts, task),
        errors_to_all=to_all,
        has_learned=evidence.of_any,
    )


def _final(parts: Sequence[Part], task: Task) -> dict[str, NDArray[np.float64]]:
    """Scores of the model with all features, by name."""
    said = [
        Prediction(part.final, part.labels, task.classes, task.positive, part.weights)
        for part in parts
        if part.final is not None
    ]
    return {name: np.array([score(one) for one in said]) for name, score in task.scores.items()} if said else {}


def _costs(parts: Sequence[Part], costs: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Total cost of the first features, averaged over the splits."""
    if costs is None:
        return None
    return np.asarray(np.mean([np.cumsum(costs[part.order])[part.numbers - 1] for part in parts], axis=0))
