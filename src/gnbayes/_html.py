"""Small HTML tables for notebooks; the content of every cell is escaped as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

# Maximum number of lines shown in a table.
MOST_LINES = 12


def html_table(title: str, header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table of texts; only the first `MOST_LINES` lines are shown.

    Parameters
    ----------
    title : str
    header : sequence of str
    lines : iterable of sequence of str

    Examples
    --------
    >>> from gnbayes._html import html_table
    >>> "&lt;b&gt;" in html_table("A table", ["name"], [["<b>"]])
    True
    """
    rows = list(lines)
    shown = [_row("td", line) for line in rows[:MOST_LINES]]
    if len(rows) > MOST_LINES:
        shown.append(_row("td", [f"and {len(rows) - MOST_LINES} more", *[""] * (len(header) - 1)]))
    return f"<table><caption>{escape(title)}</caption>{_row('th', header)}{''.join(shown)}</table>"


def _row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"
