"""Sheets of Excel and OpenDocument files."""

from __future__ import annotations

from typing import Any

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.reading.content import Content
from gnbayes.cli.reading.source import Source, check_names, import_extra
from gnbayes.cli.reading.text import named


def read_sheet(content: Content, source: Source) -> tuple[tuple[str, ...], list[list[Any]], str]:
    """Names and rows of a sheet, and a description of it.

    Parameters
    ----------
    content : Content
    source : Source
        Reads its `sheet`, or the first one.
    """
    calamine = import_extra("python_calamine", "reading Excel files", "excel")
    try:
        with calamine.CalamineWorkbook.from_object(content.path or content.seekable()) as book:
            sheets = book.sheet_names
            if source.sheet is not None and source.sheet not in sheets:
                raise no_such("sheet", source.sheet, sheets)
            sheet = sheets[0] if source.sheet is None else source.sheet
            rows = book.get_sheet_by_name(sheet).to_python()
    except (calamine.CalamineError, calamine.ZipError, calamine.XmlError, calamine.PasswordError) as error:
        raise CommandError(f"{source.name} cannot be read as an Excel file: {error}.") from None
    names, rows = _split(rows, source)
    check_names(source, names)
    others = f" (of {len(sheets)}; otherwise: --sheet NAME)" if source.sheet is None and len(sheets) > 1 else ""
    return names, rows, f"Excel, sheet {sheet!r}{others}"


def _split(rows: list[list[Any]], source: Source) -> tuple[tuple[str, ...], list[list[Any]]]:
    """Names and rows; empty rows, and columns with neither a name nor a value, are skipped."""
    rows = [row for row in rows if any(cell != "" for cell in row)]
    if not rows:
        raise CommandError(f"{source.name}: the sheet is empty; its first row must name the columns.")
    has_header = source.has_header is not False
    used = [place for place in range(len(rows[0])) if any(row[place] != "" for row in rows)]
    cells = [_name(rows[0][place]) if has_header else "" for place in used]
    body = [[None if row[place] == "" else row[place] for place in used] for row in rows[int(has_header) :]]
    return named(cells), body


def _name(cell: Any) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()
