"""A fitted classifier becomes a model file."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from gnbayes._class_weight import class_factors
from gnbayes.encoding import Feature
from gnbayes.estimator import GeneralizedNB
from gnbayes.files.document import document_of
from gnbayes.files.format import FORMAT, VERSION, check_classifier
from gnbayes.model import WeightedModel


def save(estimator: GeneralizedNB, path: str | os.PathLike[str]) -> None:
    """Write a fitted classifier to a file that people can read and `load` reads back to the same bits.

    The file holds the features, the tree and the counts of its edges, from which all probabilities follow; of a
    weighted model the learned tables, too. It is written next to its place and moved there when it is complete.

    Parameters
    ----------
    estimator : GeneralizedNB
    path : path
        By custom it ends with ``.gnb.json``.

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
    write_atomically(Path(path), readable(document_of(FORMAT, VERSION, "model", model)))


def describe(estimator: GeneralizedNB) -> dict[str, Any]:
    """The `model` part of a file: nothing but dicts, lists, text and numbers."""
    check_classifier(estimator)
    tree, counts = estimator.tree_, estimator.counts_
    edges = tree.edges.tolist()
    described = {
        "settings": _settings(estimator),
        "classes": describe_classes(estimator.classes_),
        "has_feature_names": hasattr(estimator, "feature_names_in_"),
        "features": [describe_feature(feature) for feature in estimator.features_],
        "tree": {"mother": tree.mother.tolist(), "order": tree.order.tolist(), "gain": tree.gain.tolist()},
        "counts": {
            "classes": counts.classes.tolist(),
            "features": [counts.single(j).tolist() for j in range(counts.n_features)],
            "edges": [{"features": [i, j], "counts": counts.pair(i, j).tolist()} for i, j in edges],
        },
    }
    if estimator.alpha == "auto":
        described["alpha"] = estimator.alpha_
    if isinstance(estimator.model_, WeightedModel):
        described["weights"] = _weights(estimator.model_)
    return described


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that its place never holds half of it."""
    with complete_file(path) as file:
        file.write(text.encode("utf-8", errors="surrogatepass"))


@contextmanager
def complete_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write into that comes to its place only when it is complete.

    Links are followed; what is written to a pipe or a device goes there at once.
    """
    if path.is_relative_to("/dev") or (path.exists() and not path.is_file()):
        with path.open("wb") as stream:
            yield stream
        return
    place = path.resolve()
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=place.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, place)
    except BaseException:
        os.unlink(name)
        raise


def _weights(model: WeightedModel) -> dict[str, Any]:
    """Learned tables; a given class prior is not in them, it stands among the settings."""
    mothers = model.tree.mother.tolist()
    return {
        "intercept": model.intercept.tolist(),
        "features": [table.tolist() for table in model.singles],
        "edges": [
            {"features": [mothers[j], j], "weights": table.tolist()}
            for j, table in enumerate(model.pairs)
            if table is not None
        ],
    }


def _settings(estimator: GeneralizedNB) -> dict[str, Any]:
    discretizer = estimator.discretizer
    if not isinstance(discretizer, str):
        discretizer = {feature.name: list(feature.edges) for feature in estimator.features_ if feature.edges}
    declared = estimator.categorical_features
    if not isinstance(declared, str):
        declared = [feature.name for feature in estimator.features_ if feature.kind == "category"]
    prior = estimator.class_prior
    settings = {
        "structure": estimator.structure,
        "discretizer": dict(discretizer) if isinstance(discretizer, Mapping) else discretizer,
        "n_bins": "auto" if estimator.n_bins == "auto" else int(estimator.n_bins),
        "smoothing": estimator.smoothing,
        "alpha": "auto" if estimator.alpha == "auto" else float(estimator.alpha),
        "weighting": estimator.weighting,
        "n_features": estimator.n_features if estimator.n_features in (None, "auto") else int(estimator.n_features),
        "categorical_features": declared,
        "class_prior": None if prior is None else np.asarray(prior, dtype=np.float64).tolist(),
    }
    weight = estimator.class_weight
    if isinstance(weight, Mapping):
        return {**settings, "class_weight": class_factors(weight, estimator.classes_).tolist()}
    return settings if weight is None else {**settings, "class_weight": weight}


def describe_classes(classes: NDArray[Any]) -> dict[str, Any]:
    """Classes as a file has them."""
    return {"dtype": _dtype_name(classes), "values": classes.tolist()}


def describe_feature(feature: Feature) -> dict[str, Any]:
    """A feature as a file has it."""
    if feature.transformer is not None:
        raise ValueError(
            f"column {feature.name!r} is cut by {feature.transformer!r}, which a model file cannot hold; use one of "
            "the library's discretizers, or pickle."
        )
    described: dict[str, Any] = {"name": feature.name, "kind": feature.kind, "has_missing": feature.has_missing}
    if feature.kind == "interval":
        described |= {"edges": list(feature.edges), "means": list(feature.means)}
    else:
        described |= {"categories": list(feature.categories)}
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


def readable(document: dict[str, Any]) -> str:
    """JSON with a line for every key, and innermost lists on one line."""
    return _lines(document, 0) + "\n"


def _lines(value: Any, depth: int) -> str:
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict) and value:
        items = [f"{inner}{_plain(key)}: {_lines(item, depth + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(items) + f"\n{outer}}}"
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return "[\n" + ",\n".join(inner + _lines(item, depth + 1) for item in value) + f"\n{outer}]"
    return _plain(value)


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
