"""How many features, and which: scores for every number of features, and a selector."""

from gnbayes.selection.curve import STEADY, SelectionCurve
from gnbayes.selection.ordering import feature_order
from gnbayes.selection.predictions import PrefixPredictions, predict_prefixes
from gnbayes.selection.scoring import selection_curve
from gnbayes.selection.selector import GNBSelector

__all__ = [
    "STEADY",
    "GNBSelector",
    "PrefixPredictions",
    "SelectionCurve",
    "feature_order",
    "predict_prefixes",
    "selection_curve",
]
