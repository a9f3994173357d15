"""The answer file: what a site gives away in a round instead of rows."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from gnbayes.documents import need, part
from gnbayes.scale.exchange_files import read_site_file, write_site_file
from gnbayes.sites.rounds.questions import Answer, Question, shapes_of
from gnbayes.sites.site_features import SiteFeatures

_LARGEST = 2**62
_REVEALS = {
    "counts": (
        "The number of rows with each value of every column, and with each pair of values of the pairs of columns that "
        "were asked for, by class: {n} numbers. There is no noise in them. "
    ),
    "sums": (
        "For every cell of the model's tables the sum of the errors of prediction of its rows, in 1,048,576ths of a "
        "row, and the log-loss: {n} numbers. There is no noise in them: a cell with a single row shows what the model "
        "predicts for it, and from several rounds the row can be worked out. "
    ),
    "losses": "The log-loss of its rows, and of parts of them, with several models: {n} numbers. ",
}


def save_answer(answer: Answer, path: str | os.PathLike[str]) -> None:
    """Write an answer file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import RoundSite, load_answer, next_question, save_answer
    >>> table, clf = load_iris(as_frame=True).frame, GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> answer = RoundSite("a", features, [table])(next_question(clf, features, []))
    >>> with TemporaryDirectory() as folder:
    ...     save_answer(answer, f"{folder}/1.answer")
    ...     print(load_answer(f"{folder}/1.answer").question == answer.question)
    True
    """
    write_site_file(path, "answer", describe_answer(answer))


def load_answer(path: str | os.PathLike[str]) -> Answer:
    """Read an answer file; raise SiteFileError if it is incomplete or invalid.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import RoundSite, load_answer, next_question, save_answer
    >>> table, clf = load_iris(as_frame=True).frame, GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> answer = RoundSite("a", features, [table])(next_question(clf, features, []))
    >>> with TemporaryDirectory() as folder:
    ...     save_answer(answer, f"{folder}/1.answer")
    ...     print(load_answer(f"{folder}/1.answer").sites)
    ('a',)
    """
    return read_site_file(path, "answer", build_answer)


def reveals_answer(answer: Answer) -> str:
    """What a reader of an answer learns.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import RoundSite, next_question, reveals_answer
    >>> table, clf = load_iris(as_frame=True).frame, GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> answer = RoundSite("a", features, [table])(next_question(clf, features, []))
    >>> reveals_answer(answer)[:53]
    'The number of rows with each value of every column, a'
    """
    n_numbers = sum(part.size for part in answer.numbers.values())
    kind = "counts" if "values" in answer.numbers else "sums" if "gradient" in answer.numbers else "losses"
    return _REVEALS[kind].format(n=n_numbers) + "The file contains no rows."


def describe_answer(answer: Answer) -> dict[str, Any]:
    """Return an answer as a document of dicts, lists, strings and numbers."""
    return {
        "reveals": reveals_answer(answer),
        "question": answer.question,
        "sites": list(answer.sites),
        "numbers": {name: numbers.ravel().tolist() for name, numbers in answer.numbers.items()},
    }


def build_answer(content: dict[str, Any]) -> Answer:
    """Build an answer from a document, with the checks that need no question."""
    sites = part(content, "sites", list, "answer")
    need(bool(sites) and all(type(site) is str and site for site in sites), "answer.sites", "must be names")
    need(len(set(sites)) == len(sites), "answer.sites", "must be different")
    numbers = part(content, "numbers", dict, "answer")
    for name, values in numbers.items():
        is_sound = isinstance(values, list) and all(type(one) is int and abs(one) < _LARGEST for one in values)
        need(is_sound, f"answer.numbers.{name}", "must be whole numbers")
    arrays = {name: np.array(values, dtype=np.int64) for name, values in numbers.items()}
    return Answer(part(content, "question", str, "answer"), tuple(sites), arrays)


def check_answer(answer: Answer, question: Question, features: SiteFeatures) -> Answer:
    """Return an answer with its numbers in their shapes; raise an error if it does not fit the question."""
    shapes = shapes_of(question, features.cardinalities, len(features.classes))
    found = {name: numbers.size for name, numbers in answer.numbers.items()}
    wanted = {name: int(np.prod(shape)) for name, shape in shapes.items()}
    if found != wanted:
        raise ValueError(
            f"the answer of site {answer.sites[0]!r} does not have the numbers that question {question.number} "
            "asks for; answer it again."
        )
    are_counts = "values" in shapes
    if are_counts and any((numbers < 0).any() for numbers in answer.numbers.values()):
        raise ValueError(f"the answer of site {answer.sites[0]!r} counts fewer than 0 rows; answer the question again.")
    numbers = {name: answer.numbers[name].reshape(shape) for name, shape in shapes.items()}
    return Answer(answer.question, answer.sites, numbers)
