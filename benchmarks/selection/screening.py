"""Gene tables: the default with the most informative 500, 1,000 or 2,000 columns, and with all columns.

Log-loss and CPU seconds of a fit, means over stratified splits, of which a fifth is held out; columns are chosen from
the other rows. The default uses 2,000. Needs GNBAYES_DATA.

    python benchmarks/selection/screening.py [--splits 3] [table ...]

A table ROWSxCOLUMNS is made up: every column is slightly informative, and 500 more rows are held out.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

sys.path.insert(0, str(Path(__file__).parents[1] / "accuracy"))

from datasets import load

from gnbayes import GeneralizedNB, counted_tree

TABLES = ("srbct_khan", "leukemia_golub", "prostate_singh", "lung_gordon")
MOST = (500, 1000, 2000, 10**6)


def main() -> None:
    """Print one row per table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=TABLES)
    parser.add_argument("--splits", type=int, default=3)
    arguments = parser.parse_args()
    print("| table | rows | columns | 500 | 1,000 | 2,000 | all |")
    print("|---|---|---|---|---|---|---|")
    for name in arguments.tables:
        parts = list(_made_up(name, arguments.splits) if name[0].isdigit() else _splits(name, arguments.splits))
        found = np.array([[_score(*part, most) for most in MOST] for part in parts])
        cells = " | ".join(f"{loss:.4f} ({seconds:.1f} s)" for loss, seconds in found.mean(axis=0))
        rows = name.split("x")[0] if name[0].isdigit() else len(parts[0][0])
        print(f"| {name} | {rows} | {parts[0][0].shape[1]} | {cells} |", flush=True)


def _splits(name: str, n: int) -> Iterator[tuple[Any, Any, Any, Any]]:
    table = load(name)
    X, y = table.X.to_numpy(), table.y
    for train, test in StratifiedShuffleSplit(n, test_size=0.2, random_state=0).split(X, y):
        yield X, y, train, test


def _made_up(name: str, n: int) -> Iterator[tuple[Any, Any, Any, Any]]:
    rows, columns = map(int, name.split("x"))
    for seed in range(n):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, rows + 500)
        X = rng.normal(size=(len(y), columns)) + 0.15 * (2 * y[:, None] - 1)
        yield X, y, np.arange(rows), np.arange(rows, len(y))


def _score(X: Any, y: Any, train: Any, test: Any, most: int) -> tuple[float, float]:
    """Log-loss of the held-out rows and CPU seconds of the fit, with a limited number of columns."""
    counted_tree.MOST_FEATURES, counted_tree._FEATURES_PER_ROW = most, 0
    start = time.process_time()
    clf = GeneralizedNB(n_jobs=1).fit(X[train], y[train])
    seconds = time.process_time() - start
    proba = clf.predict_proba(X[test])[np.arange(len(test)), np.searchsorted(clf.classes_, y[test])]
    return float(-np.log(proba).mean()), seconds


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
