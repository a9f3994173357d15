"""GeneralizedNB with the paper's greedy structure."""

from typing import Any

from gnbayes import GeneralizedNB


def prepare(X: Any, y: Any) -> Any:
    """Rows and classes in the form that `fit` takes; not timed."""
    return X, y


def fit(data: Any) -> Any:
    """Fit with the default add-one smoothing."""
    return GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(*data)


def predict_proba(model: Any, data: Any) -> Any:
    """Probabilities of all training rows, shape (n, 2)."""
    return model.predict_proba(data[0])
