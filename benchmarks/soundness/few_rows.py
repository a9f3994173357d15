"""Few rows: mean log-loss over many draws of 6, 10, 20 and 40 rows, beside the prior and logistic regression.

Rows are drawn anew until two classes are among them, from noise (five normal columns, random classes) and from four
tables; all other rows, or 1,000 new ones of noise, are predicted. "prior": the shares of the classes, each with half a
row more. Logistic regression: scikit-learn's, with numbers standardised, text as indicators, and gaps filled with
the median.

    python benchmarks/soundness/few_rows.py [--draws 200] [table ...]

Reads the tables from the folder that GNBAYES_DATA names.
"""

import argparse
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

sys.path.insert(0, str(Path(__file__).parents[1] / "accuracy"))
from datasets import load

from gnbayes import GeneralizedNB

SIZES = (6, 10, 20, 40)
TABLES = ("noise", "pima", "wdbc", "heart", "german_credit")
Draw = tuple[pd.DataFrame, NDArray[np.intp], pd.DataFrame, NDArray[np.intp]]


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", default=TABLES)
    parser.add_argument("--draws", type=int, default=200)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| table | rows | default | prior | logistic regression | above the better |")
    print("| --- " + "| ---: " * 5 + "|")
    for name in arguments.tables:
        for n in SIZES:
            ours, prior, regression = mean_losses(name, n, arguments.draws)
            above = ours - min(prior, regression)
            print(f"| {name} | {n} | {ours:.3f} | {prior:.3f} | {regression:.3f} | {above:+.3f} |", flush=True)


def mean_losses(name: str, n: int, n_draws: int) -> tuple[float, ...]:
    """Mean log-loss of the default, the prior and logistic regression."""
    losses = [
        (_loss(GeneralizedNB(), *draw), _prior_loss(*draw), _loss(_regression(draw[0]), *draw))
        for draw in draws(name, n, n_draws)
    ]
    return tuple(np.mean(losses, axis=0).tolist())


def draws(name: str, n: int, n_draws: int) -> Iterator[Draw]:
    """Rows to learn from and to predict; classes that are not among the first are left out of the second."""
    table = None if name == "noise" else load(name)
    for seed in range(n_draws):
        rng = np.random.default_rng(seed)
        if table is None:
            X, y = pd.DataFrame(rng.normal(size=(n + 1000, 5))), rng.integers(0, 2, n + 1000)
        else:
            X, y = table.X, table.y
        order = rng.permutation(len(y))
        while len(np.unique(y[order[:n]])) < 2:
            order = rng.permutation(len(y))
        train, test = order[:n], order[n:]
        test = test[np.isin(y[test], y[train])]
        yield X.iloc[train], y[train], X.iloc[test], y[test]


def _loss(
    clf: Pipeline | GeneralizedNB, X: pd.DataFrame, y: NDArray[np.intp], X_new: pd.DataFrame, y_new: NDArray[np.intp]
) -> float:
    proba = clf.fit(X, y).predict_proba(X_new)
    own = proba[np.arange(len(y_new)), np.searchsorted(clf.classes_, y_new)]
    return float(-np.log(np.maximum(own, 1e-15)).mean())


def _prior_loss(_X: pd.DataFrame, y: NDArray[np.intp], _X_new: pd.DataFrame, y_new: NDArray[np.intp]) -> float:
    counts = np.bincount(y) + 0.5 * (np.bincount(y) > 0)
    return float(-np.log((counts / counts.sum())[y_new]).mean())


def _regression(X: pd.DataFrame) -> Pipeline:
    numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    is_number = [pd.api.types.is_numeric_dtype(X[name]) for name in X.columns]
    columns = make_column_transformer(
        (numbers, is_number), (OneHotEncoder(handle_unknown="ignore"), [not number for number in is_number])
    )
    return make_pipeline(columns, LogisticRegression(max_iter=1000))


if __name__ == "__main__":
    main()
