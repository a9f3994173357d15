"""scikit-learn's RandomForestClassifier with its default 100 full trees: text one-hot, gaps marked."""

from typing import Any

from preparation import one_hot
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline


def fit(X: Any, y: Any) -> Any:
    """Fit on one thread."""
    return make_pipeline(one_hot(scaled=False), RandomForestClassifier(random_state=0, n_jobs=1)).fit(X, y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    return model.predict_proba(X)
