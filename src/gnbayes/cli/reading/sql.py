"""Tables and queries of SQLite and DuckDB files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from gnbayes.cli.failure import CommandError, some
from gnbayes.cli.reading.columnar import as_asked
from gnbayes.cli.reading.content import Content
from gnbayes.cli.reading.source import Source, check_names, import_extra
from gnbayes.cli.reading.values import BATCH_ROWS, typed_batches

_TABLES_OF_SQLITE = (
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY 1"
)
_TABLES_OF_DUCKDB = "SELECT table_name FROM information_schema.tables ORDER BY 1"

Found = tuple[tuple[str, ...], Iterator[Any], str]


@contextmanager
def open_database(content: Content, source: Source, kind: str, *, is_whole: bool) -> Iterator[Found]:
    """Names, batches and a description of the rows of a query, or of the only table; the file is never modified.

    Parameters
    ----------
    content : Content
    source : Source
    kind : {"SQLite", "DuckDB"}
    is_whole : bool
        Whether the types of SQLite columns are inferred from all rows; otherwise from the first 65,536.
    """
    with _duckdb(content, source) if kind == "DuckDB" else _sqlite(content, source, is_whole) as found:
        yield found


@contextmanager
def _sqlite(content: Content, source: Source, is_whole: bool) -> Iterator[Found]:
    uri = f"{Path(_path(content, source)).resolve().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            _check_size(connection, source)
            query, words = _query(source, [row[0] for row in connection.execute(_TABLES_OF_SQLITE)], "SQLite")
            cursor = connection.execute(query)
            names = _names([column[0] for column in cursor.description or ()], source)
            yield names, typed_batches(names, cursor, source, is_whole=is_whole), words
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise CommandError(f"{source.name}: {error}.") from None


def _check_size(connection: sqlite3.Connection, source: Source) -> None:
    """Refuse a file that is shorter than its header says: SQLite would read the missing part as zeros."""
    n_pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    has_log = Path(f"{source.path}-wal").exists()  # its last pages may be in there
    if not has_log and Path(source.path).stat().st_size < n_pages * size:
        raise CommandError(f"{source.name} is truncated: its header says {n_pages * size} bytes.")


@contextmanager
def _duckdb(content: Content, source: Source) -> Iterator[Found]:
    duckdb = import_extra("duckdb", "reading DuckDB files", "duckdb")
    try:
        with duckdb.connect(_path(content, source), read_only=True) as connection:
            tables = [row[0] for row in connection.execute(_TABLES_OF_DUCKDB).fetchall()]
            query, words = _query(source, tables, "DuckDB")
            found = connection.sql(query)
            names = _names(None if found is None else found.columns, source)
            # The method was renamed in DuckDB 2.
            reader = (getattr(found, "to_arrow_reader", None) or found.fetch_arrow_reader)(BATCH_ROWS)
            yield names, (as_asked(batch, source) for batch in reader), words
    except duckdb.Error as error:
        raise CommandError(f"{source.name}: {str(error).splitlines()[0]}") from None


def _query(source: Source, tables: list[str], kind: str) -> tuple[str, str]:
    if source.query is not None:
        return source.query, f"{kind}, rows of the query"
    if len(tables) != 1:
        held = f"{len(tables)} tables, {some(tables)}" if tables else "no tables"
        raise CommandError(f"{source.name} holds {held}; select rows with --query 'SELECT * FROM ...'.")
    quoted = tables[0].replace('"', '""')
    return f'SELECT * FROM "{quoted}"', f"{kind}, table {tables[0]!r}"


def _names(found: Any, source: Source) -> tuple[str, ...]:
    if not found:
        raise CommandError(f"--query gives no rows; it must be a SELECT, got {source.query!r}.")
    check_names(source, found)
    return tuple(found)


def _path(content: Content, source: Source) -> str:
    if content.path is None:
        raise CommandError(f"{source.name} is a database; it must be an uncompressed file.")
    return content.path
