"""Training rows scored by counted models without them: single rows exactly, groups of rows in folds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, Counts, count_pairs, count_values
from gnbayes.model.build import build_joint
from gnbayes.model.fitting.rows import distinct_rows
from gnbayes.model.leave_one_out import leave_one_out_prefixes
from gnbayes.structure import Tree

# Up to this many groups are left out one by one; more groups are divided into this many folds.
MOST_FOLDS = 20


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Rows to score, and the counts of the models that score them.

    Parameters
    ----------
    tree : Tree
        Learned from all rows and held fixed, as are bins and categories.
    rows : CodedRows
        The rows that are scored.
    counts : Counts
        Counts of all rows.
    folds : tuple of (ndarray, Counts)
        Positions of rows that are held out together, and the counts of all rows outside their fold. Empty if single
        rows are left out.
    """

    tree: Tree
    rows: CodedRows
    counts: Counts
    folds: tuple[tuple[NDArray[np.intp], Counts], ...] = ()

    def prefixes(
        self, smoothing: str, alpha: float, class_prior: NDArray[np.float64] | None
    ) -> Iterator[NDArray[np.float64]]:
        """Log joint of every row under a model without it, for the first 1, 2, ... features of the order.

        Parameters
        ----------
        smoothing : {"additive", "backoff"}
        alpha : float
        class_prior : ndarray of shape (k,), optional

        Yields
        ------
        log_joint : ndarray of shape (n, k)
            The same array every time, with the next feature added.
        """
        how = (smoothing, alpha, class_prior)
        if not self.folds:
            yield from leave_one_out_prefixes(build_joint(self.tree, self.counts, *how), self.counts, self.rows, *how)
            return
        of_folds = [
            build_joint(self.tree, counts, *how).prefixes(self.rows.codes[index]) for index, counts in self.folds
        ]
        total = np.zeros((self.rows.n_rows, self.rows.n_classes))
        for parts in zip(*of_folds, strict=True):
            for (index, _), part in zip(self.folds, parts, strict=True):
                total[index] = part
            yield total


def hold_out(tree: Tree, counts: Counts, rows: CodedRows, most: int | None = None) -> HeldOut:
    """Hold out single rows, or whole groups if there are at least two.

    Parameters
    ----------
    tree : Tree
    counts : Counts
        Counts of all rows.
    rows : CodedRows
        The rows that were counted.
    most : int, optional
        If there are more rows, a sample of about this size is scored; it depends on the values of the rows, not on
        their order.
    """
    if rows.groups is None or len(np.unique(rows.groups)) < 2:
        return HeldOut(tree, rows if most is None else _at_most(most, rows), counts)
    few = distinct_rows(rows.codes, rows.labels, rows.weights, rows.n_classes, rows.groups)
    assert few.groups is not None
    n_folds = min(MOST_FOLDS, few.n_units)
    names, first, group = np.unique(few.groups, return_index=True, return_inverse=True)
    fold_of_group = np.argmax(few.fold_weights(n_folds), axis=1)[first] if len(names) > n_folds else np.arange(n_folds)
    scored = few if most is None or len(few) <= most else few.thinned(most)
    assert scored.groups is not None
    fold_of_scored = fold_of_group[np.searchsorted(names, scored.groups)]
    whole = replace(rows, codes=rows.codes[few.index], labels=few.labels, weights=few.weights, groups=few.groups)
    folds = [
        (np.flatnonzero(fold_of_scored == fold), _counts_of(whole, fold_of_group[group] != fold, tree))
        for fold in range(n_folds)
    ]
    some = replace(
        rows, codes=rows.codes[scored.index], labels=scored.labels, weights=scored.weights, groups=scored.groups
    )
    return HeldOut(tree, some, counts, tuple(folds))


def _counts_of(rows: CodedRows, which: NDArray[np.bool_], tree: Tree) -> Counts:
    """Counts of the values and of the tree's pairs in some of the rows."""
    assert rows.weights is not None
    some = replace(rows, codes=rows.codes[which], labels=rows.labels[which], weights=rows.weights[which], groups=None)
    values = count_values(some)
    return count_pairs(values, some, tree.edges) if len(tree.edges) else values


def _at_most(n: int, rows: CodedRows) -> CodedRows:
    """All rows, or a sample of about n with equal rows together; it does not depend on the order of the rows."""
    if rows.n_rows <= n:
        return rows
    few = distinct_rows(rows.codes, rows.labels, rows.weights, rows.n_classes)
    few = few.thinned(n) if len(few) > n else few
    return replace(rows, codes=rows.codes[few.index], labels=few.labels, weights=few.weights, groups=None)
