"""The choice of pairs and triples of features beyond those of the tree, and averages of several fits."""

from gnbayes.model.interactions.request import ONLY_TREE, Interactions, column_position, read_interactions
from gnbayes.model.interactions.several import learn_interactions

__all__ = ["ONLY_TREE", "Interactions", "column_position", "learn_interactions", "read_interactions"]
