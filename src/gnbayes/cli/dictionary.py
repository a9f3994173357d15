"""gnbayes dictionary: the draft of a data dictionary from a table."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.messages import note, plural
from gnbayes.cli.models import say_detected
from gnbayes.cli.options import add_reading, source_of
from gnbayes.cli.output import check_output, print_json
from gnbayes.cli.reading import read_table
from gnbayes.dictionary import MOST_CODES, Seen, draft_csv, draft_yaml
from gnbayes.documents import write_atomically
from gnbayes.encoding import value_text

_MOST_DECIMALS = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_reading(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the draft to write, such as heart.yaml or heart.csv"
    )
    parser.add_argument("--target", metavar="COLUMN", help="the column to predict")
    parser.add_argument("--drop", action="append", default=[], metavar="COLUMN", help="ignore a column")


def run(arguments: argparse.Namespace) -> None:
    """Write the draft, and say what to do with it."""
    path = Path(arguments.output)
    if path.suffix.lower() not in (".yaml", ".yml", ".csv"):
        raise CommandError(f"{arguments.output!r} must end with .yaml, .yml or .csv, which determines the format.")
    if path.exists():
        raise CommandError(f"{arguments.output!r} already exists and is not overwritten; choose another name.")
    check_output(arguments.output)
    source = source_of(arguments)
    table, opened = read_table(source)
    say_detected(source, opened)
    for name in (*arguments.drop, *filter(None, [arguments.target])):
        if name not in table.column_names:
            raise no_such("column", name, table.column_names)
    seen = {name: _look(name, table[name]) for name in table.column_names if name not in arguments.drop}
    target = seen.pop(arguments.target, None)
    draft = draft_csv if path.suffix.lower() == ".csv" else draft_yaml
    write_atomically(path, draft(list(seen.values()), target))
    if arguments.json:
        print_json({"output": arguments.output, "columns": list(seen), "target": arguments.target})
    note(f"written to {arguments.output}: {plural(len(seen), 'column')} to be described")
    if target is None:
        note("no --target given: remove the column to predict from the draft, or write it again with --target COLUMN")
    note(f"then: gnbayes report MODEL {arguments.table} --dictionary {arguments.output} -o PAGE.html")


def _look(name: str, column: Any) -> Seen:
    """What a column contains: its values if there are few, otherwise the range of numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
    known = pc.drop_null(column)
    if is_number and pa.types.is_floating(column.type):
        known = known.filter(pc.is_finite(known))
    n_missing = len(column) - len(known)
    values = pc.unique(known)
    if len(values) <= MOST_CODES:
        texts = [_text(value) for value in sorted(values.to_pylist())]
        return Seen(name, values=tuple(texts), n_missing=n_missing)
    if not is_number:
        return Seen(name, n_missing=n_missing)
    numbers = [float(value) for value in values.to_pylist()]
    return Seen(name, (), min(numbers), max(numbers), _decimals(numbers), n_missing)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else value_text(value)


def _decimals(numbers: list[float]) -> int:
    """Number of digits after the decimal point that is enough for nearly all numbers."""
    needed = sorted(len(f"{number:.{_MOST_DECIMALS}f}".rstrip("0").partition(".")[2]) for number in numbers)
    return needed[int(0.95 * (len(needed) - 1))]
