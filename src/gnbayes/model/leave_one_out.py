"""Exact leave-one-out: every row is scored by the model without it, without refitting.

Leaving a row out subtracts its weight from its cells, which all belong to its own class. So the scores of the other
classes do not change, and that of its own class needs one subtraction per table. Pooled features are an exception,
since the classes share a part of their tables. Bins, categories, tree and strengths of pooling are learned from all
rows and held fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, Counts
from gnbayes.model.joint import Joint, cells_of_rows
from gnbayes.model.parameters import daughter_counts, log


def leave_one_out_prefixes(
    joint: Joint,
    counts: Counts,
    rows: CodedRows,
    smoothing: str,
    alpha: float,
    class_prior: NDArray[np.float64] | None = None,
    left_out: NDArray[np.float64] | None = None,
    pooling: NDArray[np.float64] | None = None,
) -> Iterator[NDArray[np.float64]]:
    """Log joint of every row under the model of all other rows, for the first 1, 2, ... features of the order.

    Parameters
    ----------
    joint : Joint
    counts : Counts
        The counts from which it was built.
    rows : CodedRows
        The rows that were counted.
    smoothing : {"additive", "backoff"}
    alpha : float
    class_prior : ndarray of shape (k,), optional
    left_out : ndarray of shape (n,), optional
        How much of the weight of each row is left out. By default 1, or the whole weight if it is smaller: a row of
        weight 2 counts as two rows.
    pooling : ndarray of shape (d,), optional
        As in `build_joint`.

    Yields
    ------
    log_joint : ndarray of shape (n, k)
        The same array every time, with the next feature added.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import information, tan
    >>> from gnbayes.model import build_joint, leave_one_out_prefixes
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> tree = tan(information(count(rows)))
    >>> prefixes = leave_one_out_prefixes(build_joint(tree, count(rows)), count(rows), rows, "additive", 1.0)
    >>> [log_joint.shape for log_joint in prefixes]
    [(4, 2), (4, 2)]
    """
    total, term = leave_one_out_terms(joint, counts, rows, smoothing, alpha, class_prior, left_out, pooling)
    for j in joint.tree.order.tolist():
        total += term(j)
        yield total


def leave_one_out_terms(
    joint: Joint,
    counts: Counts,
    rows: CodedRows,
    smoothing: str,
    alpha: float,
    class_prior: NDArray[np.float64] | None = None,
    left_out: NDArray[np.float64] | None = None,
    pooling: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], Callable[[int], NDArray[np.float64]]]:
    """The summands of the log joint of every row under the model of all other rows; parameters as above.

    Returns
    -------
    log_prior : ndarray of shape (n, k)
    term : callable
        Returns the contribution of a feature, shape (n, k).

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import information, tan
    >>> from gnbayes.model import build_joint, leave_one_out_terms
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> tree = tan(information(count(rows)))
    >>> log_prior, term = leave_one_out_terms(build_joint(tree, count(rows)), count(rows), rows, "additive", 1.0)
    >>> np.exp(log_prior[0]).round(3).tolist(), term(0).shape
    ([0.333, 0.667], (4, 2))
    """
    index = np.arange(rows.n_rows)
    if left_out is None:
        left_out = np.ones(rows.n_rows) if rows.weights is None else np.minimum(rows.weights, 1.0)
    own = _OwnTerms(joint, counts, rows, left_out, smoothing, alpha)

    def term(j: int) -> NDArray[np.float64]:
        if pooling is not None and pooling[j]:
            return own.pooled(j, float(pooling[j]))
        part = cells_of_rows(rows.codes, joint.tables[j], j, int(joint.tree.mother[j]))
        part[index, rows.labels] = own(j)
        return part

    return _log_prior(counts, rows, left_out, class_prior), term


def leave_one_out_losses(prefixes: Iterator[NDArray[np.float64]], rows: CodedRows) -> NDArray[np.float64]:
    """Mean log-loss of the first 1, 2, ... features of the order; probabilities are at least machine epsilon.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import information, tan
    >>> from gnbayes.model import build_joint, leave_one_out_losses, leave_one_out_prefixes
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> tree = tan(information(count(rows)))
    >>> prefixes = leave_one_out_prefixes(build_joint(tree, count(rows)), count(rows), rows, "additive", 1.0)
    >>> leave_one_out_losses(prefixes, rows).round(3).tolist()
    [0.56, 0.6]
    """
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    index, floor = np.arange(rows.n_rows), np.log(np.finfo(float).eps)
    losses = []
    for joint in prefixes:
        own = -np.maximum(joint[index, rows.labels] - np.logaddexp.reduce(joint, axis=1), floor)
        losses.append(np.average(own, weights=weights))
    return np.array(losses)


def _log_prior(
    counts: Counts, rows: CodedRows, weights: NDArray[np.float64], class_prior: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    if class_prior is not None:
        return np.tile(log(class_prior), (rows.n_rows, 1))
    others = np.tile(counts.classes.astype(np.float64), (rows.n_rows, 1))
    others[np.arange(rows.n_rows), rows.labels] -= weights
    others = np.maximum(others, 0.0)
    return log(others / np.maximum(counts.n - weights, np.finfo(float).tiny)[:, None])


class _OwnTerms:
    """log P(x_j | x_mother, y) of every row for its own class, without the row."""

    def __init__(
        self,
        joint: Joint,
        counts: Counts,
        rows: CodedRows,
        weights: NDArray[np.float64],
        smoothing: str,
        alpha: float,
    ) -> None:
        self._joint, self._counts, self._rows = joint, counts, rows
        self._weights, self._smoothing, self._alpha = weights, smoothing, alpha

    def __call__(self, j: int) -> NDArray[np.float64]:
        counts, mother = self._counts, int(self._joint.tree.mother[j])
        labels, codes = self._rows.labels, self._rows.codes
        v, k = int(counts.cardinalities[j]), counts.n_classes
        strength = self._alpha * v
        single = codes[:, j] * np.intp(k) + labels
        if mother >= 0:
            given = codes[:, mother] * np.intp(k) + labels
            row = self._without(counts.single(mother).take(given))
            table = np.ascontiguousarray(daughter_counts(counts, self._joint.tree, j))
            cell = self._without(table.take((given - labels) * v + single))
            if self._smoothing == "additive":
                return np.log((cell + self._alpha) / (row + strength))
        in_class = self._without(counts.classes.take(labels))
        alone = (self._without(counts.single(j).take(single)) + self._alpha) / (in_class + strength)
        return np.log(alone if mother < 0 else (cell + strength * alone) / (row + strength))

    def pooled(self, j: int, strength: float) -> NDArray[np.float64]:
        """The same for a pooled feature, for all classes, shape (n, k)."""
        mother, codes = int(self._joint.tree.mother[j]), self._rows.codes
        table = daughter_counts(self._counts, self._joint.tree, j).astype(np.float64)
        above = codes[:, mother] if mother >= 0 else np.zeros(len(codes), dtype=np.intp)
        left_out = self._weights[:, None] * (np.arange(table.shape[2]) == self._rows.labels[:, None])
        with_row, of_class = table[above, codes[:, j]], np.maximum(table.sum(axis=1)[above] - left_out, 0.0)
        cells = np.maximum(with_row - left_out, 0.0)
        shares = of_class / np.maximum(of_class.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        # The normalizing constant is a sum over values, in which only one summand changes.
        of_value = table.sum(axis=2, keepdims=True)
        factors = (of_value + self._alpha) / (of_value + strength)
        with_it, without = (
            (own.sum(axis=1, keepdims=True) + self._alpha) / (own.sum(axis=1, keepdims=True) + strength)
            for own in (with_row, cells)
        )
        totals = (factors * table).sum(axis=1)[above] - with_it * with_row + without * cells
        totals += strength * shares * (factors.sum(axis=1)[above] - with_it + without)
        own = without * (cells + strength * shares) / np.maximum(totals, np.finfo(float).tiny)
        of_all = (cells.sum(axis=1) + self._alpha) / (of_class.sum(axis=1) + self._alpha * table.shape[1])
        return log(np.where(of_class > 0, own, of_all[:, None]))

    def _without(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        """Counts without the row itself; rounding never makes them negative."""
        return np.maximum(counts - self._weights, 0.0)
