"""CPU seconds of a selection curve of the default model: five folds, all numbers of features, and the final score.

569 x 30 is WDBC, which ships with scikit-learn; other shapes are synthetic tables, in which the second half of the
columns are noisy copies of the first, and the class depends on every fifth column and on one pair.

    python benchmarks/selection/curve_speed.py [--shapes 569x30,10000x100]
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer

from gnbayes import GeneralizedNB, selection_curve


def main() -> None:
    """Print one row per shape."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", default="569x30,10000x100", help="rows x columns (default: %(default)s)")
    print("| shape | CPU seconds | best | few |")
    print("|---|---|---|---|")
    for shape in parser.parse_args().shapes.split(","):
        n, d = map(int, shape.split("x"))
        X, y = load_breast_cancer(return_X_y=True) if (n, d) == (569, 30) else _table(n, d)
        start = time.process_time()
        curve = selection_curve(GeneralizedNB(), X, y, scoring="neg_log_loss")
        seconds = time.process_time() - start
        few = curve.one_standard_error("neg_log_loss")
        print(f"| {n} x {d} | {seconds:.1f} | {curve.best('neg_log_loss')} | {few} |", flush=True)


def _table(n: int, d: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    half = d // 2
    X[:, half : 2 * half] = X[:, :half] + rng.normal(size=(n, half))
    weights = rng.normal(size=d) * (np.arange(d) % 5 == 0)
    return X, (X @ weights / 2 + X[:, 0] * X[:, 1] + rng.logistic(size=n) > 0).astype(np.intp)


if __name__ == "__main__":
    main()
