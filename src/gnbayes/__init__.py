"""Generalized Naive Bayes for Python."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from gnbayes._version import __version__

if TYPE_CHECKING:
    from gnbayes.effect import Effect
    from gnbayes.encoding import FixedDiscretizer, MDLPDiscretizer, QuantileDiscretizer, UniformDiscretizer
    from gnbayes.estimator import GeneralizedNB
    from gnbayes.explanation import Explanation
    from gnbayes.files import ModelFileError, load, save, to_bif, to_effects, to_onnx, to_python, to_sql, to_xmlbif
    from gnbayes.plot import (
        EffectDisplay,
        ExplanationDisplay,
        ImportanceDisplay,
        OverviewDisplay,
        SelectionCurveDisplay,
        StabilityDisplay,
        TreeDisplay,
        WeightDisplay,
        to_dot,
        to_networkx,
    )
    from gnbayes.relatives import AODE, AveragedTAN, SelectiveNB
    from gnbayes.reporting import Report, report
    from gnbayes.scorer import Scorer
    from gnbayes.selection import GNBSelector, SelectionCurve, selection_curve
    from gnbayes.shap_values import ShapValues
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
    "OverviewDisplay",
    "QuantileDiscretizer",
    "Report",
    "Scorer",
    "SelectionCurve",
    "SelectionCurveDisplay",
    "SelectiveNB",
    "ShapValues",
    "StabilityDisplay",
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
    "to_python",
    "to_sql",
    "to_xmlbif",
]

# Where each public name is defined. A room is imported when one of its names is first used: the help of the command
# line needs none of them.
_ROOMS = {
    "effect": ("Effect",),
    "encoding": ("FixedDiscretizer", "MDLPDiscretizer", "QuantileDiscretizer", "UniformDiscretizer"),
    "estimator": ("GeneralizedNB",),
    "explanation": ("Explanation",),
    "files": ("ModelFileError", "load", "save", "to_bif", "to_effects", "to_onnx", "to_python", "to_sql", "to_xmlbif"),
    "plot": (
        *(
            "EffectDisplay",
            "ExplanationDisplay",
            "ImportanceDisplay",
            "OverviewDisplay",
            "SelectionCurveDisplay",
            "StabilityDisplay",
            "TreeDisplay",
            "WeightDisplay",
        ),
        *("to_dot", "to_networkx"),
    ),
    "relatives": ("AODE", "AveragedTAN", "SelectiveNB"),
    "reporting": ("Report", "report"),
    "scorer": ("Scorer",),
    "selection": ("GNBSelector", "SelectionCurve", "selection_curve"),
    "shap_values": ("ShapValues",),
    "versions": ("show_versions",),
}
_HOMES = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"gnbayes.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    if not name.startswith("_") and find_spec(f"gnbayes.{name}") is not None:
        return import_module(f"gnbayes.{name}")
    raise AttributeError(f"module 'gnbayes' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
