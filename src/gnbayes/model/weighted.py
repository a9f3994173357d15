"""The weighted model: tables learned for the log-loss instead of probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Feature
from gnbayes.kernels import for_each, native, ranges
from gnbayes.structure import Tree

# Rows scored at a time: the sums of a block stay in cache.
_BLOCK_ROWS = 16384
# Tables by fine codes of feature and mother are made up to so many cells, and else looked up in two steps.
_MAX_CELLS = 2**22


@dataclass(frozen=True, eq=False)
class WeightedModel:
    """Scores b + sum_j U_j[x_j] + sum_j V_j[c(x_mother), c(x_j)] of the classes; their softmax are probabilities.

    A value that is missing where training had none missing, or was never seen, adds nothing: neither its own U nor any
    V that it takes part in. The model says nothing of the distribution of the features.

    Parameters
    ----------
    features : tuple of Feature
    classes : ndarray of shape (k,)
    tree : Tree
    intercept : ndarray of shape (k,)
        b, as learned.
    prior_shift : ndarray of shape (k,)
        What a given class prior adds to b; 0 without one.
    singles : tuple of ndarray of shape (v_j, k)
        U_j, by code.
    pairs : tuple of ndarray of shape (c_mother, c_j, k), or None
        V_j, by coarse codes; None for a feature without a mother.
    """

    features: tuple[Feature, ...]
    classes: NDArray[Any]
    tree: Tree
    intercept: NDArray[np.float64]
    prior_shift: NDArray[np.float64]
    singles: tuple[NDArray[np.float64], ...]
    pairs: tuple[NDArray[np.float64] | None, ...]

    @cached_property
    def log_prior(self) -> NDArray[np.float64]:
        """What the scores start from, shape (k,)."""
        return self.intercept + self.prior_shift

    @cached_property
    def cardinalities(self) -> NDArray[np.intp]:
        """Number of values of each feature; a code from there on is absent."""
        return np.array([len(table) for table in self.singles], dtype=np.intp)

    def log_joint(self, codes: NDArray[Any], n_threads: int = 1) -> NDArray[np.float64]:
        """Scores of every row and class; absent features add nothing.

        Parameters
        ----------
        codes : ndarray of shape (n, d)
        n_threads : int, default=1
            Threads that share the rows; the result does not depend on it.

        Returns
        -------
        scores : ndarray of shape (n, k)
        """
        out = np.empty((len(codes), len(self.log_prior)))
        is_unsigned = codes.dtype.kind == "u" and codes.dtype.itemsize <= 4
        if native is not None and is_unsigned and self._n_cells <= _MAX_CELLS:
            self._add_up(np.asfortranarray(self._known(codes)), out, n_threads)
            return out

        def score(rows: tuple[int, int]) -> None:
            total = np.tile(self.log_prior, (rows[1] - rows[0], 1))
            block = self._known(codes[slice(*rows)])
            for j in self.tree.order.tolist():
                total += self._added(block, j)
            out[slice(*rows)] = total

        for_each(score, ranges(len(codes), _BLOCK_ROWS), n_threads)
        return out

    def contributions(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """What each feature adds to the scores of a row, U_j + V_j, shape (n, d, k); 0 for features not used."""
        known = self._known(codes)
        out = np.zeros((*codes.shape, len(self.log_prior)))
        for j in self.tree.order.tolist():
            out[:, j] = self._added(known, j)
        return out

    def prefixes(self, codes: NDArray[Any]) -> Iterator[NDArray[np.float64]]:
        """Refuse: the first features of a weighted model are no model of their own."""
        raise ValueError(
            "a weighted model has no scores for its first features alone, as all its weights were learned together; "
            "use weighting=None for curves over the number of features."
        )

    def log_likelihood(self, codes: NDArray[Any], labels: NDArray[np.intp]) -> float:
        """Refuse: there is no joint distribution."""
        raise ValueError(
            "log_likelihood needs the joint distribution of features and class, which weighting='discriminative' does "
            "not learn; fit with weighting=None."
        )

    def sample(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Refuse: there is no joint distribution."""
        raise ValueError(
            "sample needs the joint distribution of features and class, which weighting='discriminative' does not "
            "learn; fit with weighting=None."
        )

    def table(self, j: int) -> NDArray[np.float64]:
        """T_j[x_mother, x_j] = U_j + V_j by code, with one more code on both axes for absent values.

        Returns
        -------
        table : ndarray of shape (v_mother + 1, v_j + 1, k), or (1, v_j + 1, k) without a mother
        """
        own, pair = self.singles[j], self.pairs[j]
        nothing = np.zeros((1, own.shape[1]))
        if pair is None:
            return np.concatenate([own, nothing])[None]
        mother = self.features[int(self.tree.mother[j])]
        out = np.zeros((mother.cardinality + 1, len(own) + 1, own.shape[1]))
        out[:, :-1] = own
        out[:-1, :-1] += pair[np.ix_(mother.coarse_codes, self.features[j].coarse_codes)]
        return out

    @cached_property
    def _n_cells(self) -> int:
        """Cells of all such tables."""
        above = np.where(self.tree.mother >= 0, self.cardinalities[self.tree.mother] + 1, 1)
        return int((above * (self.cardinalities + 1))[self.tree.order].sum()) * len(self.log_prior)

    @cached_property
    def _terms(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Feature, mother, their numbers of codes and where the table begins, in the order of the tree; all tables."""
        used = [self.table(j) for j in self.tree.order.tolist()]
        sizes = np.array([table.size for table in used])
        shapes = np.array([table.shape[:2] for table in used])
        columns = (self.tree.order, self.tree.mother[self.tree.order], shapes[:, 1], shapes[:, 0])
        terms = np.stack([*columns, np.cumsum(sizes) - sizes], axis=1).astype(np.int64)
        return terms, np.concatenate([table.ravel() for table in used])

    def _known(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Codes in which every absent value has the code right after the last one."""
        last = self.cardinalities.astype(codes.dtype)
        return np.minimum(codes, last) if (codes > last).any() else codes

    def _add_up(self, codes: NDArray[Any], out: NDArray[np.float64], n_threads: int) -> None:
        """Scores by the kernels, which know every code here."""
        terms, tables = self._terms
        is_incomplete = np.zeros(len(codes), dtype=np.uint8)

        def add(rows: tuple[int, int]) -> None:
            native.log_joint(  # type: ignore[union-attr]
                *(codes, codes.dtype.itemsize, *codes.shape, terms, len(terms), tables, self.log_prior),
                *(len(self.log_prior), *rows, out, is_incomplete),
            )

        for_each(add, ranges(len(codes), _BLOCK_ROWS), n_threads)

    def _added(self, known: NDArray[Any], j: int) -> NDArray[np.float64]:
        """What feature j adds in each row, shape (n, k): first U + V, then the sum, as in the tables."""
        own, pair, mother = self.singles[j], self.pairs[j], int(self.tree.mother[j])
        added = np.concatenate([own, np.zeros((1, own.shape[1]))])[known[:, j]]
        if pair is not None:
            given, value = (self._coarse(known, i) for i in (mother, j))
            both = np.flatnonzero((given < pair.shape[0]) & (value < pair.shape[1]))
            added[both] += pair[given[both], value[both]]
        return added

    def _coarse(self, known: NDArray[Any], j: int) -> NDArray[np.intp]:
        """Coarse codes of a column; of absent values the code right after the last one."""
        feature = self.features[j]
        return np.append(feature.coarse_codes, feature.coarse_cardinality)[known[:, j]]
