"""The strength of smoothing, chosen by leaving every row out."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, Counts
from gnbayes.model.build import build_joint
from gnbayes.model.fitting.rows import distinct_rows
from gnbayes.model.leave_one_out import leave_one_out_losses, leave_one_out_prefixes
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
    *,
    of_best_number: bool = False,
) -> float:
    """The one of `STRENGTHS` with the least log-loss of the class, each row scored by the model of all others.

    Of equally good ones the one nearest to 1. Intervals, categories and tree are held as they are. Of more than 10,000
    rows, about so many are left out in turn, drawn by what they hold and not by their order.

    Parameters
    ----------
    tree : Tree
    counts : Counts
        Of all rows.
    rows : CodedRows
        The rows that were counted.
    smoothing : {"additive", "backoff"}
    class_prior : ndarray of shape (k,), optional
    of_best_number : bool
        Whether a strength is judged with the number of features that is best for it, or with all features of the tree.

    Returns
    -------
    alpha : float
    """
    some = _at_most(MAX_LEFT_OUT, rows)
    losses = []
    for alpha in STRENGTHS:
        how = (smoothing, alpha, class_prior)
        joint = build_joint(tree, counts, *how)
        prefixes = leave_one_out_prefixes(joint, counts, some, *how)
        judged = prefixes if of_best_number else iter(deque(prefixes, maxlen=1))
        losses.append(leave_one_out_losses(judged, some).min())
    # The order of the rows decides the last bits of a sum, and nothing else.
    good = [alpha for loss, alpha in zip(losses, STRENGTHS, strict=True) if loss <= min(losses) * (1 + 1e-9)]
    return min(good, key=lambda alpha: abs(np.log(alpha)))


def _at_most(n: int, rows: CodedRows) -> CodedRows:
    """About n of the rows, alike ones together, where there are more; the same whatever the order of the rows."""
    if rows.n_rows <= n:
        return rows
    few = distinct_rows(rows.codes, rows.labels, rows.weights, rows.n_classes, rows.are_whole)
    few = few.thinned(n) if len(few) > n else few
    return replace(rows, codes=rows.codes[few.index], labels=few.labels, weights=few.weights)
