"""A draft of a data dictionary from a table: names and observed values, to be completed by a domain expert."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from gnbayes.dictionary.entries import PageText, entry_names
from gnbayes.dictionary.reading import CSV_COLUMNS

# Columns with more distinct values are not treated as codes.
MOST_CODES = 10

_HEAD = """# Data dictionary: fill in what you know, leave the rest empty or remove it.
# Lines that begin with # say what the table holds; they are not read.
# The page asks its questions in the order of the columns below.
"""
_PAGE_HINTS = {
    "title": "heading of the page",
    "authors": "who made the model",
    "date": "date of the model, such as 2026-03-01",
    "version": "version of the model",
    "contact": "for questions",
    "source": "where the rows were collected",
    "period": "when they were collected",
    "population": "whom the model is meant for",
    "intended_use": "what it is to be used for, and by whom",
    "not_for": "what it must not be used for",
}


@dataclass(frozen=True)
class Seen:
    """What was observed in one column of a table.

    Parameters
    ----------
    name : str
    values : tuple of str
        The distinct values if there are few, sorted; otherwise empty.
    low, high : float, optional
        Smallest and largest of many numbers.
    decimals : int, optional
        Number of digits after the decimal point.
    n_missing : int

    Examples
    --------
    >>> from gnbayes.dictionary import Seen
    >>> Seen("age", low=18.0, high=97.0, decimals=0).high
    97.0
    """

    name: str
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    decimals: int | None = None
    n_missing: int = 0


def draft_yaml(columns: Sequence[Seen], target: Seen | None) -> str:
    """The draft as YAML, with the observed values as comments.

    Examples
    --------
    >>> from gnbayes.dictionary import Seen, draft_yaml
    >>> print(draft_yaml([Seen("sex", ("0", "1"))], None).split("columns:")[1])
    <BLANKLINE>
      "sex":
        label: "sex"
        description:
        group:
        codes: {"0": "0", "1": "1"}
        asked: yes
    <BLANKLINE>
    """
    lines = [_HEAD, "page:", *(f"  {entry}:  # {_PAGE_HINTS[entry]}" for entry in entry_names(PageText)), ""]
    if target is not None:
        lines += ["target:", *_target_lines(target), ""]
    lines.append("columns:")
    for column in columns:
        lines += _column_lines(column)
    return "\n".join(lines) + "\n"


def draft_csv(columns: Sequence[Seen], target: Seen | None) -> str:
    """The draft as CSV: a row for every entry of the page, for the target and for every column.

    Examples
    --------
    >>> from gnbayes.dictionary import Seen, draft_csv
    >>> print(draft_csv([Seen("sex", ("0", "1"))], None).splitlines()[-1])
    column,sex,sex,,,,,,,0=0; 1=1,,,,yes,
    """
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({"role": "page", "name": entry} for entry in entry_names(PageText))
    for role, seen in (*([("target", target)] if target is not None else []), *(("column", one) for one in columns)):
        row = {"role": role, "name": seen.name, "label": _label(seen.name), "codes": _csv_codes(seen)}
        writer.writerow(row | ({"decimals": seen.decimals, "asked": "yes"} if role == "column" else {}))
    return out.getvalue()


def _target_lines(target: Seen) -> list[str]:
    return [
        f"  column: {_quoted(target.name)}",
        f"  label: {_quoted(_label(target.name))}",
        *([f"  labels: {_named(target.values)}"] if target.values else []),
        "  event:  # the class whose risk is meant",
        "  meaning:  # what the event is, and how and when it is established",
    ]


def _column_lines(seen: Seen) -> list[str]:
    entries = [f"label: {_quoted(_label(seen.name))}"]
    if seen.low is not None and seen.high is not None:
        entries += [
            "unit:",
            "second_unit:  # another unit in use",
            "factor:  # how many of the first unit make one of the second",
        ]
    entries += ["description:", "group:"]
    if seen.values:
        entries.append(f"codes: {_named(seen.values)}")
    if seen.low is not None and seen.high is not None:
        entries += [
            f"lowest:  # possible at all; the table has {seen.low:.12g}",
            f"highest:  # possible at all; the table has {seen.high:.12g}",
            f"decimals: {seen.decimals}",
        ]
    entries.append("asked: yes")
    missing = [f"    # missing in {seen.n_missing} rows"] if seen.n_missing else []
    return [f"  {_quoted(seen.name)}:", *missing, *(f"    {entry}" for entry in entries)]


def _named(values: Sequence[str]) -> str:
    return "{" + ", ".join(f"{_quoted(value)}: {_quoted(value)}" for value in values) + "}"


def _csv_codes(seen: Seen) -> str:
    """Codes in a cell; empty if they contain a character with a meaning of its own there."""
    if any(sign in value for value in seen.values for sign in ";="):
        return ""
    return "; ".join(f"{value}={value}" for value in seen.values)


def _label(name: str) -> str:
    return " ".join(name.replace("_", " ").split()) or name


def _quoted(text: str) -> str:
    """Text in double quotes, as YAML reads it back."""
    return '"' + "".join(_escaped(sign) for sign in text) + '"'


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return "\\" + sign
    if sign.isprintable() and sign != "\ufeff":
        return sign
    code = ord(sign)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
