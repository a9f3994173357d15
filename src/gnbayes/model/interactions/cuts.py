"""Where the class changes along a feature, alone or with another one: the splits of boosted trees of depth two.

Pairs and triples have few bins. Their bounds are most useful at the splits with the largest gains.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Feature
from gnbayes.model.boosting import DrawnRows, Run, base_scores, by_content, tree_codes
from gnbayes.model.fitting import TrainingRows
from gnbayes.model.interactions.grids import ROWS_FOR_CLASSES, is_ordered

Array = NDArray[np.float64]
# Number of boosting rounds, and most rows that trees are grown from.
_ROUNDS, _MOST_ROWS = 100, 10_000
# With more features, only pairs of the tree may share a path.
_MOST_FEATURES = 60


def cut_gains(
    features: Sequence[Feature], used: Sequence[int], edges: Sequence[tuple[int, ...]], training: TrainingRows
) -> list[Array] | None:
    """Gain of boosted trees by each cut; None if rows are too few to tell.

    Parameters
    ----------
    features : sequence of Feature
    used : sequence of int
        Features with more than one value.
    edges : sequence of tuple of int
        Pairs of the tree.
    training : TrainingRows

    Returns
    -------
    gains : list of ndarray of shape (v_j + 1,)
        Per feature, the gain of a cut before each of its values, and after the last one.
    """
    distinct, n_classes = training.distinct, training.rows.n_classes
    if len(distinct) < ROWS_FOR_CLASSES or not any(is_ordered(features[j]) for j in used):
        return None
    seen = distinct if len(distinct) <= 1.5 * _MOST_ROWS else distinct.thinned(_MOST_ROWS)
    codes = training.rows.codes[seen.index]
    used = by_content(used, codes, seen)
    place = {j: at for at, j in enumerate(used)}
    pairs = [edge for edge in edges if place.keys() >= set(edge)]
    terms = [tuple(sorted(place[j] for j in pair)) for pair in pairs] if len(used) > _MOST_FEATURES else None
    own = [features[j] for j in used]
    flags = [is_ordered(feature) for feature in own], [feature.has_missing for feature in own]
    rows = tree_codes(codes[:, used], [np.arange(feature.cardinality) for feature in own], *flags, terms)
    run = Run([rows], seen.labels.astype(np.int64), seen.weights, base_scores(seen, n_classes), depths=(2,))
    trees = run.advance(DrawnRows(len(seen)).rounds(0, _ROUNDS))
    gains = [np.zeros(feature.n_values + 1) for feature in features]
    for number, column, node in np.argwhere(trees.features >= 0).tolist():
        j = used[trees.features[number, column, node]]
        n_left = int(trees.is_left[number, column, node, : features[j].n_values].sum())
        gains[j][n_left] += trees.gains[number, column, node]
    # Rounded, so that the order in which classes are added up does not matter.
    return [np.round(own, 6) for own in gains]
