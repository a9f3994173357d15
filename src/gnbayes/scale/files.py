"""Tables in files, read batch by batch with pyarrow: a file or a folder of Parquet, Feather or CSV."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from gnbayes.scale.file_schemas import explain, with_common_types

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?")
BATCH_ROWS = 2**17
# Record batches and units to read ahead: enough to keep reading while rows are counted, but few to save memory. If
# counting is slower than reading, pyarrow still reads up to 1 GB ahead, but only within the units of a scan.
_BATCHES_AHEAD, _UNITS_AHEAD, _UNITS_AT_ONCE = 4, 1, 8
# After this many batches, the next end of a file or row group also ends a batch.
_BATCHES_BETWEEN_ENDS = 8
_KINDS = {".parquet": "parquet", ".feather": "feather", ".arrow": "feather", ".csv": "csv", ".csv.gz": "csv"}


@dataclass(frozen=True, eq=False)
class Files:
    """A table in files.

    Parameters
    ----------
    dataset : pyarrow.dataset.Dataset
    target : str
    columns : tuple of str
        Names of the features.
    row_filter : pyarrow.compute.Expression, optional
        Rows to read; all by default.
    batch_rows : int
        Approximate number of rows in a batch.
    """

    dataset: Any
    target: str
    columns: tuple[str, ...]
    row_filter: Any
    batch_rows: int

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.units)

    @cached_property
    def units(self) -> list[Any]:
        """Pieces that are read one after the other: row groups of Parquet files, otherwise whole files."""
        fragments = list(self.dataset.get_fragments())
        if not all(hasattr(fragment, "split_by_row_group") for fragment in fragments):
            return fragments
        return [piece for fragment in fragments for piece in fragment.split_by_row_group()]

    def batches(self, first_unit: int = 0) -> Iterator[tuple[Any, int | None]]:
        """Batches as tables; if one ends with a unit, also the number of units completed so far."""
        pending: list[Any] = []
        n_rows = n_since = 0
        at = first_unit
        for new, batch in self._record_batches(first_unit):
            is_full = n_rows >= self.batch_rows
            is_end = new != at and (n_rows >= self.batch_rows // 2 or n_since >= _BATCHES_BETWEEN_ENDS)
            if is_full or is_end:
                yield self._table(pending), new if new != at else None
                pending, n_rows, n_since = [], 0, 0 if new != at else n_since + 1
            at = new
            pending.append(batch)
            n_rows += batch.num_rows
        yield self._table(pending), len(self.units)

    def identity(self) -> dict[str, Any]:
        """A fingerprint of the files, to recognize them when resuming after an interruption."""
        return {
            "files": [[info.path, info.size, info.mtime_ns] for info in self._file_infos()],
            "units": len(self.units),
            "columns": list(self.columns),
            "target": self.target,
            "row_filter": None if self.row_filter is None else str(self.row_filter),
        }

    def _file_infos(self) -> list[Any]:
        return list(self.dataset.filesystem.get_file_info(self.dataset.files))

    def _record_batches(self, first_unit: int) -> Iterator[tuple[int, Any]]:
        """Record batches in order, each with the number of its unit."""
        import pyarrow as pa
        from pyarrow.dataset import FileSystemDataset

        place = {_place_of(unit): at for at, unit in enumerate(self.units)}
        for start in range(first_unit, len(self.units), _UNITS_AT_ONCE):
            units = self.units[start : start + _UNITS_AT_ONCE]
            dataset = FileSystemDataset(units, self.dataset.schema, self.dataset.format, self.dataset.filesystem)
            scanner = dataset.scanner(
                columns=[*self.columns, self.target],
                filter=self.row_filter,
                batch_size=self.batch_rows,
                batch_readahead=_BATCHES_AHEAD,
                fragment_readahead=_UNITS_AHEAD,
            )
            try:
                for tagged in scanner.scan_batches():
                    yield place[_place_of(tagged.fragment)], tagged.record_batch
            except (pa.ArrowException, OSError) as error:
                raise ValueError(explain(error, _damaged(units, self.columns, error))) from None

    def _table(self, batches: list[Any]) -> Any:
        import pyarrow as pa

        schema = pa.schema([self.dataset.schema.field(name) for name in (*self.columns, self.target)])
        return pa.Table.from_batches(batches, schema)


def open_files(
    source: Any, target: str, columns: Sequence[str] | None = None, row_filter: Any = None, batch_rows: int = BATCH_ROWS
) -> Files:
    """Open files for reading.

    Parameters
    ----------
    source : path, list of paths, or pyarrow.dataset.FileSystemDataset
        A file, or a folder with files of one format, including subfolders.
    target : str
    columns : sequence of str, optional
        Columns to learn from; all but the target by default.
    row_filter : pyarrow.compute.Expression, optional
    batch_rows : int
    """
    dataset = source if _is_dataset(source) else open_dataset(source)
    names = dataset.schema.names
    for name in (target, *(columns or ())):
        if name not in names:
            raise ValueError(f"there is no column {name!r} in the files; there are {', '.join(map(repr, names[:12]))}.")
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise ValueError(f"the files have more than one column named {double!r}; rename them.")
    chosen = tuple(name for name in (names if columns is None else columns) if name != target)
    if not chosen:
        raise ValueError("there is no column left to learn from.")
    return Files(dataset, target, chosen, row_filter, batch_rows)


def is_files(source: Any) -> bool:
    """Whether a source consists of files rather than batches."""
    is_path = isinstance(source, str | os.PathLike)
    is_list = (
        isinstance(source, list | tuple) and bool(source) and all(isinstance(p, str | os.PathLike) for p in source)
    )
    return is_path or is_list or _is_dataset(source)


def open_dataset(source: Any, missing: Iterable[str] = MISSING, **options: Any) -> Any:
    """The dataset of one or several paths; `options` are passed to `csv_format`."""
    dataset = _pyarrow_dataset()
    paths = [Path(path) for path in (source if isinstance(source, list | tuple) else [source])]
    found = [file for path in paths for file in _files_of(path)]
    kinds = {_kind_of(file) for file in found}
    if len(kinds) > 1:
        raise ValueError(f"{_first(paths)} holds files of several kinds, {', '.join(sorted(kinds))}; give one kind.")
    kind = kinds.pop()
    names = [str(file) for file in found]
    if kind == "parquet":
        opened = _with_dictionaries(dataset.dataset(names, format=kind))
    elif kind == "feather":
        opened = dataset.dataset(names, format=kind)
    else:
        opened = dataset.dataset(names, format=csv_format(names[0], missing, **options))
    return with_common_types(opened)


def csv_format(
    path: str,
    missing: Iterable[str] = MISSING,
    *,
    types: dict[str, Any] | None = None,
    separator: str = ",",
    decimal: str = ".",
    encoding: str = "utf-8",
) -> Any:
    """How to read CSV files like the first one: numeric columns as float64, because fractions may follow.

    Parameters
    ----------
    path : str
        The first file; the types of columns are inferred from its first rows.
    missing : iterable of str
        Cells that represent a missing value.
    types : dict of {column: pyarrow.DataType}, optional
        For columns whose type cannot be inferred from the first rows.
    separator, decimal, encoding : str
    """
    import pyarrow as pa
    import pyarrow.csv as pc
    from pyarrow.dataset import CsvFileFormat, dataset

    def make(types: dict[str, Any]) -> Any:
        convert = pc.ConvertOptions(
            null_values=list(missing),
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
            decimal_point=decimal,
            column_types=types,
        )
        parse = pc.ParseOptions(delimiter=separator, newlines_in_values=True)
        return CsvFileFormat(parse, convert_options=convert, read_options=pc.ReadOptions(encoding=encoding))

    schema = dataset([path], format=make(types or {})).schema
    return make({field.name: pa.float64() for field in schema if pa.types.is_integer(field.type)} | (types or {}))


def _with_dictionaries(parquet: Any) -> Any:
    """The same dataset, with text read in the dictionary encoding that Parquet stores."""
    import pyarrow as pa
    from pyarrow.dataset import ParquetFileFormat, ParquetReadOptions, dataset

    texts = [field.name for field in parquet.schema if pa.types.is_string(field.type)]
    options = ParquetReadOptions(dictionary_columns=texts)
    return dataset(parquet.files, format=ParquetFileFormat(read_options=options))


def _files_of(path: Path) -> list[Path]:
    """A file, or all files of a folder whose names do not begin with a dot or an underscore, in order."""
    if not path.exists():
        raise FileNotFoundError(f"there is no file or folder {str(path)!r}.")
    if path.is_file():
        return [path]
    found = [
        file
        for file in path.rglob("*")
        if file.is_file() and not any(p[0] in "._" for p in file.relative_to(path).parts)
    ]
    if not found:
        raise ValueError(f"{str(path)!r} is a folder without files.")
    return sorted(found)


def _kind_of(path: Path) -> str:
    kind = next((kind for ending, kind in _KINDS.items() if path.name.lower().endswith(ending)), None)
    if kind is None:
        raise ValueError(f"{str(path)!r} is none of {', '.join(_KINDS)}; convert it, or give a pyarrow dataset.")
    return kind


def _damaged(units: Sequence[Any], columns: Sequence[str], error: Exception) -> str | None:
    """The path of the first unit that cannot be read, unless the error names it."""
    import pyarrow as pa

    for unit in units:
        try:
            for _ in unit.scanner(columns=list(columns), batch_readahead=1, fragment_readahead=1).to_batches():
                pass
        except (pa.ArrowException, OSError):
            return None if unit.path in str(error) else str(unit.path)
    return None


def _place_of(unit: Any) -> tuple[str, int]:
    groups = getattr(unit, "row_groups", None)
    return unit.path, groups[0].id if groups else 0


def _is_dataset(source: Any) -> bool:
    return type(source).__name__ == "FileSystemDataset" and type(source).__module__.startswith("pyarrow")


def _first(paths: list[Path]) -> str:
    return repr(str(paths[0]))


def _pyarrow_dataset() -> Any:
    try:
        import pyarrow.dataset
    except ImportError:
        raise ImportError("reading files needs pyarrow; install it with: pip install 'gnbayes[scale]'") from None
    return pyarrow.dataset
