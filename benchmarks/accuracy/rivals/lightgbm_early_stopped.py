"""LightGBM's classifier in small steps: as many as serve a held-out fifth of the training rows, then all rows."""

from typing import Any

from lightgbm import LGBMClassifier, early_stopping
from preparation import Categories
from splits import stratified_splits

PATIENCE = 50
ARGUMENTS: dict[str, Any] = {"learning_rate": 0.05, "n_estimators": 2000, "n_jobs": 1, "random_state": 0, "verbose": -1}
NOTE = (
    f"stopped after {PATIENCE} rounds without a better log-loss on a stratified fifth of the training rows, then "
    "fitted to all of them with the best number of rounds; else defaults (31 leaves); text as categories"
)


def fit(X: Any, y: Any) -> Any:
    """Fit on one thread, twice: to find the number of rounds, and with it to all rows."""
    categories = Categories.learn(X)
    coded = categories(X)
    rest, held_out = next(stratified_splits(y, 1))
    stopping = early_stopping(PATIENCE, verbose=False)
    first = LGBMClassifier(**ARGUMENTS).fit(
        coded.iloc[rest], y[rest], eval_X=coded.iloc[held_out], eval_y=y[held_out], callbacks=[stopping]
    )
    rounds = max(first.best_iteration_, 1)
    return categories, LGBMClassifier(**(ARGUMENTS | {"n_estimators": rounds})).fit(coded, y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    categories, classifier = model
    return classifier.predict_proba(categories(X))
