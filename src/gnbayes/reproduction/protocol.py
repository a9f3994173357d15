"""The paper's experiment, as the paper did it and with an honest protocol: splits, fits, and their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupShuffleSplit

from gnbayes.estimator import GeneralizedNB
from gnbayes.progress import Progress, part_of, silent
from gnbayes.reproduction.prepare import Prepared, as_in_the_paper, as_in_the_program
from gnbayes.reproduction.published import MODELS
from gnbayes.selection import SelectionCurve, selection_curve

SCORES = ("accuracy", "precision", "recall", "f1", "balanced_accuracy", "roc_auc", "neg_log_loss")
# The readings of the paper with their smoothing: its text, and the program of its authors; and the library's own
# smoothing on the same rows.
READINGS = {"text": "paper", "program": "repair", "library": "additive"}
_TEST_SHARE = 0.15
_CHOOSING = ("gnb-a", "gnb-o")

Split = tuple[NDArray[np.intp], NDArray[np.intp]]
Choose = Callable[[GeneralizedNB, NDArray[np.float64], NDArray[np.intp]], int]


@dataclass(frozen=True, eq=False)
class Measured:
    """Scores of one classifier on the test rows of all splits of one data set.

    Parameters
    ----------
    protocol : {"paper", "honest"}
    data : str
        Name of the data set.
    structure : str
        As in `GeneralizedNB`.
    reading : {"text", "program", "library"}
        How the paper was read: bins, and the treatment of zeros.
    curve : SelectionCurve
        Scores of the first 1, ..., d features, each of shape (splits, d).
    chosen : ndarray of shape (splits,) or None
        Number of features chosen in each split, from its training rows only.
    """

    protocol: Literal["paper", "honest"]
    data: str
    structure: str
    reading: str
    curve: SelectionCurve
    chosen: NDArray[np.intp] | None

    @property
    def model(self) -> str:
        """Name of the classifier in the paper."""
        return MODELS[self.structure]

    def scores(self, score: str, features: Literal["all", "chosen"] = "all") -> NDArray[np.float64]:
        """Score of each split with all features or with the chosen number of them, shape (splits,)."""
        by_number = self.curve.scores[score]
        return by_number[np.arange(len(by_number)), self.n_features(features) - 1]

    def n_features(self, features: Literal["all", "chosen"] = "all") -> NDArray[np.intp]:
        """Number of features used in each split, shape (splits,)."""
        if features == "all":
            splits, d = next(iter(self.curve.scores.values())).shape
            return np.full(splits, d)
        if self.chosen is None:
            raise ValueError(f"no number of features was chosen for {self.model} in the {self.protocol}'s protocol.")
        return self.chosen

    def first(self, splits: int) -> Measured:
        """The same for the first splits only."""
        scores = {name: values[:splits] for name, values in self.curve.scores.items()}
        chosen = None if self.chosen is None else self.chosen[:splits]
        return replace(self, curve=_over_splits(self.curve.n_features, scores), chosen=chosen)


def paper_protocol(prepared: Prepared, repeats: int = 5, seed: int = 0, progress: Progress = silent) -> list[Measured]:
    """Random splits of rows that were binned before: according to the text, to the program, and to the library.

    The library uses additive smoothing on the bins of the text.

    Parameters
    ----------
    prepared : Prepared
    repeats : int, default=5
        Number of splits; 15 % of the rows are test rows.
    seed : int, default=0
    progress : callable, optional
        Takes the share done, 0 to 1.

    Returns
    -------
    measured : list of Measured

    Examples
    --------
    >>> from gnbayes.datasets import load_wdbc
    >>> from gnbayes.reproduction.prepare import as_numbers
    >>> from gnbayes.reproduction.protocol import paper_protocol
    >>> first = paper_protocol(as_numbers(load_wdbc()), repeats=2)[0]
    >>> first.model, first.reading, first.scores("accuracy").shape
    ('GNB-A', 'text', (2,))
    """
    rows = as_in_the_paper(prepared)
    cut = {"text": rows, "program": as_in_the_program(prepared), "library": rows}
    splits = list(draw_splits(rows, repeats, seed))
    measured: list[Measured] = []
    for number, reading in enumerate(READINGS):
        part = part_of(progress, number, len(READINGS))
        measured += _measure("paper", cut[reading], splits, reading, None, part)
    return measured


def honest_protocol(
    prepared: Prepared, repeats: int = 100, seed: int = 0, progress: Progress = silent
) -> list[Measured]:
    """Bins from the training rows only, all rows and columns, and rows that belong together in the same part.

    The number of features is the one with the least leave-one-out log-loss.

    Parameters
    ----------
    prepared : Prepared
    repeats : int, default=100
        Number of splits; 15 % of the groups are test rows.
    seed : int, default=0
    progress : callable, optional
        Takes the share done, 0 to 1.

    Returns
    -------
    measured : list of Measured
    """

    def choose(clf: GeneralizedNB, X: NDArray[np.float64], y: NDArray[np.intp]) -> int:
        return selection_curve(clf, X, y, cv="loo", scoring="neg_log_loss").best("neg_log_loss")

    splits = list(draw_splits(prepared, repeats, seed))
    return _measure("honest", prepared, splits, "library", choose, progress)


def draw_splits(prepared: Prepared, repeats: int, seed: int) -> Iterator[Split]:
    """Random training and test rows that keep groups together.

    A split whose test rows are all of one class is drawn again: half of the scores would be undefined.

    Parameters
    ----------
    prepared : Prepared
    repeats : int
        At least 2, to have a standard deviation.
    seed : int

    Yields
    ------
    train, test : ndarray of shape (n_train,) and (n_test,)
    """
    if repeats < 2:
        raise ValueError(f"repeats must be at least 2, to have a spread over the splits, got {repeats!r} instead.")
    random = np.random.RandomState(seed)
    splitter = GroupShuffleSplit(n_splits=1, test_size=_TEST_SHARE, random_state=random)
    while repeats:
        train, test = next(splitter.split(prepared.X, groups=prepared.groups))
        if len(np.unique(prepared.y[test])) == 2:
            repeats -= 1
            yield train, test


def _measure(
    protocol: Literal["paper", "honest"],
    prepared: Prepared,
    splits: list[Split],
    reading: str,
    choose: Choose | None,
    progress: Progress,
) -> list[Measured]:
    curves: dict[str, list[SelectionCurve]] = {structure: [] for structure in MODELS}
    chosen: dict[str, list[int]] = {structure: [] for structure in MODELS}
    for number, (train, test) in enumerate(splits, start=1):
        X, y = prepared.X[train], prepared.y[train]
        for structure in MODELS:
            parameters = {"smoothing": READINGS[reading], "categorical_features": prepared.categories}
            clf = GeneralizedNB.as_published(structure, **parameters).fit(X, y)
            held_out = prepared.X[test], prepared.y[test]
            curve = selection_curve(clf, *held_out, cv="prefit", scoring=SCORES, pos_label=prepared.positive)
            curves[structure].append(curve)
            if choose and structure in _CHOOSING:
                chosen[structure].append(choose(clf, X, y))
        progress(number / len(splits))
    return [
        Measured(
            protocol,
            prepared.name,
            structure,
            reading,
            _joined(curves[structure]),
            np.array(chosen[structure]) if chosen[structure] else None,
        )
        for structure in MODELS
    ]


def _joined(curves: list[SelectionCurve]) -> SelectionCurve:
    """The curves of single splits as one."""
    scores = {name: np.concatenate([curve.scores[name] for curve in curves]) for name in curves[0].scores}
    return _over_splits(curves[0].n_features, scores)


def _over_splits(n_features: NDArray[np.intp], scores: dict[str, NDArray[np.float64]]) -> SelectionCurve:
    """A curve with standard errors over the splits."""
    errors = {name: values.std(axis=0, ddof=1) / np.sqrt(len(values)) for name, values in scores.items()}
    return SelectionCurve(n_features, scores, errors, ())
