"""Probabilities for rows whose class is known, never from a model that was fitted to the row."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from gnbayes._sklearn import take_rows
from gnbayes.counting import CodedRows, count_values
from gnbayes.estimator import GeneralizedNB, row_hashes

# Number of folds up to this many rows; for more rows, two folds are enough.
MOST_FOLDS, MOST_ROWS = 5, 20_000

Fold = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows with their classes.

    Parameters
    ----------
    X : array-like or data frame of shape (n, d)
        As passed by the user.
    labels : ndarray of shape (n,)
        Index of each row's class.
    groups : ndarray of shape (n,), optional
        Number of each row's group, such as the person; rows of a group stay together.
    """

    X: Any
    labels: NDArray[np.intp]
    groups: NDArray[np.intp] | None = None

    def take(self, rows: NDArray[np.intp]) -> Rows:
        """Some of the rows."""
        groups = None if self.groups is None else self.groups[rows]
        return Rows(take_rows(self.X, rows), self.labels[rows], groups)


@dataclass(frozen=True, eq=False)
class Scored:
    """Probabilities of rows by models that were not fitted to them.

    Parameters
    ----------
    proba : ndarray of shape (n, k)
    labels : ndarray of shape (n,)
    n_seen : int
        Number of rows to which the model was fitted; they are scored by cross-validation, the others by the model
        itself.
    n_folds : int
        Number of folds; 0 without cross-validation.
    strata : ndarray of shape (n,)
        Which model has scored each row.
    groups : ndarray of shape (n,), optional
        Number of each row's group.
    """

    proba: NDArray[np.float64]
    labels: NDArray[np.intp]
    n_seen: int
    n_folds: int
    strata: NDArray[np.intp]
    groups: NDArray[np.intp] | None


# Why rows cannot be scored: a class has no rows, or only one, or all its rows are in one group.
Obstacle = Literal["outcome", "class", "group"]


