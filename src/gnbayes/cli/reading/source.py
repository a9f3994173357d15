"""A table as specified on the command line: where it is, and how to read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from gnbayes.cli.failure import CommandError, no_such

# Cells of text, JSON and Excel that represent a missing value.
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?")


@dataclass(frozen=True)
class Source:
    """A table specified on the command line; whatever is None is detected.

    Parameters
    ----------
    path : str
        A file, or "-" for standard input.
    missing : tuple of str
        Cells that represent a missing value.
    types : dict of {str: "number", "text" or "bool"}
        How to read columns; the types of others are inferred, or those of the file.
    columns : tuple of str, optional
        Columns to read; all by default.
    as_text : tuple of str
        Columns of a text file that are kept as text, without looking for numbers.
    encoding, separator, decimal : str, optional
        Format of a text file.
    has_header : bool, optional
        Whether the first line of a text file, or the first row of a sheet, names the columns.
    sheet : str, optional
        Sheet of an Excel file; the first by default.
    query : str, optional
        Query for a database; by default all rows of its only table.

    Examples
    --------
    >>> from gnbayes.cli.reading import Source
    >>> Source("heart.csv", missing=("", "NA")).name
    'heart.csv'
    """

    path: str
    missing: tuple[str, ...] = MISSING
    types: dict[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None
    as_text: tuple[str, ...] = ()
    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    has_header: bool | None = None
    sheet: str | None = None
    query: str | None = None

    @property
    def name(self) -> str:
        """The name used in messages."""
        return "standard input" if self.path == "-" else self.path


def check_names(source: Source, names: Iterable[str]) -> None:
    """Refuse a table that lacks a requested column, or has one of them twice."""
    counts = Counter(names)
    for name in counts if source.columns is None else source.columns:
        if name not in counts:
            raise no_such("column", name, counts)
        if counts[name] > 1:
            raise CommandError(f"{source.name} has more than one column named {name!r}; rename them.")


def check_options(source: Source, kind: str) -> None:
    """Refuse options that do not apply to a file format."""
    for kinds, words, options in _HOMES:
        for option in options:
            if kind not in kinds and getattr(source, option) is not None:
                raise CommandError(f"--{option} is for {words}; {source.name} is {KIND_WORDS[kind]}.")


_HOMES = (
    (("text",), "text files", ("separator", "decimal")),
    (("text", "JSON"), "text files", ("encoding",)),
    (("Excel",), "Excel files", ("sheet",)),
    (("SQLite", "DuckDB"), "SQLite and DuckDB files", ("query",)),
)
KIND_WORDS = {
    "text": "a text file",
    "JSON": "a JSON file",
    "Excel": "an Excel file",
    "SQLite": "a SQLite file",
    "DuckDB": "a DuckDB file",
    "Parquet": "a Parquet file",
    "Feather": "a Feather file",
}


def import_extra(module: str, purpose: str, extra: str) -> Any:
    """A module of an extra; if it is missing, the error says how to install it."""
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0].replace("_", "-")
        raise CommandError(f"{purpose} needs {name}; install it with: pip install 'gnbayes[{extra}]'") from None


def pyarrow() -> Any:
    """The module pyarrow; if it is missing, the error says how to install it."""
    return import_extra("pyarrow", "the command gnbayes", "cli")
