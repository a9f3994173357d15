"""The features that sites agree on before they count: how every site encodes its rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
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

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import propose_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> features.target, features.classes.tolist(), features.cardinalities.tolist()
    ('target', [0, 1, 2], [5, 5, 5, 5])
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
        """A checksum of features, classes and target."""
        return checksum(describe_features(self))


def propose_features(summary: TableSummary, target: str, clf: GeneralizedNB | None = None) -> SiteFeatures:
    """Propose features from the summary of one site, or the merged summaries of several.

    Parameters
    ----------
    summary : TableSummary
    target : str
    clf : GeneralizedNB, optional
        Its `discretizer`, `n_bins`, `categorical_features` and `weighting` determine how columns are cut; five
        quantiles by default.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import propose_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> features.names[3], features.features[3].edges
    ('petal width (cm)', (0.2, 1.2, 1.5, 1.9))
    """
    clf = GeneralizedNB(n_bins=5, weighting=None) if clf is None else clf
    if len(summary.classes) < 2:
        raise ValueError(f"target {target!r} has {len(summary.classes)} classes; two or more are needed.")
    return SiteFeatures(tuple(summary.features(clf)), summary.classes, target)


def with_middles(features: SiteFeatures) -> SiteFeatures:
    """The same features, with the mean of each interval replaced by its midpoint.

    Means are computed from rows, and noise in counts does not protect them. If edges, categories and classes were
    agreed beforehand, nothing in the resulting features comes from rows. An unbounded interval is represented by its
    edge.

    Examples
    --------
    >>> import pandas as pd
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import propose_features, with_middles
    >>> rows = pd.DataFrame({"age": [31.0, 47.0, 52.0, 71.0], "ill": ["no", "yes", "no", "yes"]})
    >>> agreed = GeneralizedNB(discretizer={"age": [40, 60]}, n_bins=5, weighting=None)
    >>> features = propose_features(summarize(rows, "ill"), "ill", agreed)
    >>> features.features[0].means, with_middles(features).features[0].means
    ((31.0, 49.5, 71.0), (39.99999999999999, 50.0, 60.0))
    """
    return replace(features, features=tuple(map(_with_middles, features.features)))


def _with_middles(feature: Feature) -> Feature:
    if not feature.edges:
        return feature
    edges = np.array(feature.edges, dtype=np.float64)
    middles = (edges[:-1] + edges[1:]) / 2
    return replace(feature, means=(float(np.nextafter(edges[0], -np.inf)), *middles.tolist(), float(edges[-1])))


def describe_features(features: SiteFeatures) -> dict[str, Any]:
    """Return features as a document of dicts, lists, strings and numbers."""
    return {
        "target": features.target,
        "classes": describe_classes(features.classes),
        "features": [describe_feature(feature) for feature in features.features],
    }
