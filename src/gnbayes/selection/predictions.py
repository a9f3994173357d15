"""Probabilities of held-out rows by models of fewer features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes._sklearn import n_rows_of
from gnbayes.base import probabilities
from gnbayes.estimator import GeneralizedNB
from gnbayes.progress import silent
from gnbayes.selection.parts import score_split
from gnbayes.selection.splits import folds_of
from gnbayes.selection.task import Request, make_task


@dataclass(frozen=True, eq=False)
class PrefixPredictions:
    """Predictions of models with fewer features for held-out rows.

    Parameters
    ----------
    proba : list of ndarray of shape (n, k)
        One array per number of features.
    orders : list of ndarray of shape (d,)
        Features in the order in which they were added, one array per fold.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.selection import predict_prefixes
    >>> X, y = load_iris(return_X_y=True)
    >>> halves = [(np.arange(at, 150, 2), np.arange(1 - at, 150, 2)) for at in range(2)]
    >>> found = predict_prefixes(GeneralizedNB(weighting=None), X, y, halves, [1, 2])
    >>> len(found.proba), found.proba[0].shape, len(found.orders)
    (2, (150, 3), 2)
    """

    proba: list[NDArray[np.float64]]
    orders: list[NDArray[np.intp]]


def predict_prefixes(
    estimator: GeneralizedNB, X: Any, y: Any, cv: Any, numbers: Sequence[int], groups: Any = None
) -> PrefixPredictions:
    """Probabilities of held-out rows, by the models of a curve for some numbers of features.

    Parameters
    ----------
    estimator, X, y
        As in `selection_curve`.
    cv : iterable of pairs
        Rows to learn from and held-out rows; every row is held out once.
    numbers : sequence of int
        Increasing.
    groups : array-like of shape (n,), optional
        As in `selection_curve`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.selection import predict_prefixes
    >>> X, y = load_iris(return_X_y=True)
    >>> halves = [(np.arange(at, 150, 2), np.arange(1 - at, 150, 2)) for at in range(2)]
    >>> found = predict_prefixes(GeneralizedNB(weighting=None), X, y, halves, [1, 2])
    >>> [round(float((proba.argmax(axis=1) == y).mean()), 2) for proba in found.proba]
    [0.93, 0.93]
    """
    task = make_task(estimator, X, y, Request(groups=groups))
    proba = [np.zeros((n_rows_of(X), len(task.classes))) for _ in numbers]
    orders = []
    for fold, (_, test) in zip(folds_of(task, cv, X, y, None), cv, strict=True):
        part = score_split(task, fold, silent, np.array(numbers, dtype=np.intp))
        orders.append(part.order)
        wanted = [at for at, n in enumerate(part.numbers.tolist()) if n in set(numbers)]
        found = [scores for at, scores in enumerate(part.scores) if at in wanted]
        # Rows of a fold stand in the order of the table.
        for out, scores in zip(proba, found, strict=True):
            out[np.sort(test)] = probabilities(scores)
    return PrefixPredictions(proba, orders)
