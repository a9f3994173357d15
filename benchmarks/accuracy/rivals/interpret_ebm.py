"""InterpretML's explainable boosting machine with its defaults; it knows categories and gaps."""

from typing import Any

from interpret.glassbox import ExplainableBoostingClassifier
from preparation import text_columns

ARGUMENTS: dict[str, Any] = {"n_jobs": 1}
NOTE = (
    "defaults (14 bags, at most 50,000 rounds with early stopping, three pairs per feature, random_state=42); "
    "numbers continuous, text nominal"
)


def fit(X: Any, y: Any) -> Any:
    """Fit on one thread, with numbers as numbers and text as categories."""
    text = set(text_columns(X))
    types = ["nominal" if name in text else "continuous" for name in X]
    return ExplainableBoostingClassifier(feature_types=types, **ARGUMENTS).fit(X, y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    return model.predict_proba(X)
