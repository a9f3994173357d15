"""Generalized Naive Bayes for Python."""

from gnbayes._version import __version__
from gnbayes.effect import Effect
from gnbayes.encoding import FixedDiscretizer, MDLPDiscretizer, QuantileDiscretizer, UniformDiscretizer
from gnbayes.estimator import GeneralizedNB
from gnbayes.explanation import Explanation
from gnbayes.files import ModelFileError, load, save, to_bif, to_effects, to_onnx, to_xmlbif
from gnbayes.plot import (
    EffectDisplay,
    ExplanationDisplay,
    ImportanceDisplay,
    SelectionCurveDisplay,
    TreeDisplay,
    WeightDisplay,
    to_dot,
    to_networkx,
)
from gnbayes.relatives import AODE, AveragedTAN, SelectiveNB
from gnbayes.reporting import Report, report
from gnbayes.selection import GNBSelector, SelectionCurve, selection_curve
from gnbayes.versions import show_versions

__all__ = [
    "AODE",
    "AveragedTAN",
    "Effect",
    "EffectDisplay",
    "Explanation",
    "ExplanationDisplay",
    "FixedDiscretizer",
    "GNBSelector",
    "GeneralizedNB",
    "ImportanceDisplay",
    "MDLPDiscretizer",
    "ModelFileError",
    "QuantileDiscretizer",
    "Report",
    "SelectionCurve",
    "SelectionCurveDisplay",
    "SelectiveNB",
    "TreeDisplay",
    "UniformDiscretizer",
    "WeightDisplay",
    "__version__",
    "load",
    "report",
    "save",
    "selection_curve",
    "show_versions",
    "to_bif",
    "to_dot",
    "to_effects",
    "to_networkx",
    "to_onnx",
    "to_xmlbif",
]
