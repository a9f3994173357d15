"""What the page is about: columns, classes and event, with readable names."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from gnbayes.dictionary import (
    Column,
    Dictionary,
    Known,
    check_columns,
    code_intervals,
    match_codes,
    name_classes,
    read_dictionary,
)
from gnbayes.encoding import Feature, value_text
from gnbayes.estimator import GeneralizedNB
from gnbayes.reporting.event import Event, choose_event
from gnbayes.reporting.names import distinct, shown
from gnbayes.reporting.strings import PAGE

_BARE = ("yes", "no", "true", "false", "positive", "negative")


@dataclass(frozen=True, eq=False)
class Subject:
    """What a model is about, with readable names.

    Parameters
    ----------
    dictionary : Dictionary
        Empty if none was given.
    columns : list of Column
        Description of each column of the model, in order.
    names : list of str
        Labels of the columns, all different.
    classes : list of str
        Names of the classes.
    event : Event
    target : str
        What is predicted; empty if unknown.
    title : str
        Default heading, if the dictionary has none.
    """

    dictionary: Dictionary
    columns: list[Column]
    names: list[str]
    classes: list[str]
    event: Event
    target: str
    title: str


def make_subject(clf: GeneralizedNB, dictionary: Any, pos_label: Any, target: str = "") -> Subject:
    """Combine a model and a dictionary; raises an error if they do not fit.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    dictionary : path, mapping, Dictionary or None
    pos_label : optional
        The class that is the event.
    target : str, default=""
        Name of the class column in the table.
    """
    described = read_dictionary({} if dictionary is None else dictionary)
    check_columns(described, [_known(feature) for feature in clf.features_])
    texts = [value_text(label) for label in clf.classes_.tolist()]
    names = name_classes(described, texts)
    columns = [described.column(feature.name) for feature in clf.features_]
    event = choose_event(clf.classes_, names, described, pos_label)
    target = described.target.label or described.target.column or target
    labels = distinct(column.label or column.name for column in columns)
    title = shown(described.page.title) if described.page.title else _listed(distinct(names))
    if all(_says_little(name) for name in names):  # "yes" is meaningless without the name of the target
        target = target or PAGE["class"]
        title = title if described.page.title else f"{shown(target)}: {title}"
        names = [f"{target} = {name}" for name in names]
    return Subject(described, columns, labels, distinct(names), event, shown(target) if target else "", title)


def _listed(names: list[str]) -> str:
    names = names if len(names) <= 4 else [*names[:3], PAGE["title.others"].format(n=len(names) - 3)]
    return PAGE["title.or"].format(first=", ".join(names[:-1]), last=names[-1])


def _says_little(name: str) -> bool:
    """Whether a name is a number or a word such as yes, which needs the name of the target."""
    try:
        return math.isfinite(float(name))
    except ValueError:
        return name.strip().casefold() in _BARE


def value_names(feature: Feature, column: Column) -> list[str] | None:
    """Names of a feature's values if codes have names; otherwise None.

    One name per category; for numbers one name per bin, made of all codes in it.
    """
    if feature.kind == "category":
        named = match_codes(column.codes, [value_text(value) for value in feature.categories])
        return distinct(named.get(at, value_text(value)) for at, value in enumerate(feature.categories))
    if not column.codes:
        return None
    inside: list[list[str]] = [[] for _ in range(feature.n_values)]
    for name, at in zip(column.codes.values(), code_intervals(column, feature.edges), strict=True):
        inside[at].append(name)
    return distinct(", ".join(names) for names in inside)


def number_options(feature: Feature, column: Column) -> list[dict[str, Any]]:
    """Named codes of a numeric column as choices, in increasing order."""
    if feature.kind != "interval":
        return []
    pairs = sorted((float(code), name) for code, name in column.codes.items())
    return [
        {"value": number, "name": name}
        for (number, _), name in zip(pairs, distinct(name for _, name in pairs), strict=True)
    ]


def _known(feature: Feature) -> Known:
    if feature.kind == "interval":
        return Known(feature.name, "number", means=feature.means, edges=feature.edges)
    return Known(feature.name, "choice", values=tuple(value_text(value) for value in feature.categories))
