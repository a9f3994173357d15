"""The learned parts of a weighted model: everything in its file except features and tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.nested import NestedCounts
from gnbayes.model.term import Term, TermSum

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
        # Variances are tables like any others, which the kernels add up, but for rows with unknown codes.
        own = [replace(term, table=term.spread**2) for term in self.terms if term.spread is not None]
        total, is_incomplete = TermSum(np.zeros(len(self.intercept)), tuple(own)).scores(codes)
        rows = np.flatnonzero(is_incomplete)
        if len(rows):
            total[rows] = _sum_of_known(own, codes[rows], len(self.intercept))
        return total


def _sum_of_known(terms: Sequence[Term], codes: NDArray[Any], n_classes: int) -> Array:
    """Sum of the contributions of the terms whose features are known, for each row, shape (n, k)."""
    total = np.zeros((len(codes), n_classes))
    for term in terms:
        rows = np.flatnonzero(term.is_known(codes))
        total[rows] += term.contributions(codes[rows])
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
