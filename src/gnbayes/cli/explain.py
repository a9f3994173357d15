"""gnbayes explain: why these predictions."""

from __future__ import annotations

import argparse
from typing import Any

from gnbayes.cli.models import load_model, model_columns, model_source, say_detected
from gnbayes.cli.options import add_reading, positive
from gnbayes.cli.output import json_text
from gnbayes.cli.reading import open_table
from gnbayes.explanation import Explanation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")
    add_reading(parser)
    parser.add_argument("--rows", type=positive, default=5, metavar="N", help="explain the first N rows (default: 5)")
    parser.add_argument("--top", type=positive, metavar="N", help="only the N features that matter most")


def run(arguments: argparse.Namespace) -> None:
    """Explain the first rows."""
    model, done = load_model(arguments.model), 0
    source = model_source(arguments, model)
    with open_table(source) as opened:
        say_detected(source, opened)
        for batch in opened.batches:
            part = batch.slice(0, arguments.rows - done)
            if part.num_rows:
                _print(model.explain(model_columns(model, part)), done, arguments)
            done += part.num_rows
            if done >= arguments.rows:
                return


def _print(explanation: Explanation, n_before: int, arguments: argparse.Namespace) -> None:
    rows = explanation.to_dict()["rows"]
    for at, described in enumerate(rows):
        if arguments.json:
            if arguments.top is not None:
                described = only_top(explanation, at, described, arguments.top)
            print(json_text({"row": n_before + at + 1} | described))
        else:
            print(f"row {n_before + at + 1}: {explanation.text(at, n=arguments.top)}\n")


def only_top(explanation: Explanation, row: int, described: dict[str, Any], n: int) -> dict[str, Any]:
    """A row with the features that matter most, and the sum of the others, so that all still sum to the whole.

    Parameters
    ----------
    explanation : Explanation
    row : int
    described : dict
        The row as `Explanation.to_dict` has it.
    n : int
    """
    names = [explanation.features[j].name for j in explanation.top(n, row).tolist()]
    by_name = {part["feature"]: part for part in described["features"]}
    others = [part for name, part in by_name.items() if name not in names]
    rest = {label: _sum([part["contribution"][label] for part in others]) for label in described["base"]}
    return described | {
        "features": [by_name[name] for name in names],
        "others": {"features": len(others), "contribution": rest},
    }


def _sum(numbers: list[float | None]) -> float | None:
    """The sum of logarithms; None, the logarithm of 0, where one of them is."""
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None
