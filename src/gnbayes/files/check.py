"""Check every part of a model file before anything is built from it."""

from __future__ import annotations

import itertools
import math
from typing import Any

from gnbayes.documents import need, part
from gnbayes.encoding import DISCRETIZERS
from gnbayes.files.check_evaluation import check_evaluation
from gnbayes.files.check_table import check_table, is_finite
from gnbayes.files.check_terms import check_joint, check_terms
from gnbayes.model import REPAIRING, SMOOTHINGS, WEIGHTINGS
from gnbayes.settings import RULES
from gnbayes.structure import INFORMATIONS, STRUCTURES

_DTYPES = {"str", "object", "bool", "float16", "float32", "float64"} | {
    f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


def check_model(model: dict[str, Any]) -> None:
    """Raise a `DocumentError` that names the first invalid part."""
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
    if WEIGHTINGS[model["settings"]["weighting"]].needs_rows:
        counted = [_coarse_size(feature, size) for feature, size in zip(model["features"], sizes, strict=True)]
        if "weights" in model:
            _check_weights(part(model, "weights", dict), n_classes, sizes, counted, model["tree"]["mother"])
        else:
            check_table(part(model, "intercept", list), (n_classes,), "intercept", is_count=False)
            check_terms(part(model, "terms", list), n_classes, sizes, model["tree"]["order"])
            ratio = model.get("spread_ratio", 1.0)
            need(type(ratio) in (int, float) and is_finite(ratio) and ratio >= 0, "spread_ratio", "must be from 0 up")
            check_joint(part(model, "joint", dict), n_classes, model["features"], sizes, edges)
    _check_counts(part(model, "counts", dict), n_classes, counted, edges)
    if "evaluation" in model:
        check_evaluation(part(model, "evaluation", dict), n_classes)


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
        has_order = "ordered" in feature and part(feature, "ordered", bool, where)
        categories = part(feature, "categories", list, where)
        n_values = _check_categories(categories, f"{where}.categories", has_order=has_order)
    if "coarse" in feature:
        coarse = part(feature, "coarse", list, where)
        is_sound = len(coarse) == n_values and all(type(code) is int for code in coarse)
        is_sound = is_sound and coarse[:1] == [0] and all(b - a in (0, 1) for a, b in itertools.pairwise(coarse))
        need(is_sound, f"{where}.coarse", "must be one code per value, from 0 up in steps of at most 1")
    need(n_values + has_missing > 0 or not n_values, where, "must have a value")
    return max(1, n_values + has_missing)


def _coarse_size(feature: dict[str, Any], size: int) -> int:
    """Number of coarse codes of a checked feature that has `size` codes."""
    return max(feature["coarse"]) + 1 + feature["has_missing"] if "coarse" in feature else size


def _check_categories(categories: list[Any], where: str, *, has_order: bool) -> int:
    kinds = {type(value) for value in categories}
    is_sound = kinds <= {str} or kinds <= {bool} or (kinds <= {int, float} and all(map(is_finite, categories)))
    need(is_sound, where, "must be all text, all true or false, or all finite numbers")
    if has_order and kinds == {str}:
        need(len(set(categories)) == len(categories), where, "must differ")
    else:
        need(_increases(categories), where, "must increase")
    return len(categories)


def _check_tree(tree: dict[str, Any], d: int) -> list[tuple[int, int]]:
    """Check the tree, and return its edges in increasing order."""
    mother, order, gain = (part(tree, key, list, "tree") for key in ("mother", "order", "gain"))
    need(len(mother) == d, "tree.mother", "must have one entry per feature")
    need(all(type(m) is int and -1 <= m < d for m in mother), "tree.mother", "must be features, or -1")
    need(all(type(j) is int and 0 <= j < d for j in order), "tree.order", "must be features")
    need(0 < len(order) == len(set(order)), "tree.order", "must be different features, at least one")
    need(len(gain) == len(order) and all(map(is_finite, gain)), "tree.gain", "must be one finite number per step")
    if "chosen" in tree:
        chosen = part(tree, "chosen", list, "tree")
        is_same = all(type(j) is int for j in chosen) and sorted(chosen) == sorted(order)
        need(is_same, "tree.chosen", "must be the features of tree.order")
    position = {feature: at for at, feature in enumerate(order)}
    for j, m in enumerate(mother):
        is_sound = m == -1 or (j in position and m in position and position[m] < position[j])
        need(is_sound, "tree.mother", "must come before the daughter in the order")
    return sorted((min(j, m), max(j, m)) for j, m in enumerate(mother) if m >= 0)


def _check_counts(counts: dict[str, Any], k: int, sizes: list[int], edges: list[tuple[int, int]]) -> None:
    check_table(part(counts, "classes", list, "counts"), (k,), "counts.classes")
    need(sum(counts["classes"]) > 0, "counts.classes", "must not all be 0")
    features, kept = part(counts, "features", list, "counts"), part(counts, "edges", list, "counts")
    need(len(features) == len(sizes), "counts.features", "must have one table per feature")
    for j, (table, size) in enumerate(zip(features, sizes, strict=True)):
        check_table(table, (size, k), f"counts.features[{j}]")
    need(len(kept) == len(edges), "counts.edges", "must be those of the tree")
    for at, (edge, (i, j)) in enumerate(zip(kept, edges, strict=True)):
        where = f"counts.edges[{at}]"
        need(isinstance(edge, dict) and edge.get("features") == [i, j], where, f"must be of features {i} and {j}")
        check_table(part(edge, "counts", list, where), (sizes[i], sizes[j], k), f"{where}.counts")


def _check_weights(weights: dict[str, Any], k: int, sizes: list[int], coarse: list[int], mother: list[int]) -> None:
    check_table(part(weights, "intercept", list, "weights"), (k,), "weights.intercept", is_count=False)
    singles, pairs = (part(weights, key, list, "weights") for key in ("features", "edges"))
    need(len(singles) == len(sizes), "weights.features", "must have one table per feature")
    for j, (table, size) in enumerate(zip(singles, sizes, strict=True)):
        check_table(table, (size, k), f"weights.features[{j}]", is_count=False)
    edges = [(m, j) for j, m in enumerate(mother) if m >= 0]
    need(len(pairs) == len(edges), "weights.edges", "must be those of the tree")
    for at, (edge, (m, j)) in enumerate(zip(pairs, edges, strict=True)):
        where = f"weights.edges[{at}]"
        need(isinstance(edge, dict) and edge.get("features") == [m, j], where, f"must be of features {m} and {j}")
        shape = (coarse[m], coarse[j], k)
        check_table(part(edge, "weights", list, where), shape, f"{where}.weights", is_count=False)


def _check_settings(settings: dict[str, Any], n_classes: int, names: list[str]) -> None:
    expected = {
        "structure", "discretizer", "n_bins", "smoothing", "alpha", "weighting", "information", "n_features",
        "categorical_features", "class_prior", "interactions", "n_fits",
    }  # fmt: skip
    need(
        set(settings) - {"class_weight", "monotonic_cst", "pooling"} == expected,
        "settings",
        f"must be {', '.join(sorted(expected))}",
    )
    _check_class_weight(settings.get("class_weight", "balanced"), n_classes)
    known = list(INFORMATIONS)
    need(settings["information"] in known, "settings.information", f"must be one of {', '.join(known)}")
    need(settings["structure"] in list(STRUCTURES), "settings.structure", f"must be one of {', '.join(STRUCTURES)}")
    smoothing = settings["smoothing"]
    need(smoothing in list(SMOOTHINGS), "settings.smoothing", f"must be one of {', '.join(SMOOTHINGS)}")
    n_bins, alpha, n_features = settings["n_bins"], settings["alpha"], settings["n_features"]
    is_number = type(n_bins) is int and n_bins >= 2
    need(n_bins == "auto" or is_number, "settings.n_bins", "must be a whole number from 2, or 'auto'")
    weighting = settings["weighting"]
    need(_is_weighting(weighting), "settings.weighting", f"must be null or {_WEIGHTING_NAMES}")
    is_both = weighting is not None and smoothing in REPAIRING
    need(not is_both, "settings.weighting", f"cannot be combined with smoothing {smoothing!r}")
    need(alpha == "auto" or _is_strength(alpha), "settings.alpha", "must be above 0 and at most 1e100, or 'auto'")
    is_both = alpha == "auto" and smoothing in REPAIRING
    need(not is_both, "settings.alpha", f"'auto' cannot be combined with smoothing {smoothing!r}")
    pooling = settings.get("pooling", {})
    is_sound = isinstance(pooling, dict) and all(name in names and _is_strength(own) for name, own in pooling.items())
    need(is_sound, "settings.pooling", "must be above 0 and at most 1e100 for names of features")
    is_number = type(n_features) is int and 1 <= n_features <= len(names)
    need(
        n_features in (None, *RULES) or is_number,
        "settings.n_features",
        "must be null, 'auto', 'few' or a number of features",
    )
    declared = settings["categorical_features"]
    is_list = isinstance(declared, list) and all(isinstance(name, str) and name in names for name in declared)
    need(declared == "from_dtype" or is_list, "settings.categorical_features", "must be 'from_dtype' or feature names")
    _check_discretizer(settings["discretizer"], names)
    _check_interactions(settings["interactions"], settings["n_fits"], names)
    signs = settings.get("monotonic_cst", {})
    is_sound = isinstance(signs, dict) and all(name in names and sign in (-1, 1) for name, sign in signs.items())
    need(is_sound, "settings.monotonic_cst", "must be -1 or 1 for names of features")
    prior = settings["class_prior"]
    is_prior = (
        isinstance(prior, list)
        and len(prior) == n_classes
        and all(type(p) in (int, float) and 0 <= p <= 1 for p in prior)
    )
    is_whole = is_prior and math.isclose(sum(prior), 1.0, rel_tol=1e-5)
    need(prior is None or is_whole, "settings.class_prior", "must be null or one probability per class")


_WEIGHTING_NAMES = " or ".join(repr(name) for name in WEIGHTINGS if name is not None)


def _is_weighting(weighting: Any) -> bool:
    return (weighting is None or isinstance(weighting, str)) and weighting in WEIGHTINGS


def _check_class_weight(weight: Any, n_classes: int) -> None:
    is_list = isinstance(weight, list) and len(weight) == n_classes
    is_sound = is_list and all(type(w) in (int, float) and w > 0 and is_finite(w) for w in weight)
    need(weight == "balanced" or is_sound, "settings.class_weight", "must be 'balanced' or a positive number per class")


def _is_strength(alpha: Any) -> bool:
    return type(alpha) in (int, float) and 0 < alpha <= 1e100


def _check_discretizer(discretizer: Any, names: list[str]) -> None:
    where = "settings.discretizer"
    if isinstance(discretizer, dict):
        for name in discretizer:
            need(name in names, where, f"names {name!r}, which is not a feature")
            need(bool(_increases(_numbers(discretizer, name, where))), where, "must have increasing edges")
    else:
        need(discretizer in list(DISCRETIZERS), where, "must be a known name or edges")


def _check_interactions(interactions: Any, n_fits: Any, names: list[str]) -> None:
    is_list = isinstance(interactions, list) and all(
        isinstance(term, list) and len(term) in (2, 3) and all(isinstance(name, str) and name in names for name in term)
        for term in interactions
    )
    is_number = type(interactions) is int and interactions >= 0
    rule = "must be 'auto', 'tree', a number of pairs, or lists of two or three feature names"
    need(interactions in ("auto", "tree") or is_number or is_list, "settings.interactions", rule)
    is_number = type(n_fits) is int and n_fits >= 1
    need(n_fits == "auto" or is_number, "settings.n_fits", "must be a whole number from 1, or 'auto'")


def _numbers(owner: dict[str, Any], key: str, where: str) -> list[float]:
    numbers: list[float] = part(owner, key, list, where)
    need(all(map(is_finite, numbers)), f"{where}.{key}", "must be finite numbers")
    return numbers


def _increases(values: list[Any]) -> bool:
    return all(a < b for a, b in itertools.pairwise(values))
