"""Features that sites agree on before they count: how every site turns its rows into codes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.documents import checksum
from gnbayes.encoding import Feature
from gnbayes.estimator import GeneralizedNB
from gnbayes.files.writing import describe_classes, describe_feature
from gnbayes.scale import TableSummary


@dataclass(frozen=True, eq=False)
class SiteFeatures:
    """What sites agree on before they count.

    Parameters
    ----------
    features : tuple of Feature
    classes : ndarray of shape (k,)
    target : str
        The column of the classes.
    """

    features: tuple[Feature, ...]
    classes: NDArray[Any]
    target: str

    @property
    def names(self) -> tuple[str, ...]:
        """Columns of the features."""
        return tuple(feature.name for feature in self.features)

    @property
    def cardinalities(self) -> NDArray[np.intp]:
        """Number of values of each feature, shape (d,)."""
        return np.array([feature.cardinality for feature in self.features], dtype=np.intp)

    @cached_property
    def fingerprint(self) -> str:
        """A checksum that is the same for the same features, classes and target alone."""
        return checksum(describe_features(self))


def propose_features(summary: TableSummary, target: str, clf: GeneralizedNB | None = None) -> SiteFeatures:
    """The Features of a summary: of one site, or of several that are merged.

    Parameters
    ----------
    summary : TableSummary
    target : str
    clf : GeneralizedNB, optional
        Its `discretizer`, `n_bins`, `categorical_features` and `weighting` say how columns are cut; five quantiles by
        default.
    """
    clf = GeneralizedNB(n_bins=5, weighting=None) if clf is None else clf
    if len(summary.classes) < 2:
        raise ValueError(f"target {target!r} has {len(summary.classes)} classes; two or more are needed.")
    return SiteFeatures(tuple(summary.features(clf)), summary.classes, target)


def describe_features(features: SiteFeatures) -> dict[str, Any]:
    """Features as dicts, lists, text and numbers."""
    return {
        "target": features.target,
        "classes": describe_classes(features.classes),
        "features": [describe_feature(feature) for feature in features.features],
    }
