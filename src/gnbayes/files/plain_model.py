"""A fitted classifier as plain numbers and texts, from which the exports to Python and SQL are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import DISCRETIZERS, Feature
from gnbayes.files.format import check_classifier
from gnbayes.model import Model, Term

# Stands for a score of minus infinity: its exponential is 0, and every language can represent it.
_NEVER = -1e300


@dataclass(frozen=True)
class PlainColumn:
    """How the values of a column become codes.

    Parameters
    ----------
    name : str
    kind : {"interval", "number", "text"}
    edges : tuple of float
        For intervals: the code of a value is the number of edges at or below it.
    ranges : tuple of (float, float)
        For numbers that are categories: the smallest and the largest number that counts as each.
    categories : tuple of str
        For text.
    missing : int or None
        Code of a missing value; None if it is unknown.
    """

    name: str
    kind: Literal["interval", "number", "text"]
    edges: tuple[float, ...]
    ranges: tuple[tuple[float, float], ...]
    categories: tuple[str, ...]
    missing: int | None


@dataclass(frozen=True)
class PlainTerm:
    """A table over the codes of some columns.

    Parameters
    ----------
    columns : tuple of int
    positions : tuple of tuple of int
        For each column the position along its axis of the table for every code.
    table : ndarray of shape (c_1, ..., c_m, k)
    """

    columns: tuple[int, ...]
    positions: tuple[tuple[int, ...], ...]
    table: NDArray[np.float64]


@dataclass(frozen=True)
class PlainModel:
    """The used columns, the classes, and the intercept and terms of the scores.

    Parameters
    ----------
    columns : tuple of PlainColumn
    classes : tuple
    intercept : ndarray of shape (k,)
    terms : tuple of PlainTerm
    """

    columns: tuple[PlainColumn, ...]
    classes: tuple[Any, ...]
    intercept: NDArray[np.float64]
    terms: tuple[PlainTerm, ...]


def plain_model(clf: Any, writer: str) -> PlainModel:
    """A fitted classifier as plain data; raises if its scores are not a sum of tables.

    Parameters
    ----------
    clf : GeneralizedNB
    writer : str
        Name of the calling function, for errors.
    """
    check_classifier(clf)
    model: Model = clf.model_
    check_sum_of_tables(model, clf.smoothing, writer)
    in_terms = {j for term in model.terms for j in term.features}
    used = [j for j in model.tree.order.tolist() if j in in_terms]
    place = {j: at for at, j in enumerate(used)}
    terms = tuple(_plain_term(term, place) for term in model.terms)
    columns = tuple(_plain_column(model.features[j]) for j in used)
    return PlainModel(columns, tuple(model.classes.tolist()), np.maximum(model.intercept, _NEVER), terms)


def check_sum_of_tables(model: Model, smoothing: str, writer: str) -> None:
    """Raise an error unless the scores are sums of tables over bins and categories, which other languages can
    compute.
    """
    if model.unknown_rule == "dropped":
        raise ValueError(
            f"{writer} needs a classifier with smoothing='additive' or 'backoff', got smoothing={smoothing!r} instead, "
            "whose repair of zeros is not a sum of tables; fit again with one of the two."
        )
    for j in model.tree.order.tolist():
        feature = model.features[j]
        if feature.transformer is not None:
            raise ValueError(
                f"feature {feature.name!r} is coded by {feature.transformer!r}, which {writer} cannot export; fit "
                f"with discretizer={', '.join(map(repr, DISCRETIZERS))} or given edges, or with a transformer that has "
                "bin_edges_."
            )


def _plain_term(term: Term, place: dict[int, int]) -> PlainTerm:
    positions = tuple(tuple(own.tolist()) for own in term.maps)
    return PlainTerm(tuple(place[j] for j in term.features), positions, np.maximum(term.table, _NEVER))


def _plain_column(feature: Feature) -> PlainColumn:
    missing = feature.missing_code if feature.has_missing else None
    if feature.kind == "interval":
        return PlainColumn(feature.name, "interval", tuple(map(float, feature.edges)), (), (), missing)
    if feature.is_text:
        return PlainColumn(feature.name, "text", (), (), tuple(map(str, feature.categories)), missing)
    return PlainColumn(feature.name, "number", (), number_ranges(feature.categories), (), missing)


def number_ranges(categories: Sequence[Any]) -> tuple[tuple[float, float], ...]:
    """The smallest and the largest float64 that counts as each category.

    An integer stands only for itself. Any other number stands for all numbers that are equal in float32 precision and
    nearest to it, as in `Feature.are_known`.

    Examples
    --------
    >>> from gnbayes.files.plain_model import number_ranges
    >>> low, high = number_ranges((0.1, 3.0))[0]
    >>> low < 0.1 < high, number_ranges((0.1, 3.0))[1]
    (True, (3.0, 3.0))
    """
    values = np.array(categories, dtype=np.float64)
    if not len(values):
        return ()
    low, high = _ends_of_float32(values)
    cuts = Feature("", "category", categories=tuple(values.tolist())).cuts
    low[1:] = np.maximum(low[1:], cuts)
    high[:-1] = np.minimum(high[:-1], np.nextafter(cuts, -np.inf))
    is_whole = values == np.rint(values)
    low, high = np.where(is_whole, values, low), np.where(is_whole, values, high)
    return tuple(zip(low.tolist(), high.tolist(), strict=True))


def _ends_of_float32(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The smallest and the largest float64 that are rounded to the same float32 as each value."""
    with np.errstate(over="ignore"):
        rounded = values.astype(np.float32)
    is_even = (rounded.view(np.uint32) & 1) == 0
    ends = []
    for toward in (-np.inf, np.inf):
        with np.errstate(over="ignore"):
            neighbour = np.nextafter(rounded, np.float32(toward))
        middle = (rounded.astype(np.float64) + neighbour) / 2
        # A midpoint is rounded to the even one of the two.
        ends.append(np.where(is_even, middle, np.nextafter(middle, -toward)))
    is_beyond = ~np.isfinite(ends[0]) | ~np.isfinite(ends[1])
    return np.where(is_beyond, values, ends[0]), np.where(is_beyond, values, ends[1])
