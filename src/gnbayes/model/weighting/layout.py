"""Where the tables lie when all their cells stand one after the other, and what their values are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gnbayes.encoding import Feature
from gnbayes.structure import Tree


@dataclass(frozen=True, eq=False)
class Layout:
    """One table for each used feature, by fine code, then one for each edge, by coarse codes of mother and daughter.

    Parameters
    ----------
    used : ndarray of shape (s,)
        Features in the tree, increasing.
    edges : ndarray of shape (e, 2)
        Mothers and their daughters, by daughter.
    shapes : tuple of tuple of int
        Shape of each of the s + e tables.
    basis : sparse array of shape (number of kept cells, p)
        Values of the kept cells are ``basis @ z``, with p unknowns z (for each class).
    table_of : ndarray of shape (p,)
        The table each unknown belongs to.
    is_kept : ndarray of shape (number of all cells,)
        Cells that have a value; those of pairs that no row has are 0, and left out of all work.
    """

    used: NDArray[np.intp]
    edges: NDArray[np.intp]
    shapes: tuple[tuple[int, ...], ...]
    basis: Any
    table_of: NDArray[np.intp]
    is_kept: NDArray[np.bool_]

    @property
    def n_tables(self) -> int:
        """Number of tables."""
        return len(self.shapes)

    @property
    def starts(self) -> NDArray[np.intp]:
        """First of all cells of each table, and their number."""
        return np.concatenate([[0], np.cumsum([np.prod(shape) for shape in self.shapes])]).astype(np.intp)

    @property
    def table_of_cell(self) -> NDArray[np.intp]:
        """The table of each kept cell."""
        return np.repeat(np.arange(self.n_tables), np.diff(self.starts))[self.is_kept]

    def cells(self, fine: NDArray[Any], coarse: NDArray[Any]) -> NDArray[np.int32]:
        """The cells that rows fall into, shape (n, s + e), from the codes of all features, each of shape (n, d)."""
        out = np.empty((len(fine), self.n_tables), dtype=np.int32)
        starts, n_used = self.starts, len(self.used)
        for at, j in enumerate(self.used.tolist()):
            np.add(fine[:, j], starts[at], out=out[:, at], casting="unsafe")
        for at, (mother, j) in enumerate(self.edges.tolist(), start=n_used):
            cell = coarse[:, mother].astype(np.int32) * self.shapes[at][1] + coarse[:, j]
            np.add(cell, starts[at], out=out[:, at], casting="unsafe")
        return out

    def one_hot(self, cells: NDArray[np.int32]) -> Any:
        """Ones where a row has a cell, sparse, shape (n, number of kept cells)."""
        n, g = cells.shape
        pointers = np.arange(0, n * g + 1, g)
        return sparse.csr_array((np.ones(n * g), cells.ravel(), pointers), shape=(n, self.basis.shape[0]))

    def without_empty_cells(self, cells: NDArray[np.int32]) -> tuple[Layout, NDArray[np.int32]]:
        """Leave out the cells of pairs that no row has; the new layout, and the cells by their new numbers."""
        n_used = len(self.used)
        is_kept = np.arange(self.starts[-1]) < self.starts[n_used]
        is_kept[cells] = True
        is_unknown = self.table_of < n_used
        is_unknown[~is_unknown] = is_kept[self.starts[n_used] :]
        basis = self.basis[np.flatnonzero(is_kept)][:, np.flatnonzero(is_unknown)].tocsr()
        numbers = (np.cumsum(is_kept) - 1).astype(np.int32)
        return replace(self, basis=basis, table_of=self.table_of[is_unknown], is_kept=is_kept), numbers[cells]

    def tables(self, kept: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Values of the kept cells, shape (number of kept cells, k), table by table."""
        starts = self.starts.tolist()
        values = np.zeros((starts[-1], kept.shape[1]))
        values[self.is_kept] = kept
        return [
            values[start:stop].reshape(*shape, -1)
            for start, stop, shape in zip(starts[:-1], starts[1:], self.shapes, strict=True)
        ]


def make_layout(features: Sequence[Feature], tree: Tree) -> Layout:
    """Tables of a tree, and their bases: the random walk for intervals, the cells themselves for all else."""
    used = np.sort(tree.order)
    daughters = used[tree.mother[used] >= 0]
    edges = np.stack([tree.mother[daughters], daughters], axis=1)
    shapes: list[tuple[int, ...]] = [(features[j].cardinality,) for j in used.tolist()]
    shapes += [(features[m].coarse_cardinality, features[j].coarse_cardinality) for m, j in edges.tolist()]
    bases = [_basis_of(features[j]) for j in used.tolist()]
    widths = [basis.shape[1] for basis in bases] + [int(np.prod(shape)) for shape in shapes[len(used) :]]
    basis = _one_after_the_other(bases, sum(widths))
    table_of = np.repeat(np.arange(len(widths)), widths)
    return Layout(used, edges, tuple(shapes), basis, table_of, np.ones(basis.shape[0], dtype=bool))


def _basis_of(feature: Feature) -> NDArray[np.float64]:
    if feature.kind == "interval" and feature.n_values >= 3:
        return random_walk_basis(feature.n_values, feature.has_missing)
    return np.eye(feature.cardinality)


def random_walk_basis(n_values: int, has_missing: bool = False) -> NDArray[np.float64]:
    """Waves along ordered intervals, the slow ones large: a ridge on their sizes keeps neighbours alike.

    The m-th column is sqrt(2) cos(pi (r + 1/2) m / v) / m, an eigenvector of the penalty sum_r (U[r+1] - U[r])^2 over
    the root of its eigenvalue, as far as that is proportional to m. A missing value has a column of its own.

    Parameters
    ----------
    n_values : int
        Number of intervals, v; at least 3.
    has_missing : bool, default=False

    Returns
    -------
    basis : ndarray of shape (v, v - 1), or (v + 1, v)
    """
    frequency = np.arange(1, n_values)
    basis = np.zeros((n_values + has_missing, n_values - 1 + has_missing))
    waves = np.cos(np.pi * np.outer(np.arange(n_values) + 0.5, frequency) / n_values)
    basis[:n_values, : n_values - 1] = np.sqrt(2.0) * waves / frequency
    basis[n_values:, n_values - 1 :] = 1.0
    return basis


def _one_after_the_other(blocks: list[NDArray[np.float64]], width: int) -> Any:
    """Sparse matrix of the blocks along its diagonal, and of ones along the rest of it."""
    left = int(sum(block.shape[1] for block in blocks))
    n_rest = width - left
    starts = np.cumsum([0, *(block.shape[1] for block in blocks)])[:-1].tolist()
    columns = [
        np.tile(np.arange(start, start + block.shape[1]), len(block))
        for start, block in zip(starts, blocks, strict=True)
    ]
    lengths = [np.full(len(block), block.shape[1]) for block in blocks]
    values = np.concatenate([*(block.ravel() for block in blocks), np.ones(n_rest)])
    indices = np.concatenate([*columns, np.arange(left, width)])
    pointers = np.concatenate([[0], np.cumsum(np.concatenate([*lengths, np.ones(n_rest, dtype=np.intp)]))])
    # Zeros of small identities take no part.
    matrix = sparse.csr_array((values, indices, pointers), shape=(len(pointers) - 1, width))
    matrix.eliminate_zeros()
    return matrix
