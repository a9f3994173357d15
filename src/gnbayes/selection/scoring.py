"""Compute selection curves: models of the first features, scored on rows that had no part in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold, check_cv
from sklearn.utils.validation import check_is_fitted

from gnbayes._class_weight import weigh_by_class
from gnbayes._sklearn import n_rows_of
from gnbayes.base import as_batch, probabilities
from gnbayes.encoding import check_labels, check_table, check_target, check_weights, encode, label_indices
from gnbayes.estimator import GeneralizedNB
from gnbayes.kernels import threads_of
from gnbayes.model import REPAIRING, WEIGHTINGS, Joint, build_joint, leave_one_out_prefixes
from gnbayes.pipeline import Batch, Learned, Rows, learn, order_of_prefixes
from gnbayes.prefixes import (
    MOST_CANDIDATES,
    Fold,
    PathScores,
    counted_path_scores,
    means_of_rows,
    means_of_splits,
    order_features,
    own_folds,
    path_scores,
    plain,
    rows_of,
)
from gnbayes.progress import Progress, part_of, progress_line
from gnbayes.selection.curve import SelectionCurve, check_costs
from gnbayes.selection.scores import (
    Prediction,
    Score,
    compares_rows,
    default_scoring,
    make_weighted_score,
    row_scores,
)
from gnbayes.settings import Settings


class TooFewRowsError(ValueError):
    """There is nothing to hold out."""


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
    """Scores for numbers of features 1, 2, ..., d, of the model that `n_features` would give.

    Parameters
    ----------
    estimator : GeneralizedNB
        Its own `n_features` is not looked at, unless ``cv="prefit"``.
    X : array-like or data frame of shape (n, d)
    y : array-like of shape (n,)
    cv : int, splitter, iterable, "loo" or "prefit", optional
        Cross-validation as in scikit-learn, with intervals, order and tables learned anew in every split. By default
        five folds that depend on what the rows hold and not on their order, those of ``n_features="auto"``. For
        ``weighting=None`` also "loo": every row is scored by the model of all other rows, exactly and in one pass, but
        with intervals and tree of all rows, which makes the scores somewhat too good; its standard errors are not
        shown, and there is no ROC AUC, which would compare rows that different models have scored. And "prefit":
        `estimator` is fitted, and X and y are a validation set.
    scoring : str or sequence of str, optional
        scikit-learn scorer names. By default accuracy, precision, recall, F1, ROC AUC, balanced accuracy and log-loss;
        for more than two classes macro and weighted averages.
    groups : array-like of shape (n,), optional
        Rows of the same group are held out together: by the folds of the default, by those inside a fit, by as many
        folds as an integer `cv` says, and by a splitter that keeps groups together; and errors allow for them.
    sample_weight : array-like of shape (n,), optional
        As in `fit`; scores are weighted, too.
    pos_label : optional
        The positive class of two; the second by default.
    order : {"auto", "tree"}, default="auto"
        "auto": with `weighting` the feature that adds most to the log-loss of held-out rows first, then the one that
        adds most to it, and so on; without it the tree's c-ordering. "tree": the c-ordering in any case.
    costs : mapping or sequence, optional
        Prices of the features, by name or one per column; the feature with the largest gain for its price joins first.

    Returns
    -------
    curve : SelectionCurve

    Notes
    -----
    All numbers up to 30 are looked at, then each about a tenth larger. Of more than 300 columns the 300 most
    informative ones of each split are. Of more than 100 the order is that of features by themselves, without pairs.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, selection_curve
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> curve = selection_curve(GeneralizedNB(), X, y, scoring="neg_log_loss")
    >>> curve.order[:2]
    ('petal length (cm)', 'petal width (cm)')
    >>> curve.best("neg_log_loss"), curve.one_standard_error("neg_log_loss")
    (3, 2)
    """
    is_leave_one_out = isinstance(cv, str) and cv == "loo"
    task = _make_task(estimator, X, y, (scoring, pos_label), sample_weight, order, costs, groups)
    if is_leave_one_out and groups is not None:
        raise ValueError("groups go with folds, such as cv=5; cv='loo' leaves out single rows.")
    task = _without_comparisons(task, scoring) if is_leave_one_out else task
    if isinstance(cv, str):
        curve = _curve([_whole(task, estimator, X, y, cv)], task, ())
        return replace(curve, is_leave_one_out=is_leave_one_out)
    folds = _folds(task, cv, X, y, groups)
    progress = progress_line("scoring numbers of features", estimator.verbose)
    parts = [_split(task, fold, part_of(progress, at, len(folds) + 1)) for at, fold in enumerate(folds)]
    final = _feature_order(task, part_of(progress, len(folds), len(folds) + 1)).order
    progress(1.0)
    return _curve(parts, task, tuple(task.batch.table.names[j] for j in final.tolist()))


@dataclass(frozen=True, eq=False)
class FeatureOrder:
    """Features as they join.

    Parameters
    ----------
    order : ndarray of shape (d,)
    shares : ndarray of shape (d,), optional
        What each step adds to the weight of the tree, where the order is the tree's.
    """

    order: NDArray[np.intp]
    shares: NDArray[np.float64] | None


def feature_order(
    estimator: GeneralizedNB,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    order: str = "auto",
    costs: Any = None,
    groups: Any = None,
) -> FeatureOrder:
    """The order that all rows give: the one whose first n features ``n_features=n`` takes.

    Parameters
    ----------
    estimator, X, y, sample_weight, order, costs, groups
        As in `selection_curve`.
    """
    task = _make_task(estimator, X, y, ("neg_log_loss", None), sample_weight, order, costs, groups)
    return _feature_order(task, progress_line("ordering features", estimator.verbose))


@dataclass(frozen=True, eq=False)
class PrefixPredictions:
    """What models of fewer features say of held-out rows.

    Parameters
    ----------
    proba : list of ndarray of shape (n, k)
        One for each number of features.
    orders : list of ndarray of shape (d,)
        Features as they joined, one for each fold.
    """

    proba: list[NDArray[np.float64]]
    orders: list[NDArray[np.intp]]


def predict_prefixes(
    estimator: GeneralizedNB, X: Any, y: Any, cv: Any, numbers: Sequence[int], groups: Any = None
) -> PrefixPredictions:
    """Probabilities of held-out rows by models of some numbers of features: those that the curve scores.

    Parameters
    ----------
    estimator, X, y
        As in `selection_curve`.
    cv : iterable of pairs
        Rows to learn from and held-out rows; every row is held out once.
    numbers : sequence of int
        Increasing.
    groups : array-like of shape (n,), optional
        As in `selection_curve`.
    """
    task = _make_task(estimator, X, y, ("neg_log_loss", None), None, "auto", None, groups)
    proba = [np.zeros((n_rows_of(X), len(task.classes))) for _ in numbers]
    orders = []
    for fold, (_, test) in zip(_folds(task, cv, X, y, None), cv, strict=True):
        part = _split(task, fold, lambda _: None, np.array(numbers, dtype=np.intp))
        orders.append(part.order)
        wanted = [at for at, n in enumerate(part.numbers.tolist()) if n in set(numbers)]
        found = [scores for at, scores in enumerate(part.scores) if at in wanted]
        # Rows of a fold stand in the order of the table.
        for out, scores in zip(proba, found, strict=True):
            out[np.sort(test)] = probabilities(scores)
    return PrefixPredictions(proba, orders)


@dataclass(frozen=True, eq=False)
class _Task:
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
        By name.
    positive : int
        Which class is the positive one.
    by_tree : bool
    costs : ndarray of shape (d,), optional
    class_factors : ndarray of shape (k,)
        By which `class_weight` multiplies the weights of rows that are learned from, but not of those that are scored.
    """

    settings: Settings
    classes: NDArray[Any]
    batch: Batch
    kept: NDArray[np.intp]
    scores: dict[str, Score]
    positive: int
    by_tree: bool
    costs: NDArray[np.float64] | None
    class_factors: NDArray[np.float64]

    def score_weights(self, batch: Batch) -> NDArray[np.float64] | None:
        """Weights of rows that are scored."""
        return None if batch.weights is None else batch.weights / self.class_factors[batch.labels]

    @property
    def is_weighted(self) -> bool:
        """Whether models are learned from rows, each number of features for itself."""
        return WEIGHTINGS[self.settings.weighting].needs_rows

    @property
    def has_weights(self) -> bool:
        """Whether rows have weights."""
        return self.batch.weights is not None

    @property
    def search_costs(self) -> NDArray[np.float64] | None:
        """Prices that the search divides by: one that is free costs very little."""
        if self.costs is None or not self.costs.any():
            return None
        return np.maximum(self.costs / self.costs.mean(), 1e-6)


