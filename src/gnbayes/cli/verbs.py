"""The verbs of the command, each with its line of help; module `gnbayes.cli.<verb>` does the work.

A verb's module has `add_arguments(parser)` and `run(arguments)`. It is imported only when the verb is called, so that
the help appears at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

VERBS = {
    "fit": "fit a model to a table, score it by cross-validation, and write it to a file",
    "predict": "write the class and the probabilities of every row of a table",
    "evaluate": "score a model on rows whose classes are known",
    "explain": "explain the predictions of rows, term by term",
    "select": "show the scores for every number of features",
    "inspect": "show the contents of a model file",
    "report": "write one offline HTML page: a risk calculator, the evidence for it, and a model card",
    "dictionary": "write a draft data dictionary for a page: labels, units, codes and possible values",
    "export": "export a model: Python, SQL, ONNX, BIF, Graphviz, its effects, or a plot of its tree",
    "features": "learn the Features of a table, or of several sites, and write them to a file",
    "count": "count the rows of a site and write the counts to a file",
    "merge": "learn a model from the counts of sites and write it to a file",
    "rounds": "ask sites that keep their rows for the next sums, and write the weighted model when done",
    "answer": "answer a question of gnbayes rounds with sums over the rows of a site",
    "paper": "reproduce the paper's experiment, next to an honest protocol",
    "demo": "fit the four structures to the Wisconsin breast cancer data and show the results",
    "completion": "print a script that completes gnbayes commands in your shell",
    "info": "show the versions of gnbayes and its dependencies",
}


def module_of(verb: str) -> Any:
    """The module of a verb."""
    return import_module(f"gnbayes.cli.{verb}")
