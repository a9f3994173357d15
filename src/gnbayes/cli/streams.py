"""Tables from the command line for work in batches: a folder or file of Parquet and Feather, or text."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.tables import Source, arrow_type, is_text, read_batches
from gnbayes.scale.files import Files, open_dataset, open_files

# Files of Parquet and Feather above this size are read in batches.
LARGE_BYTES = 2**28


@dataclass(frozen=True)
class Stream:
    """Batches of a table that can be read again and again; rows without a target are left out.

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
        for batch in read_batches(self.source):
            for name in (self.target, *self.drop):
                if name not in batch.schema.names:
                    raise no_such("column", name, batch.schema.names)
            has_target = pc.is_valid(batch[self.target])
            n_left_out += batch.num_rows - pc.sum(has_target).as_py() if batch.num_rows else 0
            yield batch.filter(has_target).drop_columns(list(self.drop))
        if n_left_out:
            print(f"{n_left_out} rows without {self.target!r} are left out", file=sys.stderr)


def is_large(path: str | None) -> bool:
    """Whether a table is better read in batches: a folder, or a large file of Parquet or Feather."""
    if path is None or path == "-":
        return False
    return Path(path).is_dir() or (
        not is_text(path) and Path(path).exists() and Path(path).stat().st_size > LARGE_BYTES
    )


def files_of(source: Source, target: str, drop: list[str]) -> Files:
    """The files that the arguments name, without dropped columns and rows without a target."""
    dataset = _dataset(source)
    names = dataset.schema.names
    if source.types and type(dataset.format).__name__ != "CsvFileFormat":
        raise CommandError("--text and --number are for text files; these have types of their own.")
    for name in (target, *drop, *source.types):
        if name not in names:
            raise no_such("column", name, names)
    return _with_target(dataset, target, tuple(name for name in names if name not in (target, *drop)))


def stream_of(source: Source, target: str, columns: tuple[str, ...]) -> Iterable[Any]:
    """Batches of some columns and the target, of whatever the arguments name."""
    if not is_large(source.path):
        return Stream(replace(source, columns=(*columns, target)), target)
    return (table for table, _ in _with_target(_dataset(source), target, columns).batches())


def _with_target(dataset: Any, target: str, columns: tuple[str, ...]) -> Files:
    import pyarrow.compute as pc

    return open_files(dataset, target, columns, pc.field(target).is_valid())


def _dataset(source: Source) -> Any:
    return open_dataset(
        source.path,
        source.missing,
        types={name: arrow_type(kind) for name, kind in source.types.items()},
        separator=source.separator or ",",
        decimal=source.decimal,
        encoding=source.encoding,
    )
