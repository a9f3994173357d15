"""The classifiers by name. Standard library only; a rival's packages are imported when it is first run.

A new rival is a file in `rivals/` and a line in `RIVALS`; a new variant of ours is a line in `VARIANTS` or `RELATIVES`.
"""

import importlib
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

NETWORK, TRANSPARENT, BLACK_BOX, OURS = "Bayesian network", "transparent", "black box", "ours"

_COUNTED: dict[str, Any] = {"n_bins": 5, "weighting": None}
_WEIGHTED: dict[str, Any] = {"n_bins": "auto", "weighting": "discriminative"}
# Arguments of GeneralizedNB; `gnbayes` alone has its own defaults, whatever they are.
VARIANTS: dict[str, dict[str, Any]] = {
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
class Classifier:
    """Name, file in `rivals/`, kind, the package whose version matters, arguments of its fit.

    What is not `ranked` is shown below the line: variants of ours, and boosting that has a better entry. What is `slow`
    runs on the first split only, and is compared with the others on that split.
    """

    name: str
    file: str
    kind: str
    package: str
    ranked: bool = True
    slow: bool = False
    arguments: dict[str, Any] = field(default_factory=dict)

    def module(self) -> ModuleType:
        """The file, imported."""
        return importlib.import_module(f"rivals.{self.file}")


DEFAULT = "gnbayes"
_BOOSTING = (
    Classifier("CatBoost", "catboost_boosting", BLACK_BOX, "catboost"),
    Classifier("XGBoost", "xgboost_boosting", BLACK_BOX, "xgboost-cpu"),
    Classifier("LightGBM", "lightgbm_early_stopped", BLACK_BOX, "lightgbm"),
    Classifier("HistGradientBoosting", "hist_gradient_boosting_early_stopped", BLACK_BOX, "scikit-learn"),
    Classifier("LightGBM defaults", "lightgbm_defaults", BLACK_BOX, "lightgbm", ranked=False),
    Classifier(
        "HistGradientBoosting defaults", "hist_gradient_boosting_defaults", BLACK_BOX, "scikit-learn", ranked=False
    ),
)
_ALL = (
    Classifier(DEFAULT, "gnbayes_variant", OURS, "gnbayes"),
    *_BOOSTING,
    Classifier("RandomForest", "random_forest", BLACK_BOX, "scikit-learn"),
    Classifier("LogisticRegression", "logistic_regression", TRANSPARENT, "scikit-learn"),
    Classifier("WEKA AODE", "weka_aode", NETWORK, "weka"),
    Classifier("WEKA TAN", "weka_tan", NETWORK, "weka"),
    Classifier("CategoricalNB", "sklearn_categorical_nb", NETWORK, "scikit-learn"),
    Classifier("EBM", "interpret_ebm", TRANSPARENT, "interpret-core", slow=True),
    *(
        Classifier(f"{DEFAULT}:{name}", "gnbayes_variant", OURS, "gnbayes", ranked=False, arguments=arguments)
        for name, arguments in (VARIANTS | RELATIVES).items()
    ),
)
CLASSIFIERS = {classifier.name: classifier for classifier in _ALL}
FIRST_SPLIT = 1
RIVALS = tuple(name for name, classifier in CLASSIFIERS.items() if classifier.kind != OURS)
