"""What monotone effects cost: the default with and without `monotonic_cst`, five splits of two tables.

    python benchmarks/accuracy/monotone.py

Constraints are those that a clinician would expect. Prints a Markdown table.
"""

import warnings

import numpy as np
from datasets import load
from metrics import aligned, scores
from splits import stratified_splits

from gnbayes import GeneralizedNB

CONSTRAINTS = {
    "pima": {"plas": 1, "mass": 1, "pedi": 1, "age": 1},
    "heart_statlog": {"age": 1, "oldpeak": 1, "number_of_major_vessels": 1, "maximum_heart_rate_achieved": -1},
}


def main() -> None:
    """Print the log-loss of each table with and without constraints."""
    warnings.simplefilter("ignore")
    print(
        "| table | monotone | log-loss without | with | splits in which it costs |\n| --- | --- | ---: | ---: | ---: |"
    )
    for name, constraints in CONSTRAINTS.items():
        losses = measure(name, constraints)
        worse = int((losses[:, 1] > losses[:, 0]).sum())
        mean = losses.mean(axis=0)
        print(f"| {name} | {', '.join(constraints)} | {mean[0]:.4f} | {mean[1]:.4f} | {worse} of {len(losses)} |")


def measure(name: str, constraints: dict[str, int]) -> np.ndarray:
    """Log-loss of each split without and with constraints, shape (5, 2)."""
    table = load(name)
    losses = []
    for train, test in stratified_splits(table.y, 5):
        of_split = []
        for own in (None, constraints):
            clf = GeneralizedNB(monotonic_cst=own).fit(table.X.iloc[train], table.y[train])
            proba = aligned(clf.predict_proba(table.X.iloc[test]), np.unique(table.y[train]), table.n_classes)
            of_split.append(scores(table.y[test], proba)["log_loss"])
        losses.append(of_split)
    return np.array(losses)


if __name__ == "__main__":
    main()
