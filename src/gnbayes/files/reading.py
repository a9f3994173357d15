"""Load a model file: parse, check, build. Nothing in a file is ever executed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.documents import DocumentError, parse_document, read_bytes
from gnbayes.encoding import Feature
from gnbayes.estimator import GeneralizedNB
from gnbayes.evidence import from_document
from gnbayes.files.check import check_model
from gnbayes.files.format import FORMAT, VERSION, ModelFileError
from gnbayes.learned_elsewhere import set_fitted
from gnbayes.model import (
    WEIGHTINGS,
    FittedTables,
    LearnedParts,
    LearnedTerms,
    Model,
    NestedCounts,
    Term,
    TermSpec,
    build_model,
    build_weighted_model,
    nested_from_coarse,
    terms_of_tables,
    tree_terms,
)
from gnbayes.pipeline import Learned
from gnbayes.structure import Tree

# No valid model file is larger than this.
MAX_BYTES = 2**30


def load(path: str | os.PathLike[str]) -> GeneralizedNB:
    """Load a classifier written by `save`.

    Parameters
    ----------
    path : path

    Returns
    -------
    estimator : GeneralizedNB
        Fitted; its probabilities are bit-identical. It keeps only the counts of its own tree, so `partial_fit` can
        continue only with ``structure="nb"``.

    Raises
    ------
    ModelFileError
        If the file is not a complete and valid model file. A file that cannot be opened raises OSError. Pipes and
        devices are not supported.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, load, save
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "iris.gnb.json"
    >>> save(GeneralizedNB(weighting=None).fit(*load_iris(return_X_y=True)), path)
    >>> load(path).classes_.tolist()
    [0, 1, 2]
    """
    path = Path(path)
    try:
        model = parse(read_bytes(path, "model", MAX_BYTES), path.name)
    except DocumentError as error:
        raise ModelFileError(str(error)) from None
    try:
        check_model(model)
        return build(model)
    except DocumentError as error:
        raise ModelFileError(f"{path.name} is not a valid model file: {error}") from None


def parse(data: bytes, name: str) -> dict[str, Any]:
    """The `model` part of a file with a valid format, version and checksum."""
    version, model = parse_document(data, name, FORMAT, VERSION, "model")
    settings = model.get("settings")
    if not isinstance(settings, dict):
        return model
    # The first files had no weights and one kind of information; later ones had only the tree's pairs and one fit.
    before = {"information": "plug-in", "interactions": "tree", "n_fits": 1}
    settings = {**before, **settings} | ({"weighting": None} if version == 1 else {})
    return {**model, "settings": settings}


def build(model: dict[str, Any]) -> GeneralizedNB:
    """The classifier of a checked `model` part."""
    settings = model["settings"]
    given = settings["alpha"] if settings["alpha"] == "auto" else float(settings["alpha"])
    classes = classes_of(model["classes"])
    weight = settings.get("class_weight")
    if isinstance(weight, list):
        weight = dict(zip(classes.tolist(), map(float, weight), strict=True))
    interactions = settings["interactions"]
    if isinstance(interactions, list):
        interactions = [tuple(term) for term in interactions]
    pooled = settings.get("pooling", {})
    settings = {name: value for name, value in settings.items() if name != "pooling"}
    changed = {"alpha": given, "class_weight": weight, "interactions": interactions}
    estimator = GeneralizedNB(**{**settings, **changed})
    features = [feature_of(described) for described in model["features"]]
    tree = Tree(
        np.array(model["tree"]["mother"], dtype=np.intp),
        np.array(model["tree"]["order"], dtype=np.intp),
        np.array(model["tree"]["gain"], dtype=np.float64),
        np.array(model["tree"]["chosen"], dtype=np.intp) if "chosen" in model["tree"] else None,
    )
    has_terms = WEIGHTINGS[settings["weighting"]].needs_rows
    sizes = [feature.coarse_cardinality if has_terms else feature.cardinality for feature in features]
    counts = _counts(model["counts"], sizes)
    prior = None if settings["class_prior"] is None else np.array(settings["class_prior"], dtype=np.float64)
    alpha = float(model["alpha"] if given == "auto" else given)
    pooling = np.array([pooled.get(feature.name, 0.0) for feature in features]) if pooled else None
    if has_terms:
        parts = _learned(model, features, tree, counts)
        fitted: Model = build_weighted_model(features, classes, tree, parts, counts, prior)
    else:
        fitted = build_model(features, classes, tree, counts, settings["smoothing"], alpha, prior, pooling)
    learned = Learned(features, counts, tree, fitted, alpha, pooling=pooling)
    set_fitted(estimator, classes, learned, has_names=model["has_feature_names"])
    estimator.evaluation_ = from_document(model["evaluation"]) if "evaluation" in model else None
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
    has_order = described.get("ordered", False)
    return Feature(name, kind, categories=categories, has_missing=has_missing, coarse=coarse, has_order=has_order)


def classes_of(described: dict[str, Any]) -> NDArray[Any]:
    """The classes of a checked description."""
    return np.array(described["values"], dtype=described["dtype"])


def _learned(model: dict[str, Any], features: list[Feature], tree: Tree, counts: Counts) -> LearnedParts:
    """Terms and joint distribution; a file of version 2 has only tables of the tree and coarse counts."""
    if "weights" in model:
        nested = nested_from_coarse(features, counts)
        specs = tree_terms(features, tree)
        return LearnedParts(terms_of_tables(specs, _tables(model["weights"], specs), nested), nested)
    intercept = np.array(model["intercept"], dtype=np.float64)
    learned = LearnedTerms(intercept, tuple(map(_term, model["terms"])), float(model.get("spread_ratio", 1.0)))
    return LearnedParts(learned, _nested(model["joint"], counts))


def _term(described: dict[str, Any]) -> Term:
    return Term(
        tuple(described["features"]),
        tuple(np.array(own, dtype=np.intp) for own in described["codes"]),
        np.array(described["table"], dtype=np.float64),
        np.array(described["rows"], dtype=np.float64),
        spread=np.array(described["spread"], dtype=np.float64) if "spread" in described else None,
    )


def _nested(described: dict[str, Any], counts: Counts) -> NestedCounts:
    maps = tuple(np.array(own, dtype=np.intp) for own in described["codes"])
    classes = counts.classes.tolist()
    values = {"classes": classes, "features": described["values"], "edges": []}
    summed = []
    for own, table in zip(maps, described["values"], strict=True):
        rows = np.array(table)
        total = np.zeros((int(own.max()) + 1, rows.shape[1]), dtype=rows.dtype)
        np.add.at(total, own, rows)
        summed.append(total.tolist())
    edges = {"classes": classes, "features": summed, "edges": described["edges"]}
    sizes = [int(own.max()) + 1 for own in maps]
    return NestedCounts(maps, _counts(values, [len(own) for own in maps]), _counts(edges, sizes))


def _tables(described: dict[str, Any], specs: Sequence[TermSpec]) -> FittedTables:
    """Intercept and tables of a file of version 2, in the order of the terms of a tree."""
    pairs = {tuple(edge["features"]): edge["weights"] for edge in described["edges"]}
    tables = [
        described["features"][spec.features[0]] if len(spec.features) == 1 else pairs[spec.features] for spec in specs
    ]
    intercept = np.array(described["intercept"], dtype=np.float64)
    return FittedTables(intercept, tuple(np.array(table, dtype=np.float64) for table in tables))


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
