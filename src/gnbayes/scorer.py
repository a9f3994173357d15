"""Predictions for single rows in microseconds, for services that receive one row at a time."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Feature, RowEncoder
from gnbayes.model import Model


class Scorer:
    """Probabilities of single rows of raw values, equal to those of `predict_proba`, without tables.

    A row is a mapping from column names to values, or a sequence of values in the order of the columns. Columns that a
    mapping omits are unknown. A missing value (None or NaN) is treated as in `predict_proba`: as a category of its own
    if the column had missing values in training, otherwise as unknown. A value never seen in training is unknown,
    without a warning. Created by `GeneralizedNB.scorer`. It can be pickled, and used by several threads at once.

    Parameters
    ----------
    features : sequence of Feature
    classes : ndarray of shape (k,)
    model : Model

    Examples
    --------
    >>> from gnbayes import GeneralizedNB
    >>> rows = [[34, "no"], [71, "yes"], [58, "yes"], [45, "no"], [29, "no"]]
    >>> clf = GeneralizedNB(n_bins=2, weighting=None).fit(rows, ["well", "ill", "ill", "well", "well"])
    >>> scorer = clf.scorer()
    >>> scorer.predict([65, "yes"])
    'ill'
    >>> scorer.predict_proba({"x1": "yes"}).round(3).tolist()
    [0.618, 0.382]
    """

    def __init__(self, features: Sequence[Feature], classes: NDArray[Any], model: Model) -> None:
        self.features, self.classes, self.model = tuple(features), classes, model
        self._encoder = RowEncoder(self.features, model.tree.order.tolist())
        self._labels = classes.tolist()

    def predict_proba(self, row: Any) -> NDArray[np.float64]:
        """Probability of each class, shape (k,), in the order of `classes`.

        Parameters
        ----------
        row : mapping or sequence
            Values by column name, or one per column.
        """
        scores = self.model.scores(self._encoder.codes(row))[0].tolist()
        largest = max(scores)
        shares = [exp(score - largest) for score in scores]
        total = sum(shares)
        return np.array([share / total for share in shares])

    def predict(self, row: Any) -> Any:
        """The most probable class.

        Parameters
        ----------
        row : mapping or sequence
            Values by column name, or one per column.
        """
        scores = self.model.scores(self._encoder.codes(row))[0].tolist()
        return self._labels[scores.index(max(scores))]

    def __reduce__(self) -> tuple[type[Scorer], tuple[Any, ...]]:
        return Scorer, (self.features, self.classes, self.model)

    def __repr__(self) -> str:
        return f"Scorer of {len(self.features)} columns and {len(self.classes)} classes"
