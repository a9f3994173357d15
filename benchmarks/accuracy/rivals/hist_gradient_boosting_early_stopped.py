"""scikit-learn's HistGradientBoosting in small steps: as many as serve a held-out fifth, then fitted to all rows."""

from typing import Any

import numpy as np
from preparation import Categories
from sklearn.ensemble import HistGradientBoostingClassifier
from splits import stratified_splits

PATIENCE = 50
ARGUMENTS: dict[str, Any] = {"learning_rate": 0.05, "max_iter": 2000, "random_state": 0}
NOTE = (
    f"stopped after {PATIENCE} rounds without a better log-loss on a stratified fifth of the training rows, then "
    "fitted to all of them with the best number of rounds; else defaults (31 leaves); text as categories"
)


def fit(X: Any, y: Any) -> Any:
    """Fit twice: to find the number of rounds, and with it to all rows."""
    categories = Categories.learn(X)
    coded = categories(X)
    rest, held_out = next(stratified_splits(y, 1))
    first = HistGradientBoostingClassifier(**ARGUMENTS, early_stopping=True, n_iter_no_change=PATIENCE)
    first.fit(coded.iloc[rest], y[rest], X_val=coded.iloc[held_out], y_val=y[held_out])
    # The first score is that of no rounds at all.
    rounds = max(int(np.argmax(first.validation_score_)), 1)
    last = HistGradientBoostingClassifier(**(ARGUMENTS | {"max_iter": rounds}), early_stopping=False)
    return categories, last.fit(coded, y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    categories, classifier = model
    return classifier.predict_proba(categories(X))
