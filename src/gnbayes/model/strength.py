"""The amount of smoothing, chosen by leaving out every row, or every group of rows."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, Counts
from gnbayes.model.held_out import hold_out
from gnbayes.model.leave_one_out import leave_one_out_losses
from gnbayes.structure import Tree

# From almost none to so much that only common values are distinguished, each about three times the previous one.
STRENGTHS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
# Maximum number of rows that are left out in turn: far more than needed to distinguish these values.
MAX_LEFT_OUT = 10_000


def choose_strength(
    tree: Tree,
    counts: Counts,
    rows: CodedRows,
    smoothing: str,
    class_prior: NDArray[np.float64] | None = None,
) -> float:
    """The one of `STRENGTHS` with the lowest leave-one-out log-loss.

    In ties, the one nearest to 1. Bins, categories and tree are held fixed. Rows of a group are left out together, in
    20 folds of whole groups if there are more than 20 groups. If there are more than 10,000 rows, about 10,000 of them
    are left out in turn; which ones depends on their values, not on their order.

    Parameters
    ----------
    tree : Tree
    counts : Counts
        Counts of all rows.
    rows : CodedRows
        The rows that were counted.
    smoothing : {"additive", "backoff"}
    class_prior : ndarray of shape (k,), optional

    Returns
    -------
    alpha : float

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import information, tan
    >>> from gnbayes.model import choose_strength
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> tree = tan(information(count(rows)))
    >>> choose_strength(tree, count(rows), rows, "additive")
    0.01
    """
    held_out = hold_out(tree, counts, rows, MAX_LEFT_OUT)
    losses = []
    for alpha in STRENGTHS:
        prefixes = held_out.prefixes(smoothing, alpha, class_prior)
        losses.append(leave_one_out_losses(iter(deque(prefixes, maxlen=1)), held_out.rows)[0])
    # The order of the rows affects only the last bits of a sum.
    good = [alpha for loss, alpha in zip(losses, STRENGTHS, strict=True) if loss <= min(losses) * (1 + 1e-9)]
    return min(good, key=lambda alpha: abs(np.log(alpha)))
