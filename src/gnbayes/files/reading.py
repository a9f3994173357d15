"""A model file becomes a fitted classifier: parse, check, build. Nothing in a file is ever executed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.encoding import Feature
from gnbayes.estimator import GeneralizedNB
from gnbayes.files.check import check_model
from gnbayes.files.document import parse_document, read_bytes
from gnbayes.files.format import FORMAT, VERSION, ModelFileError
from gnbayes.model import Weights, build_model, build_weighted_model
from gnbayes.structure import Tree

# A file larger than this is no model file of ours.
MAX_BYTES = 2**30


def load(path: str | os.PathLike[str]) -> GeneralizedNB:
    """Read a classifier that `save` has written.

    Parameters
    ----------
    path : path

    Returns
    -------
    estimator : GeneralizedNB
        Fitted; it gives the same probabilities to the last bit. It keeps the counts of its own tree only, so
        `partial_fit` goes on from it with ``structure="nb"`` alone.

    Raises
    ------
    ModelFileError
        For every file that is not a whole and sound model file. A file that cannot be opened raises OSError.
    """
    path = Path(path)
    model = parse(read_bytes(path, "model", MAX_BYTES), path.name)
    try:
        check_model(model)
        return build(model)
    except ModelFileError as error:
        raise ModelFileError(f"{path.name} is not a sound model file: {error}") from None


def parse(data: bytes, name: str) -> dict[str, Any]:
    """The `model` part of a file whose frame is right: format, version and checksum."""
    version, model = parse_document(data, name, FORMAT, VERSION, "model")
    return _as_version_2(model) if version == 1 else model


def _as_version_2(model: dict[str, Any]) -> dict[str, Any]:
    """A `model` part of version 1, which knew no weights."""
    settings = model.get("settings")
    return {**model, "settings": {**settings, "weighting": None}} if isinstance(settings, dict) else model


def build(model: dict[str, Any]) -> GeneralizedNB:
    """The classifier of a checked `model` part."""
    settings = model["settings"]
    given = settings["alpha"] if settings["alpha"] == "auto" else float(settings["alpha"])
    classes = classes_of(model["classes"])
    weight = settings.get("class_weight")
    if isinstance(weight, list):
        weight = dict(zip(classes.tolist(), map(float, weight), strict=True))
    estimator = GeneralizedNB(**{**settings, "alpha": given, "class_weight": weight})
    features = [feature_of(described) for described in model["features"]]
    tree = Tree(
        np.array(model["tree"]["mother"], dtype=np.intp),
        np.array(model["tree"]["order"], dtype=np.intp),
        np.array(model["tree"]["gain"], dtype=np.float64),
    )
    is_weighted = settings["weighting"] is not None
    sizes = [feature.coarse_cardinality if is_weighted else feature.cardinality for feature in features]
    counts = _counts(model["counts"], sizes)
    prior = None if settings["class_prior"] is None else np.array(settings["class_prior"], dtype=np.float64)
    estimator.classes_, estimator.features_, estimator.tree_, estimator.counts_ = classes, features, tree, counts
    estimator.alpha_ = float(model["alpha"] if given == "auto" else given)
    if is_weighted:
        weights = _weights(model["weights"], len(features))
        estimator.model_ = build_weighted_model(features, classes, tree, counts, weights, prior)
    else:
        how = (settings["smoothing"], estimator.alpha_, prior)
        estimator.model_ = build_model(features, classes, tree, counts, *how)
    estimator.n_features_in_ = len(features)
    if model["has_feature_names"]:
        estimator.feature_names_in_ = np.array([feature.name for feature in features], dtype=object)
    return estimator


def feature_of(described: dict[str, Any]) -> Feature:
    """The feature of a checked description."""
    name, kind, has_missing = described["name"], described["kind"], described["has_missing"]
    coarse = tuple(described.get("coarse", ()))
    if kind == "interval":
        edges, means = (tuple(map(float, described[key])) for key in ("edges", "means"))
        return Feature(name, kind, edges, means, has_missing=has_missing, coarse=coarse)
    categories = tuple(
        float(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for value in described["categories"]
    )
    return Feature(name, kind, categories=categories, has_missing=has_missing, coarse=coarse)


def classes_of(described: dict[str, Any]) -> NDArray[Any]:
    """The classes of a checked description."""
    return np.array(described["values"], dtype=described["dtype"])


def _weights(described: dict[str, Any], n_features: int) -> Weights:
    pairs: list[NDArray[np.float64] | None] = [None] * n_features
    for edge in described["edges"]:
        pairs[edge["features"][1]] = np.array(edge["weights"], dtype=np.float64)
    singles = [np.array(table, dtype=np.float64) for table in described["features"]]
    return Weights(np.array(described["intercept"], dtype=np.float64), singles, pairs)


def _counts(described: dict[str, Any], sizes: list[int]) -> Counts:
    numbers = (described["classes"], described["features"], [edge["counts"] for edge in described["edges"]])
    dtype = np.int64 if all(type(number) is int for part in numbers for number in _flat(part)) else np.float64
    edges = np.array([edge["features"] for edge in described["edges"]], dtype=np.intp).reshape(-1, 2)
    cells = [np.array(edge["counts"], dtype=dtype).ravel() for edge in described["edges"]]
    return Counts(
        np.array(sizes, dtype=np.intp),
        np.array(described["classes"], dtype=dtype),
        np.concatenate([np.array(table, dtype=dtype) for table in described["features"]]),
        edges,
        np.concatenate(cells) if cells else np.zeros(0, dtype=dtype),
    )


def _flat(part: Any) -> Any:
    if isinstance(part, list):
        for item in part:
            yield from _flat(item)
    else:
        yield part
