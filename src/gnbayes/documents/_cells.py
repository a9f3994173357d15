"""Cells of CSV files."""

from __future__ import annotations

from typing import Any

# What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def escape_formula(value: Any) -> Any:
    """Text that a spreadsheet would run as a formula, with an apostrophe before it; anything else unchanged.

    Examples
    --------
    >>> from gnbayes.documents import escape_formula
    >>> escape_formula("=1+1"), escape_formula("x=1"), escape_formula(-1.5)
    ("'=1+1", 'x=1', -1.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
