"""What is gained where an ordered category is declared as one.

The class depends on the rank of a category, or of two, whose names say nothing of it. Log-loss of the default model on
20,000 new rows, the mean over ten draws of the training rows: the column as text, and as an ordered categorical of
pandas. The last column is that of the probabilities that the rows were drawn with.

    python benchmarks/soundness/ordered_categories.py
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import log_loss

from gnbayes import GeneralizedNB

N_DRAWS, N_NEW = 10, 20_000


def main() -> None:
    """Print a Markdown table."""
    print("| rows | columns | levels | text | ordered | truth |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for n in (100, 300, 1000):
        for d, levels in ((1, 7), (1, 20), (2, 20)):
            losses = np.mean([compare(n, d, levels, seed) for seed in range(N_DRAWS)], axis=0)
            print(f"| {n} | {d} | {levels} | {' | '.join(f'{loss:.4f}' for loss in losses)} |", flush=True)


def compare(n: int, d: int, levels: int, seed: int) -> tuple[float, float, float]:
    """Log-loss as text, as ordered categories, and of the true probabilities."""
    rng = np.random.default_rng(seed)
    names = rng.permutation([f"level {level}" for level in range(levels)])
    (rank, y, _), (new_rank, new_y, true) = (draw(rng, size, d, levels) for size in (n, N_NEW))
    losses = []
    for is_ordered in (False, True):
        clf = GeneralizedNB().fit(frame(rank, names, is_ordered), y)
        losses.append(log_loss(new_y, clf.predict_proba(frame(new_rank, names, is_ordered))))
    return losses[0], losses[1], log_loss(new_y, true)


def draw(rng: np.random.Generator, n: int, d: int, levels: int) -> tuple[NDArray, NDArray, NDArray]:
    """Ranks (n, d), classes, and the probability of class 1: a smooth curve of the ranks."""
    rank = rng.integers(0, levels, (n, d))
    place = rank / (levels - 1)
    score = 4 * (place[:, 0] - 0.5) + (3 * (place[:, 0] - 0.5) * (place[:, -1] - 0.5) if d > 1 else 0)
    true = 1 / (1 + np.exp(-score))
    return rank, (rng.random(n) < true).astype(int), true


def frame(rank: NDArray, names: NDArray, is_ordered: bool) -> pd.DataFrame:
    """A table of names."""
    columns = {f"x{j}": names[of_column] for j, of_column in enumerate(rank.T)}
    if is_ordered:
        columns = {name: pd.Categorical(values, categories=names, ordered=True) for name, values in columns.items()}
    return pd.DataFrame(columns)


if __name__ == "__main__":
    main()
