"""The paper's experiment, as the paper did it and as it should be done: splits, fits, and their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupShuffleSplit, StratifiedKFold

from gnbayes.estimator import GeneralizedNB
from gnbayes.progress import Progress, silent
from gnbayes.reproduction.prepare import Prepared, as_in_the_paper
from gnbayes.reproduction.published import MODELS
from gnbayes.selection import SelectionCurve, selection_curve

SCORES = ("accuracy", "precision", "recall", "f1", "balanced_accuracy", "roc_auc", "neg_log_loss")
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
    structure, smoothing : str
        As in `GeneralizedNB`.
    curve : SelectionCurve
        Scores of the first 1, ..., d features, each of shape (splits, d).
    chosen : ndarray of shape (splits,) or None
        Number of features that was chosen in each split, from its training rows alone.
    """

    protocol: Literal["paper", "honest"]
    data: str
    structure: str
    smoothing: str
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
        """Number of features that are used in each split, shape (splits,)."""
        if features == "all":
            splits, d = next(iter(self.curve.scores.values())).shape
            return np.full(splits, d)
        if self.chosen is None:
            raise ValueError(f"no number of features was chosen for {self.model} with smoothing={self.smoothing!r}.")
        return self.chosen

    def first(self, splits: int) -> Measured:
        """The same for the first splits only."""
        scores = {name: values[:splits] for name, values in self.curve.scores.items()}
        chosen = None if self.chosen is None else self.chosen[:splits]
        return replace(self, curve=_over_splits(self.curve.n_features, scores), chosen=chosen)


def paper_protocol(prepared: Prepared, repeats: int = 5, seed: int = 0, progress: Progress = silent) -> list[Measured]:
    """Random splits of rows that were cut into intervals before, with the paper's smoothing and with the library's.

    The number of features is chosen by the accuracy of 5-fold cross-validation inside the training rows.

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
    >>> first.model, first.smoothing, first.scores("accuracy").shape
    ('GNB-A', 'paper', (2,))
    """
    rows = as_in_the_paper(prepared)
    splits = list(draw_splits(rows, repeats, seed))
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)

    def choose(clf: GeneralizedNB, X: NDArray[np.float64], y: NDArray[np.intp]) -> int:
        return selection_curve(clf, X, y, cv=folds, scoring="accuracy").best("accuracy")

    own = _measure("paper", rows, splits, "paper", choose, progress=lambda share: progress(share / 2))
    return own + _measure("paper", rows, splits, "additive", None, progress=lambda share: progress((1 + share) / 2))


def honest_protocol(
    prepared: Prepared, repeats: int = 100, seed: int = 0, progress: Progress = silent
) -> list[Measured]:
    """Intervals from the training rows only, all rows and columns, and rows that belong together on one side.

    The number of features is that of ``n_features="auto"``.

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
    return _measure("honest", prepared, splits, "additive", choose, progress)


def draw_splits(prepared: Prepared, repeats: int, seed: int) -> Iterator[Split]:
    """Random training and test rows that keep groups together.

    A split whose test rows are all of one class is drawn again: half of the scores would have no value.

    Parameters
    ----------
    prepared : Prepared
    repeats : int
        At least 2, to have a spread.
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
    smoothing: str,
    choose: Choose | None,
    progress: Progress,
) -> list[Measured]:
    curves: dict[str, list[SelectionCurve]] = {structure: [] for structure in MODELS}
    chosen: dict[str, list[int]] = {structure: [] for structure in MODELS}
    for number, (train, test) in enumerate(splits, start=1):
        X, y = prepared.X[train], prepared.y[train]
        for structure in MODELS:
            how = {"smoothing": smoothing, "categorical_features": prepared.categories}
            clf = GeneralizedNB.as_published(structure, **how).fit(X, y)
            curve = selection_curve(clf, prepared.X[test], prepared.y[test], cv="prefit", scoring=SCORES)
            curves[structure].append(curve)
            if choose and structure in _CHOOSING:
                chosen[structure].append(choose(clf, X, y))
        progress(number / len(splits))
    return [
        Measured(
            protocol,
            prepared.name,
            structure,
            smoothing,
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
