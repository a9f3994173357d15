"""What others reach at the same epsilon on adult, on the same splits as privacy.py; they see all rows in one place.

DP-EBM (DPExplainableBoostingClassifier of interpret) is private for epsilon and a delta of 1e-5, a weaker promise than
epsilon alone; it learns its intervals privately. diffprivlib's logistic regression and Gaussian naive Bayes are private
for epsilon alone. All get the bounds of the numbers and the categories as public. Has its own requirements:
requirements-privacy.txt. Needs GNBAYES_DATA.
"""

from __future__ import annotations

import argparse
import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from diffprivlib.models import GaussianNB, LogisticRegression
from interpret.privacy import DPExplainableBoostingClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

_SUITE = Path(os.environ.get("GNBAYES_DATA", "")) / "suite"
_N_SPLITS = 5


def main() -> None:
    """Print one row per epsilon."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epsilons", default="0.1,0.3,1,3,10")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--rows", type=int, default=30_000)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    frame = pd.read_csv(_SUITE / "adult.csv.gz", keep_default_na=False, na_values=[""], dtype={"target": str})
    print("| rows | epsilon | " + " | ".join(RIVALS) + " |")
    print("|---|---|" + "---|" * len(RIVALS))
    for epsilon in map(float, arguments.epsilons.split(",")):
        scores = []
        for draw in range(arguments.draws):
            split = {"test_size": 0.3, "random_state": draw % _N_SPLITS, "stratify": frame["target"]}
            train, test = train_test_split(frame, **split)
            train = train.sample(arguments.rows, random_state=draw % _N_SPLITS)
            scores.append([_loss(rival, frame, train, test, epsilon, draw) for rival in RIVALS.values()])
        means = " | ".join(f"{mean:.3f}" for mean in np.mean(scores, axis=0))
        print(f"| {arguments.rows} | {epsilon:g} | {means} |", flush=True)


def _loss(rival, frame, train, test, epsilon, seed) -> float:
    proba = rival(frame, train, test, epsilon, seed)
    return log_loss(test["target"], np.clip(proba, 1e-15, 1), labels=sorted(frame["target"].unique()))


def _dp_ebm(frame, train, test, epsilon, seed):
    X = frame.drop(columns="target")
    types = ["continuous" if pd.api.types.is_numeric_dtype(X[name]) else "nominal" for name in X]
    bounds = {name: (float(X[name].min()), float(X[name].max())) for name in X.select_dtypes("number")}
    clf = DPExplainableBoostingClassifier(
        epsilon=epsilon, delta=1e-5, feature_types=types, privacy_bounds=bounds, random_state=seed, n_jobs=1
    )
    filled = [
        part.drop(columns="target").fillna(dict.fromkeys(X.select_dtypes("object"), "?")) for part in (train, test)
    ]
    return clf.fit(filled[0], train["target"]).predict_proba(filled[1])


def _logistic(frame, train, test, epsilon, seed):
    scale = _one_hot(frame)
    clf = LogisticRegression(epsilon=epsilon, data_norm=np.sqrt(frame.shape[1] - 1), random_state=seed)
    return clf.fit(scale(train), train["target"]).predict_proba(scale(test))


def _gaussian(frame, train, test, epsilon, seed):
    scale = _one_hot(frame)
    clf = GaussianNB(epsilon=epsilon, bounds=(0, 1), random_state=seed)
    return clf.fit(scale(train), train["target"]).predict_proba(scale(test))


def _one_hot(frame):
    """Numbers between 0 and 1, and one column per category; a row has at most as many ones as there are columns."""
    X = frame.drop(columns="target")
    numbers = X.select_dtypes("number")
    low, high = numbers.min(), numbers.max()
    columns = pd.get_dummies(X.drop(columns=numbers.columns)).columns

    def scaled(part):
        dummies = pd.get_dummies(part[X.columns].drop(columns=numbers.columns)).reindex(columns=columns, fill_value=0)
        unit = (part[numbers.columns] - low) / (high - low)
        return np.column_stack([unit.to_numpy(), dummies.to_numpy(dtype=float)])

    return scaled


RIVALS = {"DP-EBM": _dp_ebm, "logistic regression": _logistic, "Gaussian naive Bayes": _gaussian}

if __name__ == "__main__":
    main()
