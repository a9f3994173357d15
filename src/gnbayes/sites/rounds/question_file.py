"""The question file: written by the coordinator, read by every site."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.documents import checksum, need, part
from gnbayes.model import TermSpec
from gnbayes.scale.exchange_files import read_site_file, write_site_file
from gnbayes.sites.rounds.questions import CountQuestion, Question, SumQuestion
from gnbayes.sites.site_features import SiteFeatures

# Upper limits: rounds of a protocol, problems of a question, parts of the rows, and columns of a table.
MOST_ROUNDS, _MOST_PROBLEMS, _MOST_PARTS, _MOST_COLUMNS = 40, 64, 16, 2
_REVEALS = (
    "The tables of the model so far. They were computed from the sums of answers to earlier questions alone, and "
    "reveal nothing that these do not."
)


def save_question(question: Question, path: str | os.PathLike[str]) -> None:
    """Write a question file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import load_question, next_question, question_id, save_question
    >>> table, clf = load_iris(as_frame=True).frame, GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> question = next_question(clf, features, [])
    >>> with TemporaryDirectory() as folder:
    ...     save_question(question, f"{folder}/1.question")
    ...     print(question_id(load_question(f"{folder}/1.question", features)) == question_id(question))
    True
    """
    write_site_file(path, "question", describe_question(question))


def load_question(path: str | os.PathLike[str], features: SiteFeatures) -> Question:
    """Read a question file; raise SiteFileError if it is incomplete, invalid or for other features.

    Parameters
    ----------
    path : path
    features : SiteFeatures
        The features that the sites have agreed on.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import load_question, next_question, save_question
    >>> table, clf = load_iris(as_frame=True).frame, GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> with TemporaryDirectory() as folder:
    ...     save_question(next_question(clf, features, []), f"{folder}/1.question")
    ...     print(load_question(f"{folder}/1.question", features).number)
    1
    """
    return read_site_file(path, "question", lambda content: build_question(content, features))


def question_id(question: Question) -> str:
    """The id of a question: a checksum of what it asks, without texts that may differ between versions.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import next_question, question_id
    >>> table, clf = load_iris(as_frame=True).frame, GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> question = next_question(clf, features, [])
    >>> question_id(question) == question_id(next_question(clf, features, []))
    True
    """
    described = describe_question(question)
    return checksum({key: value for key, value in described.items() if key != "reveals"})


def describe_question(question: Question) -> dict[str, Any]:
    """Return a question as a document of dicts, lists, strings and numbers."""
    common = {"reveals": _REVEALS, "number": question.number, "fingerprint": question.fingerprint}
    if isinstance(question, CountQuestion):
        maps = [own.tolist() for own in question.maps]
        return common | {"asks_for": "counts", "codes": maps, "pairs": question.pairs.tolist()}
    return common | {
        "asks_for": "losses" if question.only_losses else "sums",
        "tables": [
            {"features": list(table.features), "codes": [own.tolist() for own in table.maps]}
            for table in question.tables
        ],
        "n_parts": question.n_parts,
        "held_out": list(question.held_out),
        "shape": list(question.scores.shape),
        "scores": question.scores.ravel().tolist(),
    }


def build_question(content: dict[str, Any], features: SiteFeatures) -> Question:
    """Build a question from a document, and check it."""
    number, fingerprint = part(content, "number", int, "question"), part(content, "fingerprint", str, "question")
    need(1 <= number <= MOST_ROUNDS, "question.number", f"must be from 1 to {MOST_ROUNDS}")
    need(fingerprint == features.fingerprint, "question.fingerprint", "must be that of the Features")
    asks_for = part(content, "asks_for", str, "question")
    need(asks_for in ("counts", "sums", "losses"), "question.asks_for", "must be counts, sums or losses")
    if asks_for == "counts":
        return CountQuestion(number, fingerprint, _maps(content, features), _pairs(content, len(features.features)))
    return _sums(content, number, features, only_losses=asks_for == "losses")


def _maps(content: dict[str, Any], features: SiteFeatures) -> tuple[NDArray[np.intp], ...]:
    described, sizes = part(content, "codes", list, "question"), features.cardinalities.tolist()
    need(len(described) == len(sizes), "question.codes", "must be one list per column")
    return tuple(_codes(own, size, "question.codes") for own, size in zip(described, sizes, strict=True))


def _codes(own: Any, size: int, where: str) -> NDArray[np.intp]:
    """Read and check a map from the codes of a column to other codes."""
    is_sound = isinstance(own, list) and len(own) == size and all(type(code) is int for code in own)
    need(is_sound and set(own) == set(range(max(own) + 1)), where, "must be codes from 0 on")
    return np.array(own, dtype=np.intp)


def _pairs(content: dict[str, Any], d: int) -> NDArray[np.intp]:
    pairs = part(content, "pairs", list, "question")
    for pair in pairs:
        is_sound = isinstance(pair, list) and len(pair) == 2 and all(type(j) is int for j in pair)
        need(is_sound and 0 <= pair[0] < pair[1] < d, "question.pairs", "must be pairs of columns, in order")
    need(pairs == sorted(pairs) and len(set(map(tuple, pairs))) == len(pairs), "question.pairs", "must be in order")
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


def _sums(content: dict[str, Any], number: int, features: SiteFeatures, *, only_losses: bool) -> SumQuestion:
    described = part(content, "tables", list, "question")
    need(bool(described), "question.tables", "must not be empty")
    tables = tuple(_table(table, features) for table in described)
    n_parts, held_out = part(content, "n_parts", int, "question"), part(content, "held_out", list, "question")
    need(2 <= n_parts <= _MOST_PARTS, "question.n_parts", f"must be from 2 to {_MOST_PARTS}")
    are_sound = all(one is None or (type(one) is int and 0 <= one < n_parts) for one in held_out)
    need(are_sound and 1 <= len(held_out) <= _MOST_PROBLEMS, "question.held_out", "must be parts of the rows, or null")
    shape, scores = (part(content, name, list, "question") for name in ("shape", "scores"))
    need(len(shape) == 3 and all(type(size) is int and size > 0 for size in shape), "question.shape", "must be sizes")
    need(shape[1] == len(held_out) and len(scores) == int(np.prod(shape)), "question.scores", "must have their shape")
    need(all(type(score) in (int, float) for score in scores), "question.scores", "must be numbers")
    numbers = np.array(scores, dtype=np.float64).reshape(shape)
    return SumQuestion(number, features.fingerprint, tables, n_parts, tuple(held_out), numbers, only_losses)


def _table(described: Any, features: SiteFeatures) -> TermSpec:
    """Read one table of a question."""
    where, d = "question.tables", len(features.features)
    need(isinstance(described, dict), where, "must have features and codes")
    columns, codes = (part(described, name, list, where) for name in ("features", "codes"))
    are_columns = all(type(j) is int and 0 <= j < d for j in columns) and len(set(columns)) == len(columns)
    need(are_columns and 1 <= len(columns) <= _MOST_COLUMNS, where, f"must be of 1 to {_MOST_COLUMNS} columns")
    need(len(codes) == len(columns), where, "must have codes for each of their columns")
    sizes = features.cardinalities.tolist()
    maps = tuple(_codes(own, sizes[j], where) for own, j in zip(codes, columns, strict=True))
    return TermSpec(tuple(columns), maps, "free", (False,) * len(columns))
