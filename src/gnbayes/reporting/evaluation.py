"""The evaluation of the model, from scored rows to plain lists for the page."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gnbayes._sklearn import take_rows
from gnbayes.estimator import GeneralizedNB
from gnbayes.evidence import (
    Classification,
    Distribution,
    Estimate,
    Evaluation,
    Evidence,
    Instability,
    Risks,
    Subgroup,
    assess,
    auroc,
    classify,
    measure_instability,
    split_risks,
)
from gnbayes.progress import Progress, silent
from gnbayes.reporting.scoring import (
    Rows,
    Scored,
    bootstrap_rows,
    choose_folds,
    fold_of_rows,
    predict,
    refit,
    score_rows,
)
from gnbayes.selection import PrefixPredictions, feature_order, is_steady, predict_prefixes

# Number of refits to bootstrap samples: as many as the time limit in seconds allows, between these numbers.
FEWEST_REFITS, MOST_REFITS, SECONDS = 20, 200, 60.0
# Maximum number of rows whose risks are tracked over the refits.
_FOLLOWED = 2000
# How many numbers of features are tried, by the size of the table.
_NUMBERS = ((60_000, 10), (600_000, 6), (6_000_000, 3))


# Where scores come from: all or some rows are training rows and cross-validated; none is; none is, according to the
# user; unknown; or the scores were stored with the model, from all folds or a single one.
Origin = Literal["seen", "some", "new", "stated", "unstated", "kept", "kept.once"]


@dataclass(frozen=True, eq=False)
class Parts:
    """Subgroups of the rows that are evaluated separately.

    Parameters
    ----------
    name : str
        What distinguishes them, such as "Sex".
    codes : ndarray of shape (n,)
        The subgroup of each row.
    names : list of str
        Names of the subgroups.
    """

    name: str
    codes: NDArray[np.intp]
    names: list[str]


@dataclass(frozen=True, eq=False)
class Plan:
    """What to measure.

    Parameters
    ----------
    classes : list of int
        Classes whose risks are assessed: the event of two classes, or all classes if there are more.
    event : int, optional
        The class whose risk is evaluated in subgroups.
    parts : list of Parts
    n_refits : int, optional
        Number of refits to bootstrap samples; by default as many as 60 seconds allow, from 20 to 200.
    progress : callable
        Called with the share of the refits done.
    """

    classes: list[int]
    event: int | None
    parts: list[Parts]
    n_refits: int | None = None
    progress: Progress = silent


def evaluate(
    clf: GeneralizedNB, rows: Rows, is_seen: NDArray[np.bool_], plan: Plan, *, new_rows: bool = False
) -> dict[str, Any]:
    """Everything that is measured, as dicts, lists and numbers.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    rows : Rows
    is_seen : ndarray of shape (n,)
        Which of the rows the model was fitted to.
    plan : Plan
    new_rows : bool, default=False
        Whether the user states that none of the rows was used in training.

    Returns
    -------
    evaluation : dict
        Only ``obstacle`` if rows cannot be scored. Otherwise ``origin``, ``rows``, ``seen``, ``folds``, ``hasGroups``;
        ``classification``; ``assessed``, one dict per class of the plan; ``parts``; ``instability`` by class, and
        ``numbers`` with the scores of fewer features, both None without rows that the model was fitted to.
    """
    scored = score_rows(clf, rows, is_seen)
    if isinstance(scored, str):
        return {"obstacle": scored}
    seen = np.flatnonzero(is_seen)
    own = rows if len(seen) == len(rows.labels) else rows.take(seen)
    has_own = len(seen) > 0 and not isinstance(choose_folds(own, len(clf.classes_)), str)
    return {
        "obstacle": None,
        "origin": _origin(clf, is_seen, new_rows=new_rows),
        "rows": len(rows.labels),
        "seen": scored.n_seen,
        "folds": scored.n_folds,
        "hasGroups": rows.groups is not None,
        "classification": _classification(classify(scored.proba, scored.labels, scored.groups)),
        "assessed": [_assessed(y, assess(_risks(scored, y))) for y in plan.classes],
        "parts": [] if plan.event is None else _parts(_risks(scored, plan.event), plan.parts),
        "numbers": _numbers(clf, own, scored.proba[seen], plan) if has_own else None,
        "instability": _instability(clf, own, plan) if has_own else None,
    }


def describe_kept(found: Evaluation, plan: Plan) -> dict[str, Any]:
    """The same from an evaluation stored with the model, without anything that needs rows.

    Parameters
    ----------
    found : Evaluation
    plan : Plan
    """
    return {
        "obstacle": None,
        "origin": "kept" if found.n_fits == found.n_folds else "kept.once",
        "rows": found.n_rows,
        "seen": found.n_rows,
        "folds": found.n_folds,
        "hasGroups": found.has_groups,
        "classification": _classification(found.classification),
        "assessed": [_assessed(y, found.assessed[y]) for y in plan.classes],
        "parts": [],
        "numbers": None,
        "instability": None,
    }


def _origin(clf: GeneralizedNB, is_seen: NDArray[np.bool_], *, new_rows: bool) -> Origin:
    """What is known about the rows: a model from a file does not know whether it was fitted to some of them."""
    if is_seen.all():
        return "seen"
    if is_seen.any():
        return "some"
    if clf.training_hashes is not None:
        return "new"
    return "stated" if new_rows else "unstated"


def choose_numbers(n_features: int, n_rows: int) -> list[int]:
    """A few numbers of features to try, less than all; fewer of them for a large table.

    Examples
    --------
    >>> from gnbayes.reporting.evaluation import choose_numbers
    >>> choose_numbers(30, 569)
    [1, 2, 3, 5, 7, 10, 14, 21]
    """
    most = next((numbers for cells, numbers in _NUMBERS if n_features * n_rows <= cells), 0)
    if n_features < 2 or not most:
        return []
    spread = np.rint(np.geomspace(1, n_features, most)).astype(int).tolist()
    if n_features <= most:
        spread = list(range(1, n_features + 1))
    return [number for number in dict.fromkeys(spread) if number < n_features]


def _numbers(clf: GeneralizedNB, rows: Rows, own_proba: NDArray[np.float64], plan: Plan) -> dict[str, Any] | None:
    """Cross-validated scores of the classifier with fewer features; those of the model itself come last."""
    folds = choose_folds(rows, len(clf.classes_))
    tried = choose_numbers(clf.n_features_, len(rows.labels))
    if isinstance(folds, str) or not tried:
        return None
    # The features of the model itself may be a choice, too, and folds may choose others.
    is_choice = clf.n_features is not None and clf.n_features_ < clf.n_features_in_
    chosen = [*tried, clf.n_features_] if is_choice else tried
    found = predict_prefixes(clf, rows.X, clf.classes_[rows.labels], folds, chosen, rows.groups)
    probas, strata = [*found.proba[: len(tried)], own_proba], fold_of_rows(folds)
    scores: dict[str, list[Any]] = {"logloss": [], "auroc": [], "accuracy": []}
    for proba in probas:
        said = classify(proba, rows.labels, rows.groups)
        scores["logloss"].append(_plain(said.log_loss))
        scores["accuracy"].append(_plain(said.accuracy))
        if len(plan.classes) == 1:
            at = plan.classes[0]
            risks = Risks(_shares(proba)[:, at], rows.labels == at, rows.groups, strata)
            scores["auroc"].append(_plain(auroc(risks)))
    steps = {"numbers": [*tried, clf.n_features_], **{name: values for name, values in scores.items() if values}}
    return steps | _steadiness(clf, rows, chosen, found)


def _steadiness(clf: GeneralizedNB, rows: Rows, numbers: list[int], found: PrefixPredictions) -> dict[str, Any]:
    """The features for each number, by their positions on the page, and how often they are selected in the folds."""
    order = clf.tree_.chosen
    if order is None:
        order = feature_order(clf, rows.X, clf.classes_[rows.labels], groups=rows.groups).order[: clf.n_features_]
    position = {j: at for at, j in enumerate(clf.tree_.order.tolist())}
    shares = [
        [float(np.mean([j in own[:number] for own in found.orders])) for j in order[:number].tolist()]
        for number in numbers
    ]
    is_stable = [is_steady(own, clf.n_features_in_) for own in shares]
    return {"order": [position[j] for j in order.tolist()], "chosenIn": shares, "isStable": is_stable}


def _instability(clf: GeneralizedNB, rows: Rows, plan: Plan) -> dict[str, Any] | None:
    """Risks of the rows by the model, and by refits to bootstrap samples."""
    if plan.n_refits == 0:
        return None
    n = len(rows.labels)
    followed = np.unique(np.linspace(0, n - 1, min(n, _FOLLOWED)).astype(np.intp))
    X = take_rows(rows.X, followed)
    most = MOST_REFITS if plan.n_refits is None else plan.n_refits
    start, refitted = time.monotonic(), []
    for drawn in bootstrap_rows(rows, len(clf.classes_)):
        refitted.append(_shares(predict(refit(clf, rows, drawn), X))[:, plan.classes])
        elapsed = time.monotonic() - start
        is_late = plan.n_refits is None and len(refitted) >= FEWEST_REFITS and elapsed > SECONDS
        plan.progress(1.0 if is_late else len(refitted) / most)
        if is_late or len(refitted) >= most:
            break
    own, others = _shares(predict(clf, X))[:, plan.classes], np.array(refitted)
    found = [measure_instability(own[:, at], others[:, :, at]) for at in range(len(plan.classes))]
    return {"refits": len(refitted), "rows": len(followed), "classes": [_steady(one) for one in found]}


def _risks(scored: Scored, y: int) -> Risks:
    return Risks(_shares(scored.proba)[:, y], scored.labels == y, scored.groups, scored.strata)


def _shares(proba: NDArray[np.float64]) -> NDArray[np.float64]:
    """Clip probabilities that are outside 0 to 1 because of rounding errors."""
    return np.clip(proba, 0.0, 1.0)


def _classification(found: Classification) -> dict[str, Any]:
    return {
        "confusion": [None if n < 0 else n for n in found.confusion.ravel().tolist()],
        "accuracy": _plain(found.accuracy),
        "balanced": _rounded(found.balanced_accuracy),
        "commonest": found.commonest,
        "commonestShare": _rounded(found.commonest_share),
        "logloss": _plain(found.log_loss),
        "priorLogloss": _rounded(found.prior_log_loss),
    }


def _assessed(y: int, found: Evidence) -> dict[str, Any]:
    calibration, curve = found.calibration, found.calibration.curve
    return {
        "class": y,
        "rows": found.n,
        "events": found.n_events,
        "auroc": _plain(found.auroc),
        "roc": None if found.roc is None else [_list(found.roc.false_positive, 4), _list(found.roc.true_positive, 4)],
        "meanRisk": _rounded(calibration.mean_risk),
        "observed": _plain(calibration.observed),
        "intercept": _plain(calibration.intercept),
        "slope": _plain(calibration.slope),
        "ici": _rounded(calibration.ici),
        "e50": _rounded(calibration.e50),
        "e90": _rounded(calibration.e90),
        "curve": None
        if curve is None
        else {name: _list(getattr(curve, name), 4) for name in ("predicted", "observed", "low", "high")},
        "knots": 0 if curve is None else curve.n_knots,
        "brier": _plain(found.overall.brier),
        "scaledBrier": _plain(found.overall.scaled_brier),
        "logloss": _plain(found.overall.log_loss),
        "thresholds": None if found.distribution.is_even else found.decisions.thresholds.tolist(),
        "truePositives": found.decisions.true_positives.tolist(),
        "falsePositives": found.decisions.false_positives.tolist(),
        "netBenefit": _list(found.decisions.net_benefit, 5),
        "netBenefitOfAll": _list(found.decisions.net_benefit_of_all, 5),
        "eventsByRisk": _by_risk(found.distribution, found.distribution.events),
        "othersByRisk": _by_risk(found.distribution, found.distribution.others),
    }


def _by_risk(found: Distribution, counts: NDArray[np.intp]) -> list[float]:
    return counts.tolist() if found.is_even else _list(found.evenly(counts), 2)


def _parts(risks: Risks, parts: list[Parts]) -> list[dict[str, Any]]:
    return [
        {"name": part.name, "parts": [_part(found) for found in split_risks(risks, part.codes, part.names)]}
        for part in parts
    ]


def _part(found: Subgroup) -> dict[str, Any]:
    return {
        "name": found.name,
        "rows": found.n,
        "events": found.n_events,
        "auroc": _plain(found.auroc),
        "meanRisk": _rounded(found.mean_risk),
        "observed": _plain(found.observed),
        "intercept": _plain(found.intercept),
        "slope": _plain(found.slope),
        "verdict": found.verdict,
    }


def _steady(found: Instability) -> dict[str, Any]:
    curves = {name: _list(getattr(found, name), 4) for name in ("risk", "low", "lower", "upper", "high")}
    return {"mape": _rounded(found.mape), "mape90": _rounded(found.mape_90), **curves}


def _plain(estimate: Estimate) -> list[float | None]:
    """Value, low and high."""
    return [_rounded(number) for number in (estimate.value, estimate.low, estimate.high)]


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(float(number), 5)


def _list(values: NDArray[np.float64], digits: int) -> list[float]:
    return [round(value, digits) for value in values.tolist()]
