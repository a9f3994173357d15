"""Rows for a model whose classes are known."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.cli.failure import CommandError, no_such, some
from gnbayes.cli.messages import note
from gnbayes.cli.models import class_type, column_types, model_columns, say_detected
from gnbayes.cli.options import source_of
from gnbayes.cli.reading import read_table
from gnbayes.cli.training import classes_of
from gnbayes.estimator import GeneralizedNB


@dataclass(frozen=True, eq=False)
class KnownRows:
    """Rows of a table.

    Parameters
    ----------
    table : pyarrow.Table
        All columns of the rows that are used.
    X : pyarrow.Table or ndarray of shape (n, d)
        In the form that the model expects.
    target : str, optional
        The column of the classes, if there is one.
    y : ndarray of shape (n,), optional
        The classes.
    """

    table: Any
    X: Any
    target: str | None
    y: NDArray[Any] | None


def read_known_rows(arguments: argparse.Namespace, model: GeneralizedNB) -> KnownRows:
    """Read a table for a model; rows without a class are left out, and other columns are ignored."""
    types = column_types(model.features_)
    wanted = class_type(model.classes_)
    if arguments.target is not None and wanted is not None:
        types = {arguments.target: wanted} | types
    source = source_of(arguments, types)
    table, opened = read_table(source)
    say_detected(source, opened)
    for name in column_types(model.features_):
        if name not in table.column_names:
            raise no_such("column", name, table.column_names)
    target = _target(arguments.target, table, model)
    y = None
    if target is not None:
        values = table[target].to_pylist()
        has_class = [value is not None and value == value for value in values]
        if not all(has_class):
            note(f"{has_class.count(False)} rows without {target!r} are left out")
            table = table.filter(has_class)
        y = classes_of(target, [value for value, is_known in zip(values, has_class, strict=True) if is_known])
        _check_classes(target, y, model)
    return KnownRows(table, model_columns(model, table), target, y)


def _target(asked: str | None, table: Any, model: GeneralizedNB) -> str | None:
    """The column with the classes: the one that is named, or the only other column that contains only classes."""
    if asked is not None:
        if asked not in table.column_names:
            raise no_such("column", asked, table.column_names)
        return asked
    known, names = set(model.classes_.tolist()), {feature.name for feature in model.features_}
    fitting = [name for name in table.column_names if name not in names and _holds_only(table[name], known)]
    if len(fitting) == 1:
        note(f"using column {fitting[0]!r} for the classes  (otherwise: --target COLUMN)")
        return fitting[0]
    why = "several columns hold" if fitting else "no other column holds"
    note(f"no scores: {why} the classes of the model  (--target COLUMN)")
    return None


def _holds_only(column: Any, known: set[Any]) -> bool:
    import pyarrow.types as pt

    if pt.is_nested(column.type):
        return False
    found = {value for value in column.unique().to_pylist() if value is not None}
    return bool(found) and found <= known


def _check_classes(target: str, y: NDArray[Any], model: GeneralizedNB) -> None:
    strangers = [label for label in np.unique(y).tolist() if label not in set(model.classes_.tolist())]
    if strangers:
        known = some([str(label) for label in model.classes_.tolist()])
        raise CommandError(
            f"column {target!r} holds {strangers[0]!r}, which is not a class of the model; its classes are {known}."
        )
