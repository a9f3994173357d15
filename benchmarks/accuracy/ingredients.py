"""Smoothing, its strength and intervals of the model without weights: what each buys on tables of up to 20,000 rows.

    GNBAYES_DATA=.../data python benchmarks/accuracy/ingredients.py                   # development tables
    GNBAYES_DATA=.../data python benchmarks/accuracy/ingredients.py --half held-back

Settings were chosen on the development tables alone. Prints Markdown; progress goes to standard error.
"""

import argparse
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from datasets import Table, catalogue, load
from hierarchical import with_hierarchical_smoothing
from metrics import aligned, scores
from numpy.typing import NDArray
from resolutions import ResolutionDiscretizer
from splits import stratified_splits

from gnbayes import GeneralizedNB

MAX_ROWS, MAX_COLUMNS = 20_000, 500
# Three splits of small tables, one of others.
SMALL_ROWS = 2_000
BINS: dict[str, dict[str, Any]] = {
    "5 quantiles": {"n_bins": 5},
    "10 quantiles": {"n_bins": 10},
    "MDLP": {"discretizer": "mdlp"},
    "3 to 20 quantiles": {"discretizer": ResolutionDiscretizer()},
    "auto": {"n_bins": "auto"},
}
SMOOTHING = [("additive", 1.0), ("additive", "auto"), ("backoff", 1.0), ("backoff", "auto"), ("hierarchical", "auto")]
# What others are compared with, and the difference in log-loss that counts as one.
BEFORE = ("5 quantiles", "additive", 1.0)
DIFFERENCE = 0.0005
SHOWN = ("log_loss", "brier", "accuracy")
# Tables of the same patients stay in one half.
HALVES = ("development", "held-back")
IN_DEVELOPMENT = {
    *("heart", "heart_statlog"),
    *("thyroid", "thyroid_3class", "thyroid_anntest", "hypothyroid", "sick"),
}

Variant = tuple[str, str, Any]
Results = dict[Variant, NDArray[np.float64]]


def main() -> None:
    """Print one table for GNB-O and one for naive Bayes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES, default="development")
    parser.add_argument("--structure", choices=["gnb-o", "nb"], action="append", help="both by default")
    warnings.simplefilter("ignore")
    arguments = parser.parse_args()
    names = tables_of(arguments.half)
    for structure in arguments.structure or ("gnb-o", "nb"):
        variants = [(bins, *how) for bins in BINS for how in SMOOTHING if structure != "nb" or how[0] != "backoff"]
        results: list[Results] = []
        for name in names:
            print(structure, name, file=sys.stderr, flush=True)
            results.append(measure(load(name), structure, variants))
        print("\n".join(report(structure, variants, results)), flush=True)


def tables_of(half: str) -> list[str]:
    """Names of every other table, from the smallest to the largest."""
    entries = [entry for entry in catalogue() if entry.rows <= MAX_ROWS and entry.columns <= MAX_COLUMNS]
    is_held_back = [at % 2 == 1 and entry.name not in IN_DEVELOPMENT for at, entry in enumerate(entries)]
    return [entry.name for entry, is_held in zip(entries, is_held_back, strict=True) if HALVES[is_held] == half]


def measure(table: Table, structure: str, variants: list[Variant]) -> Results:
    """Log-loss, Brier score and accuracy of each variant, means over the splits."""
    found: dict[Variant, list[list[float]]] = {variant: [] for variant in variants}
    for train, test in stratified_splits(table.y, 3 if len(table.y) <= SMALL_ROWS else 1):
        classes, y = np.unique(table.y[train], return_inverse=True)
        X, X_test = (table.X.iloc[rows].reset_index(drop=True) for rows in (train, test))
        for variant in variants:
            proba = aligned(fit(variant, structure, X, y).predict_proba(X_test), classes, table.n_classes)
            of_all = scores(table.y[test], proba)
            found[variant].append([of_all[name] for name in SHOWN])
    return {variant: np.mean(splits, axis=0) for variant, splits in found.items()}


def fit(variant: Variant, structure: str, X: Any, y: NDArray[np.intp]) -> GeneralizedNB:
    """A classifier of one variant."""
    bins, smoothing, alpha = variant
    if smoothing == "hierarchical":
        return with_hierarchical_smoothing(GeneralizedNB(structure, weighting=None, **BINS[bins]).fit(X, y), X, y)
    return GeneralizedNB(structure, weighting=None, smoothing=smoothing, alpha=alpha, **BINS[bins]).fit(X, y)


def report(structure: str, variants: list[Variant], results: list[Results]) -> Iterator[str]:
    """Lines of a Markdown table."""
    yield f"\n{structure}, {len(results)} tables; better and worse: log-loss against {describe(BEFORE)}\n"
    yield "| intervals | smoothing | alpha | log-loss | Brier | accuracy | better | worse | largest loss |"
    yield "|---|---|---|---:|---:|---:|---:|---:|---:|"
    before = np.array([result[BEFORE][0] for result in results])
    for variant in variants:
        numbers = np.array([result[variant] for result in results])
        gap = numbers[:, 0] - before
        means = " | ".join(f"{mean:.4f}" for mean in numbers.mean(axis=0))
        counts = f"{(gap < -DIFFERENCE).sum()} | {(gap > DIFFERENCE).sum()} | {gap.max():.3f}"
        yield f"| {variant[0]} | {variant[1]} | {variant[2]} | {means} | {counts} |"
    if structure != "nb":
        yield from against_backoff(results)


def against_backoff(results: list[Results]) -> Iterator[str]:
    """What hierarchical smoothing gains over back-off, both with the strength that leave-one-out chooses."""
    yield ""
    for bins in BINS:
        gap = np.array(
            [result[bins, "hierarchical", "auto"][0] - result[bins, "backoff", "auto"][0] for result in results]
        )
        yield (
            f"hierarchical against backoff, alpha auto, {bins}: {gap.mean():+.4f}, better on "
            f"{(gap < -DIFFERENCE).sum()}, worse on {(gap > DIFFERENCE).sum()}"
        )


def describe(variant: Variant) -> str:
    """A variant in words."""
    return f"{variant[0]}, {variant[1]}, alpha {variant[2]}"


if __name__ == "__main__":
    main()
