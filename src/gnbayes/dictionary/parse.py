"""Convert raw texts and numbers to a validated Dictionary."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gnbayes.dictionary.entries import Column, Dictionary, PageText, Target, entry_names
from gnbayes.dictionary.failure import DictionaryError, nearest

_PARTS = ("page", "target", "columns")
_YES, _NO = ("yes", "true", "on", "1", "y"), ("no", "false", "off", "0", "n")


def parse_dictionary(content: Any) -> Dictionary:
    """Validate the content, entry by entry.

    Parameters
    ----------
    content : mapping
        With optional ``page``, ``target`` and ``columns``; entries are text or values of the right type.

    Returns
    -------
    dictionary : Dictionary
    """
    parts = {_entry_name(key): part for key, part in _mapping(content, "the dictionary").items()}
    for key in parts:
        if key not in _PARTS:
            raise DictionaryError(f"the dictionary has no part {key!r}; {nearest(key, _PARTS)}")
    columns = _mapping(parts.get("columns"), "columns")
    parsed = {_text(name, "a column's name"): entries for name, entries in columns.items()}
    dictionary = Dictionary(
        MappingProxyType({name: _column(name, entries) for name, entries in parsed.items()}),
        _target(parts.get("target")),
        PageText(**_texts(_known(parts.get("page"), PageText, "page"), "page")),
    )
    _check_labels(dictionary)
    return dictionary


def _column(name: str, content: Any) -> Column:
    where = f"column {name!r}"
    entries = _known(content, Column, where)
    texts = {key: entries.pop(key, None) for key in ("label", "unit", "second_unit", "description", "group")}
    column = Column(
        name,
        **_texts(texts, where),
        factor=_number(entries.get("factor"), where, "factor"),
        order=_number(entries.get("order"), where, "order"),
        codes=_names(entries.get("codes"), where, "codes"),
        lowest=_number(entries.get("lowest"), where, "lowest"),
        highest=_number(entries.get("highest"), where, "highest"),
        decimals=_whole(entries.get("decimals"), where),
        asked=_flag(entries.get("asked"), where),
    )
    _check_column(column, where)
    return column


def _check_column(column: Column, where: str) -> None:
    """Raise an error for entries that contradict each other."""
    if column.lowest is not None and column.highest is not None and column.lowest >= column.highest:
        raise DictionaryError(
            f"{where}: lowest is {column.lowest:g} and highest {column.highest:g}; lowest must be below highest."
        )
    if bool(column.second_unit) != (column.factor is not None):
        has, lacks = ("second_unit", "factor") if column.second_unit else ("factor", "second_unit")
        raise DictionaryError(f"{where} has a {has} but no {lacks}; give both or neither.")
    if column.second_unit and not column.unit:
        raise DictionaryError(f"{where} has a second_unit but no unit; say in which unit the table is.")
    if column.second_unit and column.second_unit == column.unit:
        raise DictionaryError(f"{where}: unit and second_unit are both {column.unit!r}.")
    if column.factor is not None and column.factor <= 0:
        raise DictionaryError(f"{where}: factor must be above 0, got {column.factor:g}.")
    if column.codes:
        for entry in ("unit", "lowest", "highest", "decimals"):
            if getattr(column, entry) not in (None, ""):
                raise DictionaryError(
                    f"{where} has codes and also {entry}; with codes there are no other values: remove one of the two."
                )


def _target(content: Any) -> Target:
    entries = _known(content, Target, "target")
    labels = _names(entries.pop("labels", None), "target", "labels")
    return Target(labels=labels, **_texts(entries, "target"))


def _check_labels(dictionary: Dictionary) -> None:
    """Raise an error if two columns have the same label."""
    taken: dict[str, str] = {}
    for name, column in dictionary.columns.items():
        label = column.label or name
        if label in taken:
            raise DictionaryError(f"columns {taken[label]!r} and {name!r} have the same label {label!r}.")
        taken[label] = name


def _known(content: Any, part: type[Column | Target | PageText], where: str) -> dict[str, Any]:
    """Entries by name; raises an error if one is unknown or given twice."""
    names = entry_names(part)
    entries: dict[str, Any] = {}
    for key, value in _mapping(content, where).items():
        name = _entry_name(key)
        if name not in names:
            raise DictionaryError(f"{where} has no entry {str(key)!r}; {nearest(name, names)}")
        if name in entries:
            raise DictionaryError(f"{where} has the entry {name!r} twice.")
        entries[name] = value
    return entries


def _entry_name(key: Any) -> str:
    return str(key).strip().lower().replace(" ", "_").replace("-", "_")


def _mapping(content: Any, where: str) -> Mapping[Any, Any]:
    if content is None or (isinstance(content, str) and _is_empty(content)):
        return {}
    if not isinstance(content, Mapping):
        raise DictionaryError(f"{where} must be entries with names, got {_shown(content)} instead.")
    return content


def _texts(entries: Mapping[str, Any], where: str) -> dict[str, str]:
    return {key: _text(value, f"{where}: {key}") for key, value in entries.items()}


def _text(value: Any, where: str) -> str:
    """One text; a list of texts is joined."""
    if isinstance(value, list | tuple):
        return ", ".join(filter(None, (_text(item, where) for item in value)))
    if isinstance(value, Mapping):
        raise DictionaryError(f"{where} must be text, got entries with names instead.")
    if value is None or (isinstance(value, str) and _is_empty(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _number(value: Any, where: str, entry: str) -> float | None:
    text = _text(value, f"{where}: {entry}")
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise DictionaryError(f"{where}: {entry} must be a number with a decimal point, got {text!r}.")
    return number


def _whole(value: Any, where: str) -> int | None:
    number = _number(value, where, "decimals")
    if number is None:
        return None
    if not number.is_integer() or not 0 <= number <= 9:
        raise DictionaryError(f"{where}: decimals must be a whole number from 0 to 9, got {number:g}.")
    return int(number)


def _flag(value: Any, where: str) -> bool:
    text = _text(value, f"{where}: asked").lower()
    if text and text not in (*_YES, *_NO):
        raise DictionaryError(f"{where}: asked must be yes or no, got {text!r}.")
    return text not in _NO


def _names(value: Any, where: str, entry: str) -> Mapping[str, str]:
    """Names of codes; raises an error if two are equal."""
    found = {_text(code, where): _text(name, f"{where}: {entry}") for code, name in _mapping(value, where).items()}
    seen: dict[str, str] = {}
    for code, name in found.items():
        if not name:
            raise DictionaryError(f"{where}: {entry} gives {code!r} no name; name it or leave it out.")
        if name in seen:
            raise DictionaryError(f"{where}: {entry} calls both {seen[name]!r} and {code!r} {name!r}.")
        seen[name] = code
    return MappingProxyType(found)


def _is_empty(text: str) -> bool:
    return text.strip() in ("", "~", "null")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
