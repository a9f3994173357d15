"""gnbayes report: a model as one HTML page."""

from __future__ import annotations

import argparse

from gnbayes.cli.failure import CommandError
from gnbayes.cli.known_rows import read_known_rows
from gnbayes.cli.messages import note
from gnbayes.cli.models import class_named, load_model
from gnbayes.cli.options import add_reading, whole
from gnbayes.cli.output import check_output, print_json
from gnbayes.reporting import report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")
    add_reading(parser, is_optional=True)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the page to write, such as heart.html")
    parser.add_argument("--target", metavar="COLUMN", help="the column of the table with the true classes")
    parser.add_argument(
        "--rows", type=whole, default=0, metavar="N", help="write the first N rows into the page (default: 0, none)"
    )
    parser.add_argument("--title", help="heading of the page (default: the classes)")
    parser.add_argument("--positive", metavar="CLASS", help="the class whose risk is shown (default: the last)")


def run(arguments: argparse.Namespace) -> None:
    """Write the page, and say what is in it."""
    check_output(arguments.output)
    model = load_model(arguments.model)
    if arguments.table is None and arguments.rows:
        raise CommandError("--rows needs a table to take rows from.")
    known = None if arguments.table is None else read_known_rows(arguments, model)
    X, y = (None, None) if known is None else (known.X, known.y)
    positive = None if arguments.positive is None else class_named(model, arguments.positive)
    page = report(model, X, y, rows=arguments.rows, title=arguments.title, pos_label=positive)
    page.save(arguments.output)
    included = len(page.summary["rows"])
    if arguments.json:
        target = None if known is None else known.target
        print_json({"output": arguments.output, "rows_in_page": included, "target": target})
    held = f"{included} rows of data are in it" if included else "no rows of data are in it"
    note(f"written to {arguments.output}; {held}")
