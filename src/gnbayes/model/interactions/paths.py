"""Which three features matter together: those on the paths of boosted trees of three levels.

Gains of single tables find features that act together in all cells. A tree also finds features that matter only within
a range of two others, as is common in diagnostic rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows
from gnbayes.encoding import Feature
from gnbayes.model.boosting import DrawnRows, Run, Trees, base_scores, by_content, tree_codes
from gnbayes.model.fitting import DistinctRows
from gnbayes.model.interactions.grids import Grids

Term = tuple[int, ...]
# Number of rounds, and most trees: each round has one per class, or a single one for two classes.
ROUNDS, _TREES, _LEAST_ROUNDS = 200, 600, 50
# The parent of each node below the root.
_PARENTS = (-1, 0, 0, 1, 1, 2, 2)


def path_gains(
    features: Sequence[Feature], grids: Grids, used: Sequence[int], rows: CodedRows, some: DistinctRows
) -> dict[Term, float]:
    """Gains of boosted trees by splits at the end of paths through three features, the best first.

    Parameters
    ----------
    features : sequence of Feature
    grids : Grids
        Trees look at the codes in pairs.
    used : sequence of int
        Features to look at.
    rows : CodedRows
        All rows, by fine codes.
    some : DistinctRows
        The rows that trees are grown from.

    Returns
    -------
    gains : dict of tuple of int to float
        For each three features, in increasing order. Ties are broken by them.
    """
    # Small differences of weights must not decide between splits that are equally good without them.
    some = replace(some, weights=some.amounts)
    codes, n_columns = rows.codes[some.index], 1 if rows.n_classes == 2 else rows.n_classes
    used = by_content(used, codes, some)
    flags = [grids.is_ordered[j] for j in used], [features[j].has_missing for j in used]
    own = tree_codes(codes[:, used], [grids.pair[j] for j in used], *flags, None)
    run = Run([own], some.labels.astype(np.int64), some.weights, base_scores(some, rows.n_classes), depths=(3,))
    n_rounds = max(_LEAST_ROUNDS, min(ROUNDS, _TREES // n_columns))
    gains = gains_by_path(run.advance(DrawnRows(len(some)).rounds(0, n_rounds)), used)
    # Rounded, so that the order in which classes are added up does not matter.
    gains = {term: round(gain, 6) for term, gain in gains.items()}
    return dict(sorted(gains.items(), key=lambda item: (-item[1], item[0])))


def gains_by_path(trees: Trees, used: Sequence[int]) -> dict[Term, float]:
    """Gains of the splits of the last level, by the three features of their paths.

    Parameters
    ----------
    trees : Trees
    used : sequence of int
        The feature that each feature of the trees stands for.
    """
    gains: dict[Term, float] = {}
    for node in range(3, 7):
        parent = _PARENTS[node]
        paths = trees.features[:, :, [node, parent, _PARENTS[parent]]].reshape(-1, 3)
        of_node = trees.gains[:, :, node].reshape(-1)
        for path, gain in zip(paths[_has_three(paths)].tolist(), of_node[_has_three(paths)].tolist(), strict=True):
            term = tuple(sorted(used[at] for at in path))
            gains[term] = gains.get(term, 0.0) + gain
    return gains


def _has_three(paths: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether there is a split, and its path has three different features."""
    first, second, third = paths.T
    return (first >= 0) & (first != second) & (first != third) & (second != third)
