"""gnbayes report: a model as one HTML page."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.fit import classes_of
from gnbayes.cli.options import add_reading, column_types, load_model, source_of
from gnbayes.cli.tables import read_table
from gnbayes.dictionary import Dictionary, read_dictionary
from gnbayes.estimator import GeneralizedNB
from gnbayes.files.writing import write_atomically
from gnbayes.reporting import report

HELP = "write one offline HTML page: a calculator, the evidence for it, and a model card"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")
    add_reading(parser, is_optional=True)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the page to write, such as heart.html")
    parser.add_argument("--target", metavar="COLUMN", help="the column of the table with the true classes")
    parser.add_argument(
        "--dictionary", metavar="FILE", help="labels, units, codes and texts for the page, in YAML or CSV"
    )
    parser.add_argument(
        "--positive", metavar="CLASS", help="the event: the class whose risk is shown (default: as the dictionary says)"
    )
    parser.add_argument("--by", metavar="COLUMNS", help="measure groups of people apart, such as sex,age")
    parser.add_argument("--group", metavar="COLUMN", help="rows of the same person or group, which stay together")
    parser.add_argument(
        "--bootstrap",
        type=_whole,
        metavar="N",
        help="refits to other samples, 0 for none (default: as many as 60 seconds allow, from 20 to 200)",
    )
    parser.add_argument(
        "--rows", type=_whole, default=0, metavar="N", help="write the first N rows into the page (default: 0, none)"
    )
    parser.add_argument("--title", help="heading of the page (default: that of the dictionary, or the classes)")
    parser.add_argument("--tripod", metavar="FILE", help="also write the TRIPOD+AI checklist, such as tripod.md")


def run(arguments: argparse.Namespace) -> None:
    """Write the page, and say what is in it."""
    model = load_model(arguments.model)
    for path in filter(None, (arguments.output, arguments.tripod)):
        if Path(path).is_dir() or not Path(path).parent.is_dir():
            raise CommandError(f"{path!r} cannot be written: it is a folder, or its folder does not exist.")
    for option in ("rows", "by", "group"):
        if arguments.table is None and getattr(arguments, option):
            raise CommandError(f"--{option} needs a table.")
    described = read_dictionary(arguments.dictionary or {})
    given = _Given(None, None) if arguments.table is None else _rows(arguments, model, described)
    page = report(
        model,
        given.X,
        given.y,
        dictionary=replace(described, target=replace(described.target, column=given.target or described.target.column)),
        by=given.by,
        groups=given.groups,
        bootstrap=arguments.bootstrap,
        rows=arguments.rows,
        title=arguments.title,
        pos_label=_class(model, arguments.positive),
        verbose=1,
    )
    page.save(arguments.output)
    if arguments.tripod:
        write_atomically(Path(arguments.tripod), page.tripod(Path(arguments.output).name))
    _tell(page.summary, arguments)


def _tell(summary: dict[str, Any], arguments: argparse.Namespace) -> None:
    """What was taken for granted, and what was written."""
    if summary["event"]["how"] == "told":
        event = summary["classes"][summary["event"]["at"]]
        print(f"taking {event!r} for the event  (otherwise: --positive CLASS)", file=sys.stderr)
    included = len(summary["rows"])
    held = f"{included} rows of data are in it" if included else "no rows of data are in it"
    print(f"written to {arguments.output}; {held}", file=sys.stderr)
    if arguments.tripod:
        print(f"written to {arguments.tripod}: the TRIPOD+AI checklist", file=sys.stderr)


@dataclass(frozen=True, eq=False)
class _Given:
    """What the table gives: columns of the model, classes, groups of rows, parts of the rows, name of the target."""

    X: Any
    y: Any
    groups: Any = None
    by: dict[str, Any] | None = None
    target: str = ""


def _rows(arguments: argparse.Namespace, model: GeneralizedNB, described: Dictionary) -> _Given:
    """The columns of the model, and the classes if there are any; rows without a class are left out."""
    table = read_table(source_of(arguments, column_types(model.features_)))
    names = [feature.name for feature in model.features_]
    parts = [name.strip() for name in (arguments.by or "").split(",") if name.strip()]
    for name in (*names, *parts, *filter(None, [arguments.group])):
        if name not in table.column_names:
            raise no_such("column", name, table.column_names)
    target = _target(arguments.target or described.target.column, table, model)
    y = None
    if target is not None:
        values = table[target].to_pylist()
        has_class = [value is not None and value == value for value in values]
        if not all(has_class):
            print(f"{has_class.count(False)} rows without {target!r} are left out", file=sys.stderr)
            table = table.filter(has_class)
        y = classes_of(target, [value for value, is_known in zip(values, has_class, strict=True) if is_known])
    X = table.select(names)
    return _Given(
        X if hasattr(model, "feature_names_in_") else X.to_pandas().to_numpy(),
        y,
        [str(value) for value in table[arguments.group].to_pylist()] if arguments.group else None,
        {name: None if name in names else table[name].to_pylist() for name in parts} or None,
        target or "",
    )


def _target(asked: str | None, table: Any, model: GeneralizedNB) -> str | None:
    """The column with the classes: the one that is named, or the only other one that holds nothing but classes."""
    if asked:
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
