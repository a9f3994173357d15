"""Check every part of a model file before anything is built from it."""

from __future__ import annotations

import itertools
import math
from typing import Any

from gnbayes.files.format import ModelFileError
from gnbayes.learning import STRUCTURES

_DTYPES = {"str", "object", "bool", "float16", "float32", "float64"} | {
    f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


def check_model(model: dict[str, Any]) -> None:
    """Raise a `ModelFileError` that names the first part that is wrong."""
    n_classes = check_classes(part(model, "classes", dict))
    sizes = [check_feature(feature, f"features[{j}]") for j, feature in enumerate(part(model, "features", list))]
    need(bool(sizes), "features", "must not be empty")
    names = [feature["name"] for feature in model["features"]]
    need(len(set(names)) == len(names), "features", "must have different names")
    part(model, "has_feature_names", bool)
    edges = _check_tree(part(model, "tree", dict), len(sizes))
    _check_settings(part(model, "settings", dict), n_classes, names)
    if model["settings"]["alpha"] == "auto":
        need(_is_strength(model.get("alpha")), "alpha", "must be above 0 and at most 1e100")
    counted = sizes
    if model["settings"]["weighting"] is not None:
        counted = [_coarse_size(feature, size) for feature, size in zip(model["features"], sizes, strict=True)]
        _check_weights(part(model, "weights", dict), n_classes, sizes, counted, model["tree"]["mother"])
    _check_counts(part(model, "counts", dict), n_classes, counted, edges)


def check_classes(classes: dict[str, Any], least: int = 2) -> int:
    """Check the classes, and return their number."""
    values, dtype = part(classes, "values", list), part(classes, "dtype", str)
    need(dtype in _DTYPES, "classes.dtype", "is not a type of classes")
    need(len(values) >= least, "classes.values", "must be two or more")
    if dtype in ("str", "object"):
        kinds: tuple[type, ...] = (str,)
    elif dtype == "bool":
        kinds = (bool,)
    else:
        kinds = (int, float) if dtype.startswith("float") else (int,)
    need(all(type(value) in kinds for value in values), "classes.values", f"must all be of type {dtype}")
    if dtype not in ("str", "object", "bool") and not dtype.startswith("float"):
        bits = int(dtype.removeprefix("u").removeprefix("int"))
        low, high = (0, 2**bits - 1) if dtype[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        need(all(low <= value <= high for value in values), "classes.values", f"must be in the range of {dtype}")
    need(all(a < b for a, b in itertools.pairwise(values)), "classes.values", "must increase")
    return len(values)


def check_feature(feature: Any, where: str) -> int:
    """Check one feature, and return its number of values."""
    need(isinstance(feature, dict), where, "must be an object")
    part(feature, "name", str, where)
    has_missing = part(feature, "has_missing", bool, where)
    if part(feature, "kind", str, where) == "interval":
        edges, means = _numbers(feature, "edges", where), _numbers(feature, "means", where)
        need(_increases(edges), f"{where}.edges", "must increase")
        need(len(means) == len(edges) + 1, f"{where}.means", "must be one more than the edges")
        n_values = len(means)
    else:
        need(feature["kind"] == "category", f"{where}.kind", "must be 'interval' or 'category'")
        n_values = _check_categories(part(feature, "categories", list, where), f"{where}.categories")
    if "coarse" in feature:
        coarse = part(feature, "coarse", list, where)
        is_sound = len(coarse) == n_values and all(type(code) is int for code in coarse)
        is_sound = is_sound and coarse[:1] == [0] and all(b - a in (0, 1) for a, b in itertools.pairwise(coarse))
        need(is_sound, f"{where}.coarse", "must be one code a value, from 0 up in steps of at most 1")
    need(n_values + has_missing > 0 or not n_values, where, "must have a value")
    return max(1, n_values + has_missing)


def _coarse_size(feature: dict[str, Any], size: int) -> int:
    """Number of coarse codes of a checked feature that has `size` codes."""
    return max(feature["coarse"]) + 1 + feature["has_missing"] if "coarse" in feature else size


def _check_categories(categories: list[Any], where: str) -> int:
    kinds = {type(value) for value in categories}
    is_sound = kinds <= {str} or kinds <= {bool} or (kinds <= {int, float} and all(map(_is_finite, categories)))
    need(is_sound, where, "must be all text, all true or false, or all finite numbers")
    need(_increases(categories), where, "must increase")
    return len(categories)


def _check_tree(tree: dict[str, Any], d: int) -> list[tuple[int, int]]:
    """Check the tree, and return its edges in increasing order."""
    mother, order, gain = (part(tree, key, list, "tree") for key in ("mother", "order", "gain"))
    need(len(mother) == d, "tree.mother", "must have one entry a feature")
    need(all(type(m) is int and -1 <= m < d for m in mother), "tree.mother", "must be features, or -1")
    need(all(type(j) is int and 0 <= j < d for j in order), "tree.order", "must be features")
    need(0 < len(order) == len(set(order)), "tree.order", "must be different features, at least one")
    need(len(gain) == len(order) and all(map(_is_finite, gain)), "tree.gain", "must be one finite number a step")
    position = {feature: at for at, feature in enumerate(order)}
    for j, m in enumerate(mother):
        is_sound = m == -1 or (j in position and m in position and position[m] < position[j])
        need(is_sound, "tree.mother", "must come before the daughter in the order")
    return sorted((min(j, m), max(j, m)) for j, m in enumerate(mother) if m >= 0)


def _check_counts(counts: dict[str, Any], k: int, sizes: list[int], edges: list[tuple[int, int]]) -> None:
    _check_table(part(counts, "classes", list, "counts"), (k,), "counts.classes")
    need(sum(counts["classes"]) > 0, "counts.classes", "must not all be 0")
    features, kept = part(counts, "features", list, "counts"), part(counts, "edges", list, "counts")
    need(len(features) == len(sizes), "counts.features", "must have one table a feature")
    for j, (table, size) in enumerate(zip(features, sizes, strict=True)):
        _check_table(table, (size, k), f"counts.features[{j}]")
    need(len(kept) == len(edges), "counts.edges", "must be those of the tree")
    for at, (edge, (i, j)) in enumerate(zip(kept, edges, strict=True)):
        where = f"counts.edges[{at}]"
        need(isinstance(edge, dict) and edge.get("features") == [i, j], where, f"must be of features {i} and {j}")
        _check_table(part(edge, "counts", list, where), (sizes[i], sizes[j], k), f"{where}.counts")


def _check_weights(weights: dict[str, Any], k: int, sizes: list[int], coarse: list[int], mother: list[int]) -> None:
    _check_table(part(weights, "intercept", list, "weights"), (k,), "weights.intercept", is_count=False)
    singles, pairs = (part(weights, key, list, "weights") for key in ("features", "edges"))
    need(len(singles) == len(sizes), "weights.features", "must have one table a feature")
    for j, (table, size) in enumerate(zip(singles, sizes, strict=True)):
        _check_table(table, (size, k), f"weights.features[{j}]", is_count=False)
    edges = [(m, j) for j, m in enumerate(mother) if m >= 0]
    need(len(pairs) == len(edges), "weights.edges", "must be those of the tree")
    for at, (edge, (m, j)) in enumerate(zip(pairs, edges, strict=True)):
        where = f"weights.edges[{at}]"
        need(isinstance(edge, dict) and edge.get("features") == [m, j], where, f"must be of features {m} and {j}")
        shape = (coarse[m], coarse[j], k)
        _check_table(part(edge, "weights", list, where), shape, f"{where}.weights", is_count=False)


def _check_table(table: Any, shape: tuple[int, ...], where: str, *, is_count: bool = True) -> None:
    """Nested lists of the given shape, of finite numbers from 0, or of any that are far from the limit of floats."""
    need(isinstance(table, list) and len(table) == shape[0], where, f"must be a table of shape {shape}")
    for item in table:
        if len(shape) > 1:
            _check_table(item, shape[1:], where, is_count=is_count)
        elif is_count:
            is_sound = type(item) in (int, float) and 0 <= item < 2**62 and _is_finite(item)
            need(is_sound, where, "must be counts, finite numbers from 0")
        else:
            is_sound = type(item) in (int, float) and -1e100 < item < 1e100
            need(is_sound, where, "must be numbers between -1e100 and 1e100")


def _check_settings(settings: dict[str, Any], n_classes: int, names: list[str]) -> None:
    expected = {
        "structure", "discretizer", "n_bins", "smoothing", "alpha", "weighting", "n_features", "categorical_features",
        "class_prior",
    }  # fmt: skip
    need(set(settings) - {"class_weight"} == expected, "settings", f"must be {', '.join(sorted(expected))}")
    _check_class_weight(settings.get("class_weight", "balanced"), n_classes)
    need(settings["structure"] in list(STRUCTURES), "settings.structure", f"must be one of {', '.join(STRUCTURES)}")
    smoothings = ["additive", "backoff", "paper"]
    need(settings["smoothing"] in smoothings, "settings.smoothing", f"must be one of {', '.join(smoothings)}")
    n_bins, alpha, n_features = settings["n_bins"], settings["alpha"], settings["n_features"]
    is_number = type(n_bins) is int and n_bins >= 2
    need(n_bins == "auto" or is_number, "settings.n_bins", "must be a whole number from 2, or 'auto'")
    weighting = settings["weighting"]
    need(weighting in (None, "discriminative"), "settings.weighting", "must be null or 'discriminative'")
    is_both = weighting is not None and settings["smoothing"] == "paper"
    need(not is_both, "settings.weighting", "does not go with smoothing 'paper'")
    need(alpha == "auto" or _is_strength(alpha), "settings.alpha", "must be above 0 and at most 1e100, or 'auto'")
    is_both = alpha == "auto" and settings["smoothing"] == "paper"
    need(not is_both, "settings.alpha", "'auto' does not go with smoothing 'paper'")
    is_number = type(n_features) is int and 1 <= n_features <= len(names)
    need(
        n_features in (None, "auto") or is_number, "settings.n_features", "must be null, 'auto' or a number of features"
    )
    declared = settings["categorical_features"]
    is_list = isinstance(declared, list) and all(isinstance(name, str) and name in names for name in declared)
    need(declared == "from_dtype" or is_list, "settings.categorical_features", "must be 'from_dtype' or feature names")
    _check_discretizer(settings["discretizer"], names)
    prior = settings["class_prior"]
    is_prior = (
        isinstance(prior, list)
        and len(prior) == n_classes
        and all(type(p) in (int, float) and 0 <= p <= 1 for p in prior)
    )
    is_whole = is_prior and math.isclose(sum(prior), 1.0, rel_tol=1e-5)
    need(prior is None or is_whole, "settings.class_prior", "must be null or one probability a class")


def _check_class_weight(weight: Any, n_classes: int) -> None:
    is_list = isinstance(weight, list) and len(weight) == n_classes
    is_sound = is_list and all(type(w) in (int, float) and w > 0 and _is_finite(w) for w in weight)
    need(weight == "balanced" or is_sound, "settings.class_weight", "must be 'balanced' or a positive number per class")


def _is_strength(alpha: Any) -> bool:
    return type(alpha) in (int, float) and 0 < alpha <= 1e100


def _check_discretizer(discretizer: Any, names: list[str]) -> None:
    where = "settings.discretizer"
    if isinstance(discretizer, dict):
        for name in discretizer:
            need(name in names, where, f"names {name!r}, which is no feature")
            need(bool(_increases(_numbers(discretizer, name, where))), where, "must have increasing edges")
    else:
        need(discretizer in ("quantile", "uniform", "mdlp"), where, "must be a known name or edges")


def part(owner: dict[str, Any], key: str, kind: type, where: str = "model") -> Any:
    """A part of an object, which must be there and of a type."""
    need(key in owner, where, f"lacks {key!r}")
    need(type(owner[key]) is kind, f"{where}.{key}", f"must be of type {kind.__name__}")
    return owner[key]


def _numbers(owner: dict[str, Any], key: str, where: str) -> list[float]:
    numbers: list[float] = part(owner, key, list, where)
    need(all(map(_is_finite, numbers)), f"{where}.{key}", "must be finite numbers")
    return numbers


def _is_finite(number: Any) -> bool:
    if type(number) is int:
        return abs(number) < 2**1023
    return type(number) is float and math.isfinite(number)


def _increases(values: list[Any]) -> bool:
    return all(a < b for a, b in itertools.pairwise(values))


def need(is_so: bool, where: str, rule: str) -> None:
    """Raise an error where a rule is broken."""
    if not is_so:
        raise ModelFileError(f"{where} {rule}")
