"""Error of the sketch: ranks of its quantiles among the numbers themselves, against the error that is stated."""

from __future__ import annotations

import argparse

import numpy as np

from gnbayes.scale import rank_error
from gnbayes.scale.distinct_numbers import numbers_of, sketched


def main() -> None:
    """Print the largest error of 99 quantiles for several distributions and sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    n = parser.parse_args().rows
    rng = np.random.default_rng(0)
    tables = {
        "uniform": rng.random(n),
        "normal": rng.normal(size=n),
        "log-normal": rng.lognormal(sigma=3, size=n),
        "half of it zero": np.where(rng.random(n) < 0.5, 0.0, rng.normal(size=n)),
        "increasing": np.arange(n, dtype=float),
    }
    print("| numbers | sketch_k | kB | stated error | largest error of 99 quantiles |\n|---|---|---|---|---|")
    for name, numbers in tables.items():
        ordered = np.sort(numbers)
        for k in (200, 1000, 4000):
            sketch = sketched(numbers_of(numbers), k)
            values, counts = sketch.points
            wanted = np.arange(1, 100) / 100
            found = values[np.searchsorted(np.cumsum(counts), wanted * counts.sum())]
            low, high = (np.searchsorted(ordered, found, side=side) / n for side in ("left", "right"))
            error = np.maximum(np.maximum(low - wanted, wanted - high), 0).max()
            size = len(sketch.sketch or b"") / 1000
            print(f"| {name} | {k} | {size:.0f} | {rank_error(k):.3%} | {error:.3%} |")


if __name__ == "__main__":
    main()
