"""LightGBM's classifier with its defaults; it knows categories and gaps."""

from typing import Any

from lightgbm import LGBMClassifier
from preparation import Categories

ARGUMENTS: dict[str, Any] = {"n_jobs": 1, "random_state": 0, "verbose": -1}
NOTE = "defaults (100 trees of 31 leaves, learning rate 0.1); text as categories"


def fit(X: Any, y: Any) -> Any:
    """Fit on one thread."""
    categories = Categories.learn(X)
    return categories, LGBMClassifier(**ARGUMENTS).fit(categories(X), y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    categories, classifier = model
    return classifier.predict_proba(categories(X))
