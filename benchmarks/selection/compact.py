"""Compact models against all features, and against others with as many features: log-loss and CPU seconds.

Each table is split once, a quarter held out. "few" sets the number for the others: logistic regression with an L1
penalty, as strong as it takes, and HistGradientBoosting after scikit-learn's recursive elimination (RFE) by permutation
importance, a fifth of the columns at a time. RFECV is the same with the number that its own cross-validation finds
best. While columns are eliminated, text is numbered; the last fit has it as categories.

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
from sklearn.feature_selection import RFE, RFECV
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, train_test_split
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
# Share of the columns that is dropped at a time.
DROPPED = 0.2


def main(names: list[str]) -> None:
    """Print the table."""
    print("| table | rows | columns | all | auto | few | L1 logistic | boosting, as many | boosting, RFECV |")
    print("|---|---|---|---|---|---|---|---|---|")
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
    for learn in (logistic, as_many, cross_validated):
        (predict, used), seconds = timed(lambda learn=learn: learn(X, y, number))
        out.append(f"{log_loss(y_new, predict(X_new)):.3f} ({used}, {seconds:.1f} s)")
    return out


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What work gives, and the CPU seconds it takes."""
    start = time.process_time()
    return work(), time.process_time() - start


def logistic(X: pd.DataFrame, y: NDArray[np.intp], number: int) -> tuple[Callable[[pd.DataFrame], Any], int]:
    """Logistic regression with the weakest L1 penalty that leaves at most `number` columns."""
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
        model = OneVsRestClassifier(LogisticRegression(l1_ratio=1, C=strength, solver="liblinear")).fit(Z, y)
        weights = np.abs(np.concatenate([one.coef_ for one in model.estimators_])).max(axis=0)
        used = len(np.unique(owner[weights > 0]))
        if used <= number:
            break
    return lambda new: model.predict_proba(prepare.transform(new)), used


class Boosting(HistGradientBoostingClassifier):
    """Boosted trees that have importances: by permutation, on a quarter of the rows that the trees did not see."""

    def fit(self, X: Any, y: Any) -> "Boosting":
        """Fit, and measure how much the log-loss grows as each column is shuffled."""
        train, rest = train_test_split(np.arange(len(y)), test_size=0.25, stratify=y, random_state=1)
        super().fit(X[train], y[train])
        found = permutation_importance(self, X[rest], y[rest], scoring="neg_log_loss", n_repeats=2, random_state=0)
        self.feature_importances_ = found.importances_mean
        return super().fit(X, y)


class Coded:
    """Text columns as numbers; gaps stay."""

    def __init__(self, X: pd.DataFrame) -> None:
        texts = X.select_dtypes(object)
        self.numbers = {
            name: {value: at for at, value in enumerate(sorted(texts[name].dropna().unique()))} for name in texts
        }

    def __call__(self, frame: pd.DataFrame) -> pd.DataFrame:
        """A frame of numbers."""
        return frame.apply(
            lambda column: column.map(self.numbers[column.name]) if column.name in self.numbers else column
        ).astype(float)

    def fit(self, X: pd.DataFrame, y: NDArray[np.intp], kept: list[str]) -> tuple[Callable[[pd.DataFrame], Any], int]:
        """Boosted trees of some columns, text as categories."""
        is_category = [name in self.numbers and len(self.numbers[name]) < 256 for name in kept]
        model = HistGradientBoostingClassifier(early_stopping=False, categorical_features=is_category, random_state=0)
        model.fit(self(X)[kept].to_numpy(), y)
        return lambda new: model.predict_proba(self(new)[kept].to_numpy()), len(kept)


def as_many(X: pd.DataFrame, y: NDArray[np.intp], number: int) -> tuple[Callable[[pd.DataFrame], Any], int]:
    """Boosted trees of a given number of columns, by scikit-learn's RFE, which is what RFECV ends with."""
    coded = Coded(X)
    search = RFE(Boosting(early_stopping=False, random_state=0), n_features_to_select=number, step=DROPPED)
    search.fit(coded(X).to_numpy(), y)
    return coded.fit(X, y, list(X.columns[search.support_]))


def cross_validated(X: pd.DataFrame, y: NDArray[np.intp], _number: int) -> tuple[Callable[[pd.DataFrame], Any], int]:
    """Boosted trees of as many columns as scikit-learn's RFECV finds best, in five folds."""
    coded = Coded(X)
    search = RFECV(
        Boosting(early_stopping=False, random_state=0), step=DROPPED, cv=StratifiedKFold(5), scoring="neg_log_loss"
    )
    search.fit(coded(X).to_numpy(), y)
    return coded.fit(X, y, list(X.columns[search.support_]))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
