"""Generalized Naive Bayes for Python."""

from gnbayes.encoding import FixedDiscretizer, MDLPDiscretizer, QuantileDiscretizer, UniformDiscretizer
from gnbayes.estimator import GeneralizedNB
from gnbayes.explanation import Explanation
from gnbayes.plot import (
    ExplanationDisplay,
    ImportanceDisplay,
    SelectionCurveDisplay,
    TreeDisplay,
    WeightDisplay,
    to_dot,
    to_networkx,
)
from gnbayes.selection import GNBSelector, SelectionCurve, selection_curve

__version__ = "0.1.0"

__all__ = [
    "Explanation",
    "ExplanationDisplay",
    "FixedDiscretizer",
    "GNBSelector",
    "GeneralizedNB",
    "ImportanceDisplay",
    "MDLPDiscretizer",
    "QuantileDiscretizer",
    "SelectionCurve",
    "SelectionCurveDisplay",
    "TreeDisplay",
    "UniformDiscretizer",
    "WeightDisplay",
    "selection_curve",
    "to_dot",
    "to_networkx",
]
