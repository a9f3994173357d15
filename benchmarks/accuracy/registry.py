"""The rivals by name, cheap ones first. Standard library only; a rival's packages are imported when it is first run.

A new rival is a file in `rivals/` and a line in `RIVALS`; a new variant of ours is a line in `VARIANTS` or `RELATIVES`.
"""

import importlib
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

NETWORK, TRANSPARENT, BLACK_BOX, OURS = "Bayesian network", "transparent", "black box", "ours"

_COUNTED: dict[str, Any] = {"n_bins": 5, "weighting": None}
_WEIGHTED: dict[str, Any] = {"n_bins": "auto", "weighting": "discriminative"}
# Arguments of GeneralizedNB; "default" are its own, whatever they are.
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "paper": {"structure": "gnb-a", **_COUNTED, "smoothing": "paper"},
    "nb": {"structure": "nb", **_COUNTED},
    "gnb-a": {"structure": "gnb-a", **_COUNTED},
    "gnb-o": {"structure": "gnb-o", **_COUNTED},
    "tan": {"structure": "tan", **_COUNTED},
    "gnb-o-backoff": {"structure": "gnb-o", **_COUNTED, "smoothing": "backoff", "alpha": 5.0},
    "gnb-o-mdlp": {"structure": "gnb-o", **_COUNTED, "discretizer": "mdlp"},
    "weighted-gnb-o": {"structure": "gnb-o", **_WEIGHTED},
    "weighted-gnb-a": {"structure": "gnb-a", **_WEIGHTED},
    "weighted-tan": {"structure": "tan", **_WEIGHTED},
    "weighted-nb": {"structure": "nb", **_WEIGHTED},
    "weighted-5-bins": {"structure": "gnb-o", **_WEIGHTED, "n_bins": 5},
    "weighted-mdlp": {"structure": "gnb-o", **_WEIGHTED, "discretizer": "mdlp"},
}

# The same for the other classifiers of ours.
RELATIVES: dict[str, dict[str, Any]] = {
    "nb-auto": {"structure": "nb", "n_bins": 5, "weighting": None, "n_features": "auto"},
    "selective-nb": {"estimator": "SelectiveNB"},
    "averaged-tan": {"estimator": "AveragedTAN"},
    "averaged-tan-backoff": {"estimator": "AveragedTAN", "smoothing": "backoff"},
    "aode": {"estimator": "AODE"},
    "aode-30": {"estimator": "AODE", "min_count": 30},
    "aode-mdlp": {"estimator": "AODE", "discretizer": "mdlp"},
}


@dataclass(frozen=True)
class Rival:
    """Name, file in `rivals/`, kind, arguments of its fit; `max_rows` caps the training rows of a slow one."""

    name: str
    file: str
    kind: str
    arguments: dict[str, Any] = field(default_factory=dict)
    max_rows: int | None = None

    def module(self) -> ModuleType:
        """The file, imported."""
        return importlib.import_module(f"rivals.{self.file}")


_ALL = [
    Rival("CategoricalNB", "sklearn_categorical_nb", NETWORK),
    *(
        Rival(f"gnbayes:{name}", "gnbayes_variant", OURS, arguments)
        for name, arguments in (VARIANTS | RELATIVES).items()
    ),
    Rival("LogisticRegression", "logistic_regression", TRANSPARENT),
    Rival("RandomForest", "random_forest", BLACK_BOX),
    Rival("WEKA AODE", "weka_aode", NETWORK),
    Rival("WEKA TAN", "weka_tan", NETWORK),
    Rival("LightGBM", "lightgbm_boosting", BLACK_BOX),
    Rival("HistGradientBoosting", "hist_gradient_boosting", BLACK_BOX),
    Rival("pyAgrum TAN", "pyagrum_tan", NETWORK),
    Rival("EBM", "interpret_ebm", TRANSPARENT, max_rows=20_000),
]
RIVALS = {rival.name: rival for rival in _ALL}