@dataclass(frozen=True, eq=False)
class _Part:
    """Rows to be scored, and their scores for the first features of an order."""

    numbers: NDArray[np.intp]
    order: NDArray[np.intp]
    labels: NDArray[np.intp]
    weights: NDArray[np.float64] | None
    scores: Iterable[NDArray[np.float64]]
    final: NDArray[np.float64] | None = None
    groups: NDArray[np.intp] | None = None


def _make_task(
    estimator: Any, X: Any, y: Any, scores: tuple[Any, Any], sample_weight: Any, order: str, costs: Any, groups: Any
) -> _Task:
    """Check everything that can be checked before any work is done."""
    if not isinstance(estimator, GeneralizedNB):
        raise TypeError(f"estimator must be a GeneralizedNB, got {type(estimator).__name__} instead.")
    if order not in ("auto", "tree"):
        raise ValueError(f"order must be 'auto' or 'tree', got {order!r} instead.")
    scoring, pos_label = scores
    estimator._validate_params()
    model = type(estimator)(**{**estimator.get_params(deep=False), "n_features": None, "verbose": 0})
    table = check_table(model, X, reset=True, n_threads=threads_of(estimator.n_jobs))
    classes, labels = check_labels(y, table.n_rows)
    settings = model._settings(classes, table.n_columns, in_batches=False)
    weights = weigh_by_class(estimator.class_weight, classes, labels, sample_weight)
    checked = check_weights(weights, table.n_rows)
    kept = np.arange(table.n_rows) if checked is None else np.flatnonzero(checked)
    batch = as_batch(table, labels, weights, groups)
    names = _names(scoring, len(classes))
    found = {name: make_weighted_score(name, len(classes)) for name in names}
    prices = check_costs(costs, table.names)
    if prices is not None and (order == "tree" or not WEIGHTINGS[settings.weighting].needs_rows):
        raise ValueError("costs need an order that can follow them: order='auto', and a model with weighting.")
    by_tree, positive = order == "tree", _positive(classes, pos_label)
    factors = _class_factors(estimator.class_weight, classes, labels, sample_weight)
    return _Task(settings, classes, batch, kept, found, positive, by_tree, prices, factors)


