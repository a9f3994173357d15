"""Check the tables of a model file: nested lists of numbers."""

from __future__ import annotations

import math
from typing import Any

from gnbayes.documents import need


def check_table(table: Any, shape: tuple[int, ...], where: str, *, is_count: bool = True) -> None:
    """Check nested lists of a given shape: finite numbers of at least 0, or any numbers far from the limit of
    floats.
    """
    need(isinstance(table, list) and len(table) == shape[0], where, f"must be a table of shape {shape}")
    for item in table:
        if len(shape) > 1:
            check_table(item, shape[1:], where, is_count=is_count)
        elif is_count:
            is_sound = type(item) in (int, float) and 0 <= item < 2**62 and is_finite(item)
            need(is_sound, where, "must be counts, finite numbers from 0")
        else:
            is_sound = type(item) in (int, float) and -1e100 < item < 1e100
            need(is_sound, where, "must be numbers between -1e100 and 1e100")


def is_finite(number: Any) -> bool:
    """Whether a number is within the range of floats."""
    if type(number) is int:
        return abs(number) < 2**1023
    return type(number) is float and math.isfinite(number)
