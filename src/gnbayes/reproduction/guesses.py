"""Possible explanations of the numbers that neither the text nor the program reproduces."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import BernoulliNB, ComplementNB, GaussianNB, MultinomialNB

from gnbayes.estimator import GeneralizedNB
from gnbayes.progress import Progress, part_of, silent
from gnbayes.reproduction.prepare import Prepared, as_averages, as_in_the_paper, as_in_the_program, as_values
from gnbayes.reproduction.protocol import draw_splits
from gnbayes.reproduction.published import MODELS, TABLES, published
from gnbayes.reproduction.results import Row, mean_and_spread
from gnbayes.selection.scores import Prediction, make_score

# Takes rows and the positions of training and test rows; returns the log joint of the test rows, up to a constant for
# each row.
Scores = Callable[[Prepared, NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]
# A row with a single count of 0 has a log joint below -600, and any other row one far above it.
_NEXT_TO_NOTHING, _IMPOSSIBLE = 1e-300, -600.0
_AGE = 0


@dataclass(frozen=True)
class Guess:
    """One possible explanation of the paper's numbers.

    Parameters
    ----------
    structure : {"gnb-a", "gnb-o", "tan", "nb"}
        The classifier in the paper.
    title : str
        Short description.
    prepare : callable
        Takes the data set as numbers, and returns the rows to split.
    scores : callable
        Takes rows and the indices of training and test rows, and returns the log joint of the latter.
    is_turned : bool
        Whether precision, recall and F1 refer to the negative class.
    only : str
        The only data set to which it applies; all by default.
    base : str
        For one data set only: what is used for all others, a reading or the title of another guess.
    n_features : int, optional
        Number of features used; all by default.
    """

    structure: str
    title: str
    prepare: Callable[[Prepared], Prepared]
    scores: Scores
    is_turned: bool = False
    only: str = ""
    base: str = ""
    n_features: int | None = None

    @property
    def model(self) -> str:
        """Name of the classifier in the paper."""
        return MODELS[self.structure]


def try_guesses(prepared: Prepared, repeats: int = 100, seed: int = 0, progress: Progress = silent) -> list[Row]:
    """Scores of every guess on the random splits of `paper_protocol`.

    Parameters
    ----------
    prepared : Prepared
    repeats : int, default=100
    seed : int, default=0
    progress : callable, optional
        Takes the share done, 0 to 1.

    Returns
    -------
    rows : list of Row

    Examples
    --------
    >>> from gnbayes.datasets import load_wdbc
    >>> from gnbayes.reproduction.guesses import try_guesses
    >>> from gnbayes.reproduction.prepare import as_numbers
    >>> row = try_guesses(as_numbers(load_wdbc()), repeats=2)[0]
    >>> row.protocol, row.model, row.reading
    ('guess', 'GNB-A', "the text's rule, the program's intervals")
    """
    guesses = [guess for guess in GUESSES if guess.only in ("", prepared.name)]
    found: list[Row] = []
    for number, guess in enumerate(guesses):
        found += _rows_of(guess, guess.prepare(prepared), repeats, seed)
        part_of(progress, number, len(guesses))(1.0)
    return found


def _rows_of(guess: Guess, rows: Prepared, repeats: int, seed: int) -> Iterator[Row]:
    makers = {name: make_score(name, 2) for name in TABLES}
    values: dict[str, list[float]] = {name: [] for name in TABLES}
    positive = 1 - rows.positive if guess.is_turned else rows.positive
    for train, test in draw_splits(rows, repeats, seed):
        joint = guess.scores(rows, train, test)
        prediction = Prediction(joint, rows.y[test], np.array([0, 1]), positive)
        for name, score in makers.items():
            values[name].append(score(prediction))
    for name in TABLES:
        summary = mean_and_spread(name, np.array(values[name]))
        number = published(name, rows.name, guess.structure)
        used = float(guess.n_features or rows.X.shape[1])
        yield Row("guess", rows.name, guess.model, guess.title, "all", used, *summary, repeats, number)


def _with_ties_to_negative(prepared: Prepared) -> Prepared:
    rows = as_in_the_program(prepared)
    return replace(rows, y=1 - rows.y, positive=1 - rows.positive)


def _without_first_row(prepared: Prepared) -> Prepared:
    rows = as_in_the_program(prepared)
    return replace(rows, X=rows.X[1:], y=rows.y[1:], groups=rows.groups[1:])


def _without_negative_columns(prepare: Callable[[Prepared], Prepared], prepared: Prepared) -> Prepared:
    rows = prepare(prepared)
    return replace(rows, X=rows.X[:, rows.X.min(axis=0) >= 0])


def _counted(
    structure: str, rows: Prepared, train: NDArray[np.intp], test: NDArray[np.intp], **parameters: Any
) -> NDArray[np.float64]:
    """The paper's classifier."""
    clf = GeneralizedNB.as_published(structure, categorical_features=rows.categories, **parameters)
    clf.fit(rows.X[train], rows.y[train])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* never seen in training", UserWarning)
        return clf.predict_joint_log_proba(rows.X[test])


