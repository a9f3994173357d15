"""The default model across sites that keep their rows, beside the fit on all rows in one place: log-loss.

70/30 splits. Sites are real subgroups of the training rows, by a column; of a column of numbers at unequal quantiles.
"pooled" is GeneralizedNB on all training rows, "rounds" is `fit_rounds`, "mean of models" is what one round without
counts could do: every site fits its own model, and probabilities are averaged by the sites' rows. Needs GNBAYES_DATA.
"""

from __future__ import annotations

import argparse
import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from gnbayes import GeneralizedNB
from gnbayes.scale import limits_for, merge_summaries, summarize
from gnbayes.sites import propose_features
from gnbayes.sites.rounds import RoundSite, fit_rounds

_SUITE = Path(os.environ.get("GNBAYES_DATA", "")) / "suite"
# Sites of a table; one column may deal it out well or badly.
_SITES = {"adult": "education", "magic": "fLength", "heart_statlog": "chest"}
_QUANTILES = (0.05, 0.15, 0.5)


def main() -> None:
    """Print one row per table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default=",".join(_SITES))
    parser.add_argument("--splits", type=int, default=5)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| table | sites by | rows of each site | questions | pooled | rounds | mean of models |")
    print("|---|---|---|---|---|---|---|")
    for name in arguments.tables.split(","):
        results = [_compare(name, seed) for seed in range(arguments.splits)]
        sizes, questions = results[0][0], {str(result[1]) for result in results}
        means = " | ".join(f"{mean:.3f}" for mean in np.mean([result[2] for result in results], axis=0))
        told = f"{len(sizes)}: {min(sizes)} to {max(sizes)}"
        print(f"| {name} | {_SITES[name]} | {told} | {' or '.join(sorted(questions))} | {means} |", flush=True)


def _compare(name: str, seed: int) -> tuple[list[int], int, list[float]]:
    """Rows of the sites, number of questions, and log-losses."""
    frame = pd.read_csv(_SUITE / f"{name}.csv.gz", keep_default_na=False, na_values=[""], dtype={"target": str})
    train, test = train_test_split(frame, test_size=0.3, random_state=seed, stratify=frame["target"])
    sites = [part for _, part in train.groupby(_group(train[_SITES[name]]))]
    pooled = GeneralizedNB().fit(train.drop(columns="target"), train["target"])
    rounds, n_questions = _rounds(sites)
    X, classes = test.drop(columns="target"), list(pooled.classes_)
    proba = [pooled.predict_proba(X), rounds.predict_proba(X), _mean_of_models(sites, X, classes)]
    return (
        [len(site) for site in sites],
        n_questions,
        [log_loss(test["target"], each, labels=classes) for each in proba],
    )


def _group(column: pd.Series) -> pd.Series:
    if pd.api.types.is_numeric_dtype(column) and column.nunique() > 10:
        return pd.Series(np.searchsorted(column.quantile(_QUANTILES), column), index=column.index)
    return column


def _rounds(parts: list[pd.DataFrame]) -> tuple[GeneralizedNB, int]:
    clf = GeneralizedNB()
    summary = merge_summaries([summarize(part, "target", limits_for(clf)) for part in parts])
    features = propose_features(summary, "target", clf)
    numbers = []

    def asked(site):
        def answer(question):
            numbers.append(question.number)
            return site(question)

        return answer

    sites = [asked(RoundSite(str(at), features, [part])) for at, part in enumerate(parts)]
    return fit_rounds(clf, features, sites), max(numbers)


def _mean_of_models(sites: list[pd.DataFrame], X: pd.DataFrame, classes: list[str]) -> np.ndarray:
    """Mean of the probabilities of the sites' own models, by their rows; of a site of one class that class."""
    total = np.zeros((len(X), len(classes)))
    for site in sites:
        found = sorted(site["target"].unique())
        proba = np.ones((len(X), 1))
        if len(found) > 1:
            proba = GeneralizedNB().fit(site.drop(columns="target"), site["target"]).predict_proba(X)
        total[:, [classes.index(label) for label in found]] += len(site) * proba
    return total / total.sum(axis=1, keepdims=True)


if __name__ == "__main__":
    main()
