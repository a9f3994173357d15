"""Fit a joint distribution to coded rows without the estimator."""

from __future__ import annotations

from gnbayes.counting import count
from gnbayes.model import build_joint
from gnbayes.structure import information_of_rows


def build(rows, learn, smoothing="additive", alpha=1.0):
    """Learn the tree and the probabilities."""
    return build_joint(learn(information_of_rows(rows)), count(rows), smoothing, alpha)
