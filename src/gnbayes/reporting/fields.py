"""The questions of the calculator: their order, their headings, and which are shown first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from gnbayes.encoding import Table
from gnbayes.estimator import GeneralizedNB
from gnbayes.reporting.limits import Limits, limits_of
from gnbayes.reporting.names import shown_text
from gnbayes.reporting.subject import Subject, number_options

# Up to this many questions are shown at once; if there are more, the most important ones, and the others on demand.
SHOWN_AT_ONCE, SHOWN_FIRST = 16, 10


def describe_fields(
    clf: GeneralizedNB, subject: Subject, importance: Sequence[float], limits: dict[int, Limits]
) -> list[dict[str, Any]]:
    """One dict per question, in the order in which they are asked.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    subject : Subject
    importance : sequence of float
        Importance of the used features, in the order of the model.
    limits : dict of int to Limits
        Limits of the numeric columns.

    Returns
    -------
    fields : list of dict
        ``feature``: its position in the order of the model; ``unit``, ``secondUnit``, ``factor``, ``description``,
        ``group``, ``decimals``; ``limits`` of a number, ``options`` if its codes have names; ``isFirst``: whether it is
        shown at first.
    """
    order = clf.tree_.order.tolist()
    asked = [at for at, j in enumerate(order) if subject.columns[j].asked]
    ranked = sorted(asked, key=lambda at: (-importance[at], at))
    first = set(ranked if len(ranked) <= SHOWN_AT_ONCE else ranked[:SHOWN_FIRST])
    fields = []
    for at in _grouped(_ordered(asked, ranked, order, subject), order, subject):
        j = order[at]
        column = subject.columns[j]
        fields.append(
            {
                "feature": at,
                "unit": shown_text(column.unit),
                "secondUnit": shown_text(column.second_unit),
                "factor": column.factor,
                "description": shown_text(column.description),
                "group": shown_text(column.group),
                "decimals": column.decimals,
                "limits": _plain_limits(limits.get(j)),
                "options": number_options(clf.features_[j], column),
                "isFirst": at in first,
            }
        )
    return fields


def all_limits(clf: GeneralizedNB, subject: Subject, table: Table | None) -> dict[int, Limits]:
    """Limits of all numeric columns.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    subject : Subject
    table : Table, optional
        The training rows, if available.
    """
    found = {}
    for j, (feature, column) in enumerate(zip(clf.features_, subject.columns, strict=True)):
        if feature.kind == "interval" and not column.codes:
            values = None if table is None else np.asarray(table.columns[j], dtype=np.float64)
            found[j] = limits_of(feature, column, values)
    return found


def _ordered(asked: list[int], ranked: list[int], order: list[int], subject: Subject) -> list[int]:
    """By `order` in the dictionary, then by position in it, then by position in the table; otherwise by importance."""
    if not subject.dictionary.columns:
        return ranked
    listed = {name: at for at, name in enumerate(subject.dictionary.columns)}

    def place(at: int) -> tuple[float, float, int]:
        column = subject.columns[order[at]]
        wished = np.inf if column.order is None else column.order
        return wished, listed.get(column.name, np.inf), order[at]

    return sorted(asked, key=place)


def _grouped(asked: list[int], order: list[int], subject: Subject) -> list[int]:
    """Groups in the order of their first questions; questions without a group come last."""
    groups = [subject.columns[order[at]].group for at in asked]
    rank = {group: place for place, group in enumerate(dict.fromkeys(group for group in groups if group))}
    return [at for at, group in sorted(zip(asked, groups, strict=True), key=lambda one: rank.get(one[1], len(rank)))]


def _plain_limits(limits: Limits | None) -> dict[str, Any] | None:
    if limits is None:
        return None
    named = {"rare_low": "rareLow", "rare_high": "rareHigh", "is_exact": "isExact"}
    return {named.get(key, key): value for key, value in asdict(limits).items()}
