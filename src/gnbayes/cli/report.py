"""gnbayes report: a model as one HTML page."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from gnbayes.cli.evaluate import NOT_STATED, STATED
from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.known_rows import KnownRows, read_known_rows
from gnbayes.cli.messages import note
from gnbayes.cli.models import class_named, load_model
from gnbayes.cli.options import add_reading, verbosity, whole
from gnbayes.cli.output import check_output, print_json
from gnbayes.dictionary import read_dictionary
from gnbayes.documents import write_atomically
from gnbayes.reporting import report


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
    parser.add_argument("--by", metavar="COLUMNS", help="show measures for subgroups, such as sex,age")
    parser.add_argument(
        "--group",
        metavar="COLUMN",
        help="rows with the same value, such as those of one person, stay together in cross-validation",
    )
    parser.add_argument(
        "--bootstrap",
        type=whole,
        metavar="N",
        help="number of refits to bootstrap samples, 0 for none (default: as many as 60 seconds allow, 20 to 200)",
    )
    parser.add_argument(
        "--rows", type=whole, default=0, metavar="N", help="include the first N rows in the page (default: 0)"
    )
    parser.add_argument("--new-rows", action="store_true", help="state that no row of the table was used in training")
    parser.add_argument("--title", help="heading of the page (default: that of the dictionary, or the classes)")
    parser.add_argument("--tripod", metavar="FILE", help="also write the TRIPOD+AI checklist, such as tripod.md")


def run(arguments: argparse.Namespace) -> None:
    """Write the page, and print what it contains."""
    check_output(arguments.output)
    check_output(arguments.tripod)
    for option in ("rows", "by", "group", "new_rows"):
        if arguments.table is None and getattr(arguments, option):
            raise CommandError(f"--{option.replace('_', '-')} needs a table.")
    model = load_model(arguments.model)
    described = read_dictionary(arguments.dictionary or {})
    arguments.target = arguments.target or described.target.column or None
    known = None if arguments.table is None else read_known_rows(arguments, model)
    if known is not None and known.target is not None:
        described = replace(described, target=replace(described.target, column=known.target))
    page = report(
        model,
        None if known is None else known.X,
        None if known is None else known.y,
        dictionary=described,
        by=None if known is None else _parts(known, arguments.by, [feature.name for feature in model.features_]),
        groups=None if known is None else _groups(known, arguments.group),
        bootstrap=arguments.bootstrap,
        rows=arguments.rows,
        title=arguments.title,
        pos_label=None if arguments.positive is None else class_named(model, arguments.positive),
        new_rows=arguments.new_rows,
        verbose=verbosity(),
    )
    page.save(arguments.output)
    if arguments.tripod:
        write_atomically(Path(arguments.tripod), page.tripod(Path(arguments.output).name))
    _tell(page.summary, arguments, None if known is None else known.target)


def _tell(summary: dict[str, Any], arguments: argparse.Namespace, target: str | None) -> None:
    """Print what was assumed, and what was written."""
    at = summary["event"]["at"]
    event = None if at is None else summary["classes"][at]
    if summary["event"]["how"] == "told":
        note(f"using {event!r} as the event  (otherwise: --positive CLASS)")
    included, validity = len(summary["rows"]), _validity(summary["evaluation"])
    if validity == NOT_STATED:
        note(f"scores are {validity}  (otherwise: --new-rows)")
    if arguments.json:
        written = {"output": arguments.output, "tripod": arguments.tripod}
        print_json({**written, "rows_in_page": included, "target": target, "event": event, "validity": validity})
    held = f"{included} rows of data are in it" if included else "no rows of data are in it"
    note(f"written to {arguments.output}; {held}")
    if arguments.tripod:
        note(f"written to {arguments.tripod}: the TRIPOD+AI checklist")


def _validity(evaluation: dict[str, Any] | None) -> str | None:
    """For which rows the scores of the page are valid; None without scores."""
    if evaluation is None or evaluation["obstacle"]:
        return None
    return _VALIDITY[evaluation["origin"]]


_HELD_OUT = "for rows held out in cross-validation"
_VALIDITY = {
    "seen": _HELD_OUT,
    "stated": STATED,
    "unstated": NOT_STATED,
    "kept": f"{_HELD_OUT} when the model was fitted",
    "kept.once": "for rows held out when the model was fitted",
}


def _parts(known: KnownRows, asked: str | None, features: list[str]) -> dict[str, Any] | None:
    """Columns that define subgroups; None for columns of the model, whose bins and categories are the subgroups."""
    names = [name.strip() for name in (asked or "").split(",") if name.strip()]
    return {name: None if name in features else _values(known, name) for name in names} or None


def _groups(known: KnownRows, name: str | None) -> list[str] | None:
    return None if name is None else [str(value) for value in _values(known, name)]


def _values(known: KnownRows, name: str) -> list[Any]:
    if name not in known.table.column_names:
        raise no_such("column", name, known.table.column_names)
    return list(known.table[name].to_pylist())
