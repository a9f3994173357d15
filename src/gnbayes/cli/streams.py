"""Tables from the command line for work in batches: a folder or file of Parquet and Feather, or text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gnbayes.cli.failure import no_such
from gnbayes.cli.tables import Source, arrow_type, is_text, read_batches
from gnbayes.scale.files import Files, open_dataset, open_files


@dataclass(frozen=True)
class Stream:
    """Batches of a table that can be read again and again; rows without a target are left out.

    Parameters
    ----------
    source : Source
    target : str
    """

    source: Source
    target: str

    def __iter__(self) -> Iterator[Any]:
        import pyarrow.compute as pc

        n_left_out = 0
        for batch in read_batches(self.source):
            if self.target not in batch.schema.names:
                raise no_such("column", self.target, batch.schema.names)
            has_target = pc.is_valid(batch[self.target])
            n_left_out += batch.num_rows - pc.sum(has_target).as_py() if batch.num_rows else 0
            yield batch.filter(has_target)
        if n_left_out:
            print(f"{n_left_out} rows without {self.target!r} are left out", file=sys.stderr)


def is_large(path: str | None) -> bool:
    """Whether a table is read in batches from files that know their columns: a folder, Parquet or Feather."""
    return path is not None and path != "-" and (Path(path).is_dir() or not is_text(path))


def files_of(source: Source, target: str, drop: list[str]) -> Files:
    """The files that the arguments name, without dropped columns and rows without a target."""
    import pyarrow.compute as pc

    types = {name: arrow_type(kind) for name, kind in source.types.items()}
    dataset = open_dataset(
        source.path,
        source.missing,
        types=types,
        separator=source.separator or ",",
        decimal=source.decimal,
        encoding=source.encoding,
    )
    names = dataset.schema.names
    for name in (target, *drop, *source.types):
        if name not in names:
            raise no_such("column", name, names)
    columns = source.columns or tuple(name for name in names if name not in (target, *drop))
    return open_files(dataset, target, columns, pc.field(target).is_valid())
