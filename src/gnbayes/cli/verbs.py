"""The verbs of the command, each with its line of help; module `gnbayes.cli.<verb>` does the work.

A verb's module has `add_arguments(parser)` and `run(arguments)`. It is imported only when the verb is called, so that
the help appears at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

VERBS = {
    "fit": "learn a model from a table, score it by cross-validation, and write it to a file",
    "predict": "write the class and the probabilities of every row of a table",
    "evaluate": "score a model on rows whose classes are known",
    "explain": "take the predictions of rows apart, feature by feature",
    "select": "show the scores for every number of features",
    "inspect": "show what a model file holds",
    "report": "write one offline HTML page: a risk calculator, the evidence for it, and a model card",
    "dictionary": "write the draft of a data dictionary: labels, units, codes and possible values, for a page",
    "export": "write a model for other tools: Python, SQL, ONNX, BIF, Graphviz, its effects, or a picture of its tree",
    "features": "learn the Features of a table, or of several sites, and write them to a file",
    "count": "count the rows of a site and write the counts to a file",
    "merge": "learn a model from the counts of sites and write it to a file",
    "rounds": "ask sites that keep their rows for the next sums, and write the model with weights in the end",
    "answer": "answer a question of gnbayes rounds with sums over the rows of a site",
    "paper": "run the paper's experiment again, beside an honest one",
    "demo": "fit the four structures on the Wisconsin breast cancer data and show what they found",
    "completion": "print a script that completes gnbayes commands in your shell",
    "info": "show the versions of gnbayes and of what it uses",
}


def module_of(verb: str) -> Any:
    """The module of a verb."""
    return import_module(f"gnbayes.cli.{verb}")
