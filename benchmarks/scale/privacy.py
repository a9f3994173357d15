"""What privacy costs: log-loss of models from the counts of sites that add noise, or leave small cells out.

70/30 splits; the training rows are dealt out to sites that each spend epsilon. Every cell is the mean over draws: five
splits, and new noise in each draw. "classes" is a release of the class counts alone at the same epsilon, "columns" is
naive Bayes, "one step" the tables of all pairs, "two steps" a survey and then the tables of the chosen tree, half of
epsilon each. Intervals and categories are those of the training rows: the guarantee does not cover them. Needs
GNBAYES_DATA.
"""

from __future__ import annotations

import argparse
import os
import random
import warnings
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from gnbayes import GeneralizedNB
from gnbayes.scale import summarize
from gnbayes.sites import SiteFeatures, add_noise, choose_tree, count_site, fit_sites, propose_features, suppress
from gnbayes.sites.noise import discrete_laplace
from gnbayes.sites.privacy import NoisePart
from gnbayes.sites.shrinkage import positive_mean

_SUITE = Path(os.environ.get("GNBAYES_DATA", "")) / "suite"
_N_SPLITS = 5


@dataclass(frozen=True, eq=False)
class Split:
    """Training rows of every site, Features, and rows to be scored."""

    parts: list[pd.DataFrame]
    features: SiteFeatures
    test: pd.DataFrame

    @cache  # noqa: B019
    def count(self, what: str) -> list:
        """Exact counts of every site."""
        return [count_site(self.features, [part], what, site=str(at)) for at, part in enumerate(self.parts)]

    def score(self, proba: np.ndarray) -> float:
        """Log-loss on the rows that were not learned from."""
        return float(log_loss(self.test["target"], proba, labels=self.features.classes))

    def fit(self, structure: str, sites: list) -> float:
        """Log-loss of the merged model."""
        clf = fit_sites(GeneralizedNB(structure, weighting=None), sites)
        return self.score(clf.predict_proba(self.test.drop(columns="target")))


def main() -> None:
    """Print one row per table and epsilon."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default="adult,nursery,magic,german_credit,heart_statlog")
    parser.add_argument("--epsilons", default="0.1,0.3,1,3,10")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--sites", type=int, default=2)
    parser.add_argument("--rows", type=int, help="training rows; all of the split by default")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| table | rows | columns | epsilon | " + " | ".join(WAYS) + " |")
    print("|---|---|---|---|" + "---|" * len(WAYS))
    for name in arguments.tables.split(","):
        cached = cache(lambda seed, name=name: _split(name, seed, arguments.sites, arguments.rows))
        n_rows, n_columns = sum(map(len, cached(0).parts)), len(cached(0).features.features)
        for epsilon in (*arguments.epsilons.split(","), None):
            draws = range(arguments.draws if epsilon is not None else _N_SPLITS)
            scores = [[way(cached(draw % _N_SPLITS), epsilon, draw) for way in WAYS.values()] for draw in draws]
            means = " | ".join(f"{mean:.3f}" for mean in np.mean(scores, axis=0))
            print(f"| {name} | {n_rows} | {n_columns} | {epsilon or 'no noise'} | {means} |", flush=True)
        lost = np.mean([_suppressed(cached(seed)) for seed in range(_N_SPLITS)], axis=0)
        print(f"| {name} | {n_rows} | {n_columns} | cells below 5 | | {lost[0]:.3f} | {lost[1]:.3f} | |", flush=True)


def _split(name: str, seed: int, n_sites: int, n_rows: int | None) -> Split:
    frame = pd.read_csv(_SUITE / f"{name}.csv.gz", keep_default_na=False, na_values=[""], dtype={"target": str})
    train, test = train_test_split(frame, test_size=0.3, random_state=seed, stratify=frame["target"])
    if n_rows is not None:
        train = train.sample(n_rows, random_state=seed)
    clf = GeneralizedNB(n_bins=5, weighting=None)
    features = propose_features(summarize(train, "target"), "target", clf)
    return Split([train.iloc[at::n_sites] for at in range(n_sites)], features, test)


def _classes(split: Split, epsilon: str | None, draw: int) -> float:
    """A release of the class counts alone."""
    counts = [part["target"].value_counts().reindex(split.features.classes, fill_value=0) for part in split.parts]
    total, variance = np.sum(counts, axis=0).astype(float), 0.0
    if epsilon is not None:
        noise = NoisePart("classes", Fraction(epsilon), 1)
        rng = random.Random(draw)
        total += sum(discrete_laplace(len(total), noise.scale, rng) for _ in counts)
        variance = noise.variance * len(counts)
    shares = positive_mean(total, np.full(len(total), np.sqrt(variance)))
    return split.score(np.tile(shares / shares.sum(), (len(split.test), 1)))


def _columns(split: Split, epsilon: str | None, draw: int) -> float:
    return split.fit("nb", _noisy(split.count("columns"), epsilon, draw))


def _one_step(split: Split, epsilon: str | None, draw: int) -> float:
    return split.fit("gnb-o", _noisy(split.count("pairs"), epsilon, draw))


def _two_steps(split: Split, epsilon: str | None, draw: int) -> float:
    half = None if epsilon is None else str(float(epsilon) / 2)
    surveys = _noisy(split.count("survey"), half, draw)
    tree = choose_tree(surveys, half or "1000")
    tables = [count_site(split.features, [part], tree, site=str(at)) for at, part in enumerate(split.parts)]
    return split.fit("gnb-o", [*surveys, *_noisy(tables, half, 1000 + draw)])


def _noisy(sites: list, epsilon: str | None, draw: int) -> list:
    """Every site adds noise of its own."""
    if epsilon is None:
        return sites
    return [add_noise(site, epsilon, seed=100 * draw + at) for at, site in enumerate(sites)]


def _suppressed(split: Split) -> tuple[float, float]:
    """Naive Bayes and the tree without cells of fewer than five rows."""
    return tuple(
        split.fit(structure, [suppress(counts, 5) for counts in split.count(what)])
        for structure, what in (("nb", "columns"), ("gnb-o", "pairs"))
    )


WAYS = {"classes": _classes, "columns": _columns, "one step": _one_step, "two steps": _two_steps}

if __name__ == "__main__":
    main()
