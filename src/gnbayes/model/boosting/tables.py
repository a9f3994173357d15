"""Trees as tables: a leaf is a box, whose value is added to cells of a table over the features of its path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.boosting.trees import N_INNER, Trees

Array = NDArray[np.float64]
Maps = Sequence[NDArray[np.intp]]
Term = tuple[int, ...]


def tables_of_trees(
    rounds: Sequence[tuple[int, Trees]], maps: Sequence[Maps], terms: Sequence[Term]
) -> tuple[Array, dict[Term, Array]]:
    """Add up trees as tables.

    Parameters
    ----------
    rounds : sequence of (int, Trees)
        The trees of each round, and the resolution of their codes.
    maps : sequence of sequences of ndarray of shape (v_j,)
        Per resolution, the code of each fine code of each feature. Later resolutions are coarser.
    terms : sequence of tuple of int
        The sets of features that may have a table, besides single ones. A path of two features that are not a term is
        part of the first triple that contains them.

    Returns
    -------
    intercept : ndarray of shape (c,)
        From trees without a split.
    tables : dict of tuple of int to ndarray of shape (c_1, ..., c_m, c)
        By the codes of the first, second or third resolution, which are those of terms of one, two and three features.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import distinct_rows
    >>> from gnbayes.model.boosting import boost, tables_of_trees
    >>> from gnbayes.model.boosting.codes import tree_codes
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 4, (200, 2)).astype(np.uint8)
    >>> rows = distinct_rows(codes, (codes[:, 0] > 1).astype(np.intp), None, 2, are_whole=True)
    >>> same = [np.arange(4)] * 2
    >>> resolution = tree_codes(codes[rows.index], same, [True, True], [False, False], [(0, 1)])
    >>> intercept, tables = tables_of_trees(boost([resolution] * 3, rows, 10, 2).rounds, [same] * 3, [(0, 1)])
    >>> sorted(tables)[0], tables[0,].shape
    ((0,), (4, 1))
    """
    sizes = [[int(own.max()) + 1 for own in maps_of] for maps_of in maps]
    coarser: dict[tuple[int, int, int], NDArray[np.intp]] = {}
    n_columns = rounds[0][1].values.shape[0] if rounds else 1
    holders = _holders(terms)
    intercept, tables = np.zeros(n_columns), {}
    for at, trees in rounds:
        for column in range(n_columns):
            for boxes, value in _leaves(trees, column):
                if not boxes:
                    intercept[column] += value
                    continue
                path = tuple(sorted(boxes))
                term = holders.get(path, path)
                order = len(term) - 1
                if term not in tables:
                    tables[term] = np.zeros((*(sizes[order][j] for j in term), n_columns))
                for j in term:
                    if (order, at, j) not in coarser:
                        first = np.unique(maps[order][j], return_index=True)[1]
                        coarser[order, at, j] = maps[at][j][first]
                # Cells outside of the box get 0, which changes nothing.
                added: Array = np.array(value)
                for j in term:
                    inside = boxes[j][coarser[order, at, j]] if j in boxes else np.ones(sizes[order][j], dtype=bool)
                    added = np.multiply.outer(added, inside)
                tables[term][..., column] += added
    return intercept, tables


def _holders(terms: Sequence[Term]) -> dict[Term, Term]:
    """For pairs that are not terms, the first triple that contains them."""
    own = {tuple(sorted(term)) for term in terms}
    holders: dict[Term, Term] = {}
    for term in sorted(own):
        for pair in combinations(term, 2) if len(term) == 3 else ():
            if pair not in own:
                holders.setdefault(pair, term)
    return holders


def _leaves(trees: Trees, column: int) -> Iterator[tuple[dict[int, NDArray[np.bool_]], float]]:
    """For each leaf, the codes of each feature that lead to it, and its value."""
    features, is_left = trees.features[column].tolist(), trees.is_left[column].astype(bool)
    paths: dict[int, dict[int, NDArray[np.bool_]]] = {0: {}}
    for node in range(2 * N_INNER + 1):
        boxes = paths.get(node)
        if boxes is None:
            continue
        if node >= N_INNER or features[node] < 0:
            yield boxes, float(trees.values[column, node])
            continue
        feature, left = features[node], is_left[node]
        right, before = ~left, boxes.get(feature)
        paths[2 * node + 1] = boxes | {feature: left if before is None else before & left}
        paths[2 * node + 2] = boxes | {feature: right if before is None else before & right}
