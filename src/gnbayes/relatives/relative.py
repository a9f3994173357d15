"""The parameters shared by the related classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar

from numpy.typing import NDArray

from gnbayes._sklearn import HasMethods, Interval, StrOptions
from gnbayes.base import BaseBayes, check_classes, check_prior
from gnbayes.counting import Counts
from gnbayes.encoding import DISCRETIZERS
from gnbayes.settings import Settings


class Relative(BaseBayes):
    """A classifier related to `GeneralizedNB`."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "discretizer": [StrOptions(set(DISCRETIZERS)), Mapping, HasMethods(["fit", "transform"])],
        "n_bins": [Interval(Integral, 2, None, closed="left")],
        "alpha": [Interval(Real, 0, 1e100, closed="right")],
        "categorical_features": [StrOptions({"from_dtype"}), "array-like"],
        "class_prior": ["array-like", None],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    discretizer: Any
    n_bins: int
    smoothing: str = "additive"  # a parameter only of classifiers with a choice
    alpha: float
    categorical_features: Any
    class_prior: Any
    verbose: int
    counts_: Counts
    model_: Any

    # A name as in `GeneralizedNB`; all pairs are counted unless it is "nb".
    _structure: ClassVar[str]

    def _settings(self, classes: NDArray[Any], n_columns: int, *, in_batches: bool) -> Settings:
        check_classes(classes)
        return Settings(
            structure=self._structure,
            discretizer=self.discretizer,
            n_bins=self.n_bins,
            smoothing=self.smoothing,
            alpha=self.alpha,
            weighting=None,
            information="plug-in",
            n_features=None,
            categorical_features=self.categorical_features,
            class_prior=check_prior(self.class_prior, len(classes)),
            n_jobs=self.n_jobs,
            verbose=self.verbose,
        )
