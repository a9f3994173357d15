"""Tree and Counts become a Model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.encoding import Feature
from gnbayes.model.model import Model
from gnbayes.model.paper import PaperModel, paper_tables
from gnbayes.model.parameters import additive_tables, backoff_tables, log_class_prior
from gnbayes.structure import Tree


def build_model(
    features: Sequence[Feature],
    classes: NDArray[Any],
    tree: Tree,
    counts: Counts,
    smoothing: str = "additive",
    alpha: float = 1.0,
    class_prior: NDArray[np.float64] | None = None,
) -> Model:
    """Estimate the probabilities of a tree.

    Parameters
    ----------
    features : sequence of Feature
    classes : ndarray of shape (k,)
    tree : Tree
    counts : Counts
        With the tables of the tree's edges at least.
    smoothing : {"additive", "backoff", "paper"}
    alpha : float
        Strength of the first two.
    class_prior : ndarray of shape (k,), optional

    Returns
    -------
    model : Model
    """
    prior = log_class_prior(counts, class_prior)
    if smoothing == "paper":
        return PaperModel(tuple(features), classes, tree, prior, *paper_tables(counts, tree))
    tables = (additive_tables if smoothing == "additive" else backoff_tables)(counts, tree, alpha)
    return Model(tuple(features), classes, tree, prior, tables)
