"""Answers for single rows, in microseconds: for services that get one row at a time."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Feature, RowEncoder
from gnbayes.model import Model


class Scorer:
    """Probabilities of single rows of raw values, the same as `predict_proba` gives, without tables.

    A row is a mapping from names of columns to values, or a sequence of values in the order of the columns. What a
    mapping leaves out is unknown. A missing value (None or NaN) is what it is in `predict_proba`: a value of its own
    where training had missing values in that column, and unknown elsewhere; a value that training never saw is unknown,
    without a warning. `GeneralizedNB.scorer` makes one. It can be pickled, and used by many threads at once.

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
            Values by the names of their columns, or one per column.
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
            Values by the names of their columns, or one per column.
        """
        scores = self.model.scores(self._encoder.codes(row))[0].tolist()
        return self._labels[scores.index(max(scores))]

    def __reduce__(self) -> tuple[type[Scorer], tuple[Any, ...]]:
        return Scorer, (self.features, self.classes, self.model)

    def __repr__(self) -> str:
        return f"Scorer of {len(self.features)} columns and {len(self.classes)} classes"
