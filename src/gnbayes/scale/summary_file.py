"""Summaries on disk: to resume after an interruption, or to send from one site to another."""

from __future__ import annotations

import base64
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.documents import DocumentError, need, part
from gnbayes.files.check import check_classes
from gnbayes.files.reading import classes_of
from gnbayes.files.writing import describe_classes
from gnbayes.scale.column_summary import ColumnSummary, Limits
from gnbayes.scale.distinct_numbers import Numbers
from gnbayes.scale.exchange_files import read_site_file, write_site_file
from gnbayes.scale.table_summary import TableSummary

_REVEALS = (
    "No rows, but for every column all different texts and numbers with the number of rows of each number; if there "
    "are too many numbers, the smallest and the largest number of each run of nearly equal ones; and the number of "
    "rows of each class."
)


def save_summary(summary: TableSummary, path: str | os.PathLike[str]) -> None:
    """Write a summary to a file that `load_summary` reads back.

    Parameters
    ----------
    summary : TableSummary
    path : path

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import load_summary, save_summary, summarize
    >>> table = load_iris(as_frame=True).frame
    >>> with TemporaryDirectory() as folder:
    ...     save_summary(summarize(table, "target"), f"{folder}/a.summary")
    ...     print(load_summary(f"{folder}/a.summary").classes.tolist())
    [0, 1, 2]
    """
    write_site_file(path, "summary", describe(summary))


def load_summary(path: str | os.PathLike[str]) -> TableSummary:
    """Read a summary written by `save_summary`.

    Raises
    ------
    SiteFileError
        If the file is not a complete and valid summary file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import load_summary, save_summary, summarize
    >>> table = load_iris(as_frame=True).frame
    >>> with TemporaryDirectory() as folder:
    ...     save_summary(summarize(table, "target"), f"{folder}/a.summary")
    ...     print(load_summary(f"{folder}/a.summary").n_rows)
    150
    """
    return read_site_file(path, "summary", build)


def describe(summary: TableSummary) -> dict[str, Any]:
    """A summary as dicts, lists, text and numbers; arrays as base64."""
    labels = np.array(sorted(summary.labels), dtype=summary.label_dtype)
    return {
        "reveals": _REVEALS,
        "rows": summary.n_rows,
        "has_names": summary.has_names,
        "limits": {
            "exact_bytes": summary.limits.exact_bytes,
            "by_class": summary.limits.by_class,
            "n_columns": summary.limits.n_columns,
        },
        "classes": describe_classes(labels) | {"rows": [summary.labels[label] for label in labels.tolist()]},
        "columns": [
            {"name": key, **_describe_column(column, labels.tolist())}
            for key, column in zip(summary.keys, summary.columns, strict=True)
        ],
    }


def build(content: dict[str, Any]) -> TableSummary:
    """The summary that a checked document describes."""
    limits = part(content, "limits", dict, "summary")
    kept = Limits(
        part(limits, "exact_bytes", int, "limits"),
        part(limits, "by_class", bool, "limits"),
        None if limits.get("n_columns") is None else part(limits, "n_columns", int, "limits"),
    )
    need(kept.exact_bytes >= 0 and (kept.n_columns or 1) >= 1, "limits", "must be in their range")
    described = part(content, "classes", dict, "summary")
    check_classes(described, least=0)
    classes = classes_of(described)
    rows = part(described, "rows", list, "classes")
    need(
        len(rows) == len(classes) and all(map(_is_count, rows)), "classes.rows", "must be one number of rows per class"
    )
    n_rows = part(content, "rows", int, "summary")
    need(n_rows == sum(rows), "summary.rows", "must be the sum of those of the classes")
    columns = part(content, "columns", list, "summary")
    need(bool(columns), "summary.columns", "must not be empty")
    built = [_column(column, f"columns[{j}]", classes.tolist()) for j, column in enumerate(columns)]
    keys = tuple(column["name"] for column in columns)
    need(len(set(keys)) == len(keys), "summary.columns", "must have different names")
    has_names = part(content, "has_names", bool, "summary")
    labels = dict(zip(classes.tolist(), rows, strict=True))
    return TableSummary(n_rows, keys, has_names, tuple(built), labels, classes.dtype, kept)


