"""Gene tables, thousands of columns and few rows: all columns, "auto" and "few"; log-loss and CPU seconds.

Stratified cross-validation, in which the number of features is chosen anew from the rows of the other folds: log-loss
over all held-out rows, and in brackets the mean number of features and the mean CPU seconds of a fit. Needs
GNBAYES_DATA.

    python benchmarks/selection/wide.py [--folds 5] [--seed 0] [table ...]
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

sys.path.insert(0, str(Path(__file__).parents[1] / "accuracy"))

from datasets import load

from gnbayes import GeneralizedNB, selection_curve

TABLES = ("leukemia_golub", "colon", "prostate_singh")
RULES = (None, "auto", "few")


def main() -> None:
    """Print one row per table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=TABLES)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0, help="of the dealing of rows to folds")
    arguments = parser.parse_args()
    print("| table | rows | columns | all | auto | few |")
    print("|---|---|---|---|---|---|")
    for name in arguments.tables:
        table = load(name)
        splitter = StratifiedKFold(arguments.folds, shuffle=True, random_state=arguments.seed)
        folds = splitter.split(table.X, table.y)
        found = [_compare(table.X, table.y, *fold) for fold in folds]
        cells = []
        for at in range(len(RULES)):
            losses = np.concatenate([part[at][0] for part in found])
            number, seconds = np.mean([part[at][1:] for part in found], axis=0)
            cells.append(f"{losses.mean():.3f} ({number:.0f}, {seconds:.1f} s)")
        print(f"| {name} | {table.X.shape[0]} | {table.X.shape[1]} | {' | '.join(cells)} |", flush=True)


def _compare(X: Any, y: Any, train: Any, test: Any) -> list[tuple[Any, int, float]]:
    """Log-loss of each held-out row, number of features and CPU seconds, for each rule."""
    start = time.process_time()
    curve = selection_curve(GeneralizedNB(), X.iloc[train], y[train], scoring="neg_log_loss")
    shared = time.process_time() - start
    # "auto" and "few" read their numbers from this curve, and so does this script, once for both.
    numbers = {"auto": curve.within_noise("neg_log_loss"), "few": curve.one_standard_error("neg_log_loss")}
    out = []
    for rule in RULES:
        start = time.process_time()
        clf = GeneralizedNB(n_features=None if rule is None else numbers[rule]).fit(X.iloc[train], y[train])
        seconds = time.process_time() - start + (0.0 if rule is None else shared)
        proba = clf.predict_proba(X.iloc[test])[np.arange(len(test)), np.searchsorted(clf.classes_, y[test])]
        out.append((-np.log(proba), clf.n_features_, seconds))
    return out


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
