"""The learned parts of a weighted model: everything in its file except features and tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.nested import NestedCounts
from gnbayes.model.term import Term

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LearnedTerms:
    """The intercept and the terms of the scores, both without a given class prior.

    Parameters
    ----------
    intercept : ndarray of shape (k,)
    terms : tuple of Term
        Pure terms; see `purify`.
    spread_ratio : float, default=1.0
        Variance of a score divided by the sum of the variances of its terms, if terms have a spread; they are
        correlated.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> learned = clf.model_.learned_parts.learned
    >>> learned.intercept.shape, len(learned.terms)
    ((3,), 7)
    """

    intercept: Array
    terms: tuple[Term, ...]
    spread_ratio: float = 1.0

    def variance(self, codes: NDArray[Any]) -> Array:
        """Sum of the variances of the terms whose features are known, for each row, shape (n, k).

        It refers to scores whose mean over the classes is 0.
        """
        total = np.zeros((len(codes), len(self.intercept)))
        for term in self.terms:
            if term.spread is not None:
                rows = np.flatnonzero(term.is_known(codes))
                total[rows] += term.spread.reshape(-1, term.n_classes)[term.cells(codes[rows])] ** 2
        return total


@dataclass(frozen=True, eq=False)
class LearnedParts:
    """Terms, and the counts from which the joint distribution is estimated.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> parts = clf.model_.learned_parts
    >>> len(parts.learned.terms), len(parts.nested.maps)
    (7, 4)
    """

    learned: LearnedTerms
    nested: NestedCounts
