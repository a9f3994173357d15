"""CatBoost's classifier with its defaults; it knows categories, and gaps among numbers."""

from typing import Any

import pandas as pd
from catboost import CatBoostClassifier
from preparation import MISSING, text_columns

ARGUMENTS: dict[str, Any] = {"thread_count": 1, "random_seed": 0, "verbose": False, "allow_writing_files": False}
NOTE = "defaults (1,000 trees of depth 6, step by its own rule); text as cat_features, a gap in text is a value"


def fit(X: Any, y: Any) -> Any:
    """Fit on one thread."""
    return CatBoostClassifier(**ARGUMENTS, cat_features=text_columns(X)).fit(_filled(X), y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    return model.predict_proba(_filled(X))


def _filled(X: pd.DataFrame) -> pd.DataFrame:
    """The frame with a word for gaps in text, which CatBoost does not take."""
    return X.assign(**{name: X[name].astype(object).where(X[name].notna(), MISSING) for name in text_columns(X)})
