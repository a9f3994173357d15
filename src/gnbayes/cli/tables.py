"""Tables from files and standard input, whole or batch by batch: CSV, TSV, Parquet, Feather, also gzipped."""

from __future__ import annotations

import csv
import gzip
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.scale.files import MISSING

_BLOCK_BYTES = 4 * 2**20
_BATCH_ROWS = 65_536


@dataclass(frozen=True)
class Source:
    """A table that is named on the command line.

    Parameters
    ----------
    path : str
        A file, or "-" for CSV on standard input.
    missing : tuple of str
        Cells of a text file that stand for a missing value.
    encoding : str
        Of a text file.
    types : dict of {str: "number", "text" or "bool"}
        How to read columns; the others are guessed, or are as the file has them.
    columns : tuple of str, optional
        Columns to read; all by default.
    separator : str, optional
        Of the cells of a text file; a comma, or a tab for TSV, by default.
    decimal : str
        The decimal point of a text file.
    """

    path: str
    missing: tuple[str, ...] = MISSING
    encoding: str = "utf-8"
    types: dict[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None
    separator: str | None = None
    decimal: str = "."

    @property
    def name(self) -> str:
        """The name to say in messages."""
        return "standard input" if self.path == "-" else self.path


def read_table(source: Source) -> Any:
    """The whole table as a pyarrow.Table."""
    pa = _pyarrow()
    batches = [batch for batch in read_batches(source) if batch.num_rows]
    if not batches:
        raise CommandError(f"{source.name} has no rows below its header.")
    return pa.Table.from_batches(batches)


def read_batches(source: Source) -> Iterator[Any]:
    """The table as pyarrow.RecordBatches, in memory that does not grow with the number of rows.

    The first batch of a text file decides the types of columns that are not given.
    """
    pa = _pyarrow()
    suffix = _suffix(source.path)
    try:
        if suffix == "parquet":
            import pyarrow.parquet as pq

            file = pq.ParquetFile(source.path)
            _check_names(source, file.schema_arrow.names)
            for batch in file.iter_batches(_BATCH_ROWS, columns=source.columns):
                yield _as_asked(source, batch)
        elif suffix == "feather":
            with pa.memory_map(source.path) as mapped:
                reader = pa.ipc.open_file(mapped)
                _check_names(source, reader.schema.names)
                for at in range(reader.num_record_batches):
                    batch = reader.get_batch(at)
                    yield _as_asked(source, batch.select(list(source.columns or batch.schema.names)))
        else:
            yield from _text_batches(source, source.separator or ("\t" if suffix == "tsv" else ","))
    except FileNotFoundError:
        raise CommandError(f"there is no file {source.path!r}.") from None
    except (OSError, EOFError) as error:
        raise CommandError(f"{source.name} cannot be read: {error}.") from None
    except pa.ArrowInvalid as error:
        raise CommandError(f"{source.name} cannot be read: {_first_line(error)}") from None


def is_text(path: str) -> bool:
    """Whether a table is read from text, whose columns have no types of their own."""
    return _suffix(path) in ("csv", "tsv")


def _text_batches(source: Source, delimiter: str) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.csv as pc

    file = _open(source)
    try:
        names = _names(source, _first_row(file), delimiter)
    except CommandError:
        if source.path != "-":
            file.close()
        raise
    options = pc.ConvertOptions(
        include_columns=source.columns,
        decimal_point=source.decimal,
        null_values=list(source.missing),
        strings_can_be_null=True,
        quoted_strings_can_be_null=True,
        column_types={name: arrow_type(kind) for name, kind in source.types.items() if name in names},
    )
    reading = pc.ReadOptions(column_names=names, encoding=source.encoding, block_size=_BLOCK_BYTES, use_threads=False)
    parsing = pc.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    try:
        with pc.open_csv(file, reading, parsing, options) as reader:
            yield from reader
    except pa.ArrowInvalid as error:
        if "Empty CSV" in str(error):
            return
        raise CommandError(f"{source.name} cannot be read: {_explain(error, source, names)}") from None
    except UnicodeDecodeError:
        raise CommandError(_explain_encoding(source)) from None
    finally:
        if source.path != "-":
            file.close()


def _open(source: Source) -> BinaryIO:
    """The bytes of a text table, unpacked where they are gzipped."""
    raw: Any = sys.stdin.buffer if source.path == "-" else open(source.path, "rb")  # noqa: SIM115
    if raw.peek(2)[:2] == b"\x1f\x8b":
        return cast(BinaryIO, gzip.GzipFile(fileobj=raw))
    return cast(BinaryIO, raw)


def _first_row(file: BinaryIO) -> bytes:
    """The header, which may hold line breaks inside quotes."""
    row = file.readline()
    while row.count(b'"') % 2:
        line = file.readline()
        if not line:
            break
        row += line
    return row


def _names(source: Source, header: bytes, delimiter: str) -> list[str]:
    try:
        text = header.decode("utf-8-sig" if source.encoding.lower() in ("utf-8", "utf8") else source.encoding)
    except UnicodeDecodeError:
        raise CommandError(_explain_encoding(source)) from None
    except LookupError:
        raise CommandError(f"there is no encoding {source.encoding!r}.") from None
    names = (
        next(csv.reader([text], delimiter=delimiter), [])
        if "\n" not in text.strip()
        else next(csv.reader(io.StringIO(text), delimiter=delimiter), [])
    )
    if not names or not text.strip():
        raise CommandError(f"{source.name} is empty; its first line must name the columns.")
    names = [name.strip() for name in names]
    if len(names) == 1 and ";" in names[0]:
        raise CommandError(f"{source.name} seems to have ; between its cells; say so with --separator ';'.")
    _check_names(source, names)
    return names


def _check_names(source: Source, names: list[str]) -> None:
    for name in names:
        if not name:
            raise CommandError(f"{source.name} has a column without a name (column {names.index(name) + 1}).")
        if names.count(name) > 1:
            raise CommandError(f"{source.name} has more than one column named {name!r}; rename them.")
    for name in source.columns or ():
        if name not in names:
            raise no_such("column", name, names)


def arrow_type(kind: str) -> Any:
    """The type of pyarrow for a kind of column."""
    import pyarrow as pa

    return {"number": pa.float64(), "text": pa.string(), "bool": pa.bool_()}[kind]


def _as_asked(source: Source, batch: Any) -> Any:
    """A batch with decimals as numbers and columns of the kinds that were asked for; no nested columns."""
    import pyarrow as pa

    columns = []
    for field_, column in zip(batch.schema, batch.columns, strict=True):
        if pa.types.is_nested(field_.type):
            raise CommandError(
                f"column {field_.name!r} holds {field_.type}, not single values; leave it out of the file."
            )
        wanted = source.types.get(field_.name)
        if wanted is None and pa.types.is_decimal(field_.type):
            wanted = "number"
        columns.append(column.cast(arrow_type(wanted), safe=False) if wanted is not None else column)
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _explain(error: Exception, source: Source, names: list[str]) -> str:
    text = re.sub(r"In CSV column #(\d+)", lambda found: f"in column {names[int(found[1])]!r}", _first_line(error))
    if "UTF8" in text or "utf-8" in text.lower():
        return _explain_encoding(source)
    if "conversion error" in text:
        return text + " Is it the right kind of column, and is this cell perhaps missing (--missing)?"
    return text


def _explain_encoding(source: Source) -> str:
    return f"{source.name} is not in the encoding {source.encoding}; give another one, such as --encoding latin-1."


def _first_line(error: Exception) -> str:
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    return text if text.endswith(".") else text + "."


def _suffix(path: str) -> str:
    name = path.lower().removesuffix(".gz")
    for suffix, kind in ((".parquet", "parquet"), (".feather", "feather"), (".arrow", "feather"), (".tsv", "tsv")):
        if name.endswith(suffix):
            return kind
    return "csv"


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise CommandError("the command gnbayes needs pyarrow; install it with: pip install 'gnbayes[cli]'") from None
    return pa
