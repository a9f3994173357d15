"""How many features, and which: scores for every number of features, and a selector."""

from gnbayes.selection.curve import SelectionCurve, is_steady
from gnbayes.selection.ordering import feature_order
from gnbayes.selection.predictions import PrefixPredictions, predict_prefixes
from gnbayes.selection.scoring import selection_curve
from gnbayes.selection.selector import GNBSelector

__all__ = [
    "GNBSelector",
    "PrefixPredictions",
    "SelectionCurve",
    "feature_order",
    "is_steady",
    "predict_prefixes",
    "selection_curve",
]
