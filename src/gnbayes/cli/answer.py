"""gnbayes answer: the answer of a site to a question from `gnbayes rounds`."""

from __future__ import annotations

import argparse
from typing import Any

from gnbayes.cli.messages import note
from gnbayes.cli.models import class_type, column_types
from gnbayes.cli.options import add_reading, source_of
from gnbayes.cli.output import check_output, print_json
from gnbayes.cli.streams import stream_of
from gnbayes.sites import load_features
from gnbayes.sites.rounds import RoundSite, load_question, reveals_answer, save_answer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_reading(parser)
    parser.add_argument("--features", required=True, metavar="FILE", help="Features file, the same at all sites")
    parser.add_argument("--question", required=True, metavar="FILE", help="question file of this round")
    parser.add_argument("--site", required=True, metavar="NAME", help="name of this site, the same in all rounds")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="answer file to write")


def run(arguments: argparse.Namespace) -> None:
    """Answer, print what the file reveals, and write it."""
    check_output(arguments.output)
    features = load_features(arguments.features)
    question = load_question(arguments.question, features)
    kind = class_type(features.classes)
    types = column_types(features.features) | ({} if kind is None else {features.target: kind})
    batches = stream_of(source_of(arguments, types), features.target, features.names)
    answer = RoundSite(arguments.site, features, batches)(question)
    save_answer(answer, arguments.output)
    told: dict[str, Any] = {"output": arguments.output, "round": question.number, "reveals": reveals_answer(answer)}
    if arguments.json:
        print_json(told)
    else:
        print(told["reveals"])
    note(f"answer to question {question.number} written to {arguments.output}")