def _without_comparisons(task: _Task, scoring: Any) -> _Task:
    """Leave-one-out scores every row by another model, in which its own class has a row less.

    Rows of one value of a single feature are thereby put in the wrong order, and the pooled area falls below chance.
    """
    for name in task.scores if scoring is not None else ():
        if compares_rows(name):
            raise ValueError(
                f"{name!r} compares rows with each other, but cv='loo' scores each row by another model; use "
                "cross-validation, such as cv=5."
            )
    return replace(task, scores={name: score for name, score in task.scores.items() if not compares_rows(name)})


def _class_factors(
    class_weight: Any, classes: NDArray[Any], labels: NDArray[np.intp], sample_weight: Any
) -> NDArray[np.float64]:
    """What `class_weight` multiplies the weights of each class by, shape (k,); 1 for a class without rows."""
    given = check_weights(sample_weight, len(labels))
    own = np.ones(len(labels)) if given is None else given
    sums = np.bincount(labels, own, len(classes))
    weights = check_weights(weigh_by_class(class_weight, classes, labels, sample_weight), len(labels))
    after = np.bincount(labels, weights, len(classes))
    return np.divide(after, sums, out=np.ones(len(classes)), where=(sums > 0) & (after > 0))


def _folds(task: _Task, cv: Any, X: Any, y: Any, groups: Any) -> list[Fold]:
    batch = task.batch
    if cv is None:
        folds = own_folds(batch)
        if not folds:
            raise TooFewRowsError("there are too few rows to hold any out; give cv.")
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


