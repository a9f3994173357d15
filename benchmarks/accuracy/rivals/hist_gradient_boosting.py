"""scikit-learn's HistGradientBoostingClassifier with its defaults; it knows categories and gaps."""

from typing import Any

from preparation import Categories
from sklearn.ensemble import HistGradientBoostingClassifier


def fit(X: Any, y: Any) -> Any:
    """Fit; scikit-learn stops early by itself above 10,000 rows."""
    categories = Categories.learn(X)
    return categories, HistGradientBoostingClassifier(random_state=0).fit(categories(X), y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    categories, classifier = model
    return classifier.predict_proba(categories(X))
