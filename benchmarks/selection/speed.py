"""Time of a whole leave-one-out curve, all numbers of features and all scores, against one predict_proba.

The fit that a curve begins with is timed by itself and taken off.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from gnbayes import GeneralizedNB, selection_curve
from gnbayes.counting import CodedRows
from gnbayes.model import leave_one_out_prefixes


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", default="569x30,10000x50,100000x100", help="rows x columns (default: %(default)s)")
    print("| shape | predict_proba | fit | leave-one-out | the same with 7 scores | / predict_proba |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for shape in parser.parse_args().shapes.split(","):
        n, d = map(int, shape.split("x"))
        X, y = _table(n, d)
        clf = GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(X, y)
        repeats = 3 if n > 20_000 else 7
        predict = _median(lambda X=X, clf=clf: clf.predict_proba(X), repeats)
        fit = _median(lambda X=X, y=y: GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(X, y), repeats)
        rows = CodedRows(np.asfortranarray(X), y, clf.counts_.cardinalities, 2)
        alone = _median(lambda clf=clf, rows=rows: _exhaust(clf, rows), repeats)
        curve = (
            _median(lambda X=X, y=y: selection_curve(GeneralizedNB("gnb-a", n_bins=5, weighting=None), X, y), repeats)
            - fit
        )
        numbers = " | ".join(f"{seconds * 1e3:.0f} ms" for seconds in (predict, fit, alone, curve))
        print(f"| {n} x {d} | {numbers} | {curve / predict:.1f} |", flush=True)


def _table(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    X = rng.integers(0, 3, (n, d), dtype=np.uint8) + rng.integers(0, 2, (n, d), dtype=np.uint8)
    X[:, 1:] = np.where(rng.random((n, d - 1)) < 0.3, X[:, :-1], X[:, 1:])
    return X + (rng.random((n, d)) < 0.1 * y[:, None]), y


def _exhaust(clf: GeneralizedNB, rows: CodedRows) -> None:
    for _ in leave_one_out_prefixes(clf.model_, clf.counts_, rows, "additive", 1.0):
        pass


def _median(function: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


if __name__ == "__main__":
    main()
