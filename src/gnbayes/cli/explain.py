"""gnbayes explain: why these predictions."""

from __future__ import annotations

import argparse
from itertools import count

from gnbayes.cli.options import add_reading, load_model, positive
from gnbayes.cli.predict import model_columns, model_source
from gnbayes.cli.tables import read_batches

HELP = "take the predictions of rows apart, feature by feature"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")
    add_reading(parser)
    parser.add_argument("--rows", type=positive, default=5, metavar="N", help="explain the first N rows (default: 5)")
    parser.add_argument("--top", type=positive, metavar="N", help="only the N features that matter most")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> None:
    """Explain the first rows."""
    import json

    model, left, number = load_model(arguments.model), arguments.rows, count(1)
    for batch in read_batches(model_source(arguments, model)):
        part = batch.slice(0, left)
        if not part.num_rows:
            continue
        explanation = model.explain(model_columns(model, part))
        described = explanation.to_dict()["rows"] if arguments.json else []
        for row in range(part.num_rows):
            if arguments.json:
                print(json.dumps(described[row], ensure_ascii=False))
            else:
                print(f"row {next(number)}: {explanation.text(row, n=arguments.top)}\n")
        left -= part.num_rows
        if left <= 0:
            return
