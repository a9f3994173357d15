"""Parquet and Feather files, and columns that have types of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gnbayes.cli.reading.content import Content
from gnbayes.cli.reading.source import Source, check_names
from gnbayes.cli.reading.values import BATCH_ROWS, arrow_type

Found = tuple[tuple[str, ...], Iterator[Any], int]


@contextmanager
def open_columns(content: Content, source: Source, kind: str) -> Iterator[Found]:
    """Names of all columns, batches of the requested ones, and the number of rows.

    Parameters
    ----------
    content : Content
    source : Source
    kind : {"Parquet", "Feather"}
    """
    with (_parquet if kind == "Parquet" else _feather)(content, source) as (names, batches, n_rows):
        yield names, (as_asked(batch, source) for batch in batches), n_rows


@contextmanager
def _parquet(content: Content, source: Source) -> Iterator[Found]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(content.path or content.seekable()) as file:
        names = tuple(file.schema_arrow.names)
        check_names(source, names)
        yield names, file.iter_batches(BATCH_ROWS, columns=source.columns), file.metadata.num_rows


@contextmanager
def _feather(content: Content, source: Source) -> Iterator[Found]:
    import pyarrow as pa

    with pa.memory_map(content.path) if content.path else pa.PythonFile(content.seekable(), "r") as file:
        reader = pa.ipc.open_file(file)
        names = tuple(reader.schema.names)
        check_names(source, names)
        sizes = [reader.get_batch(at).num_rows for at in range(reader.num_record_batches)]
        yield names, (reader.get_batch(at) for at in range(len(sizes))), sum(sizes)


def as_asked(batch: Any, source: Source) -> Any:
    """The requested columns with the requested types; decimals become numbers."""
    import pyarrow as pa

    names = list(batch.schema.names if source.columns is None else source.columns)
    columns = []
    for name in names:
        column = batch.column(name)
        wanted = source.types.get(name)
        if wanted is None and pa.types.is_decimal(column.type):
            wanted = "number"
        columns.append(column.cast(arrow_type(wanted), safe=False) if wanted is not None else column)
    return pa.RecordBatch.from_arrays(columns, names=names)
