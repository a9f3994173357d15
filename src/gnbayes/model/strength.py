"""The strength of smoothing, chosen by leaving every row, or every group of rows, out."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, Counts
from gnbayes.model.held_out import hold_out
from gnbayes.model.leave_one_out import leave_one_out_losses
from gnbayes.structure import Tree

# From next to nothing to so much that only common values are told apart, each about three times the one before.
STRENGTHS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
# Rows that are left out in turn, at most: far more than it takes to tell such strengths apart.
MAX_LEFT_OUT = 10_000


def choose_strength(
    tree: Tree,
    counts: Counts,
    rows: CodedRows,
    smoothing: str,
    class_prior: NDArray[np.float64] | None = None,
) -> float:
    """The one of `STRENGTHS` with the least log-loss of the class, each row scored by the model of all others.

    Of equally good ones the one nearest to 1. Intervals, categories and tree are held as they are. Rows of a group are
    left out together, more than 20 groups by 20 folds of whole groups. Of more than 10,000 rows, about so many are left
    out in turn, drawn by what they hold and not by their order.

    Parameters
    ----------
    tree : Tree
    counts : Counts
        Of all rows.
    rows : CodedRows
        The rows that were counted.
    smoothing : {"additive", "backoff"}
    class_prior : ndarray of shape (k,), optional

    Returns
    -------
    alpha : float
    """
    held_out = hold_out(tree, counts, rows, MAX_LEFT_OUT)
    losses = []
    for alpha in STRENGTHS:
        prefixes = held_out.prefixes(smoothing, alpha, class_prior)
        losses.append(leave_one_out_losses(iter(deque(prefixes, maxlen=1)), held_out.rows)[0])
    # The order of the rows decides the last bits of a sum, and nothing else.
    good = [alpha for loss, alpha in zip(losses, STRENGTHS, strict=True) if loss <= min(losses) * (1 + 1e-9)]
    return min(good, key=lambda alpha: abs(np.log(alpha)))
