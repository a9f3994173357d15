"""InterpretML's explainable boosting machine, within a budget; its default takes minutes a table.

2 bags instead of 14, at most 1,000 rounds instead of 50,000, 10 pairs of features instead of three for each feature. It
knows categories and gaps. Where a class has fewer than 10 training rows the 14 bags stay: with 2, a rare class can be
missing from every bag, its intercept runs away, and all rows get one class for certain (seen on audiology).
"""

from typing import Any

import numpy as np
from interpret.glassbox import ExplainableBoostingClassifier
from preparation import text_columns

_FEW_ROWS = 10
_FEW_BAGS, _DEFAULT_BAGS = 2, 14


def fit(X: Any, y: Any) -> Any:
    """Fit on one thread, with numbers as numbers and text as categories."""
    text = set(text_columns(X))
    types = ["nominal" if name in text else "continuous" for name in X]
    bags = _DEFAULT_BAGS if np.bincount(y).min() < _FEW_ROWS else _FEW_BAGS
    return ExplainableBoostingClassifier(
        feature_types=types, outer_bags=bags, max_rounds=1_000, interactions=10, n_jobs=1, random_state=0
    ).fit(X, y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    return model.predict_proba(X)
