"""The paper's classification rule: relative frequencies with repaired zeros, as in its text or its program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.model.joint import Joint, cells_of_rows
from gnbayes.model.parameters import Tables, daughter_counts, log
from gnbayes.structure import Tree

_CONTRIBUTION_BYTES = 64 * 2**20


@dataclass(frozen=True, eq=False)
class PaperJoint(Joint):
    """Classification by steps 1 to 4 of the paper (section "The classification process").

    Steps 1 and 2 use relative frequencies. When they give 0 for every class, steps 3 and 4 replace a zero cluster
    P(y, xi, xj) by P(y, xi) P(y, xj) / P(y), and a zero P(y, x) by P(y) P(x). A feature that is absent in a
    row, or whose value training never saw, drops out of the product; its children fall back to P(x_j | y).

    The program of the paper's authors repairs every zero, in every row and class. In such a model, the repaired tables
    also replace the original ones, so that scores are plain sums of these tables.

    Parameters
    ----------
    tree, log_prior, tables
        As in `Joint`.
    alone : tuple of ndarray of shape (1, v_j, k)
        log P(x_j | y).
    repaired, repaired_alone : tuple of ndarray
        Both kinds of tables after steps 3 and 4.
    """

    alone: Tables
    repaired: Tables
    repaired_alone: Tables

    def absent(self, codes: NDArray[Any]) -> NDArray[np.bool_]:
        """Which values are ignored, shape (n, d): absent ones, and those without training rows."""
        is_absent: NDArray[np.bool_] = super().absent(codes)
        for j, alone in enumerate(self.alone):
            never = np.asarray(np.all(alone[0] == -np.inf, axis=1))
            if never.any():
                is_absent[:, j] |= np.append(never, True)[np.minimum(codes[:, j], len(never))]
        return is_absent

    def contributions(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Contribution of each feature to the log joint of a row, by the steps that apply to the row, shape (n, d,
        k).
        """
        plain, repaired = self._both(codes)
        is_zero = (self.log_prior + plain.sum(axis=1)).max(axis=1, keepdims=True) == -np.inf
        return np.where(is_zero[:, None], repaired, plain)

    def prefixes(self, codes: NDArray[Any]) -> Iterator[NDArray[np.float64]]:
        """Log joint, shape (n, k), of the first 1, 2, ... features of the order, one after the other."""
        plain, repaired = self._both(codes)
        totals = [np.tile(self.log_prior, (len(codes), 1)) for _ in range(2)]
        for j in self.tree.order.tolist():
            totals = [totals[0] + plain[:, j], totals[1] + repaired[:, j]]
            yield np.where(totals[0].max(axis=1, keepdims=True) == -np.inf, totals[1], totals[0])

    def prefix_log_joint(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Log joint of the first 1, 2, ..., d features of the order, shape (n, d, k)."""
        plain, repaired = (self.summed_up(part) for part in self._both(codes))
        is_zero = plain.max(axis=2, keepdims=True) == -np.inf
        return np.where(is_zero, repaired, plain)

    is_sum_of_tables = False

    @property
    def finite_tables(self) -> Tables:
        """The repaired tables; values without training rows add nothing."""
        return tuple(np.where(np.isfinite(table), table, 0.0) for table in self.repaired)

    @property
    def _block_rows(self) -> int:
        """Number of rows whose contributions, of both kinds and for all features, fit into memory."""
        return max(1, min(super()._block_rows, _CONTRIBUTION_BYTES // (32 * len(self.tables) * len(self.log_prior))))

    def _both(self, codes: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Contributions by steps 1 and 2, and by steps 3 and 4."""
        is_absent = self.absent(codes)
        codes = np.where(is_absent, 0, codes)
        plain = self._gather(codes, is_absent, self.tables, self.alone)
        return plain, self._gather(codes, is_absent, self.repaired, self.repaired_alone)

    def _gather(
        self, codes: NDArray[Any], is_absent: NDArray[np.bool_], tables: Tables, alone: Tables
    ) -> NDArray[np.float64]:
        out = np.zeros((*codes.shape, len(self.log_prior)))
        for j in self.tree.order.tolist():
            mother = int(self.tree.mother[j])
            out[:, j] = cells_of_rows(codes, tables[j], j, mother)
            if mother >= 0:
                orphan = is_absent[:, mother]
                out[orphan, j] = cells_of_rows(codes[orphan], alone[j], j, -1)
        out[is_absent] = 0.0
        return out

    def _log_joint_of_block(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        return self.summed_up(self.contributions(codes))[:, -1]


def paper_tables(counts: Counts, tree: Tree, *, always_repaired: bool = False) -> tuple[Tables, Tables, Tables, Tables]:
    """Relative frequencies, log P(x_j | x_m, y) and log P(x_j | y), and both again after steps 3 and 4.

    With `always_repaired`, the repaired tables also replace the original ones.

    Returns
    -------
    tables, alone, repaired, repaired_alone : tuple of ndarray
    """
    per_class = np.where(counts.classes > 0, counts.classes, 1)
    alone = [counts.single(j) / per_class for j in range(tree.n_features)]
    overall = [counts.single(j).sum(axis=1, keepdims=True) / counts.n for j in range(tree.n_features)]
    mended = [np.where(share > 0, share, whole) for share, whole in zip(alone, overall, strict=True)]
    tables, repaired = [], []
    for j, mother in enumerate(tree.mother.tolist()):
        joint = daughter_counts(counts, tree, j) / per_class
        given = alone[mother][:, None] if mother >= 0 else np.ones((1, 1, 1))
        mended_given = mended[mother][:, None] if mother >= 0 else given
        tables.append(log(joint) - np.where(joint > 0, log(given), 0.0))
        mended_joint = np.where(joint > 0, joint, mended_given * mended[j])
        repaired.append(log(mended_joint) - np.where(mended_joint > 0, log(mended_given), 0.0))
    after = tuple(repaired), tuple(log(share)[None] for share in mended)
    before = after if always_repaired else (tuple(tables), tuple(log(share)[None] for share in alone))
    return *before, *after
