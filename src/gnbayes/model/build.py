"""Tree and Counts become a Model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.encoding import Feature
from gnbayes.model.fitting import Weights
from gnbayes.model.model import Model
from gnbayes.model.paper import PaperModel, paper_tables
from gnbayes.model.parameters import additive_tables, backoff_tables, log_class_prior
from gnbayes.model.weighted import WeightedModel
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


def build_weighted_model(
    features: Sequence[Feature],
    classes: NDArray[Any],
    tree: Tree,
    counts: Counts,
    weights: Weights,
    class_prior: NDArray[np.float64] | None = None,
) -> WeightedModel:
    """Put learned weights together.

    Parameters
    ----------
    features : sequence of Feature
    classes : ndarray of shape (k,)
    tree : Tree
    counts : Counts
        For the shares of the classes, whose place a given prior takes.
    weights : Weights
        From `learn_weights`.
    class_prior : ndarray of shape (k,), optional

    Returns
    -------
    model : WeightedModel
    """
    shift = np.zeros(len(classes))
    if class_prior is not None:
        # A class whose rows all have weight 0 has no share to take the place of.
        own = log_class_prior(counts)
        shift = log_class_prior(counts, class_prior) - np.where(np.isfinite(own), own, 0.0)
    return WeightedModel(
        tuple(features), classes, tree, weights.intercept, shift, tuple(weights.singles), tuple(weights.pairs)
    )
