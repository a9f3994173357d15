"""Compact models against all features, and against others with as many features: log-loss and CPU seconds.

Each table is split once, a quarter held out. "few" sets the number for the others: logistic regression with an L1
penalty, as strong as it takes, and HistGradientBoosting after recursive elimination by permutation importance.

    python benchmarks/selection/compact.py [table ...]
"""

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

sys.path.insert(0, str(Path(__file__).parents[1] / "accuracy"))

from datasets import load
from roles import DEVELOPMENT

from gnbayes import GeneralizedNB, selection_curve

TABLES = (
    *("hepatitis", "parkinsons", "heart_statlog", "sonar", "ionosphere", "wdbc", "credit_a", "german_credit"),
    *("vehicle", "thyroid_anntest", "kr_vs_kp", "spambase"),
)
STRENGTHS = np.geomspace(3.0, 0.003, 25)
# Share of the features that is dropped at a time.
DROPPED = 0.2


def main(names: list[str]) -> None:
    """Print the table."""
    print("| table | rows | columns | all | auto | few | L1 logistic | boosting, as many |")
    print("|---|---|---|---|---|---|---|---|")
    for name in names or TABLES:
        assert name in DEVELOPMENT, f"{name} is for confirmation"
        table = load(name)
        parts = train_test_split(table.X, table.y, test_size=0.25, stratify=table.y, random_state=0)
        print(f"| {name} | {table.X.shape[0]} | {table.X.shape[1]} | {' | '.join(compare(*parts))} |", flush=True)


def compare(X: pd.DataFrame, X_new: pd.DataFrame, y: NDArray[np.intp], y_new: NDArray[np.intp]) -> list[str]:
    """Log-loss, seconds and number of features of each."""
    curve, shared = timed(lambda: selection_curve(GeneralizedNB(), X, y, scoring="neg_log_loss"))
    # "auto" and "few" read their numbers from this curve, and so does this script, once for both.
    number = curve.one_standard_error("neg_log_loss")
    out = []
    for n_features in (None, curve.within_noise("neg_log_loss"), number):
        clf, seconds = timed(lambda n_features=n_features: GeneralizedNB(n_features=n_features).fit(X, y))
        seconds += 0.0 if n_features is None else shared
        out.append(f"{log_loss(y_new, clf.predict_proba(X_new)):.3f} ({clf.n_features_}, {seconds:.1f} s)")
    for learn in (logistic, boosting):
        (predict, used), seconds = timed(lambda learn=learn: learn(X, y, number))
        out.append(f"{log_loss(y_new, predict(X_new)):.3f} ({used}, {seconds:.1f} s)")
    return out


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What work gives, and the CPU seconds it takes."""
    start = time.process_time()
    return work(), time.process_time() - start


def logistic(X: pd.DataFrame, y: NDArray[np.intp], number: int) -> tuple[Callable[[pd.DataFrame], Any], int]:
    """Logistic regression with the weakest L1 penalty that leaves at most so many columns."""
    is_text = make_column_selector(dtype_include=object)(X)
    numbers = [name for name in X if name not in is_text]
    prepare = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler()), numbers),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), is_text),
    )
    Z = prepare.fit_transform(X)
    sizes = [1] * len(numbers)
    if is_text:
        sizes += [len(values) for values in prepare.named_transformers_["onehotencoder"].categories_]
    owner = np.repeat(np.arange(len(sizes)), sizes)
    used = 0
    for strength in STRENGTHS:
        model = OneVsRestClassifier(LogisticRegression(penalty="l1", C=strength, solver="liblinear")).fit(Z, y)
        weights = np.abs(np.concatenate([one.coef_ for one in model.estimators_])).max(axis=0)
        used = len(np.unique(owner[weights > 0]))
        if used <= number:
            break
    return lambda new: model.predict_proba(prepare.transform(new)), used


def boosting(X: pd.DataFrame, y: NDArray[np.intp], number: int) -> tuple[Callable[[pd.DataFrame], Any], int]:
    """Boosted trees of so many columns, found by dropping the least important ones again and again."""

    def codes(frame: pd.DataFrame) -> pd.DataFrame:
        return frame.apply(
            lambda column: column.map(numbers[column.name]) if column.name in numbers else column
        ).astype(float)

    texts = X.select_dtypes(object)
    numbers = {name: {value: at for at, value in enumerate(sorted(texts[name].dropna().unique()))} for name in texts}
    Z, kept = codes(X), list(X)

    def fit(columns: list[str], rows: Any = slice(None)) -> HistGradientBoostingClassifier:
        is_category = [name in numbers and len(numbers[name]) < 256 for name in columns]
        model = HistGradientBoostingClassifier(early_stopping=False, categorical_features=is_category, random_state=0)
        return model.fit(Z[columns].to_numpy()[rows], y[rows])

    train, rest = train_test_split(np.arange(len(y)), test_size=0.25, stratify=y, random_state=1)
    while len(kept) > number:
        found = permutation_importance(
            fit(kept, train), Z[kept].to_numpy()[rest], y[rest], scoring="neg_log_loss", n_repeats=2, random_state=0
        )
        n_dropped = min(len(kept) - number, max(1, int(DROPPED * len(kept))))
        worst = set(np.argsort(found.importances_mean)[:n_dropped].tolist())
        kept = [name for at, name in enumerate(kept) if at not in worst]
    model = fit(kept)
    return lambda new: model.predict_proba(codes(new)[kept].to_numpy()), len(kept)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
