"""Tables that are read in batches: a folder, or a large Parquet, Feather or text file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.messages import note
from gnbayes.cli.reading import Source, open_table
from gnbayes.cli.reading.content import open_content
from gnbayes.cli.reading.kind import kind_of
from gnbayes.cli.reading.text import TextFormat, detect_format
from gnbayes.cli.reading.values import arrow_type
from gnbayes.scale.files import open_dataset, open_files

# Parquet and Feather files above this size are read in batches.
LARGE_BYTES = 2**28


@dataclass(frozen=True)
class Stream:
    """Batches of a table that can be read repeatedly; rows without a target are skipped.

    Parameters
    ----------
    source : Source
    target : str
    drop : tuple of str
        Columns to leave out.
    """

    source: Source
    target: str
    drop: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Any]:
        import pyarrow.compute as pc

        n_left_out = 0
        with open_table(self.source) as opened:
            for name in (self.target, *self.drop):
                if name not in opened.names:
                    raise no_such("column", name, opened.names)
            for batch in opened.batches:
                has_target = pc.is_valid(batch[self.target])
                n_left_out += batch.num_rows - pc.sum(has_target).as_py() if batch.num_rows else 0
                yield batch.filter(has_target).drop_columns(list(self.drop))
        if n_left_out:
            note(f"{n_left_out} rows without {self.target!r} are left out")


@dataclass(frozen=True, eq=False)
class TableFiles:
    """A table stored in files.

    Parameters
    ----------
    source : Source
    dataset : pyarrow.dataset.Dataset
    target : str
    columns : tuple of str
        Names of the features.
    words : str
        What was detected.
    whole_numbers : tuple of str
        Columns of text files whose first rows contain integers.
    """

    source: Source
    dataset: Any
    target: str
    columns: tuple[str, ...]
    words: str
    whole_numbers: tuple[str, ...] = field(default=())

    @property
    def schema(self) -> Any:
        """Names and types of the features."""
        import pyarrow as pa

        return pa.schema([self.dataset.schema.field(name) for name in self.columns])

    @property
    def row_filter(self) -> Any:
        """The rows with a target."""
        import pyarrow.compute as pc

        return pc.field(self.target).is_valid()

    def count_rows(self) -> int:
        """All rows, also those without a target."""
        return int(self.dataset.count_rows())

    def scan(self, extra: list[str]) -> Iterator[Any]:
        """Batches of the rows with a target: features, target and extra columns."""
        names = [*self.columns, self.target, *extra]
        yield from self.dataset.scanner(columns=names, filter=self.row_filter).to_batches()

    def with_fractions(self) -> TableFiles:
        """The same files with all integers read as floats."""
        types = self.source.types | dict.fromkeys(self.whole_numbers, "number")
        dataset, words, _ = _open(replace(self.source, types=types))
        return replace(self, dataset=dataset, words=words, whole_numbers=())


def is_large(path: str | None) -> bool:
    """Whether a table is better read in batches: a folder, or a large file of Parquet or Feather."""
    if path is None or path == "-":
        return False
    if Path(path).is_dir():
        return True
    if not Path(path).is_file() or Path(path).stat().st_size <= LARGE_BYTES:
        return False
    with open(path, "rb") as file:
        return kind_of(file.read(64)) in ("Parquet", "Feather")


def files_of(source: Source, target: str, drop: list[str]) -> TableFiles:
    """The files that the arguments name, without dropped columns and rows without a target."""
    dataset, words, whole_numbers = _open(source)
    names = dataset.schema.names
    if source.types and type(dataset.format).__name__ != "CsvFileFormat":
        raise CommandError("--text and --number are for text files; these have types of their own.")
    for name in (target, *drop, *source.types):
        if name not in names:
            raise no_such("column", name, names)
    columns = tuple(name for name in names if name not in (target, *drop))
    files = open_files(dataset, target, columns)
    return TableFiles(source, dataset, target, files.columns, words, whole_numbers)


def stream_of(source: Source, target: str, columns: tuple[str, ...]) -> Iterable[Any]:
    """Batches of some columns and the target, from the table or files that the arguments name."""
    if not is_large(source.path):
        return Stream(replace(source, columns=(*columns, target)), target)
    import pyarrow.compute as pc

    dataset = _open(source)[0]
    return (table for table, _ in open_files(dataset, target, columns, pc.field(target).is_valid()).batches())


def _open(source: Source) -> tuple[Any, str, tuple[str, ...]]:
    """The dataset, a description of it, and the columns of text files that contain integers.

    Integers in text files stay integers, so that those too large for a float are refused, as in a single file.
    """
    first = _first_file(source.path)
    with open_content(str(first)) as content:
        form = detect_format(content, replace(source, columns=None)) if kind_of(content.sample) == "text" else None
    types = {name: arrow_type(kind) for name, kind in source.types.items()}
    if form is None:
        return open_dataset(source.path, source.missing, types=types), f"files of {first.suffix}", ()
    if not form.dialect.has_header:
        raise CommandError(f"{str(first)!r} has no header; files of a folder need one, with the same names in all.")
    whole = tuple(name for name in _whole_numbers(first, form, source) if name not in types)
    try:
        return _open_text(source, form, dict.fromkeys(whole, _int64()) | types), form.words, whole
    except ValueError as error:
        if not whole or "conversion error" not in str(error):
            raise
        return _open_text(source, form, types), form.words, ()  # another file contains fractions


def _open_text(source: Source, form: TextFormat, types: dict[str, Any]) -> Any:
    return open_dataset(
        source.path,
        source.missing,
        types=types,
        separator=form.dialect.separator,
        decimal=form.dialect.decimal,
        encoding=form.encoding,
    )


def _whole_numbers(path: Path, form: TextFormat, source: Source) -> list[str]:
    """Columns that contain integers in the first rows of a text file."""
    import pyarrow.types as pt

    single = replace(source, path=str(path), separator=form.dialect.separator, decimal=form.dialect.decimal)
    with open_table(single) as opened:
        schema = next(iter(opened.batches)).schema
    return [column.name for column in schema if pt.is_integer(column.type)]


def _int64() -> Any:
    import pyarrow as pa

    return pa.int64()


def _first_file(path: str) -> Path:
    """The file, or the first one in a folder that is not hidden."""
    place = Path(path)
    if place.is_file():
        return place
    files = sorted(
        file
        for file in place.rglob("*")
        if file.is_file() and not any(part[0] in "._" for part in file.relative_to(place).parts)
    )
    if not files:
        raise CommandError(f"{path!r} is a folder without files.")
    return files[0]
