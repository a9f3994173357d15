"""Trees as tables: a leaf is a box, whose value is added to cells of a table over the features of its path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import native
from gnbayes.model.boosting.codes import MOST_CODES
from gnbayes.model.boosting.trees import N_INNER, Trees

Array = NDArray[np.float64]
Maps = Sequence[NDArray[np.intp]]
Term = tuple[int, ...]
# Terms have one to three features.
_MOST_AXES = 3


def tables_of_trees(trees: Trees, maps: Sequence[Maps], terms: Sequence[Term]) -> tuple[Array, dict[Term, Array]]:
    """Add up trees as tables.

    Parameters
    ----------
    trees : Trees
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
        Only terms that some leaf belongs to.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import distinct_rows
    >>> from gnbayes.model.boosting import DrawnRows, boost, tables_of_trees
    >>> from gnbayes.model.boosting.codes import tree_codes
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 4, (200, 2)).astype(np.uint8)
    >>> rows = distinct_rows(codes, (codes[:, 0] > 1).astype(np.intp), None, 2)
    >>> same = [np.arange(4)] * 2
    >>> resolution = tree_codes(codes[rows.index], same, [True, True], [False, False], [(0, 1)])
    >>> trees = boost([resolution] * 3, rows, 10, 2, DrawnRows(len(rows))).trees
    >>> intercept, tables = tables_of_trees(trees, [same] * 3, [(0, 1)])
    >>> sorted(tables)[0], tables[0,].shape
    ((0,), (4, 1))
    """
    plan = _Plan(maps, terms)
    n_columns = trees.values.shape[1]
    intercept, cells = np.zeros(n_columns), np.zeros((plan.offsets[-1], n_columns))
    is_used = np.zeros(len(plan.terms), dtype=np.uint8)
    add = _add_by_numpy if native is None else _add_by_kernel
    add(plan, trees, intercept, cells, is_used)
    tables = {}
    for at in np.flatnonzero(is_used).tolist():
        own = cells[plan.offsets[at] : plan.offsets[at + 1]]
        tables[plan.terms[at]] = own.reshape(*plan.shape(plan.terms[at]), n_columns).copy()
    return intercept, tables


@dataclass(frozen=True, eq=False)
class _Plan:
    """Positions of the tables of all terms, one after the other, and the term of each path."""

    maps: Sequence[Maps]
    given: Sequence[Term]

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.maps[0])

    @cached_property
    def terms(self) -> list[Term]:
        """Features by themselves, then terms of several."""
        singles: list[Term] = [(j,) for j in range(self.n_features)]
        return singles + sorted({tuple(sorted(term)) for term in self.given})

    @cached_property
    def sizes(self) -> NDArray[np.int32]:
        """Number of codes in terms of one, two and three features, shape (3, d)."""
        return np.array([[int(own.max()) + 1 for own in maps] for maps in self._of_orders], dtype=np.int32)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """First cell of each table, and the number of all."""
        return np.cumsum([0, *(int(np.prod(self.shape(term))) for term in self.terms)], dtype=np.int64)

    @cached_property
    def term_of_path(self) -> dict[Term, int]:
        """The term of each path of several features."""
        places = {term: at for at, term in enumerate(self.terms) if len(term) > 1}
        for term, at in list(places.items()):
            for pair in combinations(term, 2) if len(term) == _MOST_AXES else ():
                places.setdefault(pair, at)
        return places

    @cached_property
    def coarser(self) -> list[list[list[NDArray[np.intp]]]]:
        """For each resolution, order of terms and feature, the code in trees of each code in tables."""
        firsts = [[np.unique(own, return_index=True)[1] for own in maps] for maps in self._of_orders]
        return [
            [[own[first] for own, first in zip(maps, of_order, strict=True)] for of_order in firsts]
            for maps in self.maps
        ]

    @property
    def _of_orders(self) -> Sequence[Maps]:
        """The codes in terms of one, two and three features."""
        return self.maps[:_MOST_AXES]

    def shape(self, term: Term) -> tuple[int, ...]:
        """Number of codes along each axis of a table."""
        return tuple(int(self.sizes[len(term) - 1, j]) for j in term)

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments of the C kernel."""
        d, terms = self.n_features, np.full((len(self.terms), _MOST_AXES), -1, dtype=np.int32)
        for at, term in enumerate(self.terms):
            terms[at, : len(term)] = term
        ordered = sorted((self._key(path), at) for path, at in self.term_of_path.items())
        keys, term_of = np.array(ordered, dtype=np.int64).reshape(-1, 2).T
        starts = np.cumsum(self.sizes.ravel(), dtype=np.int64) - self.sizes.ravel()
        # A feature with more codes than trees support is in no tree.
        coarser = [np.minimum(np.concatenate([*maps[0], *maps[1], *maps[2]]), MOST_CODES - 1) for maps in self.coarser]
        codes = np.stack(coarser).astype(np.uint8)
        of_paths = (np.ascontiguousarray(keys), term_of.astype(np.int32), len(keys))
        return (terms, len(terms), *of_paths, self.offsets, self.sizes, starts, codes, *codes.shape, d)

    def _key(self, path: Term) -> int:
        d = self.n_features
        first, second, third = (*path, d)[:_MOST_AXES]
        return (first * d + second) * (d + 1) + third


def _add_by_kernel(plan: _Plan, trees: Trees, intercept: Array, cells: Array, is_used: NDArray[np.uint8]) -> None:
    assert native is not None
    given = (trees.turns, len(trees), trees.features, trees.is_left, trees.values)
    native.add_trees((*plan.arguments, len(intercept)), *given, len(cells), intercept, cells, is_used)


def _add_by_numpy(plan: _Plan, trees: Trees, intercept: Array, cells: Array, is_used: NDArray[np.uint8]) -> None:
    for number, turn in enumerate(trees.turns.tolist()):
        for column in range(len(intercept)):
            for boxes, value in _leaves(trees, (number, column)):
                if not boxes:
                    intercept[column] += value
                    continue
                path = tuple(sorted(boxes))
                at = path[0] if len(path) == 1 else plan.term_of_path[path]
                term = plan.terms[at]
                coarser = plan.coarser[turn][len(term) - 1]
                inside = [
                    np.flatnonzero(boxes[j][coarser[j]]) if j in boxes else np.arange(len(coarser[j])) for j in term
                ]
                table = cells[plan.offsets[at] : plan.offsets[at + 1], column].reshape(plan.shape(term))
                table[np.ix_(*inside)] += value
                is_used[at] = 1


def _leaves(trees: Trees, place: tuple[int, int]) -> Iterator[tuple[dict[int, NDArray[np.bool_]], float]]:
    """For each leaf of one tree, the codes of each feature that lead to it, and its value."""
    features, is_left = trees.features[place].tolist(), trees.is_left[place].astype(bool)
    paths: dict[int, dict[int, NDArray[np.bool_]]] = {0: {}}
    for node in range(2 * N_INNER + 1):
        boxes = paths.get(node)
        if boxes is None:
            continue
        if node >= N_INNER or features[node] < 0:
            yield boxes, float(trees.values[place][node])
            continue
        feature, left = features[node], is_left[node]
        right, before = ~left, boxes.get(feature)
        paths[2 * node + 1] = boxes | {feature: left if before is None else before & left}
        paths[2 * node + 2] = boxes | {feature: right if before is None else before & right}
