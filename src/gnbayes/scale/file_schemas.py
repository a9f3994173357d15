"""Names and types of columns in several files: the same names in all, and types that hold the values of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def with_common_types(dataset: Any) -> Any:
    """The dataset of several files, with types that fit all of them rather than only the first one.

    A column may be empty in one file and thus of no type, or have integers in one and fractions in another. Columns
    that a file lacks would be read as empty, and are an error.

    Parameters
    ----------
    dataset : pyarrow.dataset.FileSystemDataset
    """
    import pyarrow as pa
    from pyarrow.dataset import FileSystemDataset

    try:
        fragments = list(dataset.get_fragments())
        schemas = [fragment.physical_schema for fragment in fragments]
    except (pa.ArrowException, OSError) as error:
        raise ValueError(explain(error)) from None
    paths = [fragment.path for fragment in fragments]
    _check_names(paths, schemas)
    is_text = type(dataset.format).__name__ == "CsvFileFormat"
    common = dataset.schema
    for at, own in enumerate(common):
        kinds = [schema.field(own.name).type for schema in schemas]
        # Types in text files are guesses from the first rows: text in one and numbers in another may both be right.
        if is_text and not pa.types.is_null(own.type):
            continue
        found = _guess(kinds) if is_text else _common(own.name, paths, kinds)
        if found != own.type and set(kinds) != {kinds[0]}:
            common = common.set(at, own.with_type(found))
    if common.equals(dataset.schema):
        return dataset
    return FileSystemDataset(fragments, common, dataset.format, dataset.filesystem)


def explain(error: Exception, path: str | None = None) -> str:
    """An error of pyarrow in one sentence, with the path of the damaged file if the error does not name it."""
    text = str(error).splitlines()[0].rstrip(".")
    if "conversion error" in text:
        text += (
            "; if the first rows do not determine the type of a column, pass a pyarrow dataset with a schema, or in "
            "the shell --number or --text"
        )
    return f"{'the files' if path is None else repr(path)} cannot be read: {text}."


def _check_names(paths: Sequence[str], schemas: Sequence[Any]) -> None:
    for path, schema in zip(paths[1:], schemas[1:], strict=True):
        different = set(schemas[0].names) ^ set(schema.names)
        if different:
            name = min(different)
            has, lacks = (paths[0], path) if name in schemas[0].names else (path, paths[0])
            raise ValueError(f"{has!r} has a column {name!r} and {lacks!r} has not; all files need the same columns.")


def _common(name: str, paths: Sequence[str], kinds: Sequence[Any]) -> Any:
    """The type that holds the values of all files."""
    import pyarrow as pa

    if all(kind == kinds[0] for kind in kinds):
        return kinds[0]
    found = None
    for path, kind in zip(paths, kinds, strict=True):
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        try:
            both = [pa.schema([(name, one)]) for one in (found or plain, plain)]
            found = pa.unify_schemas(both, promote_options="permissive").field(0).type
        except pa.ArrowException:
            first = next(one for one in kinds if not pa.types.is_null(one))
            raise ValueError(
                f"column {name!r} holds {first} in {paths[kinds.index(first)]!r} and {kind} in {path!r}; write it with "
                "one type in all files."
            ) from None
    return found


def _guess(kinds: Sequence[Any]) -> Any:
    """The type of a column of text files that is empty in the first rows of the first one."""
    import pyarrow as pa

    found = {kind for kind in kinds if not pa.types.is_null(kind)}
    if not found:
        return pa.null()
    if all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in found):
        return pa.float64()
    return found.pop() if len(found) == 1 else pa.string()
