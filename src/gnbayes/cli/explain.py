"""gnbayes explain: explanations of predictions."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from gnbayes.cli.models import load_model, model_columns, model_source, say_detected
from gnbayes.cli.options import add_reading, add_unknown, positive
from gnbayes.cli.output import json_text
from gnbayes.cli.reading import open_table
from gnbayes.explanation import Explanation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")
    add_reading(parser)
    parser.add_argument("--rows", type=positive, default=5, metavar="N", help="explain the first N rows (default: 5)")
    parser.add_argument("--top", type=positive, metavar="N", help="only the N most important terms")
    add_unknown(parser)


def run(arguments: argparse.Namespace) -> None:
    """Explain the first rows."""
    model, done = load_model(arguments.model), 0
    source = model_source(arguments, model)
    with open_table(source) as opened:
        say_detected(source, opened)
        for batch in opened.batches:
            part = batch.slice(0, arguments.rows - done)
            if part.num_rows:
                explanation = model.explain(model_columns(model, part), unknown=arguments.unknown)
                _print(explanation, done, arguments)
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
    """A row with its most important terms and the sum of the others, so that the total is unchanged.

    Parameters
    ----------
    explanation : Explanation
    row : int
    described : dict
        The row as returned by `Explanation.to_dict`.
    n : int
    """
    known = np.flatnonzero(explanation.parts.is_known[row]).tolist()
    by_term = dict(zip(known, described["terms"], strict=True))
    top = explanation.top(n, row).tolist()
    others = [part for term, part in by_term.items() if term not in top]
    rest = {label: _sum([part["score"][label] for part in others]) for label in described["base"]}
    return described | {"terms": [by_term[term] for term in top], "others": {"terms": len(others), "score": rest}}


def _sum(numbers: list[float | None]) -> float | None:
    """The sum of logarithms; None, the logarithm of 0, if one of them is None."""
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None
