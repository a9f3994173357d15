"""The question file: written by whoever coordinates, read by every site."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.documents import checksum, need, part
from gnbayes.scale.exchange_files import read_site_file, write_site_file
from gnbayes.sites.rounds.questions import CountQuestion, Question, SumQuestion
from gnbayes.sites.site_features import SiteFeatures

# Rounds that a protocol may have, problems of one question, and parts of the rows.
MOST_ROUNDS, _MOST_PROBLEMS, _MOST_PARTS = 32, 64, 16
_REVEALS = (
    "The tables of the model so far. They were computed from the sums of answers to earlier questions alone, and "
    "reveal nothing that these do not."
)


def save_question(question: Question, path: str | os.PathLike[str]) -> None:
    """Write a question file."""
    write_site_file(path, "question", describe_question(question))


def load_question(path: str | os.PathLike[str], features: SiteFeatures) -> Question:
    """Read a question file; a SiteFileError for one that is not whole and sound, or is for other Features.

    Parameters
    ----------
    path : path
    features : SiteFeatures
        Those that sites have agreed on.
    """
    return read_site_file(path, "question", lambda content: build_question(content, features))


def question_id(question: Question) -> str:
    """The id of a question: the checksum of its file."""
    return checksum(describe_question(question))


def describe_question(question: Question) -> dict[str, Any]:
    """A question as dicts, lists, text and numbers."""
    common = {"reveals": _REVEALS, "number": question.number, "fingerprint": question.fingerprint}
    if isinstance(question, CountQuestion):
        maps = [own.tolist() for own in question.maps]
        return common | {"asks_for": "counts", "codes": maps, "pairs": question.pairs.tolist()}
    return common | {
        "asks_for": "sums",
        "mother": question.mother.tolist(),
        "order": question.order.tolist(),
        "n_parts": question.n_parts,
        "held_out": list(question.held_out),
        "shape": list(question.scores.shape),
        "scores": question.scores.ravel().tolist(),
    }


def build_question(content: dict[str, Any], features: SiteFeatures) -> Question:
    """The question that a document describes, checked."""
    number, fingerprint = part(content, "number", int, "question"), part(content, "fingerprint", str, "question")
    need(1 <= number <= MOST_ROUNDS, "question.number", f"must be from 1 to {MOST_ROUNDS}")
    need(fingerprint == features.fingerprint, "question.fingerprint", "must be that of the Features")
    asks_for = part(content, "asks_for", str, "question")
    need(asks_for in ("counts", "sums"), "question.asks_for", "must be counts or sums")
    if asks_for == "counts":
        return CountQuestion(number, fingerprint, _maps(content, features), _pairs(content, len(features.features)))
    return _sums(content, number, features)


def _maps(content: dict[str, Any], features: SiteFeatures) -> tuple[NDArray[np.intp], ...]:
    described, sizes = part(content, "codes", list, "question"), features.cardinalities.tolist()
    need(len(described) == len(sizes), "question.codes", "must be one list per column")
    for own, size in zip(described, sizes, strict=True):
        is_sound = isinstance(own, list) and len(own) == size and all(type(code) is int for code in own)
        need(is_sound and set(own) == set(range(max(own) + 1)), "question.codes", "must be codes from 0 on")
    return tuple(np.array(own, dtype=np.intp) for own in described)


def _pairs(content: dict[str, Any], d: int) -> NDArray[np.intp]:
    pairs = part(content, "pairs", list, "question")
    for pair in pairs:
        is_sound = isinstance(pair, list) and len(pair) == 2 and all(type(j) is int for j in pair)
        need(is_sound and 0 <= pair[0] < pair[1] < d, "question.pairs", "must be pairs of columns, in order")
    need(pairs == sorted(pairs) and len(set(map(tuple, pairs))) == len(pairs), "question.pairs", "must be in order")
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


def _sums(content: dict[str, Any], number: int, features: SiteFeatures) -> SumQuestion:
    d = len(features.features)
    mother, order = (part(content, name, list, "question") for name in ("mother", "order"))
    _check_tree(mother, order, d)
    n_parts, held_out = part(content, "n_parts", int, "question"), part(content, "held_out", list, "question")
    need(2 <= n_parts <= _MOST_PARTS, "question.n_parts", f"must be from 2 to {_MOST_PARTS}")
    are_sound = all(one is None or (type(one) is int and 0 <= one < n_parts) for one in held_out)
    need(are_sound and 1 <= len(held_out) <= _MOST_PROBLEMS, "question.held_out", "must be parts of the rows, or null")
    shape, scores = (part(content, name, list, "question") for name in ("shape", "scores"))
    need(len(shape) == 3 and all(type(size) is int and size > 0 for size in shape), "question.shape", "must be sizes")
    need(shape[1] == len(held_out) and len(scores) == int(np.prod(shape)), "question.scores", "must have their shape")
    need(all(type(score) in (int, float) for score in scores), "question.scores", "must be numbers")
    return SumQuestion(
        number,
        features.fingerprint,
        np.array(mother, dtype=np.intp),
        np.array(order, dtype=np.intp),
        n_parts,
        tuple(held_out),
        np.array(scores, dtype=np.float64).reshape(shape),
    )


def _check_tree(mother: list[Any], order: list[Any], d: int) -> None:
    """Every mother must come before her daughters."""
    are_whole = all(type(j) is int for j in (*mother, *order))
    need(are_whole and len(mother) == d, "question.mother", "must be one per column")
    are_columns = len(set(order)) == len(order) and set(order) <= set(range(d))
    need(bool(order) and are_columns, "question.order", "must be different columns")
    before = {-1}
    for j in order:
        need(mother[j] in before, "question.mother", "must come before her daughters")
        before.add(j)
