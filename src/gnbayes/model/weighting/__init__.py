"""The tables of a tree learned for the log-loss: one table a feature, one table an edge."""

from gnbayes.model.weighting.learn import Weights, learn_weights

__all__ = ["Weights", "learn_weights"]
