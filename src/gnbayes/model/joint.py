"""The joint distribution of features and class along a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import for_each, limit_threads, native, ranges
from gnbayes.model.marginal import contributions_with_absent, log_joint_with_absent
from gnbayes.model.parameters import Tables
from gnbayes.structure import Tree

# Number of rows scored at a time, so that the sums of a block stay in cache.
_BLOCK_ROWS = 16384
# Memory for the messages of rows with absent features.
_MESSAGE_BYTES = 64 * 2**20


@dataclass(frozen=True, eq=False)
class Joint:
    """The GNB distribution P(y) P(x_i1 | y) prod P(x_j | y, x_mother) (definition "GNB probability distribution").

    Parameters
    ----------
    tree : Tree
    log_prior : ndarray of shape (k,)
    tables : tuple of ndarray of shape (v_mother, v_j, k)
        log P(x_j | x_mother, y) of each feature; the first axis has length 1 for a feature without a parent.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import information, tan
    >>> from gnbayes.model import build_joint
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> tree = tan(information(count(rows)))
    >>> joint = build_joint(tree, count(rows))
    >>> every = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> float(np.exp(joint.log_joint(every)).sum().round(9))
    1.0
    """

    tree: Tree
    log_prior: NDArray[np.float64]
    tables: Tables

    @cached_property
    def cardinalities(self) -> NDArray[np.intp]:
        """Number of values of each feature; codes from there on mean absent."""
        return np.array([table.shape[1] for table in self.tables], dtype=np.intp)

    def log_joint(self, codes: NDArray[Any], n_threads: int = 1) -> NDArray[np.float64]:
        """Log P(x, y) of every row and class, absent features summed out.

        Parameters
        ----------
        codes : ndarray of shape (n, d)
        n_threads : int, default=1
            Number of threads; the result does not depend on it.

        Returns
        -------
        log_joint : ndarray of shape (n, k)
        """
        out = np.empty((len(codes), len(self.log_prior)))
        n_threads = limit_threads(n_threads, codes.size)
        if native is not None and self.is_sum_of_tables and codes.dtype.kind == "u" and codes.dtype.itemsize <= 4:
            self._add_up(np.asfortranarray(codes), out, n_threads)
            return out

        def score(rows: tuple[int, int]) -> None:
            block = slice(*rows)
            out[block] = self._log_joint_of_block(codes[block])

        for_each(score, ranges(len(codes), self._block_rows), n_threads)
        return out

    # Whether the log joint of a complete row is the sum of its table entries.
    is_sum_of_tables = True

    @property
    def finite_tables(self) -> Tables:
        """The tables, or their substitutes for combinations that never occurred."""
        return self.tables

    def _add_up(self, codes: NDArray[Any], out: NDArray[np.float64], n_threads: int) -> None:
        """Log joint with the C kernels; rows with absent features are handled separately."""
        terms, tables = self._terms
        is_incomplete = np.zeros(len(codes), dtype=np.uint8)

        def add(rows: tuple[int, int]) -> None:
            native.log_joint(  # type: ignore[union-attr]
                *(codes, codes.dtype.itemsize, *codes.shape, terms, len(terms), tables, self.log_prior),
                *(len(self.log_prior), *rows, out, is_incomplete),
            )

        for_each(add, ranges(len(codes), _BLOCK_ROWS), n_threads)
        rows = np.flatnonzero(is_incomplete)
        for block in row_blocks(len(rows), self._rows_with_messages):
            part = rows[block]
            some = codes[part]
            out[part] = log_joint_with_absent(some, self.absent(some), self.tables, self.tree, self.log_prior)

    @cached_property
    def _terms(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Feature, parent, their numbers of values and the position of the table, in the order of the tree; all
        tables.
        """
        used = [self.tables[j] for j in self.tree.order.tolist()]
        sizes = np.array([table.size for table in used])
        above = np.array([table.shape[0] for table in used])
        columns = (self.tree.order, self.tree.mother[self.tree.order], self.cardinalities[self.tree.order], above)
        terms = np.stack([*columns, np.cumsum(sizes) - sizes], axis=1).astype(np.int64)
        return terms, np.concatenate([table.ravel() for table in used])

    def contributions(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Contribution of each feature to the log joint of a row, when features join in the order of the tree.

        Returns
        -------
        contributions : ndarray of shape (n, d, k)
            By feature, not by position in the order; 0 for features that are not used. Together with the log prior they
            sum to the log joint.
        """
        is_absent = self.absent(codes)
        incomplete = np.flatnonzero(is_absent.any(axis=1))
        safe = codes if not len(incomplete) else np.where(is_absent, 0, codes)
        out = gather(safe, self.tables, self.tree)
        for block in row_blocks(len(incomplete), self._rows_with_messages):
            rows = incomplete[block]
            out[rows] = contributions_with_absent(codes[rows], is_absent[rows], self.tables, self.tree)
        return out

    def prefixes(self, codes: NDArray[Any]) -> Iterator[NDArray[np.float64]]:
        """Log joint, shape (n, k), of the first 1, 2, ... features of the order, one after the other.

        The same array is yielded every time, with the next feature added.
        """
        is_absent = self.absent(codes)
        incomplete = np.flatnonzero(is_absent.any(axis=1))
        safe = codes if not len(incomplete) else np.where(is_absent, 0, codes)
        contributions = self.contributions(codes[incomplete])
        total = np.tile(self.log_prior, (len(codes), 1))
        for j in self.tree.order.tolist():
            part = cells_of_rows(safe, self.tables[j], j, int(self.tree.mother[j]))
            part[incomplete] = contributions[:, j]
            total += part
            yield total

    def prefix_log_joint(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Log joint of the first 1, 2, ... features of the order, all others summed out, in one pass.

        Returns
        -------
        log_joint : ndarray of shape (n, d, k)
            ``[:, t]`` uses the first t + 1 features.
        """
        return self.summed_up(self.contributions(codes))

    def log_likelihood(self, codes: NDArray[Any], labels: NDArray[np.intp]) -> float:
        """Log-likelihood of rows with their classes, summed over the rows."""
        return float(self.log_joint(codes)[np.arange(len(labels)), labels].sum())

    def sample(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Draw rows from the joint distribution; features that are not used are absent.

        Returns
        -------
        codes : ndarray of shape (n, d)
        labels : ndarray of shape (n,)
        """
        labels = _draw(np.broadcast_to(self.log_prior, (n, len(self.log_prior))), rng)
        codes = np.tile(self.cardinalities, (n, 1))
        for j in self.tree.order.tolist():
            mother = int(self.tree.mother[j])
            given = codes[:, mother] if mother >= 0 else np.zeros(n, dtype=np.intp)
            for rows in row_blocks(n, max(1, _MESSAGE_BYTES // (8 * self.tables[j].shape[1]))):
                codes[rows, j] = _draw(self.tables[j][given[rows], :, labels[rows]], rng)
        return codes, labels

    def absent(self, codes: NDArray[Any]) -> NDArray[np.bool_]:
        """Which values are unknown, shape (n, d): missing if there were no missing values in training, or never
        seen.
        """
        is_used = np.zeros(len(self.tables), dtype=bool)
        is_used[self.tree.order] = True
        return np.asarray((codes >= self.cardinalities) & is_used)

    def summed_up(self, contributions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Log prior plus the contributions of the first 1, 2, ..., d features of the order, shape (n, d, k).

        They are added one by one, as for whole rows, so that sums of the same terms are bit-identical.
        """
        terms = np.empty((len(contributions), len(self.tree.order) + 1, len(self.log_prior)))
        terms[:, 0] = self.log_prior
        terms[:, 1:] = contributions[:, self.tree.order]
        return np.cumsum(terms, axis=1)[:, 1:]

    @property
    def _block_rows(self) -> int:
        return _BLOCK_ROWS

    @property
    def _rows_with_messages(self) -> int:
        """Number of incomplete rows whose messages fit into memory."""
        largest = max(table.size for table in self.tables) + sum(table[0].size for table in self.tables)
        return max(1, min(_BLOCK_ROWS, _MESSAGE_BYTES // (8 * largest)))

    def _log_joint_of_block(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        is_absent = self.absent(codes)
        if not is_absent.any():
            return gathered_sum(codes, self.tables, self.tree, self.log_prior)
        incomplete = is_absent.any(axis=1)
        out = gathered_sum(np.where(is_absent, 0, codes), self.tables, self.tree, self.log_prior)
        rows = np.flatnonzero(incomplete)
        for block in row_blocks(len(rows), self._rows_with_messages):
            part = rows[block]
            out[part] = log_joint_with_absent(codes[part], is_absent[part], self.tables, self.tree, self.log_prior)
        return out


def row_blocks(n: int, size: int) -> Iterator[slice]:
    """Slices of at most `size` rows."""
    return (slice(start, min(start + size, n)) for start in range(0, n, size))


def cells_of_rows(codes: NDArray[Any], table: NDArray[np.float64], j: int, mother: int) -> NDArray[np.float64]:
    """Entries of the table of feature j for each row, shape (n, k)."""
    cell = codes[:, j].astype(np.intp)
    if mother >= 0:
        cell += codes[:, mother].astype(np.intp) * table.shape[1]
    return table.reshape(-1, table.shape[2]).take(cell, axis=0)


def gathered_sum(codes: NDArray[Any], tables: Tables, tree: Tree, start: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of the table entries of complete rows, feature by feature in the order of the tree, shape (n, k)."""
    out = np.tile(start, (len(codes), 1))
    for j in tree.order.tolist():
        out += cells_of_rows(codes, tables[j], j, int(tree.mother[j]))
    return out


def gather(codes: NDArray[Any], tables: Tables, tree: Tree) -> NDArray[np.float64]:
    """Table entries of complete rows, shape (n, d, k)."""
    out = np.zeros((len(codes), len(tables), tables[0].shape[2]))
    for j in tree.order.tolist():
        out[:, j] = cells_of_rows(codes, tables[j], j, int(tree.mother[j]))
    return out


def _draw(log_shares: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.intp]:
    """One index per row, drawn with the probabilities of that row; uniformly if all of them are 0."""
    shares = np.exp(log_shares)
    reached = np.cumsum(np.where(shares.any(axis=1, keepdims=True), shares, 1.0), axis=1)
    at = rng.random((len(reached), 1)) * reached[:, -1:]
    return (at >= reached).sum(axis=1)
