"""What privacy costs: accuracy and log-loss of models from the counts of three sites, with noise, or small cells gone.

Means of several 85/15 splits. The training rows are dealt out to three sites, and each adds its own noise. Intervals
and categories are those of all training rows: the guarantee does not cover them. Needs GNBAYES_DATA.
"""

from __future__ import annotations

import argparse
import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import train_test_split

from gnbayes import GeneralizedNB
from gnbayes.scale import summarize
from gnbayes.sites import SiteCounts, add_noise, count_site, fit_sites, propose_features, suppress

_SUITE = Path(os.environ.get("GNBAYES_DATA", "")) / "suite"
_WAYS = ("exact", "suppress 5", "epsilon 10", "epsilon 3", "epsilon 1", "epsilon 0.3")


def main() -> None:
    """Print one row a table, structure and way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default="heart_statlog,pima,magic,adult")
    parser.add_argument("--splits", type=int, default=5)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| table | rows | columns | structure | " + " | ".join(_WAYS) + " |")
    print("|---|---|---|---|" + "---|" * len(_WAYS))
    for name in arguments.tables.split(","):
        frame = pd.read_csv(_SUITE / f"{name}.csv.gz", keep_default_na=False, na_values=[""], dtype={"target": str})
        for structure in ("nb", "gnb-o"):
            cells = [_score(frame, structure, way, arguments.splits) for way in _WAYS]
            print(
                f"| {name} | {len(frame)} | {frame.shape[1] - 1} | {structure} | " + " | ".join(cells) + " |",
                flush=True,
            )


def _score(frame: pd.DataFrame, structure: str, way: str, n_splits: int) -> str:
    """Accuracy and log-loss."""
    scores = []
    for seed in range(n_splits):
        train, test = train_test_split(frame, test_size=0.15, random_state=seed, stratify=frame["target"])
        clf = GeneralizedNB(structure, n_bins=5, weighting=None)
        features = propose_features(summarize(train, "target"), "target", clf)
        parts = [train.iloc[at::3] for at in range(3)]
        sites = [count_site(features, [part], pairs=structure != "nb") for part in parts]
        fit_sites(clf, [_protected(site, way, 3 * seed + at) for at, site in enumerate(sites)])
        proba = clf.predict_proba(test.drop(columns="target"))
        predicted = clf.classes_[proba.argmax(axis=1)]
        scores.append((accuracy_score(test["target"], predicted), log_loss(test["target"], proba, labels=clf.classes_)))
    accuracy, loss = np.mean(scores, axis=0)
    return f"{accuracy:.3f} / {loss:.3f}"


def _protected(site: SiteCounts, way: str, seed: int) -> SiteCounts:
    kind, _, number = way.partition(" ")
    if kind == "epsilon":
        return add_noise(site, number, seed=seed)
    return suppress(site, int(number)) if kind == "suppress" else site


if __name__ == "__main__":
    main()
