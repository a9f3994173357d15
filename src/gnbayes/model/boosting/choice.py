"""Which features belong together: those that stand on the same paths when any may."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.boosting.codes import Term, TreeCodes
from gnbayes.model.boosting.rounds import Run, base_scores
from gnbayes.model.boosting.trees import N_INNER, Trees
from gnbayes.model.fitting import DistinctRows

# Rounds by which terms are chosen.
_ROUNDS = 60


def gains_of_terms(
    codes: TreeCodes, rows: DistinctRows, is_choosing: NDArray[np.bool_], n_classes: int
) -> dict[Term, float]:
    """What pairs and triples of features gain in trees of three levels, the largest gains first.

    Parameters
    ----------
    codes : TreeCodes
        Of `rows`, with no terms: all features may stand together.
    rows : DistinctRows
    is_choosing : ndarray of shape (n,)
        Which of them to grow from.
    n_classes : int

    Returns
    -------
    gains : dict of tuple of int to float
        The gain of a split counts for the set of features of its path, if it is the split that completes it or a later one.
    """
    weights = np.where(is_choosing, rows.weights, 0.0)
    run = Run([codes], rows.labels.astype(np.int64), weights, base_scores(rows, n_classes), depths=(3,))
    run.advance(_ROUNDS)
    gains: dict[Term, float] = {}
    for _, trees in run.rounds:
        for column in range(len(trees.features)):
            _add_gains(trees, column, gains)
    return dict(sorted(gains.items(), key=lambda item: (-item[1], item[0])))


def _add_gains(trees: Trees, column: int, gains: dict[Term, float]) -> None:
    paths: dict[int, frozenset[int]] = {0: frozenset()}
    for node in range(N_INNER):
        feature = int(trees.features[column, node])
        if node not in paths or feature < 0:
            continue
        path = paths[node] | {feature}
        if len(path) > 1:
            term = tuple(sorted(path))
            gains[term] = gains.get(term, 0.0) + float(trees.gains[column, node])
        paths[2 * node + 1] = paths[2 * node + 2] = path
