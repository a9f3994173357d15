"""Detection of the separator, the decimal sign and the header of a text table."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

SEPARATORS = (";", "\t", "|", ",")
SEPARATOR_WORDS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_MOST_ROWS = 300
_WHOLE = re.compile(r"[+-]?\d+(?:[eE][+-]?\d+)?$")
_WITH_POINT = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?$")
_WITH_COMMA = re.compile(r"[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?$")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+$")

Cells = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Dialect:
    """The format of a text table.

    Parameters
    ----------
    separator : str
        Separator between cells.
    decimal : str
        "." or ",".
    has_header : bool
    """

    separator: str
    decimal: str
    has_header: bool


def detect_dialect(
    text: str,
    missing: Sequence[str],
    *,
    separator: str | None = None,
    decimal: str | None = None,
    has_header: bool | None = None,
) -> Dialect:
    r"""Detect what is not given.

    Parameters
    ----------
    text : str
        The first lines; the last one may be cut off.
    missing : sequence of str
        Cells that represent a missing value.
    separator, decimal : str, optional
    has_header : bool, optional

    Examples
    --------
    >>> from gnbayes.cli.reading.dialect import detect_dialect
    >>> detect_dialect("age;weight\n61;71,5\n55;80,25\n", [""])
    Dialect(separator=';', decimal=',', has_header=True)
    """
    separator = separator or detect_separator(text)
    rows = cells_of(text, separator)
    decimal = decimal or detect_decimal(rows[1:], missing, separator)
    if has_header is None:
        has_header = detect_header(rows, missing)
    return Dialect(separator, decimal, has_header)


def cells_of(text: str, separator: str) -> list[list[str]]:
    """The cells of the first rows, stripped of white space; empty lines are skipped."""
    try:
        rows = list(islice((row for row in csv.reader(io.StringIO(text), delimiter=separator) if row), _MOST_ROWS))
    except csv.Error:
        return []
    return [[cell.strip() for cell in row] for row in rows]


def detect_separator(text: str) -> str:
    """The separator that splits most rows into as many cells as the first row, at least two; a comma if none does."""

    def fitness(separator: str) -> tuple[float, int]:
        widths = [len(row) for row in cells_of(text, separator)]
        if not widths or widths[0] < 2:
            return 0.0, 0
        rest = widths[1:] or widths
        return rest.count(widths[0]) / len(rest), widths[0]

    # In a tie the comma comes last: it may be a decimal sign, or part of names.
    best = max(SEPARATORS, key=fitness)
    return best if fitness(best) > (0.0, 0) else ","


def detect_decimal(rows: Cells, missing: Sequence[str], separator: str = ";") -> str:
    """The decimal sign of a table: a comma if numeric columns contain commas and none contains points.

    Parameters
    ----------
    rows : sequence of rows of cells
        Without the header.
    missing : sequence of str
    separator : str
        If it is a comma, numbers such as "1,234" have thousands separators.
    """
    n_commas = n_points = 0
    for cells in columns_of(rows):
        present = [cell for cell in cells if cell not in missing]
        if not present:
            continue
        if all(_WHOLE.match(cell) or _WITH_POINT.match(cell) for cell in present):
            n_points += any(_WITH_POINT.match(cell) for cell in present)
        elif all(_WHOLE.match(cell) or _WITH_COMMA.match(cell) for cell in present):
            is_grouped = separator == "," and all(_THOUSANDS.match(cell) for cell in present if "," in cell)
            n_commas += not is_grouped
    return "," if n_commas and not n_points else "."


def detect_header(rows: Cells, missing: Sequence[str]) -> bool:
    """Whether the first row names the columns.

    It does if there is a word above numbers. If there are numbers above numbers, it does not, unless they count the
    columns. If all columns contain words, it does unless every word of the first row occurs again below it.
    """
    if len(rows) < 2:
        return True
    below = columns_of(rows[1:])
    first = list(rows[0])[: len(below)]
    is_number = [[_is_number(cell) for cell in cells if cell not in missing] for cells in below]
    numeric = [bool(kinds) and all(kinds) for kinds in is_number]
    over_numbers = [cell for cell, kind in zip(first, numeric, strict=False) if kind and cell not in missing]
    if any(not _is_number(cell) for cell in over_numbers):
        return True
    if over_numbers:
        return _counts_up(over_numbers)
    return any(cell not in cells for cell, cells in zip(first, below, strict=False))


def looks_like_number(text: str) -> bool:
    """Whether a cell is a number in some notation: with a decimal comma, or with thousands separators.

    Examples
    --------
    >>> from gnbayes.cli.reading.dialect import looks_like_number
    >>> [looks_like_number(text) for text in ("1,5", "1.234,56", "1 234", "12 %", "f")]
    [True, True, True, True, False]
    """
    return bool(re.match(r"[+-]?[\d.,' \u00a0\u202f]*\d[.,]?(?:[eE][+-]?\d+)?\s*%?$", text.strip()))


def columns_of(rows: Cells) -> list[list[str]]:
    """The cells by column; rows of an unusual length are skipped."""
    if not rows:
        return []
    width = Counter(len(row) for row in rows).most_common(1)[0][0]
    return [list(column) for column in zip(*(row for row in rows if len(row) == width), strict=True)]


def _is_number(cell: str) -> bool:
    return bool(_WHOLE.match(cell) or _WITH_POINT.match(cell) or _WITH_COMMA.match(cell))


def _counts_up(cells: Sequence[str]) -> bool:
    """Whether cells are consecutive integers, like the default column names of an array."""
    if len(cells) < 3 or not all(cell.isdigit() for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))
