"""Check the terms of a model file, and the counts of its joint distribution."""

from __future__ import annotations

import itertools
from typing import Any

from gnbayes.documents import need, part
from gnbayes.files.check_table import check_table
from gnbayes.model import MOST_FEATURES


def check_terms(terms: list[Any], k: int, sizes: list[int], used: list[int]) -> None:
    """Check terms: one to three used features, tables that fit their codes, and one single term per used feature."""
    for at, term in enumerate(terms):
        where = f"terms[{at}]"
        need(isinstance(term, dict), where, "must be an object")
        features, codes = part(term, "features", list, where), part(term, "codes", list, where)
        is_sound = 1 <= len(features) <= MOST_FEATURES and len(set(map(repr, features))) == len(features)
        is_sound = is_sound and all(type(j) is int and j in used for j in features)
        need(is_sound, f"{where}.features", "must be one to three different features of the tree")
        need(len(codes) == len(features), f"{where}.codes", "must be one list per feature")
        shape = [_check_codes(own, sizes[j], f"{where}.codes") for j, own in zip(features, codes, strict=True)]
        check_table(part(term, "table", list, where), (*shape, k), f"{where}.table", is_count=False)
        check_table(part(term, "rows", list, where), tuple(shape), f"{where}.rows")
        if "spread" in term:
            check_table(part(term, "spread", list, where), (*shape, k), f"{where}.spread")
    singles = sorted(term["features"][0] for term in terms if len(term["features"]) == 1)
    need(singles == sorted(used), "terms", "must have one term of its own for every feature of the tree")


def check_joint(
    joint: dict[str, Any], k: int, features: list[Any], sizes: list[int], edges: list[tuple[int, int]]
) -> None:
    """Check the codes between fine and coarse ones, and their counts."""
    codes, values = part(joint, "codes", list, "joint"), part(joint, "values", list, "joint")
    kept = part(joint, "edges", list, "joint")
    is_sound = len(codes) == len(values) == len(sizes)
    need(is_sound, "joint", "must have codes and values of every feature")
    joint_sizes = []
    for j, (own, table) in enumerate(zip(codes, values, strict=True)):
        joint_sizes.append(_check_codes(own, sizes[j], f"joint.codes[{j}]"))
        coarse = _coarse(features[j], sizes[j])
        is_nested = all(a == b for (c, a), (d, b) in itertools.pairwise(zip(own, coarse, strict=True)) if c == d)
        need(is_nested, f"joint.codes[{j}]", "must not join values of different coarse codes")
        check_table(table, (sizes[j], k), f"joint.values[{j}]")
    need(len(kept) == len(edges), "joint.edges", "must be those of the tree")
    for at, (edge, (i, j)) in enumerate(zip(kept, edges, strict=True)):
        where = f"joint.edges[{at}]"
        need(isinstance(edge, dict) and edge.get("features") == [i, j], where, f"must be of features {i} and {j}")
        check_table(part(edge, "counts", list, where), (joint_sizes[i], joint_sizes[j], k), f"{where}.counts")


def _check_codes(own: Any, size: int, where: str) -> int:
    """Check one code per value, from 0 up in steps of at most 1, and return the number of codes."""
    is_sound = isinstance(own, list) and len(own) == size and all(type(code) is int for code in own)
    is_sound = is_sound and own[0] == 0 and all(b - a in (0, 1) for a, b in itertools.pairwise(own))
    need(is_sound, where, "must be one code per value, from 0 up in steps of at most 1")
    return int(own[-1]) + 1


def _coarse(feature: dict[str, Any], size: int) -> list[int]:
    """Coarse code of each value; "missing", if it occurred in training, comes last."""
    coarse = feature.get("coarse", list(range(size)))
    return [*coarse, max(coarse) + 1][:size] if coarse else [0] * size
