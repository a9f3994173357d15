"""Three sites that hold the rows of one table."""

from __future__ import annotations

from scale_tables import mixed_frame

from gnbayes import GeneralizedNB
from gnbayes.scale import merge_summaries, summarize
from gnbayes.sites import add_noise, choose_tree, count_site, propose_features

PARAMETERS = {"weighting": None, "n_bins": 4, "structure": "gnb-o"}


def three_sites(frame):
    """Its rows at three sites."""
    return [frame.iloc[:100], frame.iloc[100:180], frame.iloc[180:]]


def features_of(frame):
    """Features of all three sites together."""
    parts = [summarize(part, "y") for part in three_sites(frame)]
    return propose_features(merge_summaries(parts), "y", GeneralizedNB(**PARAMETERS))


def two_steps(frame, epsilon, seed=0):
    """Releases of both steps: surveys of all sites, then the tables of the tree that these choose."""
    features, parts = features_of(frame), three_sites(frame)
    surveys = [count_site(features, [part], "survey", site="abc"[at]) for at, part in enumerate(parts)]
    surveys = [add_noise(site, epsilon, seed=seed + at) for at, site in enumerate(surveys)]
    tree = choose_tree(surveys)
    tables = [count_site(features, [part], tree, site="abc"[at]) for at, part in enumerate(parts)]
    return surveys, [add_noise(site, epsilon, seed=seed + 10 + at) for at, site in enumerate(tables)], tree


__all__ = ["PARAMETERS", "features_of", "mixed_frame", "three_sites", "two_steps"]
