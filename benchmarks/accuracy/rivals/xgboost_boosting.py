"""XGBoost's classifier with its defaults; it knows categories and gaps."""

from typing import Any

from preparation import Categories
from xgboost import XGBClassifier

ARGUMENTS: dict[str, Any] = {"enable_categorical": True, "n_jobs": 1, "random_state": 0}
NOTE = "defaults (100 trees of depth 6, learning rate 0.3); text as categories"


def fit(X: Any, y: Any) -> Any:
    """Fit on one thread."""
    categories = Categories.learn(X)
    return categories, XGBClassifier(**ARGUMENTS).fit(categories(X), y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    categories, classifier = model
    return classifier.predict_proba(categories(X))
