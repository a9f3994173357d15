"""Convert Python values from sheets, databases and JSON to typed columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any

from gnbayes.cli.failure import CommandError
from gnbayes.cli.reading.source import Source

BATCH_ROWS = 65_536
_WORDS = {"double": "a number", "int64": "a whole number", "bool": "true or false", "string": "text"}
_TRUE_AND_FALSE = {"true": True, "false": False, "1": True, "0": False}


def arrow_type(kind: str) -> Any:
    """The pyarrow type for a kind of column: "number", "text" or "bool"."""
    import pyarrow as pa

    return {"number": pa.float64(), "text": pa.string(), "bool": pa.bool_()}[kind]


def typed_batches(
    names: Sequence[str], rows: Iterable[Sequence[Any]], source: Source, *, is_whole: bool
) -> Iterator[Any]:
    """Rows of values as pyarrow.RecordBatches; types that are not given are inferred from the first batch.

    Parameters
    ----------
    names : sequence of str
    rows : iterable of sequences
        One value per name; None for missing.
    source : Source
    is_whole : bool
        Whether to make one batch of all rows.
    """
    import pyarrow as pa

    wanted = list(names if source.columns is None else source.columns)
    places = [list(names).index(name) for name in wanted]
    types = {name: arrow_type(kind) for name, kind in source.types.items()}
    rest = iter(rows)
    while part := list(rest if is_whole else islice(rest, BATCH_ROWS)):
        arrays = []
        for name, place in zip(wanted, places, strict=True):
            array = typed_column(name, [row[place] for row in part], source, types.get(name))
            types.setdefault(name, array.type)
            arrays.append(array)
        yield pa.RecordBatch.from_arrays(arrays, names=wanted)


def typed_column(name: str, values: list[Any], source: Source, wanted: Any = None) -> Any:
    """One column as a pyarrow.Array.

    Parameters
    ----------
    name : str
    values : list
    source : Source
        Texts in its `missing` count as missing values.
    wanted : pyarrow.DataType, optional
        Inferred by default: a column of numbers and texts is text.
    """
    import pyarrow as pa

    missing = {*source.missing}
    values = [None if isinstance(value, str) and value.strip() in missing else value for value in values]
    kind = _inferred(values) if wanted is None else wanted
    if pa.types.is_nested(kind):
        return pa.array([None] * len(values), kind)
    convert = _converter(kind)
    try:
        return pa.array([value if value is None or convert is None else convert(value) for value in values], kind)
    except (ValueError, TypeError, OverflowError, pa.ArrowInvalid, pa.ArrowTypeError):
        odd = next(value for value in values if value is not None and not _fits(value, kind, convert))
        raise CommandError(
            f"column {name!r} of {source.name} holds {odd!r}, which is not {_WORDS.get(str(kind), kind)}; if it is a "
            "missing value, use --missing TEXT; if the column is text, use --text COLUMN."
        ) from None


def _fits(value: Any, kind: Any, convert: Any) -> bool:
    import pyarrow as pa

    try:
        pa.array([value if convert is None else convert(value)], kind)
    except (ValueError, TypeError, OverflowError, pa.ArrowInvalid, pa.ArrowTypeError):
        return False
    return True


def _inferred(values: list[Any]) -> Any:
    import pyarrow as pa

    types = {type(value) for value in values if value is not None}
    if not types:
        return pa.null()
    if types <= {bool}:
        return pa.bool_()
    if types <= {int}:
        return pa.int64()
    if types <= {int, float, bool, Decimal}:
        return pa.float64()
    if types <= {str, int, float, bool, Decimal}:
        return pa.string()
    if any(issubclass(kind, date | datetime | time | timedelta) for kind in types):
        return pa.timestamp("us") if types <= {date, datetime} else pa.string()
    return pa.list_(pa.null())  # lists, objects, bytes: a model cannot learn from these


def _converter(kind: Any) -> Callable[[Any], Any] | None:
    """The function that converts values to a type; None if pyarrow does it."""
    import pyarrow as pa

    if pa.types.is_floating(kind):
        return float
    if pa.types.is_boolean(kind):
        return _truth
    return _text if pa.types.is_string(kind) else None


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    try:
        return _TRUE_AND_FALSE[_text(value).lower()]
    except KeyError:
        raise ValueError(value) from None


def _text(value: Any) -> str:
    """A value as it would appear in a text file: integers without a decimal point."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
