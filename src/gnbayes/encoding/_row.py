"""Codes of single rows of raw values, without a table: for predictions in microseconds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from math import isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._encode import check_kind, encode_values
from gnbayes.encoding._feature import Feature
from gnbayes.encoding._values import LARGEST_WHOLE, is_missing, read_value

_ABSENT = object()


class RowEncoder:
    """Looks up the codes of one row at a time.

    Parameters
    ----------
    features : sequence of Feature
    used : sequence of int
        The features that matter; the values of others are ignored.

    Examples
    --------
    >>> from gnbayes.encoding import Feature, RowEncoder
    >>> age = Feature("age", "interval", edges=(40.0, 60.0), means=(31.0, 50.0, 70.5))
    >>> sex = Feature("sex", "category", categories=("f", "m"))
    >>> encoder = RowEncoder([age, sex], [0, 1])
    >>> encoder.codes([44, "m"]).tolist()
    [[1, 1]]
    >>> encoder.codes({"age": 61}).tolist()
    [[2, 3]]
    """

    def __init__(self, features: Sequence[Feature], used: Sequence[int]) -> None:
        self._features = tuple(features)
        self._names = {feature.name for feature in features}
        self._unknown = [feature.unseen_code for feature in features]
        self._coders = [(j, features[j].name, _coder(features[j])) for j in used]

    def codes(self, row: Any) -> NDArray[np.uint32]:
        """Codes of a row, shape (1, d), as in `encode`; arbitrary for features that are not used.

        Parameters
        ----------
        row : mapping from names of columns to values, or sequence of values, one per column
            Columns that a mapping omits are unknown.
        """
        codes = self._unknown.copy()
        if isinstance(row, Mapping):
            if not row.keys() <= self._names:
                raise ValueError(_stranger(row, self._names, self._features))
            for j, name, code in self._coders:
                value = row.get(name, _ABSENT)
                if value is not _ABSENT:
                    codes[j] = code(value)
        else:
            values = self._checked(row)
            for j, _, code in self._coders:
                codes[j] = code(values[j])
        return np.array([codes], dtype=np.uint32)

    def _checked(self, row: Any) -> Any:
        values = row.tolist() if isinstance(row, np.ndarray) else row
        if not isinstance(values, Sequence) or isinstance(values, str | bytes):
            is_series = hasattr(row, "to_dict") and not hasattr(row, "columns")
            hint = "; give row.to_dict()" if is_series else ""
            raise TypeError(
                "a row must be a mapping from names of columns to values, or a sequence of values, got "
                f"{type(row).__name__} instead{hint}."
            )
        if len(values) != len(self._features):
            raise ValueError(
                f"a row as a sequence must have {len(self._features)} values, one per column, got {len(values)}; give "
                "a mapping from names to values to leave some out."
            )
        return values


def _stranger(row: Mapping[Any, Any], names: set[str], features: Sequence[Feature]) -> str:
    key = next(key for key in row if key not in names)
    known = [repr(feature.name) for feature in features]
    more = f" and {len(known) - 10} more" if len(known) > 10 else ""
    return f"the row has a value for {key!r}, which is not a column; the columns are {', '.join(known[:10])}{more}."


def _coder(feature: Feature) -> Callable[[Any], int]:
    """The function that turns a value of a feature into its code."""
    if feature.transformer is not None or not feature.n_values:
        return lambda value: _by_column(feature, value)
    if feature.is_text:
        return _text_coder(feature)
    return _interval_coder(feature) if feature.kind == "interval" else _number_coder(feature)


def _text_coder(feature: Feature) -> Callable[[Any], int]:
    lookup, missing, unseen = feature.lookup, feature.missing_code, feature.unseen_code

    def code(value: Any) -> int:
        if isinstance(value, str):
            return lookup.get(value, unseen)
        if not is_missing(value):
            _number(feature, value)
        return missing

    return code


def _interval_coder(feature: Feature) -> Callable[[Any], int]:
    edges, missing = feature.edges, feature.missing_code

    def code(value: Any) -> int:
        number = value if isinstance(value, float) and isfinite(value) else _number(feature, value)
        return bisect_right(edges, number) if number == number else missing

    return code


def _number_coder(feature: Feature) -> Callable[[Any], int]:
    lookup, missing = feature.lookup, feature.missing_code

    def code(value: Any) -> int:
        number = value if isinstance(value, float) and isfinite(value) else _number(feature, value)
        if number != number:
            return missing
        known = lookup.get(number)
        return known if known is not None else _by_column(feature, number)

    return code


def _number(feature: Feature, value: Any) -> float:
    """A value as a number, NaN if it is missing; raises if it is not a number or the column is text."""
    if type(value) is int and -LARGEST_WHOLE <= value <= LARGEST_WHOLE and not feature.is_text:
        return float(value)
    if is_missing(value):
        return nan
    number, kind = read_value(feature.name, value)
    check_kind(feature, kind)
    return float(number)


def _by_column(feature: Feature, value: Any) -> int:
    """The code, computed with a column of one value: for rare cases."""
    value, kind = read_value(feature.name, value)
    check_kind(feature, kind)
    column = np.array([value], dtype=object if kind == "text" else np.float64)
    return int(encode_values(column, feature)[0])
