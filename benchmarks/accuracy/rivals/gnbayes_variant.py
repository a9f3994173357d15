"""An estimator of ours with the arguments that `registry.py` gives a variant; it takes text and gaps as they are."""

from typing import Any

import gnbayes

ARGUMENTS: dict[str, Any] = {}
NOTE = "else defaults"


def fit(X: Any, y: Any, estimator: str = "GeneralizedNB", **arguments: Any) -> Any:
    """Fit with these arguments of the constructor."""
    return getattr(gnbayes, estimator)(**arguments).fit(X, y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    return model.predict_proba(X)