def _check_fold(task: _Task, fold: Fold, number: int) -> None:
    """Refuse a fold that cannot be learned from, or whose scores cannot be computed, before any work is done."""
    strangers = np.setdiff1d(fold.test.labels, fold.train.labels)
    if len(strangers):
        label = task.classes[strangers].tolist()[0]
        raise ValueError(
            f"split {number} has rows of class {label!r} to score, but none to learn from; use other splits."
        )
    if len(np.unique(fold.train.labels)) < 2:
        raise ValueError(f"split {number} has rows of one class alone to learn from; use other splits.")
    joint = np.random.default_rng(0).random((len(fold.test.labels), len(task.classes)))
    said = Prediction(joint, fold.test.labels, task.classes, task.positive, task.score_weights(fold.test))
    for name, score in task.scores.items():
        _known(score(said), name, number)


def _split(task: _Task, fold: Fold, progress: Progress, numbers: NDArray[np.intp] | None = None) -> _Part:
    if task.is_weighted:
        how: dict[str, Any] = {"costs": task.search_costs, "by_tree": task.by_tree, "progress": progress}
        found = path_scores(task.settings, task.classes, fold, numbers=numbers, **how)
        final = None if numbers is not None else _final_scores(task, fold, found)
    else:
        found, final = counted_path_scores(task.settings, task.classes, fold, progress=progress), None
    weights = task.score_weights(fold.test)
    return _Part(found.numbers, found.order, found.labels, weights, found.scores, final, found.groups)


def _final_scores(task: _Task, fold: Fold, found: PathScores) -> NDArray[np.float64] | None:
    """Scores of the model as it was asked for, with all features; not where there are too many of them."""
    if found.numbers[-1] < len(found.order):
        return None
    if plain(task.settings) == task.settings:
        return found.scores[-1]
    known = np.flatnonzero(np.bincount(fold.train.labels, minlength=len(task.classes)))
    train = replace(fold.train, labels=np.searchsorted(known, fold.train.labels))
    learned = learn(task.settings, task.classes[known], Rows(train))
    scores = learned.model.scores(encode(fold.test.table, learned.features))
    return next(_for_all_classes([scores], known, len(task.classes)))


def _for_all_classes(
    scores: Iterable[NDArray[np.float64]], known: NDArray[np.intp], n_classes: int
) -> Iterator[NDArray[np.float64]]:
    for joint in scores:
        full = np.full((len(joint), n_classes), -np.inf)
        full[:, known] = joint
        yield full


def _feature_order(task: _Task, progress: Progress) -> FeatureOrder:
    """The order that all rows give."""
    if task.is_weighted and not task.by_tree:
        how: dict[str, Any] = {"costs": task.search_costs, "progress": progress}
        return FeatureOrder(order_features(task.settings, task.classes, task.batch, **how).order, None)
    settings = task.settings
    counted = Rows(task.batch).count(settings, task.classes)
    assert counted.tree is not None
    tree = order_of_prefixes(settings, counted.tree, counted.counts)
    progress(1.0)
    return FeatureOrder(tree.order, tree.gain)


