"""gnbayes report: a model as one HTML page."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.fit import classes_of
from gnbayes.cli.options import add_reading, column_types, load_model, source_of
from gnbayes.cli.tables import read_table
from gnbayes.estimator import GeneralizedNB
from gnbayes.reporting import report

HELP = "write one offline HTML page: how the model thinks, how good it is, and a risk calculator"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")
    add_reading(parser, is_optional=True)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the page to write, such as heart.html")
    parser.add_argument("--target", metavar="COLUMN", help="the column of the table with the true classes")
    parser.add_argument(
        "--rows", type=_whole, default=0, metavar="N", help="write the first N rows into the page (default: 0, none)"
    )
    parser.add_argument("--title", help="heading of the page (default: the classes)")
    parser.add_argument("--positive", metavar="CLASS", help="the class whose risk is shown (default: the last)")


def run(arguments: argparse.Namespace) -> None:
    """Write the page, and say what is in it."""
    model = load_model(arguments.model)
    if Path(arguments.output).is_dir() or not Path(arguments.output).parent.is_dir():
        raise CommandError(f"{arguments.output!r} cannot be written: it is a folder, or its folder does not exist.")
    X, y = (None, None) if arguments.table is None else _rows(arguments, model)
    if X is None and arguments.rows:
        raise CommandError("--rows needs a table to take rows from.")
    page = report(model, X, y, rows=arguments.rows, title=arguments.title, pos_label=_class(model, arguments.positive))
    page.save(arguments.output)
    included = len(page.summary["rows"])
    held = f"{included} rows of data are in it" if included else "no rows of data are in it"
    print(f"written to {arguments.output}; {held}", file=sys.stderr)


def _rows(arguments: argparse.Namespace, model: GeneralizedNB) -> tuple[Any, Any]:
    """The columns of the model, and the classes if there are any; rows without a class are left out."""
    table = read_table(source_of(arguments, column_types(model.features_)))
    names = [feature.name for feature in model.features_]
    for name in names:
        if name not in table.column_names:
            raise no_such("column", name, table.column_names)
    target = _target(arguments.target, table, model)
    y = None
    if target is not None:
        values = table[target].to_pylist()
        has_class = [value is not None and value == value for value in values]
        if not all(has_class):
            print(f"{has_class.count(False)} rows without {target!r} are left out", file=sys.stderr)
            table = table.filter(has_class)
        y = classes_of(target, [value for value, is_known in zip(values, has_class, strict=True) if is_known])
    X = table.select(names)
    return (X if hasattr(model, "feature_names_in_") else X.to_pandas().to_numpy()), y


def _target(asked: str | None, table: Any, model: GeneralizedNB) -> str | None:
    """The column with the classes: the one that is named, or the only other one that holds nothing but classes."""
    if asked is not None:
        if asked not in table.column_names:
            raise no_such("column", asked, table.column_names)
        return asked
    known, names = set(model.classes_.tolist()), {feature.name for feature in model.features_}
    others = [name for name in table.column_names if name not in names]
    fitting = [name for name in others if _holds_only(table[name], known)]
    if len(fitting) == 1:
        print(f"taking {fitting[0]!r} for the classes  (otherwise: --target COLUMN)", file=sys.stderr)
        return fitting[0]
    why = "several columns hold" if fitting else "no other column holds"
    print(f"no scores: {why} the classes of the model  (--target COLUMN)", file=sys.stderr)
    return None


def _holds_only(column: Any, known: set[Any]) -> bool:
    found = {value for value in column.unique().to_pylist() if value is not None}
    return bool(found) and found <= known


def _class(model: GeneralizedNB, text: str | None) -> Any:
    """The class that is written so."""
    if text is None:
        return None
    names = {str(label): label for label in model.classes_.tolist()}
    if text not in names:
        raise no_such("class", text, names)
    return names[text]


def _whole(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"must be a whole number from 0, got {text!r}")
    return int(text)
