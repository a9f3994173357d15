"""Plots, each a Display class in its own file; they need matplotlib."""

from gnbayes.plot.curve import SelectionCurveDisplay
from gnbayes.plot.effect import EffectDisplay
from gnbayes.plot.graph import to_dot, to_networkx
from gnbayes.plot.importance import ImportanceDisplay
from gnbayes.plot.overview import OverviewDisplay
from gnbayes.plot.stability import StabilityDisplay
from gnbayes.plot.tree import TreeDisplay
from gnbayes.plot.waterfall import ExplanationDisplay
from gnbayes.plot.weight import WeightDisplay

__all__ = [
    "EffectDisplay",
    "ExplanationDisplay",
    "ImportanceDisplay",
    "OverviewDisplay",
    "SelectionCurveDisplay",
    "StabilityDisplay",
    "TreeDisplay",
    "WeightDisplay",
    "to_dot",
    "to_networkx",
]
