"""gnbayes export: a model for other tools."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gnbayes.cli.failure import CommandError
from gnbayes.cli.models import load_model
from gnbayes.cli.output import check_output, check_picture, print_json
from gnbayes.files import to_bif, to_effects, to_onnx, to_python, to_sql, to_xmlbif
from gnbayes.files.sql import DIALECTS
from gnbayes.plot import TreeDisplay, to_dot


def _to_picture(model: Any, path: Path) -> None:
    TreeDisplay.from_estimator(model).figure_.savefig(path, dpi=150)


_WRITERS: dict[str, Callable[..., object]] = {
    "bif": to_bif,
    "xmlbif": to_xmlbif,
    "onnx": to_onnx,
    "python": to_python,
    "sql": to_sql,
    "dot": lambda model, path: path.write_text(to_dot(model) + "\n", encoding="utf-8"),
    "effects": to_effects,
    "picture": _to_picture,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")
    parser.add_argument("--to", required=True, choices=list(_WRITERS), help="the format")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--escape-formulas",
        action="store_true",
        help="with --to effects: put ' before names that a spreadsheet would run as formulas",
    )
    sql = parser.add_argument_group("SQL")
    sql.add_argument("--dialect", choices=list(DIALECTS), help="SQL dialect, with --to sql")
    sql.add_argument("--table", metavar="NAME", help="the source of the rows in SQL (default: data)")
    sql.add_argument("--keep", action="append", metavar="COLUMN", help="copy a column to the result, such as a key")


def run(arguments: argparse.Namespace) -> None:
    """Write the file."""
    (check_picture if arguments.to == "picture" else check_output)(arguments.output)
    options = _sql_options(arguments) | _csv_options(arguments)
    _WRITERS[arguments.to](load_model(arguments.model), Path(arguments.output), **options)
    if arguments.json:
        print_json({"format": arguments.to, "output": arguments.output})


def _csv_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options for CSV, as arguments of `to_effects`."""
    if arguments.to != "effects" and arguments.escape_formulas:
        raise CommandError(f"--escape-formulas is for --to effects, and --to is {arguments.to}; leave it out.")
    return {"escape_formulas": True} if arguments.escape_formulas else {}


def _sql_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options for SQL, as arguments of `to_sql`."""
    given = {name: getattr(arguments, name) for name in ("dialect", "table", "keep")}
    given = {name: value for name, value in given.items() if value is not None}
    if arguments.to != "sql" and given:
        raise CommandError(f"--{next(iter(given))} is for --to sql, and --to is {arguments.to}; leave it out.")
    if arguments.to == "sql" and "dialect" not in given:
        raise CommandError(f"--to sql needs --dialect, one of {', '.join(DIALECTS)}.")
    return given
