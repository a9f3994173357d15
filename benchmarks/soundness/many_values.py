"""What a random column of 100 values costs: the tree chosen by plug-in and by corrected information.

For ten tables, log-loss of five-fold cross-validation without the column and with it, the mean over three such columns.
"own table": what the column costs where it has neither mother nor daughter, but for its table of counts, P(x | y),
times the corrected model without it. That much is left when nothing is wrong with the tree.

    python benchmarks/soundness/many_values.py [--weighting discriminative] [table ...]

Reads the tables from the folder that GNBAYES_DATA names.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

sys.path.insert(0, str(Path(__file__).parents[1] / "accuracy"))
from datasets import load

from gnbayes import GeneralizedNB

TABLES = (
    *("german_credit", "vote", "credit_a", "heart_statlog", "pima"),
    *("vehicle", "breast_cancer", "cmc", "hypothyroid", "kr_vs_kp"),
)
N_VALUES, N_COLUMNS, N_FOLDS = 100, 3, 5


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", default=TABLES)
    parser.add_argument("--weighting", default="none", choices=["none", "discriminative"])
    arguments = parser.parse_args()
    weighting = None if arguments.weighting == "none" else arguments.weighting
    kinds = ("plug-in", "corrected")
    print(f"| table | rows | {' | '.join(f'{kind} | with the column | cost' for kind in kinds)} | own table |")
    print("| --- " + "| ---: " * (2 + 3 * len(kinds)) + "|")
    costs = []
    for name in arguments.tables:
        table = load(name)
        cells = []
        for kind in kinds:
            clf = GeneralizedNB(weighting=weighting, information=kind)
            without = loss(clf, table.X, table.y)
            columns = [with_random_column(table.X, seed) for seed in range(N_COLUMNS)]
            with_it = np.mean([loss(clf, X, table.y) for X in columns])
            cells.append((without, with_it, with_it / without - 1))
        own = np.mean([loss(clf, X, table.y, apart="random") for X in columns]) / without - 1
        costs.append([*(cost for _, _, cost in cells), own])
        words = " | ".join(f"{a:.3f} | {b:.3f} | {cost:+.1%}" for a, b, cost in cells)
        print(f"| {name} | {len(table.y)} | {words} | {own:+.1%} |", flush=True)
    plug_in, corrected, own = np.mean(costs, axis=0)
    print(f"| mean | | | | {plug_in:+.1%} | | | {corrected:+.1%} | {own:+.1%} |")


def with_random_column(X: pd.DataFrame, seed: int) -> pd.DataFrame:
    """The table with one more column, which has nothing to do with the others or the class."""
    values = np.random.default_rng(seed).integers(0, N_VALUES, len(X))
    return X.assign(random=[f"v{value}" for value in values.tolist()])


def loss(clf: GeneralizedNB, X: pd.DataFrame, y: NDArray[np.intp], apart: str | None = None) -> float:
    """Mean log-loss of cross-validation, in nats; a column that is set apart counts by a table of its own."""
    losses = []
    rest = X if apart is None else X.drop(columns=apart)
    for train, test in StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(X, y):
        scores = clf.fit(rest.iloc[train], y[train]).predict_log_proba(rest.iloc[test])
        if apart is not None:
            alone = GeneralizedNB("nb", weighting=None).fit(X[[apart]].iloc[train], y[train])
            scores = scores + alone.predict_log_proba(X[[apart]].iloc[test]) - np.log(np.bincount(y[train]))
        losses.append(log_loss(y[test], np.clip(softmax(scores, axis=1), 1e-15, 1), labels=clf.classes_))
    return float(np.mean(losses))


if __name__ == "__main__":
    main()
