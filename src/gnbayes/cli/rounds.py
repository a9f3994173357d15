"""gnbayes rounds: the next question to all sites, or the weighted model once all questions are answered."""

from __future__ import annotations

import argparse
from typing import Any

from gnbayes.cli.messages import note
from gnbayes.cli.output import check_output, print_json
from gnbayes.cli.summary import describe_model, text_of
from gnbayes.estimator import GeneralizedNB
from gnbayes.files import save
from gnbayes.sites import load_features
from gnbayes.sites.rounds import load_answer, next_question, save_question
from gnbayes.structure import STRUCTURES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "answers", nargs="*", help="answers of all sites to all questions so far; none in the first round"
    )
    parser.add_argument("--features", required=True, metavar="FILE", help="Features file, made with --weighted")
    parser.add_argument("--question", required=True, metavar="FILE", help="question file to write, for all sites")
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="model file, written when the last round is done"
    )
    parser.add_argument(
        "--structure", default="gnb-o", choices=list(STRUCTURES), help="how the tree is learned (default: gnb-o)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Replay the rounds so far, and write the next question or the model."""
    for path in (arguments.question, arguments.output):
        check_output(path)
    features = load_features(arguments.features)
    clf = GeneralizedNB(arguments.structure)
    question = next_question(clf, features, [load_answer(path) for path in arguments.answers])
    told: dict[str, Any]
    if question is not None:
        save_question(question, arguments.question)
        told = {"round": question.number, "question": arguments.question, "output": None}
        text = f"round {question.number}: every site answers {arguments.question}"
    else:
        save(clf, arguments.output)
        told = {"round": None, "question": None, "output": arguments.output, "model": describe_model(clf)}
        told["no_score"] = "none: the rows are at the sites; evaluate the model on rows of each site"
        text = text_of(told, arguments.output, None)
    if arguments.json:
        print_json(told)
    else:
        print(text)
    note(f"written to {arguments.output if question is None else arguments.question}")
