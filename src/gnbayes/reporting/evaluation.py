"""How good the first 1, 2, ... features are on rows whose class is known, in numbers small enough for a page."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from gnbayes.estimator import GeneralizedNB
from gnbayes.reporting.scoring import Rows, how_to_score, log_joints, n_folds
from gnbayes.selection.scores import Prediction, make_score

# Numbers of features that are looked at, fewer for many classes: each step has a curve a class.
MOST_STEPS = 100
_MOST_CURVES = 400
_ROC_POINTS = 33
_CALIBRATION_BINS = 10
_NORMAL_95 = 1.959964


def evaluate(clf: GeneralizedNB, rows: Rows, positive: int) -> dict[str, Any]:
    """Scores, confusion matrices, ROC curves and calibration for every number of features.

    Rows that the model was learned from are recognised by their counts, and each of them is then scored by a model
    that has not seen it.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    rows : Rows
    positive : int
        Index of the positive class of two.

    Returns
    -------
    evaluation : dict
        ``how`` rows are scored, in how many ``folds``. ``steps``: the numbers of features; all of them up to 100, fewer
        of the large ones beyond. ``scores``: by name, ``mean`` and a 95 % interval from ``low`` to ``high``, None where
        it is not known. ``confusion``, ``roc`` and ``calibration`` by step; the last two also by class, of which there
        is one for two classes, the positive one. A weighted model comes after all steps, which are then those of its
        tree with counted probabilities. ``commonest``: the most frequent class. ``best``: the steps with the least
        log-loss and the fewest that are as good.
    """
    how = how_to_score(clf, rows)
    n_classes = len(clf.classes_)
    steps = choose_steps(clf.n_features_, n_classes)
    curves = [positive] if n_classes == 2 else list(range(n_classes))
    scores: dict[str, list[tuple[float | None, ...]]] = {}
    parts: dict[str, list[Any]] = {"confusion": [], "roc": [], "calibration": []}
    losses = []
    for n_features, joint in enumerate(log_joints(clf, rows, how), start=1):
        if n_features <= clf.n_features_ and n_features not in steps:
            continue
        prediction = Prediction(joint, rows.labels, clf.classes_, positive)
        for name, interval in _scores(prediction).items():
            scores.setdefault(name, []).append(interval)
        losses.append(prediction.row_losses)
        parts["confusion"].append(prediction.confusion.ravel().tolist())
        parts["roc"].append([roc_points(prediction.proba[:, y], rows.labels == y) for y in curves])
        parts["calibration"].append([calibration_points(prediction.proba[:, y], rows.labels == y) for y in curves])
    return {
        "how": how,
        "folds": n_folds(rows.labels) if how == "cross-validation" else 0,
        "rows": len(rows.labels),
        "steps": list(steps),
        "curves": curves,
        "scores": {name: _columns(values) for name, values in scores.items()},
        "commonest": _commonest(rows.labels),
        "best": _best(steps, losses[: len(steps)]),
        **parts,
    }


def choose_steps(n_features: int, n_classes: int = 2) -> tuple[int, ...]:
    """Numbers of features to look at: all up to a hundred, and beyond that fewer of the large ones.

    With more than four classes there are fewer steps, so that the page does not grow with the square of the classes.

    Examples
    --------
    >>> from gnbayes.reporting.evaluation import choose_steps
    >>> choose_steps(4)
    (1, 2, 3, 4)
    >>> len(choose_steps(5000)) <= 100, choose_steps(5000)[-1]
    (True, 5000)
    """
    most = max(10, min(MOST_STEPS, _MOST_CURVES // n_classes))
    if n_features <= most:
        return tuple(range(1, n_features + 1))
    beyond = np.geomspace(most // 2 + 1, n_features, most - most // 2)
    return tuple(dict.fromkeys([*range(1, most // 2 + 1), *np.rint(beyond).astype(int).tolist()]))


def roc_points(score: NDArray[np.float64], is_positive: NDArray[np.bool_]) -> list[int] | None:
    """Points of the ROC curve in thousandths, false and true positive shares in turn; None without both classes.

    At most 33 points, spread evenly along the curve.
    """
    n_positive = int(is_positive.sum())
    n_negative = len(score) - n_positive
    if not n_positive or not n_negative:
        return None
    order = np.argsort(-score, kind="stable")
    is_end = np.append(score[order][1:] != score[order][:-1], True)
    hits = np.concatenate([[0], np.cumsum(is_positive[order])[is_end]]) / n_positive
    alarms = np.concatenate([[0], np.cumsum(~is_positive[order])[is_end]]) / n_negative
    at = np.unique(np.searchsorted(hits + alarms, np.linspace(0, 2, _ROC_POINTS)).clip(0, len(hits) - 1))
    return np.rint(1000 * np.stack([alarms[at], hits[at]], axis=1)).astype(int).ravel().tolist()


def calibration_points(share: NDArray[np.float64], is_positive: NDArray[np.bool_]) -> list[list[float]]:
    """Mean predicted share, observed share with its 95 % interval, and rows, in ten equal parts of the scale.

    Parts without rows are left out.
    """
    part = np.minimum((share * _CALIBRATION_BINS).astype(np.intp), _CALIBRATION_BINS - 1)
    rows = np.bincount(part, minlength=_CALIBRATION_BINS).tolist()
    predicted = np.bincount(part, share, minlength=_CALIBRATION_BINS).tolist()
    observed = np.bincount(part[is_positive], minlength=_CALIBRATION_BINS).tolist()
    return [
        [*(round(x, 3) for x in (predicted[b] / rows[b], *share_interval(observed[b], rows[b]))), rows[b]]
        for b in range(_CALIBRATION_BINS)
        if rows[b]
    ]


def auc_error(score: NDArray[np.float64], is_positive: NDArray[np.bool_]) -> float | None:
    """Standard error of the area under the ROC curve (DeLong et al. 1988); None with a class of fewer than two rows."""
    positives, negatives = score[is_positive], score[~is_positive]
    if len(positives) < 2 or len(negatives) < 2:
        return None
    ranks = rankdata(np.concatenate([positives, negatives]))
    above = (ranks[: len(positives)] - rankdata(positives)) / len(negatives)
    below = (ranks[len(positives) :] - rankdata(negatives)) / len(positives)
    return float(np.sqrt(above.var(ddof=1) / len(positives) + below.var(ddof=1) / len(negatives)))


def share_interval(hits: int, n: int) -> tuple[float, float, float]:
    """A share with its 95 % interval (Wilson 1927).

    Examples
    --------
    >>> from gnbayes.reporting.evaluation import share_interval
    >>> [round(x, 3) for x in share_interval(9, 10)]
    [0.9, 0.596, 0.982]
    """
    z = _NORMAL_95
    share = hits / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return share, max(0.0, float(middle - reach)), min(1.0, float(middle + reach))


def _share_of(hits: Any, n: Any) -> tuple[float | None, ...]:
    return share_interval(int(hits), int(n)) if n else (None, None, None)


def _scores(prediction: Prediction) -> dict[str, tuple[float | None, ...]]:
    confusion, positive = prediction.confusion, prediction.positive
    scores = {"accuracy": _share_of(np.trace(confusion), confusion.sum())}
    if len(prediction.classes) == 2:
        share, is_positive = prediction.proba[:, positive], prediction.labels == positive
        area, error = _known(make_score("roc_auc", 2)(prediction)), auc_error(share, is_positive)
        scores["auc"] = _interval(area, error, 1.0)
        negative = 1 - positive
        scores["sensitivity"] = _share_of(confusion[positive, positive], confusion[positive].sum())
        scores["specificity"] = _share_of(confusion[negative, negative], confusion[negative].sum())
    else:
        k = len(prediction.classes)
        scores["auc"] = (_known(make_score("roc_auc_ovr", k)(prediction)), None, None)
        scores["balanced"] = (_known(make_score("balanced_accuracy", k)(prediction)), None, None)
    losses = prediction.row_losses
    error = float(losses.std(ddof=1) / np.sqrt(len(losses))) if len(losses) > 1 else None
    scores["logloss"] = _interval(float(losses.mean()), error, np.inf)
    return scores


def _interval(mean: float | None, error: float | None, highest: float) -> tuple[float | None, ...]:
    if mean is None or error is None:
        return mean, None, None
    return mean, max(0.0, mean - _NORMAL_95 * error), min(highest, mean + _NORMAL_95 * error)


def _known(score: float) -> float | None:
    return None if np.isnan(score) else float(score)


def _columns(values: list[tuple[float | None, ...]]) -> dict[str, list[float | None]]:
    rounded = [[None if value is None else round(value, 5) for value in triple] for triple in values]
    return {key: [triple[at] for triple in rounded] for at, key in enumerate(("mean", "low", "high"))}


def _commonest(labels: NDArray[np.intp]) -> dict[str, Any]:
    """The most frequent class of the rows, and its share: the accuracy of always saying it."""
    counts = np.bincount(labels)
    return {"class": int(np.argmax(counts)), "share": float(counts.max() / len(labels))}


def _best(steps: tuple[int, ...], losses: list[NDArray[np.float64]]) -> dict[str, int]:
    """The number of features with the least log-loss, and the fewest within one standard error of it."""
    means = np.array([row_losses.mean() for row_losses in losses])
    best = int(np.argmin(means))
    n = len(losses[best])
    error = losses[best].std(ddof=1) / np.sqrt(n) if n > 1 else 0.0
    return {"best": steps[best], "fewest": steps[int(np.argmax(means <= means[best] + error))]}
