"""scikit-learn's RandomForestClassifier with 500 full trees: text one-hot, gaps marked."""

from typing import Any

from preparation import one_hot
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline

# Its default, 100, leaves many probabilities at 0, which log-loss punishes.
ARGUMENTS: dict[str, Any] = {"n_estimators": 500, "n_jobs": 1, "random_state": 0}
NOTE = "else defaults (full trees); text one-hot, gaps in numbers filled with the median and marked"


def fit(X: Any, y: Any) -> Any:
    """Fit on one thread."""
    return make_pipeline(one_hot(scaled=False), RandomForestClassifier(**ARGUMENTS)).fit(X, y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    return model.predict_proba(X)
