"""The features file: written by the coordinator, read by every site."""

from __future__ import annotations

import os
from typing import Any

from gnbayes.documents import need, part
from gnbayes.files.check import check_classes, check_feature
from gnbayes.files.reading import classes_of, feature_of
from gnbayes.scale.exchange_files import read_site_file, write_site_file
from gnbayes.sites.site_features import SiteFeatures, describe_features

_REVEALS = (
    "All categories; for every column of numbers the cuts, which lie at or between its values, and "
    "the mean of the numbers in each interval; whether values are missing; and the classes. No numbers of rows."
)


def save_features(features: SiteFeatures, path: str | os.PathLike[str]) -> None:
    """Write a features file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import load_features, propose_features, save_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> with TemporaryDirectory() as folder:
    ...     save_features(features, f"{folder}/features.json")
    ...     print(load_features(f"{folder}/features.json").names == features.names)
    True
    """
    write_site_file(path, "features", {"reveals": _REVEALS, **describe_features(features)})


def load_features(path: str | os.PathLike[str]) -> SiteFeatures:
    """Read a features file; raise SiteFileError if it is incomplete or invalid.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import load_features, propose_features, save_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> with TemporaryDirectory() as folder:
    ...     save_features(features, f"{folder}/features.json")
    ...     again = load_features(f"{folder}/features.json")
    >>> again.fingerprint == features.fingerprint
    True
    """
    return read_site_file(path, "features", build_features)


def build_features(content: dict[str, Any]) -> SiteFeatures:
    """Build features from a document, and check them."""
    classes = part(content, "classes", dict, "features")
    check_classes(classes)
    described = part(content, "features", list, "features")
    need(bool(described), "features", "must not be empty")
    for j, feature in enumerate(described):
        check_feature(feature, f"features[{j}]")
    names = [feature["name"] for feature in described]
    target = part(content, "target", str, "features")
    need(len({*names, target}) == len(names) + 1, "features", "must have different names, which are not the target's")
    return SiteFeatures(tuple(map(feature_of, described)), classes_of(classes), target)
