"""How columns were interpreted, and which of them look like a mistake."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from gnbayes.cli.failure import CommandError
from gnbayes.cli.messages import at_most
from gnbayes.cli.reading.dialect import looks_like_number

# A text column counts as misread numbers if at least this share of its cells are numbers.
_NEARLY_ALL = 0.8
_LEAST_DISTINCT = 20
_ID_NAME = re.compile(r"(?:^|[^A-Za-z])(?:[Ii][Dd]s?|[Nn]r|NR|[Kk]ey|KEY|UUID|uuid)(?:$|[^A-Za-z])|[a-z](?:ID|Id)$")


@dataclass(frozen=True)
class ColumnKinds:
    """How columns were interpreted, and what is unusual about them.

    Parameters
    ----------
    numbers, categories : tuple of str
        All columns.
    constant : tuple of str
        Columns with a single value or none, from which nothing can be learned.
    identifiers : tuple of str
        Columns with a different value in nearly every row.
    misread : dict of {str: tuple of str}
        Text columns whose cells are nearly all numbers, with the cells that are not.
    missing : dict of {str: float}
        Share of missing cells, for columns that have any.
    """

    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    constant: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    misread: dict[str, tuple[str, ...]] | None = None
    missing: dict[str, float] | None = None

    def warnings(self) -> list[str]:
        """A sentence per column that looks like a mistake."""
        out = [
            f"column {name!r} has a different value in nearly every row; is it an identifier? (--drop)"
            for name in self.identifiers
        ]
        return out + [_misread_text(name, odd) for name, odd in (self.misread or {}).items()]


def _misread_text(name: str, odd: tuple[str, ...]) -> str:
    other = [cell for cell in odd if looks_like_number(cell)]
    if not odd:
        return f"column {name!r} contains numbers as text; read it as numbers (--number), or keep it as text (--text)."
    if other:
        return (
            f"column {name!r} is read as text, although it contains numbers in another notation, such as {other[0]!r}; "
            "specify the decimal sign (--decimal), remove thousands separators, or keep it as text (--text)."
        )
    return (
        f"column {name!r} is read as text, although nearly all of its cells are numbers; the others are "
        f"{at_most([repr(cell) for cell in odd], 3)}; if these are missing values, use --missing, otherwise keep it "
        "as text (--text)."
    )


def look_at_columns(table: Any, categories: Collection[str], texts: Collection[str]) -> ColumnKinds:
    """Inspect every column of a table.

    Parameters
    ----------
    table : pyarrow.Table
    categories : collection of str
        Columns of numbers that are declared to be categories.
    texts : collection of str
        Columns that are declared to be text.
    """
    kinds = kinds_of_schema(table.schema, categories)
    distinct = {name: _n_distinct(table[name]) for name in table.column_names}
    missing = {name: table[name].null_count / table.num_rows for name in table.column_names if table[name].null_count}
    return ColumnKinds(
        kinds.numbers,
        kinds.categories,
        tuple(name for name, count in distinct.items() if count + (missing.get(name, 0) > 0) < 2),
        tuple(name for name, count in distinct.items() if _is_identifier(name, table[name], count)),
        {
            name: odd
            for name in kinds.categories
            if name not in (*texts, *categories) and (odd := _odd_cells(table[name])) is not None
        },
        missing,
    )


def kinds_of_schema(schema: Any, categories: Collection[str]) -> ColumnKinds:
    """Numbers and categories, from the types of columns alone.

    Parameters
    ----------
    schema : pyarrow.Schema
    categories : collection of str
    """
    import pyarrow.types as pt

    numbers = [
        field.name
        for field in schema
        if (pt.is_integer(field.type) or pt.is_floating(field.type)) and field.name not in categories
    ]
    return ColumnKinds(tuple(numbers), tuple(name for name in schema.names if name not in numbers))


def check_types(schema: Any) -> None:
    """Refuse columns that no model can learn from, and say what to do."""
    import pyarrow.types as pt

    for field in schema:
        if pt.is_nested(field.type) or pt.is_binary(field.type):
            raise CommandError(
                f"column {field.name!r} holds {field.type}, not single values; drop it (--drop {_quoted(field)})."
            )
    dates = [field for field in schema if pt.is_temporal(field.type)]
    if dates:
        names = at_most([repr(field.name) for field in dates])
        drop = " ".join(f"--drop {_quoted(field)}" for field in dates[:3])
        raise CommandError(
            f"columns with dates or times: {names}; drop them ({drop}), read them as text (--text COLUMN, in text "
            "files), or convert them to numbers, such as days since a fixed date."
        )


def _n_distinct(column: Any) -> int:
    import pyarrow.compute as pc
    import pyarrow.types as pt

    return 0 if pt.is_null(column.type) else int(pc.count_distinct(column).as_py())


def _quoted(field: Any) -> str:
    return str(field.name) if re.fullmatch(r"[\w.-]+", field.name) else repr(field.name)


def _is_identifier(name: str, column: Any, n_distinct: int) -> bool:
    """Whether a column looks like an identifier of rows.

    A text column does if nearly every row has a different value. A column of integers does if all values differ and
    they either count up or down, or the name of the column says so; amounts can also be nearly all different.
    """
    import pyarrow.types as pt

    n = len(column) - column.null_count
    if n_distinct <= _LEAST_DISTINCT or n_distinct < 0.9 * n:
        return False
    if pt.is_string(column.type) or pt.is_large_string(column.type) or pt.is_dictionary(column.type):
        return True
    if not (pt.is_integer(column.type) or _is_whole(column)) or n_distinct < n:
        return False
    return bool(_ID_NAME.search(name)) or _is_sorted(column)


def _is_whole(column: Any) -> bool:
    import pyarrow.compute as pc
    import pyarrow.types as pt

    return pt.is_floating(column.type) and bool(pc.all(pc.equal(column, pc.round(column))).as_py())


def _is_sorted(column: Any) -> bool:
    numbers = [value for value in column.to_pylist() if value is not None]
    steps = {later > earlier for earlier, later in pairwise(numbers)}
    return len(steps) == 1


def _odd_cells(column: Any) -> tuple[str, ...] | None:
    """The cells of a text column that are not numbers, if nearly all cells look like numbers; otherwise None."""
    import pyarrow.compute as pc
    import pyarrow.types as pt

    if not (pt.is_string(column.type) or pt.is_large_string(column.type)):
        return None
    counts = pc.value_counts(column.drop_null()).to_pylist()
    total = sum(one["counts"] for one in counts)
    numeric = sum(one["counts"] for one in counts if looks_like_number(one["values"]))
    if not total or numeric < _NEARLY_ALL * total:
        return None
    return tuple(one["values"] for one in counts if not _is_plain_number(one["values"]))


def _is_plain_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
