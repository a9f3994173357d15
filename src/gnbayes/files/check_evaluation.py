"""Check the evaluation stored in a model file."""

from __future__ import annotations

import itertools
from typing import Any

from gnbayes.documents import need, part
from gnbayes.evidence.kept_document import CURVE, DISTANCES, OVERALL
from gnbayes.files.check_table import is_finite

_MOST_POINTS = 50


def check_evaluation(evaluation: dict[str, Any], n_classes: int) -> None:
    """Check the evaluation of a model with this number of classes."""
    for name in ("rows", "folds", "fits"):
        need(part(evaluation, name, int, "evaluation") > 0, f"evaluation.{name}", "must be above 0")
    part(evaluation, "has_groups", bool, "evaluation")
    _check_classification(part(evaluation, "classification", dict, "evaluation"), n_classes)
    classes = part(evaluation, "classes", list, "evaluation")
    need(len(classes) == n_classes, "evaluation.classes", "must be one per class")
    for at, found in enumerate(classes):
        where = f"evaluation.classes[{at}]"
        need(isinstance(found, dict), where, "must be an object")
        _check_class(found, where)
        n_rows = sum(found["events"]) + sum(found["others"])
        need(n_rows == evaluation["rows"], f"{where}.events", "must add up to the rows, together with others")


def _check_classification(found: dict[str, Any], n_classes: int) -> None:
    where = "evaluation.classification"
    confusion = part(found, "confusion", list, where)
    is_square = len(confusion) == n_classes and all(isinstance(r, list) and len(r) == n_classes for r in confusion)
    need(is_square, f"{where}.confusion", "must have one row and one column per class")
    is_sound = all(cell is None or _is_count(cell) for row in confusion for cell in row)
    need(is_sound, f"{where}.confusion", "must be counts, or null")
    _check_numbers(found, ("commonest_share", "prior_log_loss"), where)
    _check_numbers(found, ("balanced_accuracy",), where, is_optional=True)
    _check_estimates(found, ("accuracy", "log_loss"), where, is_optional=False)
    commonest = part(found, "commonest", int, where)
    need(0 <= commonest < n_classes, f"{where}.commonest", "must be a class")


def _check_class(found: dict[str, Any], where: str) -> None:
    _check_numbers(found, ("mean_risk",), where)
    _check_numbers(found, DISTANCES, where, is_optional=True)
    _check_estimates(found, ("auroc", "intercept", "slope", *OVERALL), where)
    _check_estimates(found, ("observed", "brier", "log_loss"), where, is_optional=False)
    need("curve" in found, where, "lacks 'curve'")
    if found["curve"] is not None:
        _check_curve(part(found, "curve", dict, where), f"{where}.curve")
    edges = part(found, "edges", list, where)
    increases = all(map(is_finite, edges)) and all(a < b for a, b in itertools.pairwise(edges))
    is_sound = increases and 2 <= len(edges) <= _MOST_POINTS + 1 and edges[0] == 0 and edges[-1] == 1
    need(is_sound, f"{where}.edges", f"must increase from 0 to 1, for at most {_MOST_POINTS} cells")
    for name in ("events", "others"):
        cells = part(found, name, list, where)
        is_sound = len(cells) == len(edges) - 1 and all(map(_is_count, cells))
        need(is_sound, f"{where}.{name}", "must be one count per cell")


def _check_curve(curve: dict[str, Any], where: str) -> None:
    need(part(curve, "knots", int, where) >= 0, f"{where}.knots", "must be 0 or more")
    lists = [part(curve, name, list, where) for name in CURVE]
    is_sound = len({len(points) for points in lists}) == 1 and 0 < len(lists[0]) <= _MOST_POINTS
    is_sound = is_sound and all(is_finite(share) and 0 <= share <= 1 for points in lists for share in points)
    need(is_sound, where, f"must be at most {_MOST_POINTS} points between 0 and 1")


def _check_numbers(found: dict[str, Any], names: tuple[str, ...], where: str, *, is_optional: bool = False) -> None:
    for name in names:
        need(name in found, where, f"lacks {name!r}")
        is_sound = is_finite(found[name]) or (is_optional and found[name] is None)
        need(is_sound, f"{where}.{name}", "must be a finite number")


def _check_estimates(found: dict[str, Any], names: tuple[str, ...], where: str, *, is_optional: bool = True) -> None:
    for name in names:
        numbers = part(found, name, list, where)
        is_sound = len(numbers) == 3 and all(number is None or is_finite(number) for number in numbers)
        need(is_sound, f"{where}.{name}", "must be a number and its interval, or null")
        need(is_optional or numbers[0] is not None, f"{where}.{name}", "must be known")


def _is_count(cell: Any) -> bool:
    return type(cell) is int and 0 <= cell < 2**62
