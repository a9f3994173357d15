"""What was learned of a weighted model: all that its file holds beyond features and tree."""

from __future__ import annotations

from dataclasses import dataclass

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
    """

    intercept: Array
    terms: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class LearnedParts:
    """Terms, and what the joint distribution is estimated from."""

    learned: LearnedTerms
    nested: NestedCounts
