"""Write a fitted classifier to a model file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes._class_weight import class_factors
from gnbayes.counting import Counts
from gnbayes.documents import document_of, readable, write_atomically
from gnbayes.encoding import Feature
from gnbayes.estimator import GeneralizedNB
from gnbayes.evidence import Evaluation, to_document
from gnbayes.files.format import FORMAT, VERSION, check_classifier, check_kept
from gnbayes.model import LearnedParts, Term, read_interactions, read_monotonic
from gnbayes.settings import RULES
from gnbayes.structure import Tree


def save(estimator: GeneralizedNB, path: str | os.PathLike[str], *, evaluation: Evaluation | None = None) -> None:
    """Save a fitted classifier to a readable file, from which `load` restores it bit for bit.

    The file contains the features, the tree and the counts of its edges, from which all probabilities follow; for a
    weighted model also the terms, and the counts from which its joint distribution is estimated. It is written to a
    temporary file and moved into place when it is complete.

    Parameters
    ----------
    estimator : GeneralizedNB
    path : path
        By convention it ends with ``.gnb.json``.
    evaluation : Evaluation, optional
        From `gnbayes.evidence.evaluate`: scores and curves to keep with the model, so that `report` needs no rows. By
        default those that the model was loaded with, if any.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, load, save
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB().fit(X, y)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "iris.gnb.json"
    >>> save(clf, path)
    >>> bool((load(path).predict_proba(X) == clf.predict_proba(X)).all())
    True
    """
    model = describe(estimator)
    kept = estimator.evaluation_ if evaluation is None else evaluation
    if kept is not None:
        check_kept(kept, len(estimator.classes_))
        model["evaluation"] = to_document(kept)
    write_atomically(Path(path), readable(document_of(FORMAT, VERSION, "model", model)))


def describe(estimator: GeneralizedNB) -> dict[str, Any]:
    """The `model` part of a file: only dicts, lists, text and numbers."""
    check_classifier(estimator)
    tree, counts, model = estimator.tree_, estimator.counts_, estimator.model_
    described = {
        "settings": _settings(estimator),
        "classes": describe_classes(estimator.classes_),
        "has_feature_names": hasattr(estimator, "feature_names_in_"),
        "features": [describe_feature(feature) for feature in estimator.features_],
        "tree": {"mother": tree.mother.tolist(), "order": tree.order.tolist(), "gain": tree.gain.tolist()}
        | ({} if tree.chosen is None else {"chosen": tree.chosen.tolist()}),
        "counts": {
            "classes": counts.classes.tolist(),
            "features": [counts.single(j).tolist() for j in range(counts.n_features)],
            "edges": _edges(counts, tree),
        },
    }
    if estimator.alpha == "auto":
        described["alpha"] = estimator.alpha_
    if model.learned_parts is not None:
        described |= _learned(model.learned_parts, tree)
    return described


def _edges(counts: Counts, tree: Tree) -> list[dict[str, Any]]:
    """Counts of the pairs of a tree."""
    return [{"features": [i, j], "counts": counts.pair(i, j).tolist()} for i, j in tree.edges.tolist()]


def _learned(parts: LearnedParts, tree: Tree) -> dict[str, Any]:
    """Intercept, terms and joint distribution, without a given class prior, which is stored in the settings."""
    values = parts.nested.values
    return {
        "intercept": parts.learned.intercept.tolist(),
        "terms": [_term(term) for term in parts.learned.terms],
        "spread_ratio": parts.learned.spread_ratio,
        "joint": {
            "codes": [own.tolist() for own in parts.nested.maps],
            "values": [values.single(j).tolist() for j in range(values.n_features)],
            "edges": _edges(parts.nested.edges, tree),
        },
    }


def _term(term: Term) -> dict[str, Any]:
    described = {
        "features": list(term.features),
        "codes": [own.tolist() for own in term.maps],
        "table": term.table.tolist(),
        "rows": term.rows.tolist(),
    }
    return described if term.spread is None else {**described, "spread": term.spread.tolist()}


def _settings(estimator: GeneralizedNB) -> dict[str, Any]:
    discretizer = estimator.discretizer
    if not isinstance(discretizer, str):
        discretizer = {feature.name: list(feature.edges) for feature in estimator.features_ if feature.edges}
    declared = estimator.categorical_features
    if not isinstance(declared, str):
        declared = [feature.name for feature in estimator.features_ if feature.kind == "category"]
    prior = estimator.class_prior
    settings: dict[str, Any] = {
        "structure": estimator.structure,
        "discretizer": dict(discretizer) if isinstance(discretizer, Mapping) else discretizer,
        "n_bins": "auto" if estimator.n_bins == "auto" else int(estimator.n_bins),
        "smoothing": estimator.smoothing,
        "alpha": "auto" if estimator.alpha == "auto" else float(estimator.alpha),
        "weighting": estimator.weighting,
        "information": estimator.information,
        "n_features": estimator.n_features if estimator.n_features in (None, *RULES) else int(estimator.n_features),
        "categorical_features": declared,
        "class_prior": None if prior is None else np.asarray(prior, dtype=np.float64).tolist(),
        "interactions": _interactions(estimator),
        "n_fits": "auto" if estimator.n_fits == "auto" else int(estimator.n_fits),
    }
    signs = read_monotonic(estimator.monotonic_cst, estimator.features_, len(estimator.classes_))
    if signs:
        settings["monotonic_cst"] = {estimator.features_[j].name: sign for j, sign in signs.items()}
    pooled = [] if estimator.pooling_ is None else np.flatnonzero(estimator.pooling_).tolist()
    if pooled and estimator.pooling_ is not None:
        settings["pooling"] = {estimator.features_[j].name: float(estimator.pooling_[j]) for j in pooled}
    weight = estimator.class_weight
    if isinstance(weight, Mapping):
        return {**settings, "class_weight": class_factors(weight, estimator.classes_).tolist()}
    return settings if weight is None else {**settings, "class_weight": weight}


def _interactions(estimator: GeneralizedNB) -> Any:
    """The parameter with columns given by name."""
    names = [feature.name for feature in estimator.features_]
    request = read_interactions(estimator.interactions, names)
    if request.terms is not None:
        return [[names[j] for j in term] for term in request.terms]
    return estimator.interactions if isinstance(estimator.interactions, str) else request.n_more


def describe_classes(classes: NDArray[Any]) -> dict[str, Any]:
    """Classes in the form stored in a file."""
    return {"dtype": _dtype_name(classes), "values": classes.tolist()}


def describe_feature(feature: Feature) -> dict[str, Any]:
    """A feature in the form stored in a file."""
    if feature.transformer is not None:
        raise ValueError(
            f"column {feature.name!r} is cut by {feature.transformer!r}, which cannot be stored in a model file; use "
            "one of the library's discretizers, or pickle."
        )
    described: dict[str, Any] = {"name": feature.name, "kind": feature.kind, "has_missing": feature.has_missing}
    if feature.kind == "interval":
        described |= {"edges": list(feature.edges), "means": list(feature.means)}
    else:
        described |= {"categories": list(feature.categories)} | ({"ordered": True} if feature.has_order else {})
    if feature.coarse:
        described |= {"coarse": list(feature.coarse)}
    return described | {"labels": list(feature.labels)}


def _dtype_name(classes: NDArray[Any]) -> str:
    if classes.dtype.kind == "U":
        return "str"
    if classes.dtype.kind in "biuf":
        return classes.dtype.name
    if classes.dtype.kind == "O" and all(isinstance(label, str) for label in classes):
        return "object"
    raise ValueError(f"classes of type {classes.dtype} cannot be saved; use text, whole numbers or booleans.")
