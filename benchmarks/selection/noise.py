"""How many of 500 columns of pure noise `n_features="auto"` and "few" keep: the mean over seeds.

python benchmarks/selection/noise.py [--models default nb counted-gnb-o counted-nb] [--seeds 5] [--rows 200,1000]
    [--classes 2]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from gnbayes import GeneralizedNB, selection_curve

MODELS = {
    "default": GeneralizedNB(),
    "nb": GeneralizedNB("nb"),
    "counted-gnb-o": GeneralizedNB(weighting=None),
    "counted-nb": GeneralizedNB("nb", weighting=None),
}


def main() -> None:
    """Print one row per model and number of rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rows", default="200,1000")
    parser.add_argument("--columns", type=int, default=500)
    parser.add_argument("--classes", type=int, default=2)
    arguments = parser.parse_args()
    print("| model | rows | columns | auto | few | most of auto | CPU seconds |")
    print("|---|---|---|---|---|---|---|")
    for name in arguments.models:
        for n_rows in map(int, arguments.rows.split(",")):
            shape = (n_rows, arguments.columns, arguments.classes)
            found = [_kept(MODELS[name], *shape, seed) for seed in range(arguments.seeds)]
            auto, few, seconds = np.mean(found, axis=0)
            most = max(kept[0] for kept in found)
            cells = f"{auto:.1f} | {few:.1f} | {most} | {seconds:.1f}"
            print(f"| {name} | {n_rows} | {arguments.columns} | {cells} |", flush=True)


def _kept(model: GeneralizedNB, n_rows: int, n_columns: int, n_classes: int, seed: int) -> tuple[int, int, float]:
    """Features that each rule keeps, and CPU seconds of both."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n_rows, n_columns)), rng.integers(0, n_classes, n_rows)
    start = time.process_time()
    # "auto" and "few" read their numbers from this curve, and so does this script, once for both.
    curve = selection_curve(model, X, y, scoring="neg_log_loss")
    seconds = time.process_time() - start
    return curve.within_noise("neg_log_loss"), curve.one_standard_error("neg_log_loss"), seconds


if __name__ == "__main__":
    main()
