"""Whether weights of rows that are no whole numbers count by their ratios alone.

For every discretizer the number of intervals per column with random weights, and with the same weights times 1/n, 0.5
and 1000.5; and the largest difference that this makes to a probability of the counted and of the default model.

    python benchmarks/soundness/weight_scale.py
"""

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_iris

from gnbayes import GeneralizedNB
from gnbayes.encoding import DISCRETIZERS

FACTORS = ("1", "1/n", "0.5", "1000.5")


def main() -> None:
    """Print a Markdown table."""
    print(f"| table | discretizer | weighting | {' | '.join(f'bins, x {factor}' for factor in FACTORS)} | difference |")
    print("| --- | --- | --- " + "| ---: " * (len(FACTORS) + 1) + "|")
    for name, (X, y) in {"iris": load_iris(return_X_y=True), "wdbc": load_breast_cancer(return_X_y=True)}.items():
        for discretizer in DISCRETIZERS:
            for weighting in (None, "discriminative"):
                fits = [fit(X, y, discretizer, weighting, factor) for factor in FACTORS]
                bins = [np.mean([feature.n_values for feature in fitted.features_]) for fitted in fits]
                proba = [fitted.predict_proba(X) for fitted in fits]
                most = max(np.abs(other - proba[0]).max() for other in proba)
                cells = " | ".join(f"{number:.1f}" for number in bins)
                print(f"| {name} | {discretizer} | {weighting or 'none'} | {cells} | {most:.1e} |", flush=True)


def fit(
    X: NDArray[np.float64], y: NDArray[np.intp], discretizer: str, weighting: str | None, factor: str
) -> GeneralizedNB:
    """A classifier of rows with random weights, times a factor."""
    weights = np.random.default_rng(0).random(len(y)) + 0.5
    scale = 1 / len(y) if factor == "1/n" else float(factor)
    clf = GeneralizedNB(discretizer=discretizer, weighting=weighting)
    return clf.fit(X, y, sample_weight=weights * scale)


if __name__ == "__main__":
    main()
