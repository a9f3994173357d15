"""What was learned of a weighted model: all that its file holds beyond features and tree."""

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
    """What was learned: where the scores start from, and what is added; both without a class prior that was given.

    Parameters
    ----------
    intercept : ndarray of shape (k,)
    terms : tuple of Term
        Pure ones; see `purify`.
    spread_ratio : float, default=1.0
        Variance of a score over the sum of the variances of its terms, where terms have a spread: they vary together.
    """

    intercept: Array
    terms: tuple[Term, ...]
    spread_ratio: float = 1.0

    def variance(self, codes: NDArray[Any]) -> Array:
        """Sum of the variances of the terms of rows, of those whose features are known, shape (n, k).

        It is that of scores whose mean over the classes is 0.
        """
        total = np.zeros((len(codes), len(self.intercept)))
        for term in self.terms:
            if term.spread is not None:
                rows = np.flatnonzero(term.is_known(codes))
                total[rows] += term.spread.reshape(-1, term.n_classes)[term.cells(codes[rows])] ** 2
        return total


@dataclass(frozen=True, eq=False)
class LearnedParts:
    """Terms, and what the joint distribution is estimated from."""

    learned: LearnedTerms
    nested: NestedCounts
