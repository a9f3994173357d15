"""scikit-learn's HistGradientBoostingClassifier with its defaults; it knows categories and gaps."""

from typing import Any

from preparation import Categories
from sklearn.ensemble import HistGradientBoostingClassifier

ARGUMENTS: dict[str, Any] = {"random_state": 0}
NOTE = (
    "defaults (100 rounds of trees of 31 leaves, learning rate 0.1, early stopping above 10,000 rows); "
    "text as categories"
)


def fit(X: Any, y: Any) -> Any:
    """Fit; scikit-learn stops early by itself above 10,000 rows."""
    categories = Categories.learn(X)
    return categories, HistGradientBoostingClassifier(**ARGUMENTS).fit(categories(X), y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    categories, classifier = model
    return classifier.predict_proba(categories(X))