def seen_rows(clf: GeneralizedNB, codes: NDArray[Any], labels: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which rows the model was fitted to.

    A model that was fitted in this process knows its rows by hashes of their codes and classes. For a model from a
    file, counts only show whether these are all of its rows.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    codes : ndarray of shape (n, d)
        Codes of the rows.
    labels : ndarray of shape (n,)
    """
    if clf.training_hashes is not None:
        return np.isin(row_hashes(codes, labels), clf.training_hashes)
    sizes, counted = clf.counts_.cardinalities, _counted_codes(clf, codes)
    if len(labels) != clf.counts_.n or (counted >= sizes).any():
        return np.zeros(len(labels), dtype=bool)
    counts = count_values(CodedRows(counted, labels, sizes, len(clf.classes_)))
    return np.full(len(labels), np.array_equal(counts.singles, clf.counts_.singles))


def score_rows(clf: GeneralizedNB, rows: Rows, is_seen: NDArray[np.bool_]) -> Scored | Obstacle:
    """Score rows: those that the model has seen by cross-validation, the others by the model.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    rows : Rows
    is_seen : ndarray of shape (n,)

    Returns
    -------
    scored : Scored or str
        A str names the obstacle, if training rows cannot be held out.
    """
    proba = np.empty((len(rows.labels), len(clf.classes_)))
    new, seen = np.flatnonzero(~is_seen), np.flatnonzero(is_seen)
    if len(new):
        proba[new] = predict(clf, take_rows(rows.X, new))
    if not len(seen):
        return Scored(proba, rows.labels, 0, 0, np.zeros(len(rows.labels), dtype=np.intp), rows.groups)
    own, place = (rows.take(seen), np.arange(len(seen))) if len(new) else (rows, seen)
    folds = choose_folds(own, len(clf.classes_))
    if isinstance(folds, str) and len(new):
        # A class has too few training rows: the other rows are also used for training.
        own, place = rows, seen
        folds = choose_folds(rows, len(clf.classes_))
    if isinstance(folds, str):
        return folds
    proba[seen] = cross_validate(clf, own, folds)[place]
    strata = np.full(len(rows.labels), len(folds))
    strata[seen] = fold_of_rows(folds)[place]
    return Scored(proba, rows.labels, len(seen), len(folds), strata, rows.groups)


def choose_folds(rows: Rows, n_classes: int) -> list[Fold] | Obstacle:
    """Training and test rows of each fold; every class occurs in all training sets.

    At most five folds, two beyond 20,000 rows.
    """
    labels, groups = rows.labels, rows.groups
    fewest = np.bincount(labels, minlength=n_classes).min()
    if fewest < 2:
        return "class" if fewest else "outcome"
    most = MOST_FOLDS if len(labels) <= MOST_ROWS else 2
    if groups is None:
        n_folds = min(most, int(np.bincount(labels).min()))
        return list(StratifiedKFold(n_folds, shuffle=True, random_state=0).split(labels, labels))
    n_groups = [len(np.unique(groups[labels == y])) for y in range(n_classes)]
    for n_folds in range(min(most, *n_groups), 1, -1):
        splitter = StratifiedGroupKFold(n_folds, shuffle=True, random_state=0)
        folds = list(splitter.split(labels, labels, groups))
        if all(len(np.unique(labels[train])) == n_classes and len(test) for train, test in folds):
            return folds
    return "group"


def fold_of_rows(folds: list[Fold]) -> NDArray[np.intp]:
    """The fold in which each row is held out, shape (n,)."""
    out = np.empty(sum(len(test) for _, test in folds), dtype=np.intp)
    for at, (_, test) in enumerate(folds):
        out[test] = at
    return out


def cross_validate(clf: GeneralizedNB, rows: Rows, folds: list[Fold], **changed: Any) -> NDArray[np.float64]:
    """Probabilities of rows, each from a model fitted to the other folds, including bins, tree and tables.

    Parameters
    ----------
    clf : GeneralizedNB
    rows : Rows
    folds : list of tuple
        From `choose_folds`.
    **changed
        Parameters to change.

    Returns
    -------
    proba : ndarray of shape (n, k)
    """
    proba = np.empty((len(rows.labels), len(clf.classes_)))
    for train, test in folds:
        proba[test] = predict(refit(clf, rows, train, **changed), take_rows(rows.X, test))
    return proba


def refit(clf: GeneralizedNB, rows: Rows, chosen: NDArray[np.intp], **changed: Any) -> GeneralizedNB:
    """A clone of the classifier, fitted to some of the rows."""
    again = clone(clf).set_params(verbose=0, **changed)
    groups = None if rows.groups is None else rows.groups[chosen]
    again.fit(take_rows(rows.X, chosen), clf.classes_[rows.labels[chosen]], groups=groups)
    return again


def predict(clf: GeneralizedNB, X: Any) -> NDArray[np.float64]:
    """Probabilities, without warnings about unseen values, which are expected if rows are held out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return np.asarray(clf.predict_proba(X))


def bootstrap_rows(rows: Rows, n_classes: int) -> Iterator[NDArray[np.intp]]:
    """Bootstrap samples, as positions of rows; whole groups are drawn if there are any.

    Samples that lack a class are skipped. The samples are the same every time.
    """
    n, groups = len(rows.labels), rows.groups
    members = None if groups is None else _members(groups)
    seed = 0
    while True:
        rng = np.random.default_rng([20_240_815, seed])
        seed += 1
        if members is None:
            drawn = rng.integers(0, n, n)
        else:
            drawn = np.concatenate([members[at] for at in rng.integers(0, len(members), len(members))])
        if len(np.unique(rows.labels[drawn])) == n_classes:
            yield np.sort(drawn)


def _members(groups: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Rows of each group."""
    order = np.argsort(groups, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)


def _counted_codes(clf: GeneralizedNB, codes: NDArray[Any]) -> NDArray[Any]:
    """Codes used in the counts of a classifier: the coarse ones if features have them."""
    out = codes.copy()
    for j, feature in enumerate(clf.features_):
        if feature.coarse:
            coarse = np.append(feature.coarse_codes, feature.coarse_cardinality)
            out[:, j] = coarse[np.minimum(codes[:, j], feature.cardinality)]
    return out
