"""WEKA's BayesNet with the TAN search; it cuts intervals (MDLP) and fills gaps with the most frequent value itself."""

from typing import Any

import weka

ARGUMENTS: dict[str, Any] = {}
NOTE = (
    "WEKA 3.6.14, BayesNet with the TAN search, defaults (score BAYES, half a count of smoothing); "
    "its own intervals (MDLP)"
)

unavailable = weka.unavailable


def fit(X: Any, y: Any) -> Any:
    """Fit with WEKA's defaults: score BAYES, half a count of smoothing."""
    search = ["-D", "-Q", "weka.classifiers.bayes.net.search.local.TAN"]
    return weka.fit(X, y, ["weka.classifiers.bayes.BayesNet"], search)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    return weka.predict_proba(model, X)
