"""How far cuts are from the quantiles of a column with more different numbers than are kept.

"divided" are the runs after those of many rows were divided.

Usage: many_numbers.py [--rows 2000000]
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import digits_to_drop, divide_into_runs, most_numbers, ordered_keys, run_starts

_SHARES = np.arange(1, 100) / 100


def main() -> None:
    """Print a Markdown table: for each kind of numbers, and number of columns, runs and the largest error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    n = parser.parse_args().rows
    print("| numbers | columns | at most | runs | divided | largest error of 99 quantiles |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, numbers in _columns(n).items():
        for n_columns in (20, 200, 2000):
            most = most_numbers(n_columns, 2)
            values, rows = np.unique(numbers, return_counts=True)
            n_runs = len(run_starts(ordered_keys(values), digits_to_drop(ordered_keys(values), most)))
            divided = np.add.reduceat(rows, divide_into_runs(values, rows, most))
            error = _largest_error(numbers, divided)
            cells = [name, *(f"{n:,}" for n in (n_columns, most, n_runs, len(divided))), f"{error:.3%}"]
            print(f"| {' | '.join(cells)} |", flush=True)


def _largest_error(numbers: NDArray[np.float64], rows: NDArray[np.int64]) -> float:
    """The largest difference of rank between a quantile and the nearest beginning of a run, as a share of the rows."""
    ordered = np.sort(numbers)
    exact = ordered[(_SHARES * len(ordered)).astype(np.intp)]
    below = (np.cumsum(rows) - rows) / len(ordered)
    nearest = np.abs(below[:, None] - _SHARES).argmin(axis=0)
    # Rows that are equal to a quantile have a range of ranks, and none of them is wrong.
    low, high = (np.searchsorted(ordered, exact, side=side) / len(ordered) for side in ("left", "right"))
    found = below[nearest]
    return float(np.maximum(0.0, np.maximum(low - found, found - high)).max())


def _columns(n: int) -> dict[str, NDArray[np.float64]]:
    rng = np.random.default_rng(0)
    normal = rng.normal(size=n)
    return {
        "uniform": rng.random(n),
        "normal": normal,
        "log-normal": np.exp(2 * normal),
        "half of it zero": np.where(rng.random(n) < 0.5, 0.0, normal),
        "seconds of a year": 1.7e9 + rng.random(n) * 3.2e7,
        "half of it from 1000.00 to 1000.01": np.where(rng.random(n) < 0.5, 1000 + 0.01 * rng.random(n), normal),
    }


if __name__ == "__main__":
    main()
