"""What a column of 10,000 different texts costs: seconds of CPU of a fit on 50,000 rows, without it and with it.

python benchmarks/soundness/identifier.py
"""

import time

import numpy as np
import pandas as pd

from gnbayes import GeneralizedNB

N_ROWS, N_NUMBERS, N_TEXTS = 50_000, 10, 10_000


def main() -> None:
    """Print a Markdown table."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N_ROWS)
    X = pd.DataFrame({f"x{j}": rng.normal(size=N_ROWS) + 0.3 * y * (j < 4) for j in range(N_NUMBERS)})
    with_texts = X.assign(identifier=[f"v{value}" for value in rng.integers(0, N_TEXTS, N_ROWS).tolist()])
    print("| weighting | without, s | with, s |")
    print("| --- | ---: | ---: |")
    for weighting in (None, "discriminative"):
        seconds = [min(fit_seconds(table, y, weighting) for _ in range(3)) for table in (X, with_texts)]
        print(f"| {weighting or 'none'} | {seconds[0]:.2f} | {seconds[1]:.2f} |", flush=True)


def fit_seconds(X: pd.DataFrame, y: np.ndarray, weighting: str | None) -> float:
    """CPU time of a fit."""
    start = time.process_time()
    GeneralizedNB(weighting=weighting).fit(X, y)
    return time.process_time() - start


if __name__ == "__main__":
    main()
