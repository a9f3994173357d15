"""Fit a model to coded rows without the estimator."""

from __future__ import annotations

import numpy as np

from gnbayes.counting import count
from gnbayes.encoding import Feature
from gnbayes.model import build_model
from gnbayes.structure import information_of_rows


def build(rows, learn, smoothing="additive", alpha=1.0):
    """Learn the tree and the probabilities."""
    features = [Feature(f"x{j}", "category", categories=tuple(range(v))) for j, v in enumerate(rows.cardinalities)]
    tree = learn(information_of_rows(rows))
    return build_model(features, np.arange(rows.n_classes), tree, count(rows), smoothing, alpha)
