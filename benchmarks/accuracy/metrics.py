"""How good probabilities are. Every function takes the classes (n,) as numbers and probabilities (n, k)."""

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

# No table here has the rows to support a smaller probability, and one wrong row costs at most 13.8 nats. A smaller
# bound would punish forests and naive Bayes harder, which are often sure and wrong, and calibrated models not at all.
SMALLEST_PROBABILITY = 1e-6
CALIBRATION_BINS = 10

Labels = NDArray[np.intp]
Floats = NDArray[np.float64]


def scores(y: Labels, proba: Floats) -> dict[str, float]:
    """All metrics by name."""
    return {
        "log_loss": log_loss(y, proba),
        "brier": brier(y, proba),
        "auc": auc(y, proba),
        "accuracy": float(np.mean(proba.argmax(axis=1) == y)),
        "ece": calibration_error(y, proba),
    }


def log_loss(y: Labels, proba: Floats) -> float:
    """Mean of -log P(true class), in nats; probabilities below 1e-6 count as 1e-6."""
    return float(-np.log(np.maximum(proba[np.arange(len(y)), y], SMALLEST_PROBABILITY)).mean())


def brier(y: Labels, proba: Floats) -> float:
    """Mean over rows of the squared distance to the true class, summed over classes: 0 to 2."""
    truth = np.eye(proba.shape[1])[y]
    return float(((proba - truth) ** 2).sum(axis=1).mean())


def auc(y: Labels, proba: Floats) -> float:
    """Area under the ROC curve; of more than two classes, the mean over those in the test part, each against the rest.

    NaN where the test part has one class only.
    """
    present = np.unique(y)
    if len(present) < 2:
        return float("nan")
    if proba.shape[1] == 2:
        return float(roc_auc_score(y == 1, proba[:, 1]))
    return float(np.mean([roc_auc_score(y == c, proba[:, c]) for c in present]))


def calibration_error(y: Labels, proba: Floats) -> float:
    """Expected calibration error of the predicted class, over ten intervals of equal width.

    The mean over rows of |share of right predictions - mean confidence|, within the interval of the row's confidence.
    With few test rows it is far above 0 for a perfectly calibrated model, too; compare it between models only.
    """
    confidence, right = proba.max(axis=1), proba.argmax(axis=1) == y
    interval = np.minimum((confidence * CALIBRATION_BINS).astype(int), CALIBRATION_BINS - 1)
    gap = np.bincount(interval, weights=right - confidence, minlength=CALIBRATION_BINS)
    return float(np.abs(gap).sum() / len(y))


def aligned(proba: Floats, classes: Labels, n_classes: int) -> Floats:
    """Probabilities with one column for each of `n_classes`, of which training had `classes`; rows sum to 1."""
    if proba.shape[1] != len(classes):
        raise ArithmeticError(f"{proba.shape[1]} columns of probabilities for {len(classes)} classes")
    total = proba.sum(axis=1, keepdims=True)
    if not np.isfinite(proba).all() or (proba < 0).any() or not np.allclose(total, 1, atol=1e-3):
        raise ArithmeticError("the probabilities are not finite, not positive or do not sum to 1")
    full = np.zeros((len(proba), n_classes))
    full[:, classes] = proba / total
    return full
