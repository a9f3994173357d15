"""scikit-learn's CategoricalNB: naive Bayes on 5 quantile intervals; gaps and unseen values share one code."""

from typing import Any

from preparation import Coder
from sklearn.naive_bayes import CategoricalNB

ARGUMENTS: dict[str, Any] = {}
NOTE = "defaults (add-one smoothing); numbers in 5 quantile intervals, gaps and unseen values share one more"


def fit(X: Any, y: Any) -> Any:
    """Fit with the default add-one smoothing."""
    coder = Coder.learn(X)
    return coder, CategoricalNB(min_categories=coder.cardinalities).fit(coder(X), y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    coder, classifier = model
    return classifier.predict_proba(coder(X))
