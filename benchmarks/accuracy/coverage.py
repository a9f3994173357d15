"""Whether `predict_interval` keeps its promise, on tables that are large enough for several independent training sets.

Each table is dealt into ten training sets without common rows, and test rows that are in none. For the interval of each
fit it is seen how often the mean prediction of the nine others, in log-odds, lies within. Prints a Markdown table.

    python benchmarks/accuracy/coverage.py [--tables magic,spambase] [--rows 400] [--n-fits auto] [--unknown 0.5]
"""

import argparse
import warnings

import numpy as np
from datasets import load

from gnbayes import GeneralizedNB

TABLES = "magic,spambase,splice,thyroid_3class,segment"
N_SETS, MOST_TEST_ROWS, LEVEL = 10, 500, 0.9


def main() -> None:
    """Print coverage and mean width of all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default=TABLES)
    parser.add_argument("--rows", type=int, default=400, help="most rows of a training set")
    parser.add_argument("--n-fits", default="auto", type=lambda text: text if text == "auto" else int(text))
    parser.add_argument("--unknown", type=float, default=0.0, help="share of the values of test rows that are unknown")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| table | rows of a set | covered, % | mean width |\n| --- | ---: | ---: | ---: |")
    for name in arguments.tables.split(","):
        n_rows, covered, width = measure(name, arguments.rows, arguments.n_fits, arguments.unknown)
        print(f"| {name} | {n_rows} | {100 * covered:.1f} | {width:.3f} |", flush=True)


def measure(name: str, most_rows: int, n_fits: int | str, unknown: float) -> tuple[int, float, float]:
    """Rows of a training set, share of intervals that hold the mean of the other fits, and their mean width."""
    table = load(name)
    order = np.random.default_rng(0).permutation(len(table.y))
    n_rows = min(most_rows, len(order) * 3 // 4 // N_SETS)
    test = order[N_SETS * n_rows :][:MOST_TEST_ROWS]
    is_unknown = np.random.default_rng(1).random((len(test), table.X.shape[1])) < unknown
    odds, limits = [], []
    for number in range(N_SETS):
        rows = order[number * n_rows : (number + 1) * n_rows]
        clf = GeneralizedNB(n_fits=n_fits).fit(table.X.iloc[rows], table.y[rows])
        if len(clf.classes_) != table.n_classes:
            raise SystemExit(f"a training set of {n_rows} rows of {name} lacks a class; use more rows")
        odds.append(log_odds(clf.predict_proba(table.X.iloc[test], unknown=is_unknown)))
        limits.append(clf.predict_interval(table.X.iloc[test], LEVEL, unknown=is_unknown))
    held = []
    for number, own in enumerate(limits):
        mean = 1 / (1 + np.exp(-np.mean([other for at, other in enumerate(odds) if at != number], axis=0)))
        held.append((own[..., 0] <= mean) & (mean <= own[..., 1]))
    return n_rows, float(np.mean(held)), float(np.mean(np.ptp(limits, axis=-1)))


def log_odds(proba: np.ndarray) -> np.ndarray:
    """Of each class against the others."""
    clipped = np.clip(proba, 1e-12, 1 - 1e-12)
    return np.log(clipped / (1 - clipped))


if __name__ == "__main__":
    main()
