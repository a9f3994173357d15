"""Text tables: bytes become batches of columns."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from gnbayes.cli.failure import CommandError
from gnbayes.cli.reading.content import Content
from gnbayes.cli.reading.dialect import SEPARATOR_WORDS, Dialect, cells_of, detect_dialect
from gnbayes.cli.reading.encoding import Transcoded, choose_encoding, decode_sample, explain_encoding
from gnbayes.cli.reading.source import Source, check_names
from gnbayes.cli.reading.values import arrow_type

_BLOCK_BYTES = 4 * 2**20


@dataclass(frozen=True)
class TextFormat:
    """How to read a text table.

    Parameters
    ----------
    encoding : str
    dialect : Dialect
    names : tuple of str
        Names of all columns.
    """

    encoding: str
    dialect: Dialect
    names: tuple[str, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it is a plain CSV file."""
        return self.encoding == "utf-8" and self.dialect == Dialect(",", ".", True)

    @property
    def words(self) -> str:
        """What was detected, in one line."""
        between = SEPARATOR_WORDS.get(self.dialect.separator, repr(self.dialect.separator))
        decimal = "commas" if self.dialect.decimal == "," else "points"
        header = "a header" if self.dialect.has_header else "no header"
        return f"{self.encoding.upper()}, {between} between cells, decimal {decimal}, {header}"


def detect_format(content: Content, source: Source) -> TextFormat:
    """Encoding, dialect and names of a text, from its sample and the command line."""
    encoding = choose_encoding(source.encoding, content.sample)
    text = decode_sample(content.sample, encoding, source.name)
    if not text.strip():
        raise CommandError(f"{source.name} is empty; its first line must name the columns.")
    if "\x00" in text:
        raise CommandError(f"{source.name} is not text, nor any other type of table that gnbayes can read.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not content.is_whole and "\n" in text:
        text = text[: text.rindex("\n") + 1]
    dialect = detect_dialect(
        text, source.missing, separator=source.separator, decimal=source.decimal, has_header=source.has_header
    )
    rows = cells_of(text, dialect.separator)
    if not rows:
        raise CommandError(f"{source.name} cannot be read as cells with {dialect.separator!r} between them.")
    names = named(rows[0] if dialect.has_header else [""] * len(rows[0]))
    check_names(source, names)
    return TextFormat(encoding, dialect, names)


def named(cells: list[str]) -> tuple[str, ...]:
    """Names of columns; one without a name is named by its position.

    Examples
    --------
    >>> from gnbayes.cli.reading.text import named
    >>> named(["", "age", "sex"])
    ('column 1', 'age', 'sex')
    """
    return tuple(cell or f"column {place}" for place, cell in enumerate(cells, 1))


def read_text(content: Content, form: TextFormat, source: Source, *, is_whole: bool) -> Iterator[Any]:
    """The rows as pyarrow.RecordBatches.

    Parameters
    ----------
    content : Content
    form : TextFormat
    source : Source
    is_whole : bool
        Whether the type of a column is inferred from all rows; otherwise from the first few megabytes, and memory does
        not grow with the number of rows.
    """
    import pyarrow as pa
    import pyarrow.csv as pc

    options = (_reading(form), _parsing(form), _converting(form, source))
    try:
        if is_whole:
            table = pc.read_csv(_in_utf8(content, form), *options)
            _check_text(table.schema, source, form)
            yield from table.to_batches()
        else:
            with pc.open_csv(_in_utf8(content, form), *options) as reader:
                _check_text(reader.schema, source, form)
                yield from reader
    except pa.ArrowInvalid as error:
        if "Empty CSV" not in str(error):
            raise CommandError(_explain(error, source, form)) from None
    except UnicodeError:
        raise CommandError(explain_encoding(source.name, form.encoding)) from None


def _check_text(schema: Any, source: Source, form: TextFormat) -> None:
    """Refuse cells that are not valid in the encoding, which pyarrow returns as bytes if no type is requested."""
    import pyarrow.types as pt

    if any(pt.is_binary(kind) for kind in schema.types):
        raise CommandError(explain_encoding(source.name, form.encoding))


def _in_utf8(content: Content, form: TextFormat) -> BinaryIO:
    if form.encoding == "utf-8":
        return content.stream
    return io.BufferedReader(Transcoded(content.stream, form.encoding), 2**20)


def _reading(form: TextFormat) -> Any:
    import pyarrow.csv as pc

    return pc.ReadOptions(
        column_names=list(form.names),
        skip_rows_after_names=int(form.dialect.has_header),
        block_size=_BLOCK_BYTES,
        use_threads=False,
    )


def _parsing(form: TextFormat) -> Any:
    import pyarrow.csv as pc

    return pc.ParseOptions(delimiter=form.dialect.separator, newlines_in_values=True)


def _converting(form: TextFormat, source: Source) -> Any:
    import pyarrow.csv as pc

    types = dict.fromkeys(source.as_text, "text") | source.types
    return pc.ConvertOptions(
        include_columns=source.columns,
        decimal_point=form.dialect.decimal,
        null_values=list(source.missing),
        strings_can_be_null=True,
        quoted_strings_can_be_null=True,
        column_types={name: arrow_type(kind) for name, kind in types.items() if name in form.names},
    )


def _explain(error: Exception, source: Source, form: TextFormat) -> str:
    text = first_line(error)
    if "UTF8" in text or "utf-8" in text.lower():
        return explain_encoding(source.name, form.encoding)
    column = re.search(r"In CSV column #(\d+)", text)
    bad = re.search(r"conversion error to (\S+): invalid value '(.*)'", text)
    if column and bad:
        wanted = "true or false" if bad[1] == "bool" else "a number"
        return (
            f"column {form.names[int(column[1])]!r} of {source.name} holds {bad[2]!r}, which is not {wanted}; if this "
            f"cell is a missing value, use --missing {bad[2]!r}; if the column is text, use --text COLUMN."
        )
    if "Expected" in text and "columns" in text:
        return (
            f"{source.name} cannot be read: {text} Cells with {form.dialect.separator!r} in them need quotes around "
            "them; specify another separator with --separator."
        )
    return f"{source.name} cannot be read: {text}"


def first_line(error: Exception) -> str:
    """The first line of a message, as a sentence."""
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    return text if text.endswith(".") else text + "."
