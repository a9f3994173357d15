"""Open any table: inspect its first bytes, choose the reader, and describe what was detected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gnbayes.cli.failure import CommandError
from gnbayes.cli.reading.columnar import open_columns
from gnbayes.cli.reading.content import DAMAGED, Content, open_content
from gnbayes.cli.reading.excel import read_sheet
from gnbayes.cli.reading.json_lines import read_objects
from gnbayes.cli.reading.kind import kind_of
from gnbayes.cli.reading.source import Source, check_options, pyarrow
from gnbayes.cli.reading.sql import open_database
from gnbayes.cli.reading.text import detect_format, first_line, read_text
from gnbayes.cli.reading.values import typed_batches


@dataclass(frozen=True, eq=False)
class Opened:
    """A table that is being read.

    Parameters
    ----------
    names : tuple of str
        Names of all columns of the file.
    batches : iterator of pyarrow.RecordBatch
        The requested columns.
    words : str
        What was detected.
    is_plain : bool
        Whether it need not be mentioned: CSV in UTF-8 with commas, decimal points and a header; Parquet; Feather.
    share : callable
        The share of the table that has been read after this many rows; None if it is unknown.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import pandas as pd
    >>> from gnbayes.cli.reading import Source, open_table
    >>> frame = pd.DataFrame({"age": [31, 50], "dose": [1.5, 2.5]})
    >>> with TemporaryDirectory() as folder:
    ...     frame.to_csv(f"{folder}/a.csv", index=False)
    ...     with open_table(Source(f"{folder}/a.csv")) as opened:
    ...         print(opened.names, opened.is_plain)
    ('age', 'dose') True
    """

    names: tuple[str, ...]
    batches: Iterator[Any]
    words: str
    is_plain: bool
    share: Callable[[int], float | None]


@contextmanager
def open_table(source: Source, *, is_whole: bool = False) -> Iterator[Opened]:
    """Open a table.

    Parameters
    ----------
    source : Source
    is_whole : bool
        Whether all rows will be held in memory, so that they can be inspected before the first batch.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import pandas as pd
    >>> from gnbayes.cli.reading import Source, open_table
    >>> frame = pd.DataFrame({"age": [31, 50], "dose": [1.5, 2.5]})
    >>> with TemporaryDirectory() as folder:
    ...     frame.to_csv(f"{folder}/a.csv", index=False)
    ...     with open_table(Source(f"{folder}/a.csv")) as opened:
    ...         print(sum(batch.num_rows for batch in opened.batches))
    2
    """
    if source.path != "-" and Path(source.path).is_dir():
        raise CommandError(f"{source.path!r} is a folder; give a file.")
    with ExitStack() as stack:
        with _explained(source):
            content = stack.enter_context(open_content(source.path))
            opened = stack.enter_context(_opened(content, source, is_whole))
        yield replace(opened, batches=_read(opened.batches, source))


def read_table(source: Source) -> tuple[Any, Opened]:
    """The whole table as a pyarrow.Table, and what was detected.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import pandas as pd
    >>> from gnbayes.cli.reading import Source, read_table
    >>> frame = pd.DataFrame({"age": [31, 50], "dose": [1.5, 2.5]})
    >>> with TemporaryDirectory() as folder:
    ...     frame.to_csv(f"{folder}/a.csv", index=False, sep=";", decimal=",")
    ...     table, opened = read_table(Source(f"{folder}/a.csv"))
    >>> table.to_pydict()
    {'age': [31, 50], 'dose': [1.5, 2.5]}
    >>> opened.words
    'UTF-8, semicolons between cells, decimal commas, a header'
    """
    with open_table(source, is_whole=True) as opened:
        batches = [batch for batch in opened.batches if batch.num_rows]
    if not batches:
        raise CommandError(f"{source.name} has no rows below its header.")
    return pyarrow().Table.from_batches(batches), opened


@contextmanager
def _opened(content: Content, source: Source, is_whole: bool) -> Iterator[Opened]:
    kind = kind_of(content.sample)
    check_options(source, kind)
    packed = f", {content.packing}" if content.packing else ""
    if kind == "text":
        form = detect_format(content, source)
        batches = read_text(content, form, source, is_whole=is_whole)
        yield Opened(form.names, batches, form.words + packed, form.is_plain, lambda _: content.share())
    elif kind == "JSON":
        names, rows = read_objects(content, source, is_whole=is_whole)
        batches = typed_batches(names, rows, source, is_whole=is_whole)
        yield Opened(names, batches, f"JSON{packed}", False, lambda _: content.share())
    elif kind == "Excel":
        names, sheet, words = read_sheet(content, source)
        yield Opened(names, typed_batches(names, sheet, source, is_whole=True), words, False, _unknown)
    elif kind in ("SQLite", "DuckDB"):
        with open_database(content, source, kind, is_whole=is_whole) as (names, batches, words):
            yield Opened(names, batches, words, False, _unknown)
    else:
        with open_columns(content, source, kind) as (names, batches, n_rows):
            yield Opened(names, batches, f"{kind}{packed}", True, lambda rows: rows / n_rows if n_rows else None)


def _unknown(_: int) -> None:
    """The share is unknown, because the number of rows is."""


def _read(batches: Iterator[Any], source: Source) -> Iterator[Any]:
    with _explained(source):
        yield from batches


@contextmanager
def _explained(source: Source) -> Iterator[None]:
    """Turn errors of reading into one-sentence errors."""
    pa = pyarrow()
    try:
        yield
    except FileNotFoundError:
        raise CommandError(f"there is no file {source.path!r}.") from None
    except (*DAMAGED, pa.ArrowInvalid) as error:
        raise CommandError(f"{source.name} cannot be read: {first_line(error)}") from None