def _unrepaired(
    structure: str, is_positive: bool, rows: Prepared, train: NDArray[np.intp], test: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Relative frequencies with zeros; rows for which no class is possible are all positive, or all negative."""
    joint = _counted(structure, rows, train, test, smoothing="additive", alpha=_NEXT_TO_NOTHING)
    is_impossible = joint.max(axis=1, keepdims=True) < _IMPOSSIBLE
    label = rows.positive if is_positive else 1 - rows.positive
    return np.where(is_impossible, np.where(np.arange(2) == label, 0.0, -np.inf), joint)


def _of_sklearn(
    make: Callable[[], Any], rows: Prepared, train: NDArray[np.intp], test: NDArray[np.intp]
) -> NDArray[np.float64]:
    clf = make().fit(rows.X[train], rows.y[train])
    return np.asarray(clf.predict_joint_log_proba(rows.X[test]), dtype=np.float64)


def _of_gnb(structure: str) -> Iterator[Guess]:
    """Bins and rule exchanged everywhere; on diabetes, everything that the text leaves open."""
    by_text = partial(_counted, structure, smoothing="paper")
    by_program = partial(_counted, structure, smoothing="repair")
    yield Guess(structure, "the text's rule, the program's intervals", as_in_the_program, by_text)
    yield Guess(structure, "the program's rule, the text's intervals", as_in_the_paper, by_program)
    on_diabetes = partial(Guess, structure, only="diabetes", base="program")
    yield on_diabetes("the program, ties to Negative", _with_ties_to_negative, by_program)
    yield on_diabetes("the program, Negative as the positive class", as_in_the_program, by_program, is_turned=True)
    yield on_diabetes("the program, without the first row", _without_first_row, by_program)
    for used, said in ((2, "1 triplet"), (4, "3 triplets"), (9, "8 triplets")):
        scores = partial(by_program, n_features=used)
        yield on_diabetes(f"the program, {said}", as_in_the_program, scores, n_features=used)
    whole_ages = partial(as_in_the_program, uncut=(_AGE,))
    yield on_diabetes("the text, ages not cut", whole_ages, by_text, base="text")
    yield on_diabetes("the program, ages not cut", whole_ages, by_program)
    scores = partial(by_program, n_features=9)
    yield on_diabetes("the program, ages not cut, 8 triplets", whole_ages, scores, n_features=9)


def _of_zeros(structure: str) -> Iterator[Guess]:
    for said in ("negative", "positive"):
        scores = partial(_unrepaired, structure, said == "positive")
        yield Guess(structure, f"zeros not repaired, impossible rows {said}", as_in_the_program, scores)


def _of_naive_bayes() -> Iterator[Guess]:
    ways: dict[str, Callable[[Prepared], Prepared]] = {
        "codes": as_in_the_program,
        "values": as_values,
        "averages": as_averages,
    }
    for make in (GaussianNB, BernoulliNB, ComplementNB, MultinomialNB):
        for said, prepare in ways.items():
            takes_all = make in (GaussianNB, BernoulliNB)
            rows = prepare if takes_all else partial(_without_negative_columns, prepare)
            yield Guess("nb", f"{make.__name__} of {said}", rows, partial(_of_sklearn, make))


def _of_diabetes() -> Iterator[Guess]:
    whole_ages = partial(as_in_the_program, uncut=(_AGE,))
    on_diabetes = partial(Guess, only="diabetes")
    base = "MultinomialNB of averages"
    title = f"{base}, Negative as the positive class"
    yield on_diabetes("nb", title, as_averages, partial(_of_sklearn, MultinomialNB), is_turned=True, base=base)
    base = "zeros not repaired, impossible rows negative"
    yield on_diabetes("tan", f"{base}, ages not cut", whole_ages, partial(_unrepaired, "tan", False), base=base)


GUESSES: tuple[Guess, ...] = (
    *_of_gnb("gnb-a"),
    *_of_gnb("gnb-o"),
    *_of_zeros("nb"),
    *_of_naive_bayes(),
    *_of_zeros("tan"),
    *_of_diabetes(),
)
