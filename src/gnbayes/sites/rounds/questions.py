"""The questions of a coordinator and the answers of sites: integers that can be summed over sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model import TermSpec

Array = NDArray[np.float64]
Wholes = NDArray[np.int64]

# Sums are given in units of 1 / PARTS of a row, rounded to integers.
PARTS = 2**20


@dataclass(frozen=True, eq=False)
class CountQuestion:
    """How many rows have each value, and each pair of values?

    Parameters
    ----------
    number : int
        Number of the round, from 1.
    fingerprint : str
        Fingerprint of the features.
    maps : tuple of ndarray of shape (v_j,)
        For each feature a map from its codes to the codes by which pairs are counted.
    pairs : ndarray of shape (m, 2)
        Pairs (i, j), i < j, in increasing order.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import CountQuestion, next_question
    >>> table, clf = load_iris(as_frame=True).frame, GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> question = next_question(clf, features, [])
    >>> isinstance(question, CountQuestion), question.number, question.pairs.shape
    (True, 1, (6, 2))
    """

    number: int
    fingerprint: str
    maps: tuple[NDArray[np.intp], ...]
    pairs: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class SumQuestion:
    """What are log-loss, gradient and curvature of your rows under these tables?

    Parameters
    ----------
    number : int
    fingerprint : str
    tables : tuple of TermSpec
        Features and codes of each table.
    n_parts : int
        Number of parts into which each site divides its rows.
    held_out : tuple of int or None
        For each problem the part of the rows that is held out, or None if none is.
    scores : ndarray of shape (1 + number of cells, b, c)
        The starting score of every row, followed by what each cell of the tables adds, for b problems and c columns.
    only_losses : bool, default=False
        Whether only log-losses are wanted.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import CountQuestion, RoundSite, SumQuestion, next_question
    >>> table, clf = load_iris(as_frame=True).frame, GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> site, answers = RoundSite("a", features, [table]), []
    >>> while isinstance(question := next_question(clf, features, answers), CountQuestion):
    ...     answers.append(site(question))
    >>> isinstance(question, SumQuestion), question.scores.shape[2], question.only_losses
    (True, 3, False)
    """

    number: int
    fingerprint: str
    tables: tuple[TermSpec, ...]
    n_parts: int
    held_out: tuple[int | None, ...]
    scores: Array
    only_losses: bool = False


Question = CountQuestion | SumQuestion


@dataclass(frozen=True, eq=False)
class Answer:
    """Sums over the rows of one or more sites: ``a + b`` is the answer of the sites of both.

    Parameters
    ----------
    question : str
        Id of the question.
    sites : tuple of str
        Names of the sites.
    numbers : dict of {str: ndarray}
        Integers. For a `CountQuestion`: "values", the number of rows by value and class, one feature after the other,
        and "pairs", the number of rows by pair of values and class. For a `SumQuestion`, in units of 1 / `PARTS`:
        "gradient" and "curvature", shaped as the scores, unless only losses are wanted; "losses" and "held_out", the
        log-loss of each problem's training rows and of its held-out rows.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.sites.rounds import Answer
    >>> both = Answer("q", ("a",), {"values": np.array([3, 1])}) + Answer("q", ("b",), {"values": np.array([2, 2])})
    >>> both.sites, both.numbers["values"].tolist()
    (('a', 'b'), [5, 3])
    """

    question: str
    sites: tuple[str, ...]
    numbers: Mapping[str, Wholes]

    def __add__(self, other: Answer) -> Answer:
        twice = sorted(set(self.sites) & set(other.sites))
        if twice:
            raise ValueError(f"site {twice[0]!r} has answered twice; its rows would count twice: give one answer.")
        if self.question != other.question:
            raise ValueError(
                f"the answers of {_named(self.sites)} and {_named(other.sites)} are to different questions; all sites "
                "answer each question."
            )
        numbers = {name: part + other.numbers[name] for name, part in self.numbers.items()}
        return Answer(self.question, (*self.sites, *other.sites), numbers)


def shapes_of(question: Question, cardinalities: NDArray[np.intp], n_classes: int) -> dict[str, tuple[int, ...]]:
    """Shapes of the arrays in the answer to a question."""
    if isinstance(question, CountQuestion):
        sizes = [int(own.max()) + 1 for own in question.maps]
        n_cells = sum(sizes[i] * sizes[j] for i, j in question.pairs.tolist()) * n_classes
        return {"values": (int(cardinalities.sum()) * n_classes,), "pairs": (n_cells,)}
    of_problems, shape = (len(question.held_out),), question.scores.shape
    losses: dict[str, tuple[int, ...]] = {"losses": of_problems, "held_out": of_problems}
    return losses if question.only_losses else {"gradient": shape, "curvature": shape, **losses}


def whole_parts(sums: Any) -> Wholes:
    """Round sums to integers, in units of 1 / `PARTS`."""
    return np.rint(np.asarray(sums) * PARTS).astype(np.int64)


def _named(sites: tuple[str, ...]) -> str:
    return " and ".join(map(repr, sites))
