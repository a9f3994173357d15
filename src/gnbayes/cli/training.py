"""Training rows: features, classes and groups."""

from __future__ import annotations

import argparse
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.cli.columns import check_types
from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.messages import note, plural
from gnbayes.cli.options import source_of
from gnbayes.cli.reading import read_table

_MANY_CLASSES = 20


@dataclass(frozen=True, eq=False)
class Training:
    """Training rows.

    Parameters
    ----------
    X : pyarrow.Table
        The features.
    y : ndarray of shape (n,)
    groups : list of length n, optional
    n_left_out : int
        Rows without a class.
    """

    X: Any
    y: NDArray[Any]
    groups: list[Any] | None
    n_left_out: int


def read_training(arguments: argparse.Namespace) -> Training:
    """Read the table that the arguments name; rows without a class are left out."""
    source = source_of(arguments)
    table, opened = read_table(source)
    note(f"{source.name}: {plural(table.num_rows, 'row')}, {plural(len(opened.names), 'column')}; {opened.words}")
    group = getattr(arguments, "group", None)
    if len(opened.names) == 1:
        raise CommandError(
            f"{source.name} has a single column, {opened.names[0][:60]!r}; specify the separator, such as "
            "--separator ' '."
        )
    check_columns(table.column_names, arguments.target, arguments.drop, group)
    return training_of(table, arguments.target, arguments.drop, group)


def training_of(table: Any, target: str, drop: list[str], group: str | None) -> Training:
    """Features, classes and groups of a table."""
    values = table[target].to_pylist()
    has_class = [not _is_missing(value) for value in values]
    if not all(has_class):
        table = table.filter(has_class)
    y = classes_of(target, [value for value, is_known in zip(values, has_class, strict=True) if is_known])
    n_classes = len(np.unique(y))
    if y.dtype.kind in "iu" and n_classes > _MANY_CLASSES:
        sentence = f"column {target!r} contains numbers, each of which is treated as a class: {n_classes} classes."
        warnings.warn(f"{sentence} Is it the right target?", stacklevel=1)
    groups = None if group is None else table[group].to_pylist()
    left_out = [target, *drop, *([] if group is None else [group])]
    X = table.drop_columns(list(dict.fromkeys(left_out)))
    if not X.num_columns:
        raise CommandError("there is no column left to learn from.")
    check_types(X.schema)
    return Training(X, y, groups, has_class.count(False))


def check_columns(names: list[str], target: str, drop: list[str], group: str | None) -> None:
    """Refuse columns that do not exist, or that are given contradictory roles."""
    for name in (target, *drop, *([] if group is None else [group])):
        if name not in names:
            raise no_such("column", name, names)
    if target in drop or target == group:
        what = "dropped" if target in drop else "the group, too"
        raise CommandError(f"column {target!r} is the target and cannot be {what}.")


def classes_of(name: str, values: list[Any]) -> NDArray[Any]:
    """The target as an array of text, booleans or integers."""
    if not values:
        raise CommandError(f"column {name!r} has no values; is it the right target?")
    if not all(isinstance(value, str | int | float) for value in values):
        kind = type(values[0]).__name__
        raise CommandError(
            f"column {name!r} holds values of type {kind}; a target needs classes: text or whole numbers."
        )
    y = np.array(values)
    if y.dtype.kind == "f":
        if not (y == np.rint(y)).all():
            raise CommandError(f"column {name!r} holds fractions; a target needs classes. Is it the right column?")
        y = y.astype(np.int64)
    n_classes = len(np.unique(y))
    if n_classes > max(_MANY_CLASSES, len(y) / 2):
        raise CommandError(
            f"column {name!r} has {n_classes} different values in {len(y)} rows; a target needs classes. Is it the "
            "right column?"
        )
    return y


def _is_missing(value: Any) -> bool:
    return value is None or value != value
