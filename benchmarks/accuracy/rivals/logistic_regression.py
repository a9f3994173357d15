"""scikit-learn's LogisticRegression with its default penalty: text one-hot, numbers scaled, gaps marked."""

from typing import Any

from preparation import one_hot
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline


def fit(X: Any, y: Any) -> Any:
    """Fit with at most 1000 steps."""
    return make_pipeline(one_hot(scaled=True), LogisticRegression(max_iter=1000)).fit(X, y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    return model.predict_proba(X)
