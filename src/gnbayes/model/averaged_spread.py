"""Standard errors of averages over unknown features.

P(y | known) is the mean of P(y | x) over completions. To first order, the entry c of a table moves the log-odds of that
mean by the share of its slope that lies in completions with this entry,

    g_c = sum over completions m with entry c of w_m p_m (1 - p_m), divided by P (1 - P),

so that the variance of a table of unknown features is the sum of g_c^2 Var_c: averaging over many entries gives a
smaller variance than a single entry has. Tables of known features have g = 1 for their entry. (The same formula gives
less than 1, but the distribution of the unknown features also depends on the training rows, which compensates for it;
benchmarks/accuracy/coverage.py --unknown 0.5 measures how well.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.completion import Completion
from gnbayes.model.model import softmax
from gnbayes.model.term import Term

Array = NDArray[np.float64]


def averaged_variance(completion: Completion, terms: Sequence[Term], codes: NDArray[Any]) -> Array:
    """Sum of the variances of tables with unknown features in the average, shape (n, k).

    Parameters
    ----------
    completion : Completion
    terms : sequence of Term
        Terms without a spread are ignored.
    codes : ndarray of shape (n, d)
        Codes from the number of values of a feature on are unknown.
    """
    return np.array([_of_row(completion, terms, row[None]) for row in codes])


def _of_row(completion: Completion, terms: Sequence[Term], row: NDArray[Any]) -> Array:
    draws = completion.draw(row[0])
    slopes = _slopes(softmax(completion.total.scores(draws.codes)[0]), draws.weights)
    total = np.zeros(slopes.shape[1])
    for term in terms:
        if term.spread is None or term.is_known(row)[0]:
            continue
        cells = term.cells(draws.codes)
        spread = term.spread.reshape(-1, term.n_classes)
        shares = np.stack([np.bincount(cells, own, minlength=len(spread)) for own in slopes.T], axis=1)
        total += ((shares * spread) ** 2).sum(axis=0)
    return total


def _slopes(proba: Array, weights: Array) -> Array:
    """Contribution of each completion to the slope of the average, shape (m, k)."""
    mean = weights @ proba
    away = mean * (1 - mean)
    # If all completions have probability 0 or 1, there is no slope, and each counts with its weight.
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(away > 0, weights[:, None] * proba * (1 - proba) / away, weights[:, None])
