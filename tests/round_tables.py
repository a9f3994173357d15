"""Sites that take part in rounds."""

from __future__ import annotations

from scale_tables import mixed_frame
from site_tables import three_sites

from gnbayes import GeneralizedNB
from gnbayes.scale import limits_for, merge_summaries, summarize
from gnbayes.sites import propose_features
from gnbayes.sites.rounds import RoundSite


def weighted_features(parts, target="y"):
    """Features for weights, of several tables together."""
    clf = GeneralizedNB()
    return propose_features(merge_summaries([summarize(part, target, limits_for(clf)) for part in parts]), target, clf)


def round_sites(parts, features):
    """One site for each table."""
    return [RoundSite("abcdefghijklmnopqrstuvwxyz"[at], features, [part]) for at, part in enumerate(parts)]


class Recorder:
    """Passes questions on to a site, and keeps them and its answers."""

    def __init__(self, site):
        self.site, self.questions, self.answers = site, [], []

    def __call__(self, question):
        self.questions.append(question)
        self.answers.append(self.site(question))
        return self.answers[-1]


__all__ = ["Recorder", "mixed_frame", "round_sites", "three_sites", "weighted_features"]
