"""scikit-learn's LogisticRegression, its penalty chosen by folds: text one-hot, numbers scaled, gaps marked."""

from typing import Any

import numpy as np
from metrics import aligned, log_loss
from numpy.typing import NDArray
from preparation import one_hot
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline

FOLDS = 5
C = tuple(10.0 ** (power / 2) for power in range(-6, 5))
ARGUMENTS: dict[str, Any] = {"max_iter": 1000}
NOTE = (
    f"L2 penalty with C by the log-loss of {FOLDS} stratified folds, of {len(C)} from {C[0]:g} to {C[-1]:g}; "
    "text one-hot, numbers scaled, gaps filled with the median and marked"
)


def fit(X: Any, y: Any) -> Any:
    """Choose C, then fit to all rows."""
    losses = np.mean([_losses(X, y, rest, fold) for rest, fold in _folds(y)], axis=0)
    best = C[int(np.argmin(losses))]
    return make_pipeline(one_hot(scaled=True), LogisticRegression(C=best, **ARGUMENTS)).fit(X, y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    return model.predict_proba(X)


def _folds(y: NDArray[np.intp]) -> Any:
    # No fold can be stratified where every class has fewer rows than there are folds.
    kind = StratifiedKFold if np.bincount(y).max() >= FOLDS else KFold
    return kind(FOLDS, shuffle=True, random_state=0).split(np.zeros(len(y)), y)


def _losses(X: Any, y: NDArray[np.intp], rest: NDArray[np.intp], fold: NDArray[np.intp]) -> list[float]:
    """Log-loss of a fold for each C, each fit starting from the one before."""
    preparation = one_hot(scaled=True)
    Z, Z_fold = preparation.fit_transform(X.iloc[rest]), preparation.transform(X.iloc[fold])
    classifier = LogisticRegression(warm_start=True, **ARGUMENTS)
    losses = []
    for strength in C:
        proba = classifier.set_params(C=strength).fit(Z, y[rest]).predict_proba(Z_fold)
        losses.append(log_loss(y[fold], aligned(proba, classifier.classes_, int(y.max()) + 1)))
    return losses
