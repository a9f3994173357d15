"""WEKA's AODE (Webb et al. 2005) on intervals of WEKA's supervised Discretize (MDLP); it leaves gaps out itself."""

from typing import Any

import weka

ARGUMENTS: dict[str, Any] = {}
NOTE = "WEKA 3.6.14, defaults; numbers in intervals of its supervised Discretize (MDLP)"

unavailable = weka.unavailable


def fit(X: Any, y: Any) -> Any:
    """Fit with WEKA's defaults."""
    discretize = ["-F", "weka.filters.supervised.attribute.Discretize", "-W", "weka.classifiers.bayes.AODE"]
    return weka.fit(X, y, ["weka.classifiers.meta.FilteredClassifier"], discretize)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    return weka.predict_proba(model, X)
