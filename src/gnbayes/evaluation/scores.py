"""Scores of predictions, each with a 95 % confidence interval by a stated method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.evaluation.calibration import Calibration, calibrate
from gnbayes.evaluation.intervals import Estimate, mean_interval, share_interval
from gnbayes.evaluation.predictions import Predictions, brier_losses, log_losses
from gnbayes.evaluation.ranking import auroc

# The method of each interval, for pages and files.
METHODS = {
    "accuracy": "Wilson",
    "log_loss": "normal",
    "brier": "normal",
    "auroc": "DeLong, on the scale of log-odds",
    "calibration": "normal",
    "recall": "Wilson",
    "precision": "Wilson",
}


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of predictions.

    Parameters
    ----------
    n_rows : int
    accuracy : Estimate
    prior_accuracy : float
        Accuracy of always predicting the most frequent class of the training rows.
    log_loss, brier : Estimate
    prior_log_loss, prior_brier : float
        Scores of always predicting the class shares of the training rows.
    gain : Estimate
        Mean reduction of the log-loss relative to that, paired by row; above 0, the model is better.
    auroc : dict of {str: Estimate}
        Area under the ROC curve of each class against the others, or only of the positive class if there are two. A
        class that has no rows, or all of them, is omitted.
    calibration : dict of {str: Calibration}
        Calibration for the same classes.
    recall, precision : dict of {str: Estimate}
        For every class: the share of its rows that are predicted as such, and the share of rows predicted as such that
        are.
    classes : tuple of str
    confusion : ndarray of shape (k, k)
        Rows by true and by predicted class.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import Predictions, score
    >>> proba, labels = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]]), np.array([0, 0, 1, 1])
    >>> predictions = Predictions(proba, labels, np.array(["ill", "well"]), np.full((4, 2), 0.5))
    >>> scores = score(predictions)
    >>> scores.accuracy.value, round(scores.log_loss.value, 3), scores.confusion.tolist()
    (0.75, 0.4, [[2, 0], [1, 1]])
    """

    n_rows: int
    accuracy: Estimate
    prior_accuracy: float
    log_loss: Estimate
    prior_log_loss: float
    gain: Estimate
    brier: Estimate
    prior_brier: float
    auroc: dict[str, Estimate]
    calibration: dict[str, Calibration]
    recall: dict[str, Estimate]
    precision: dict[str, Estimate]
    classes: tuple[str, ...]
    confusion: NDArray[np.intp]

    def to_dict(self) -> dict[str, Any]:
        """As a dict of plain values, for JSON."""
        return {
            "rows": self.n_rows,
            "accuracy": self.accuracy.to_dict() | {"prior": self.prior_accuracy},
            "log_loss": self.log_loss.to_dict() | {"prior": self.prior_log_loss, "gain": self.gain.to_dict()},
            "brier": self.brier.to_dict() | {"prior": self.prior_brier},
            **{
                name: {label: found.to_dict() for label, found in getattr(self, name).items()}
                for name in ("auroc", "calibration", "recall", "precision")
            },
            "confusion": {"classes": list(self.classes), "rows_are_true_classes": self.confusion.tolist()},
            "intervals": METHODS,
        }


def score(predictions: Predictions, positive: int | None = None) -> Scores:
    """Score predictions.

    Parameters
    ----------
    predictions : Predictions
        For at least one row.
    positive : int, optional
        Index of the positive class of two; the last by default.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import Predictions, score
    >>> proba = np.array([[0.9, 0.1], [0.8, 0.2], [0.4, 0.6], [0.3, 0.7]])
    >>> found = score(Predictions(proba, np.array([0, 0, 1, 1]), np.array(["ill", "well"]), np.full((4, 2), 0.5)))
    >>> found.accuracy.value, round(found.log_loss.value, 4), round(found.prior_log_loss, 4)
    (1.0, 0.299, 0.6931)
    """
    labels, clusters = predictions.labels, predictions.clusters
    names = tuple(str(label) for label in predictions.classes.tolist())
    losses, before = (log_losses(proba, labels) for proba in (predictions.proba, predictions.prior))
    shown = [len(names) - 1 if positive is None else positive] if len(names) == 2 else list(range(len(names)))
    areas = {names[y]: _auroc(predictions, y) for y in shown}
    return Scores(
        n_rows=len(labels),
        accuracy=share_interval(predictions.predicted == labels, clusters),
        prior_accuracy=float((predictions.prior.argmax(axis=1) == labels).mean()),
        log_loss=mean_interval(losses, clusters, lowest=0.0),
        prior_log_loss=float(before.mean()),
        gain=mean_interval(before - losses, clusters),
        brier=mean_interval(brier_losses(predictions.proba, labels), clusters, lowest=0.0),
        prior_brier=float(brier_losses(predictions.prior, labels).mean()),
        auroc={name: area for name, area in areas.items() if area is not None},
        calibration={names[y]: calibrate(predictions.proba[:, y], labels == y, clusters) for y in shown},
        recall=_shares(predictions, labels, predictions.predicted, names),
        precision=_shares(predictions, predictions.predicted, labels, names),
        classes=names,
        confusion=predictions.confusion,
    )


def score_groups(predictions: Predictions, groups: Any, positive: int | None = None) -> dict[str, Scores]:
    """The same for every group of rows, the largest group first.

    Parameters
    ----------
    predictions : Predictions
    groups : sequence of length n
        A value per row; None is a group of its own, "missing".
    positive : int, optional

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import Predictions, score_groups
    >>> proba, labels = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]]), np.array([0, 0, 1, 1])
    >>> predictions = Predictions(proba, labels, np.array(["ill", "well"]), np.full((4, 2), 0.5))
    >>> found = score_groups(predictions, ["f", "f", "m", "m"])
    >>> {group: scores.accuracy.value for group, scores in found.items()}
    {'f': 1.0, 'm': 0.5}
    """
    names = np.array(["missing" if group is None else str(group) for group in groups], dtype=object)
    found, codes, counts = np.unique(names.astype(str), return_inverse=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return {str(found[at]): score(predictions.take(codes == at), positive) for at in order.tolist()}


def _auroc(predictions: Predictions, y: int) -> Estimate | None:
    return auroc(predictions.proba[:, y], predictions.labels == y, predictions.clusters, predictions.strata)


def _shares(
    predictions: Predictions, given: NDArray[np.intp], other: NDArray[np.intp], names: tuple[str, ...]
) -> dict[str, Estimate]:
    """For each class, the share of the rows with this class in one labeling that also have it in the other."""
    out = {}
    for y, name in enumerate(names):
        rows = np.flatnonzero(given == y)
        if len(rows):
            clusters = None if predictions.clusters is None else predictions.clusters[rows]
            out[name] = share_interval(other[rows] == y, clusters)
    return out
