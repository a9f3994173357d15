"""Pairs and triples of features that a model has beyond its tree, and the mean of several fits."""

from gnbayes.model.interactions.request import ONLY_TREE, Interactions, column_position, read_interactions
from gnbayes.model.interactions.several import learn_interactions

__all__ = ["ONLY_TREE", "Interactions", "column_position", "learn_interactions", "read_interactions"]
