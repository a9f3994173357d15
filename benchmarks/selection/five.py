"""Log-loss of five features of WDBC: chosen anew from the rows of each fold, and fixed ones, known only in hindsight.

Five-fold cross-validation, one per seed. "L1" are the last five features of a logistic regression with a growing L1
penalty. Fixed features were found with all rows, so that their scores are too good: they show what a perfect choice
would gain. "tree" is the same choice with `interactions="tree", n_fits=1`, which the curve is of.

    python benchmarks/selection/five.py [--seeds 5]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from gnbayes import GeneralizedNB

NUMBER = 5
FIXED = ("mean texture", "mean concavity", "compactness error", "worst area", "worst smoothness")
PLAIN = {"interactions": "tree", "n_fits": 1}

Array = NDArray[Any]


def main() -> None:
    """Print one row per choice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    n_seeds = parser.parse_args().seeds
    X, y = load_breast_cancer(return_X_y=True)
    fixed = np.flatnonzero(np.isin(load_breast_cancer().feature_names, FIXED))
    choices: dict[str, Callable[[Array, Array], Array]] = {
        "chosen": chosen,
        "L1": by_lasso,
        "fixed": lambda _X, _y: fixed,
    }
    print("| features | default: mean | by seed | tree: mean | by seed |")
    print("|---|---|---|---|---|")
    for name, choose in choices.items():
        losses = np.array([_losses(X, y, choose, seed) for seed in range(n_seeds)])
        cells = [f"{own.mean():.3f} | {' '.join(f'{loss:.3f}' for loss in own)}" for own in losses.T]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def chosen(X: Array, y: Array) -> Array:
    """The first features of our order."""
    return GeneralizedNB(n_features=NUMBER, **PLAIN).fit(X, y).feature_order_


def by_lasso(X: Array, y: Array) -> Array:
    """The features kept by the weakest L1 penalty that keeps at most a given number of them."""
    Z = StandardScaler().fit_transform(X)
    for strength in np.geomspace(3, 0.003, 80):
        weights = LogisticRegression(l1_ratio=1, C=strength, solver="liblinear").fit(Z, y).coef_[0]
        kept = np.flatnonzero(weights)
        if len(kept) <= NUMBER:
            break
    return kept


def _losses(X: Array, y: Array, choose: Callable[[Array, Array], Array], seed: int) -> tuple[float, float]:
    """Log-loss over all held-out rows, of the default and of the tree alone."""
    proba = np.zeros((2, len(y), 2))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y):
        # In the order of the table: a model of some features is one fitted to their columns.
        kept = np.sort(choose(X[train], y[train]))
        for at, parameters in enumerate(({}, PLAIN)):
            clf = GeneralizedNB(**parameters).fit(X[train][:, kept], y[train])
            proba[at, test] = clf.predict_proba(X[test][:, kept])
    return log_loss(y, proba[0]), log_loss(y, proba[1])


if __name__ == "__main__":
    main()
