"""How much too good leave-one-out scores are, because intervals and tree have seen every row.

Compares the exact leave-one-out scores with 10-fold cross-validation, repeated, in which everything is learned anew.
Reads the paper's data from the folder that GNBAYES_DATA names (`paper/` below it); WDBC ships with scikit-learn.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold

from gnbayes import GeneralizedNB, selection_curve

SCORES = ["accuracy", "neg_log_loss"]


def main() -> None:
    """Print a Markdown table for GNB-A and GNB-O with all features, with five intervals and with those of "auto"."""
    print("| data | structure | n_bins | accuracy, leave-one-out | 10 x 10-fold ", end="")
    print("| log-loss, leave-one-out | 10 x 10-fold |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: |")
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    for name, X, y in tables():
        for structure, n_bins in product(("gnb-a", "gnb-o"), (5, "auto")):
            clf = GeneralizedNB(structure, weighting=None, n_bins=n_bins)
            left_out, split = (selection_curve(clf, X, y, cv=cv, scoring=SCORES) for cv in ("loo", folds))
            cells = [f"{abs(curve.mean(score)[-1]):.3f}" for score in SCORES for curve in (left_out, split)]
            print(f"| {name} | {structure} | {n_bins} | {' | '.join(cells)} |", flush=True)


def tables() -> Iterator[tuple[str, pd.DataFrame, np.ndarray]]:
    """The paper's data sets, as far as they can be had; two classes each, rows with gaps left in."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    yield "wdbc", X, y.to_numpy()
    if "GNBAYES_DATA" not in os.environ:
        print("GNBAYES_DATA is not set: only WDBC is shown", file=sys.stderr)
        return
    folder = Path(os.environ["GNBAYES_DATA"]) / "paper"
    heart = pd.read_csv(folder / "processed.cleveland.data", header=None, na_values="?")
    yield "heart", heart.iloc[:, :-1], (heart.iloc[:, -1] > 0).to_numpy().astype(int)
    diabetes = pd.read_csv(folder / "diabetes_data_upload.csv")
    yield "diabetes", diabetes.iloc[:, :-1], (diabetes["class"] == "Positive").to_numpy().astype(int)
    thyroid = pd.read_csv(folder / "ann-train.data", sep=r"\s+", header=None)
    yield "thyroid", thyroid.iloc[:, :21], (thyroid[21] == 3).to_numpy().astype(int)
    parkinsons = pd.read_csv(folder / "parkinsons.data")
    yield "parkinsons", parkinsons.drop(columns=["name", "status"]), parkinsons["status"].to_numpy()


if __name__ == "__main__":
    main()
