"""Scores of the classes for rows whose class is known: by the model, or by models that have not seen them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from gnbayes._sklearn import take_rows
from gnbayes.counting import CodedRows, count_values
from gnbayes.encoding import check_table, encode
from gnbayes.estimator import GeneralizedNB
from gnbayes.model import Joint, build_joint, leave_one_out_prefixes

How = Literal["new", "leave-one-out", "cross-validation", "training"]

# Parts that rows are cut into, up to so many rows; beyond them two parts tell as much.
MOST_FOLDS, MOST_ROWS = 5, 20_000


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows with their classes.

    Parameters
    ----------
    X : array-like or data frame of shape (n, d)
        As they were given.
    codes : ndarray of shape (n, d)
        As the model codes them.
    labels : ndarray of shape (n,)
    """

    X: Any
    codes: NDArray[Any]
    labels: NDArray[np.intp]


def how_to_score(clf: GeneralizedNB, rows: Rows) -> How:
    """Whether rows are new to the model, or the very rows it was learned from: those have the same counts."""
    sizes, codes = clf.counts_.cardinalities, counted_codes(clf, rows.codes)
    if len(rows.labels) != clf.counts_.n or (codes >= sizes).any():
        return "new"
    counts = count_values(CodedRows(codes, rows.labels, sizes, len(clf.classes_)))
    if not np.array_equal(counts.singles, clf.counts_.singles):
        return "new"
    if clf.model_.unknown_rule == "averaged":
        return "cross-validation" if n_folds(rows.labels) > 1 else "training"
    return "training" if clf.model_.unknown_rule == "dropped" else "leave-one-out"


def log_joints(clf: GeneralizedNB, rows: Rows, how: How) -> Iterator[NDArray[np.float64]]:
    """Log joint, shape (n, k), of the first 1, 2, ... features; of a weighted model its own scores after them.

    The first features of a weighted model are no model of their own. In their place stands the same tree with the
    probabilities of its counts, as with ``weighting=None``.

    Yields
    ------
    log_joint : ndarray of shape (n, k)
        Possibly the same array every time.
    """
    if how == "cross-validation":
        return _cross_validated(clf, rows)
    if clf.model_.unknown_rule == "averaged":
        return _of_weighted(clf, rows.codes)
    if how != "leave-one-out":
        return clf.joint_.prefixes(rows.codes)
    coded = CodedRows(rows.codes, rows.labels, clf.counts_.cardinalities, len(clf.classes_))
    return leave_one_out_prefixes(clf.joint_, clf.counts_, coded, clf.smoothing, clf.alpha_, _prior(clf))


def counted_codes(clf: GeneralizedNB, codes: NDArray[Any]) -> NDArray[Any]:
    """Codes by which the counts of a classifier go: the coarse ones where features have them."""
    out = codes.copy()
    for j, feature in enumerate(clf.features_):
        if feature.coarse:
            coarse = np.append(feature.coarse_codes, feature.coarse_cardinality)
            out[:, j] = coarse[np.minimum(codes[:, j], feature.cardinality)]
    return out


def n_folds(labels: NDArray[np.intp]) -> int:
    """Into how many parts rows are cut: at most five, so that all classes are in the others of every part."""
    return min(MOST_FOLDS if len(labels) <= MOST_ROWS else 2, int(np.bincount(labels).min()))


def _of_weighted(clf: GeneralizedNB, codes: NDArray[Any]) -> Iterator[NDArray[np.float64]]:
    yield from _counted_joint(clf).prefixes(counted_codes(clf, codes))
    yield clf.model_.scores(codes)


def _counted_joint(clf: GeneralizedNB) -> Joint:
    return build_joint(clf.tree_, clf.counts_, clf.smoothing, clf.alpha_, _prior(clf))


def _cross_validated(clf: GeneralizedNB, rows: Rows) -> Iterator[NDArray[np.float64]]:
    """Every part of the rows by a model that was learned anew from the others, intervals and tree, too."""
    folds = StratifiedKFold(n_folds(rows.labels), shuffle=True, random_state=0)
    tests, parts = [], []
    for train, test in folds.split(rows.labels, rows.labels):
        fold = clone(clf).set_params(n_features=clf.n_features_, verbose=0)
        fold.fit(take_rows(rows.X, train), clf.classes_[rows.labels[train]])
        table = check_table(fold, take_rows(rows.X, test), reset=False)
        tests.append(test)
        parts.append(_of_weighted(fold, encode(table, fold.features_)))
    out = np.empty((len(rows.labels), len(clf.classes_)))
    for joints in zip(*parts, strict=True):
        for test, joint in zip(tests, joints, strict=True):
            out[test] = joint
        yield out


def _prior(clf: GeneralizedNB) -> NDArray[np.float64] | None:
    return None if clf.class_prior is None else np.asarray(clf.class_prior, dtype=np.float64)
