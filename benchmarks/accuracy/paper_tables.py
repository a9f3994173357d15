"""The default classifier on the paper's five tables and its splits, against the best number the paper prints.

Usage: paper_tables.py [SPLITS], 100 by default. Random splits, 15 % of the rows for the test, as in the paper; rows
with missing values left out, as there. "cut before" is the paper's way: five quantiles of all rows, before any split.
"numbers" are the same rows as they are, with intervals learned from the training rows alone. Prints a Markdown table.
"""

import sys
from collections.abc import Iterator

import numpy as np
from sklearn.metrics import accuracy_score, f1_score

from gnbayes import GeneralizedNB
from gnbayes.reproduction.prepare import Prepared, as_in_the_paper, as_numbers
from gnbayes.reproduction.protocol import draw_splits
from gnbayes.reproduction.published import TABLES
from gnbayes.reproduction.rerun import LOADERS


def main() -> None:
    """Print the table."""
    n_splits = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(
        "| data | accuracy, cut before | numbers | best of the paper | F1, cut before | numbers | best of the paper |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, fetch in LOADERS.items():
        found = [_scores(prepared, n_splits) for prepared in _prepared(as_numbers(fetch()))]
        cells = []
        for at, score in enumerate(("accuracy", "f1")):
            best = max(TABLES[score][name])
            cells += [_bold(scores[at], best) for scores in found] + [f"{best:.3f}"]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _prepared(data: Prepared) -> Iterator[Prepared]:
    yield as_in_the_paper(data)
    is_whole = ~np.isnan(data.X).any(axis=1)
    X = data.X[is_whole]
    yield Prepared(data.name, X, data.y[is_whole], data.categories, np.arange(len(X)))


def _scores(prepared: Prepared, n_splits: int) -> tuple[float, float]:
    """Mean accuracy and F1 over the splits."""
    scores = []
    for train, test in draw_splits(prepared, n_splits, seed=0):
        clf = GeneralizedNB(categorical_features=list(prepared.categories)).fit(prepared.X[train], prepared.y[train])
        predicted = clf.predict(prepared.X[test])
        scores.append((accuracy_score(prepared.y[test], predicted), f1_score(prepared.y[test], predicted)))
    accuracy, f1 = np.mean(scores, axis=0).tolist()
    return accuracy, f1


def _bold(ours: float, best: float) -> str:
    return f"**{ours:.3f}**" if ours > best else f"{ours:.3f}"


if __name__ == "__main__":
    main()