def _prefix_joint(settings: Settings, learned: Learned) -> Joint:
    """The joint distribution of a counted model, in the order of which first features are used."""
    tree = order_of_prefixes(settings, learned.tree, learned.counts)
    return build_joint(tree, learned.counts, settings.smoothing, learned.alpha, settings.class_prior)


def _up_to(n: int) -> NDArray[np.intp]:
    return np.arange(1, n + 1)


def _whole(task: _Task, estimator: GeneralizedNB, X: Any, y: Any, cv: str) -> _Part:
    """One part with all rows: left out one by one, or a validation set."""
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


def _validation(task: _Task, fitted: GeneralizedNB, X: Any, y: Any) -> _Part:
    check_is_fitted(fitted)
    codes = encode(check_table(fitted, X, reset=False), fitted.features_)
    labels = label_indices(check_target(y, len(codes)), fitted.classes_)
    learned = Learned(fitted.features_, fitted.counts_, fitted.tree_, fitted.model_, fitted.alpha_)
    joint = _prefix_joint(task.settings, learned)
    known = np.searchsorted(task.classes, fitted.classes_)
    if not np.array_equal(task.classes, fitted.classes_):
        raise ValueError("a validation set must have rows of every class that the estimator knows.")
    return _Part(_up_to(len(joint.tree.order)), joint.tree.order, known[labels], None, joint.prefixes(codes))


def _leave_one_out(task: _Task) -> _Part:
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
    how = (settings.smoothing, learned.alpha, settings.class_prior, weights)
    prefixes = leave_one_out_prefixes(joint, learned.counts, rows, *how)
    return _Part(
        _up_to(len(joint.tree.order)), joint.tree.order, task.batch.labels, task.score_weights(task.batch), prefixes
    )


def _curve(parts: Sequence[_Part], task: _Task, final: tuple[str, ...]) -> SelectionCurve:
    values: dict[str, list[list[float]]] = {name: [[] for _ in parts] for name in task.scores}
    rows: dict[str, list[list[NDArray[np.float64]]]] = {name: [[] for _ in parts] for name in task.scores}
    for at, part in enumerate(parts):
        for scores in part.scores:
            said = Prediction(scores, part.labels, task.classes, task.positive, part.weights)
            for name, score in task.scores.items():
                values[name][at].append(_known(score(said), name, at + 1))
                own = row_scores(name, said)
                if own is not None:
                    rows[name][at].append(own)
    names = task.batch.table.names
    orders = tuple(tuple(names[j] for j in part.order.tolist()) for part in parts)
    errors, paired = {}, {}
    for name in task.scores:
        if rows[name][0]:
            weights = [np.ones(len(part.labels)) if part.weights is None else part.weights for part in parts]
            losses, groups = [-np.stack(own, axis=1) for own in rows[name]], [part.groups for part in parts]
            means = means_of_rows(losses, weights, groups)
        else:
            means = means_of_splits(-np.array(values[name]))
        if np.isfinite(means.errors).all():
            errors[name], paired[name] = means.errors, means.paired
    return SelectionCurve(
        parts[0].numbers,
        {name: np.array(found) for name, found in values.items()},
        errors,
        final or orders[0],
        paired,
        orders,
        _costs(parts, task.costs),
        MOST_CANDIDATES if task.is_weighted and not task.by_tree and len(names) > MOST_CANDIDATES else None,
        _final(parts, task),
    )


def _final(parts: Sequence[_Part], task: _Task) -> dict[str, NDArray[np.float64]]:
    """Scores of the model with all features, by name."""
    said = [
        Prediction(part.final, part.labels, task.classes, task.positive, part.weights)
        for part in parts
        if part.final is not None
    ]
    return {name: np.array([score(one) for one in said]) for name, score in task.scores.items()} if said else {}


def _costs(parts: Sequence[_Part], costs: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """What the first features cost, on average over the splits."""
    if costs is None:
        return None
    return np.asarray(np.mean([np.cumsum(costs[part.order])[part.numbers - 1] for part in parts], axis=0))


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