def _describe_column(column: ColumnSummary, labels: list[Any]) -> dict[str, Any]:
    return {
        "kind": column.kind,
        "is_category": column.is_category,
        "has_missing": column.has_missing,
        "texts": sorted(column.texts),
        "numbers": _describe_numbers(column.numbers, labels),
    }


def _describe_numbers(numbers: Numbers, labels: list[Any]) -> dict[str, Any]:
    order = sorted(numbers.rows, key=lambda label: -1 if label is None else labels.index(label))
    return {
        "first": _as_text(numbers.firsts),
        "last": None if numbers.is_exact else _as_text(numbers.lasts),
        "dropped_digits": numbers.n_dropped,
        "classes": [None if label is None else labels.index(label) for label in order],
        "rows": [_as_text(numbers.rows[label]) for label in order],
    }


def _column(described: Any, where: str, labels: list[Any]) -> ColumnSummary:
    need(isinstance(described, dict), where, "must be an object")
    need(type(described.get("name")) in (str, int), f"{where}.name", "must be text or a whole number")
    kind: Any = part(described, "kind", str, where)
    need(kind in ("number", "bool", "text", "empty"), f"{where}.kind", "must be number, bool, text or empty")
    texts = part(described, "texts", list, where)
    need(all(type(text) is str for text in texts), f"{where}.texts", "must be text")
    numbers = _numbers(part(described, "numbers", dict, where), f"{where}.numbers", labels)
    is_category, has_missing = (part(described, key, bool, where) for key in ("is_category", "has_missing"))
    return ColumnSummary(kind, is_category, has_missing, frozenset(texts), numbers)


def _numbers(described: dict[str, Any], where: str, labels: list[Any]) -> Numbers:
    firsts = _as_array(part(described, "first", str, where), "<f8", f"{where}.first")
    n_dropped = part(described, "dropped_digits", int, where)
    need(0 <= n_dropped < 64, f"{where}.dropped_digits", "must be from 0 to 63")
    lasts = firsts if n_dropped == 0 else _as_array(part(described, "last", str, where), "<f8", f"{where}.last")
    are_ends = len(firsts) == len(lasts) and bool(np.isfinite(firsts).all() and np.isfinite(lasts).all())
    need(are_ends and bool((lasts >= firsts).all() and (firsts[1:] > lasts[:-1]).all()), where, "must increase")
    classes, rows = (part(described, key, list, where) for key in ("classes", "rows"))
    are_known = all(at is None or (type(at) is int and 0 <= at < len(labels)) for at in classes)
    need(are_known and len({*classes}) == len(classes), f"{where}.classes", "must be different classes, or null")
    need(
        len(rows) == len(classes) and all(type(text) is str for text in rows), f"{where}.rows", "must be one per class"
    )
    counts = [_as_array(text, "<i8", f"{where}.rows") for text in rows]
    are_counts = all(len(own) == len(firsts) and bool((own >= 0).all()) for own in counts)
    need(are_counts, f"{where}.rows", "must be a number of rows for each value")
    names = [None if at is None else labels[at] for at in classes]
    return Numbers(firsts, lasts, dict(zip(names, counts, strict=True)), n_dropped)


def _as_text(array: NDArray[Any]) -> str:
    return base64.b64encode(array.astype(array.dtype.newbyteorder("<")).tobytes()).decode()


def _as_array(text: str, dtype: str, where: str) -> NDArray[Any]:
    data = _decoded(text, where)
    need(len(data) % 8 == 0, where, "must be numbers of 8 bytes")
    return np.frombuffer(data, dtype=dtype).astype(np.dtype(dtype).newbyteorder("="))


def _decoded(text: str, where: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise DocumentError(f"{where} must be base64") from None


def _is_count(number: Any) -> bool:
    return type(number) is int and 0 <= number < 2**62
