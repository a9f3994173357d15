"""A kept evaluation as plain lists and numbers, for files, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from gnbayes.evidence.assessment import Evidence
from gnbayes.evidence.calibration import Calibration, CalibrationCurve
from gnbayes.evidence.classification import Classification
from gnbayes.evidence.distribution import Distribution
from gnbayes.evidence.estimate import Estimate
from gnbayes.evidence.kept import HIDDEN, Evaluation, decisions_of, roc_of
from gnbayes.evidence.overall import Overall

CURVE = ("predicted", "observed", "low", "high")
DISTANCES = ("ici", "e50", "e90")
OVERALL = ("brier", "scaled_brier", "log_loss")
_DIGITS = 6


def to_document(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation as dicts, lists and numbers; hidden counts are None.

    Parameters
    ----------
    evaluation : Evaluation

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.evidence import evaluate, to_document
    >>> X, y = load_iris(return_X_y=True)
    >>> kept = evaluate(GeneralizedNB("nb", weighting=None).fit(X, y), X, y)
    >>> sorted(to_document(kept))
    ['classes', 'classification', 'fits', 'folds', 'has_groups', 'rows']
    """
    found = evaluation.classification
    return {
        "rows": evaluation.n_rows,
        "folds": evaluation.n_folds,
        "fits": evaluation.n_fits,
        "has_groups": evaluation.has_groups,
        "classification": {
            "confusion": [[None if n == HIDDEN else n for n in row] for row in found.confusion.tolist()],
            "accuracy": _plain(found.accuracy),
            "balanced_accuracy": _rounded(found.balanced_accuracy),
            "commonest": found.commonest,
            "commonest_share": _rounded(found.commonest_share),
            "log_loss": _plain(found.log_loss),
            "prior_log_loss": _rounded(found.prior_log_loss),
        },
        "classes": [_evidence(one) for one in evaluation.assessed],
    }


def from_document(document: dict[str, Any]) -> Evaluation:
    """The evaluation of a checked document; decision and ROC curves are computed from the distribution of rows.

    Parameters
    ----------
    document : dict
        From `to_document`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.evidence import evaluate, from_document, to_document
    >>> X, y = load_iris(return_X_y=True)
    >>> kept = evaluate(GeneralizedNB("nb", weighting=None).fit(X, y), X, y)
    >>> from_document(to_document(kept)).n_rows
    150
    """
    found = document["classification"]
    confusion = [[HIDDEN if n is None else n for n in row] for row in found["confusion"]]
    return Evaluation(
        document["rows"],
        document["folds"],
        document["fits"],
        document["has_groups"],
        Classification(
            np.array(confusion, dtype=np.intp),
            Estimate(*found["accuracy"]),
            found["balanced_accuracy"],
            found["commonest"],
            found["commonest_share"],
            Estimate(*found["log_loss"]),
            found["prior_log_loss"],
        ),
        tuple(_read_evidence(one) for one in document["classes"]),
    )


def _evidence(found: Evidence) -> dict[str, Any]:
    calibration, curve, distribution = found.calibration, found.calibration.curve, found.distribution
    return {
        "auroc": _plain(found.auroc),
        "mean_risk": _rounded(calibration.mean_risk),
        "observed": _plain(calibration.observed),
        "intercept": _plain(calibration.intercept),
        "slope": _plain(calibration.slope),
        **{name: _rounded(getattr(calibration, name)) for name in DISTANCES},
        **{name: _plain(getattr(found.overall, name)) for name in OVERALL},
        "curve": None
        if curve is None
        else {name: np.round(getattr(curve, name), _DIGITS).tolist() for name in CURVE} | {"knots": curve.n_knots},
        "edges": distribution.edges.tolist(),
        "events": distribution.events.tolist(),
        "others": distribution.others.tolist(),
    }


def _read_evidence(document: dict[str, Any]) -> Evidence:
    curve = document["curve"]
    edges = np.array(document["edges"], dtype=np.float64)
    events, others = (np.array(document[name], dtype=np.intp) for name in ("events", "others"))
    distribution = Distribution(edges, events, others)
    calibration = Calibration(
        document["mean_risk"],
        Estimate(*document["observed"]),
        Estimate(*document["intercept"]),
        Estimate(*document["slope"]),
        None if curve is None else _read_curve(curve),
        document["ici"],
        document["e50"],
        document["e90"],
    )
    return Evidence(
        int(events.sum() + others.sum()),
        int(events.sum()),
        Estimate(*document["auroc"]),
        roc_of(distribution),
        calibration,
        Overall(*(Estimate(*document[name]) for name in OVERALL)),
        decisions_of(distribution),
        distribution,
    )


def _read_curve(document: dict[str, Any]) -> CalibrationCurve:
    predicted, observed, low, high = (np.array(document[name], dtype=np.float64) for name in CURVE)
    return CalibrationCurve(predicted, observed, low, high, document["knots"])


def _plain(estimate: Estimate) -> list[float | None]:
    return [_rounded(number) for number in (estimate.value, estimate.low, estimate.high)]


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(float(number), _DIGITS)
