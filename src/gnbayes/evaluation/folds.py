"""Predictions for held-out rows: everything is learned again from the other rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.utils.validation import has_fit_parameter

from gnbayes.evaluation.predictions import Predictions

N_FOLDS = 5
# Above this many rows, only one fold is held out: it is large enough, and the models of the folds hardly differ.
MOST_ROWS = 20_000

Fold = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, eq=False)
class CrossValidated:
    """Predictions of held-out rows.

    Parameters
    ----------
    predictions : Predictions
        One stratum per fold; one cluster per group if groups are given.
    n_folds : int
        Number of folds.
    n_fits : int
        Number of folds that were held out in turn.
    n_train : int
        Mean number of training rows.
    n_unscored : int
        Number of held-out rows whose class does not occur in the training rows, so that it could not be learned.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.evaluation import cross_validate
    >>> found = cross_validate(GeneralizedNB("nb", weighting=None), *load_iris(return_X_y=True))
    >>> found.n_folds, found.n_train, found.predictions.proba.shape
    (5, 120, (150, 3))
    """

    predictions: Predictions
    n_folds: int
    n_fits: int
    n_train: int
    n_unscored: int


def make_folds(labels: NDArray[Any], groups: Any = None, n_folds: int = N_FOLDS) -> list[Fold]:
    """Stratified folds: pairs of training rows and held-out rows, with about the same class shares in each fold.

    Parameters
    ----------
    labels : ndarray of shape (n,)
    groups : sequence of length n, optional
        Rows of the same group are in the same fold.
    n_folds : int, default=5
        Maximum number of folds; limited by the number of groups and by the rows of the largest class. If fewer than two
        remain, there are no folds.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import make_folds
    >>> [test.tolist() for _, test in make_folds(np.array([0, 1, 0, 1]), groups=["a", "a", "b", "b"])]
    [[2, 3], [0, 1]]
    """
    codes = np.unique(labels, return_inverse=True)[1]
    members = None if groups is None else group_codes(groups)
    n_folds = min(n_folds, int(np.bincount(codes).max()), len(codes) if members is None else int(members.max()) + 1)
    if n_folds < 2:
        return []
    splitter = StratifiedKFold if members is None else StratifiedGroupKFold
    rows = np.zeros((len(codes), 1))
    with warnings.catch_warnings():  # warns about classes with fewer rows than folds
        warnings.simplefilter("ignore", UserWarning)
        return list(splitter(n_folds, shuffle=True, random_state=0).split(rows, codes, members))


def group_codes(groups: Any) -> NDArray[np.intp]:
    """A number per group, shape (n,); None and NaN are one group.

    Parameters
    ----------
    groups : sequence of length n

    Examples
    --------
    >>> from gnbayes.evaluation import group_codes
    >>> group_codes(["ann", "bob", None, "ann"]).tolist()
    [1, 2, 0, 1]
    """
    texts = ["" if group is None or group != group else f"{type(group).__name__} {group}" for group in groups]
    return np.asarray(np.unique(np.array(texts), return_inverse=True)[1], dtype=np.intp)


def cross_validate(
    clf: Any,
    X: Any,
    y: NDArray[Any],
    groups: Any = None,
    *,
    most_rows: int = MOST_ROWS,
    progress: Callable[[float], None] | None = None,
) -> CrossValidated | None:
    """Hold out each fold in turn, and predict it with a model fitted to the other folds.

    Bins, tree, weights and the number of features are all learned without the held-out rows. With more than `most_rows`
    rows, a single fold is held out.

    Parameters
    ----------
    clf : classifier
        Not changed.
    X : array or data frame of shape (n, d)
    y : ndarray of shape (n,)
    groups : sequence of length n, optional
        Rows of the same group are always in the same fold.
    most_rows : int, default=20000
    progress : callable, optional
        Takes the share done, 0 to 1.

    Returns
    -------
    found : CrossValidated or None
        None if there are too few rows to hold out any.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.evaluation import cross_validate, score
    >>> X, y = load_iris(return_X_y=True)
    >>> found = cross_validate(GeneralizedNB("nb", weighting=None), X, y)
    >>> found.n_fits, score(found.predictions).accuracy.value > 0.9
    (5, True)
    """
    classes, labels = np.unique(y, return_inverse=True)
    folds = make_folds(labels, groups)
    n_folds, folds = len(folds), folds[: 1 if len(labels) > most_rows else None]
    members = None if groups is None else group_codes(groups)
    parts: list[_Part] = []
    for number, (train, test) in enumerate(folds):
        part = _predict_fold(clf, X, (classes, labels), members, train, test)
        if part is not None:
            parts.append(part)
        if progress is not None:
            progress((number + 1) / len(folds))
    if not parts:
        return None
    rows = np.concatenate([part.rows for part in parts])
    predictions = Predictions(
        proba=np.concatenate([part.proba for part in parts]),
        labels=labels[rows],
        classes=classes,
        prior=np.concatenate([np.tile(part.prior, (len(part.rows), 1)) for part in parts]),
        clusters=None if members is None else members[rows],
        strata=np.repeat(np.arange(len(parts)), [len(part.rows) for part in parts]),
    )
    n_held_out = sum(len(test) for _, test in folds)
    n_train = round(float(np.mean([len(train) for train, _ in folds])))
    return CrossValidated(predictions, n_folds, len(folds), n_train, n_held_out - len(rows))


@dataclass(frozen=True, eq=False)
class _Part:
    """Scored held-out rows of a fold, their probabilities, and the class shares of the training rows."""

    rows: NDArray[np.intp]
    proba: NDArray[np.float64]
    prior: NDArray[np.float64]


def _predict_fold(
    clf: Any,
    X: Any,
    target: tuple[NDArray[Any], NDArray[np.intp]],
    groups: NDArray[np.intp] | None,
    train: NDArray[np.intp],
    test: NDArray[np.intp],
) -> _Part | None:
    classes, labels = target
    counts = np.bincount(labels[train], minlength=len(classes))
    known = np.flatnonzero(counts)
    rows = test[counts[labels[test]] > 0]
    if len(known) < 2 or not len(rows):
        return None
    fitted = _refit(clf, take_rows(X, train), classes[labels[train]], None if groups is None else groups[train])
    proba = np.zeros((len(rows), len(classes)))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* never seen in training", UserWarning)
        proba[:, known] = fitted.predict_proba(take_rows(X, rows))
    return _Part(rows, proba, counts / counts.sum())


def _refit(clf: Any, X: Any, y: NDArray[Any], groups: NDArray[np.intp] | None) -> Any:
    """Fit to the training rows of a fold; groups are passed on if `fit` accepts them."""
    quiet = clone(clf)
    if "verbose" in quiet.get_params():
        quiet.set_params(verbose=0)
    if groups is not None and has_fit_parameter(quiet, "groups"):
        return quiet.fit(X, y, groups=groups)
    return quiet.fit(X, y)


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of an array or data frame."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    return frame[rows].to_native() if isinstance(frame, nw.DataFrame) else X[rows]
