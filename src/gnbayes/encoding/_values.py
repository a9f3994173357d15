"""Single values, and columns of Python objects: numbers, text, booleans or missing values."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["number", "bool", "text", "empty"]

# Up to this number float64 represents every integer exactly.
LARGEST_WHOLE = 2**53 - 1


def is_missing(value: Any) -> bool:
    """Whether a single value stands for "missing": None, NaN, pandas.NA or NaT."""
    if value is None or (isinstance(value, float | np.floating) and value != value):
        return True
    return type(value).__name__ in {"NAType", "NaTType"}


def read_value(name: str, value: Any) -> tuple[Any, Kind]:
    """One value as a column would hold it, and what it is: a finite number, text, or NaN for a missing value.

    Examples
    --------
    >>> from gnbayes.encoding._values import read_value
    >>> read_value("age", 61), read_value("sex", "f")
    ((61.0, 'number'), ('f', 'text'))
    """
    column, kind = read_objects(name, [value])
    return column.tolist()[0], kind


def read_objects(name: str, values: list[Any]) -> tuple[NDArray[Any], Kind]:
    """A column of Python objects as an array, as in `Table`, and what it contains."""
    present = [value for value in values if not is_missing(value)]
    kind = _kind_of(name, present)
    if kind == "text":
        column = np.empty(len(values), dtype=object)
        column[:] = (
            values if len(present) == len(values) else [None if is_missing(value) else value for value in values]
        )
        return column, kind
    if any(isinstance(value, int) and abs(value) > LARGEST_WHOLE for value in present):
        raise too_large_error(name)
    numbers = [np.nan if is_missing(value) else float(value) for value in values]
    return finite(name, np.array(numbers, dtype=np.float64)), kind


def finite(name: str, column: NDArray[np.float64]) -> NDArray[np.float64]:
    """The column itself, if none of its values is infinite."""
    if np.isinf(column).any():
        raise ValueError(
            f"Input X contains infinity or a value too large for dtype('float64') in column {name!r}; replace it by a "
            "number or by a missing value."
        )
    return column


def plain_categories(name: str, values: list[Any]) -> list[Any]:
    """Categories that are neither text nor numbers, such as intervals, converted to text."""
    types = {type(value) for value in values if not is_missing(value)}
    if all(issubclass(kind, str | Real | Decimal | np.bool_) for kind in types):
        return values
    if any(is_temporal(kind) for kind in types):
        raise date_error(name)
    return [None if is_missing(value) else str(value) for value in values]


def too_large_error(name: str) -> ValueError:
    """The error for whole numbers that float64 cannot distinguish."""
    return ValueError(
        f"column {name!r} holds whole numbers beyond 2**53, which cannot all be distinguished as numbers; convert it "
        "to text."
    )


def date_error(name: str) -> TypeError:
    """The error for dates and times."""
    return TypeError(
        f"column {name!r} contains dates or times; convert it to numbers (such as days since a fixed date) or to text, "
        "or drop it."
    )


def is_temporal(kind: type) -> bool:
    """Whether a type is one of dates, times or spans of time."""
    return issubclass(kind, date | time | timedelta | np.datetime64 | np.timedelta64) or kind.__name__ == "Period"


def _kind_of(name: str, present: Iterable[Any]) -> Kind:
    types = {type(value) for value in present}
    if not types:
        return "empty"
    if all(issubclass(kind, str) for kind in types):
        return "text"
    if all(issubclass(kind, bool | np.bool_) for kind in types):
        return "bool"
    if all(issubclass(kind, Real | Decimal | np.bool_) for kind in types):
        return "number"
    if any(issubclass(kind, str) for kind in types) and all(issubclass(kind, str | Real | Decimal) for kind in types):
        raise TypeError(f"column {name!r} mixes text and numbers; convert it to one or the other.")
    if any(is_temporal(kind) for kind in types):
        raise date_error(name)
    odd = sorted(kind.__name__ for kind in types if not issubclass(kind, str | Real | Decimal))[0]
    raise TypeError(
        f"column {name!r} holds a value of type {odd}, but an argument must be a string or a number; convert the "
        "column to text or numbers, or drop it."
    )
