"""A numeric column as its distinct values and how often each occurs: all that a discretizer has to know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Summary(NamedTuple):
    """Distinct values of a column, increasing, and the weight of each in every class.

    Parameters
    ----------
    values : ndarray of shape (m,)
    counts : ndarray of shape (m, k)
        ``k`` is 1 where classes were not asked for. Integers when rows have no weights.
    """

    values: NDArray[np.float64]
    counts: NDArray[Any]


def summarize(
    block: NDArray[np.float64],
    labels: NDArray[np.intp] | None = None,
    n_classes: int = 1,
    weights: NDArray[np.float64] | None = None,
) -> Iterator[tuple[Summary, bool]]:
    """Summaries of numeric columns, and whether each has missing values.

    Parameters
    ----------
    block : ndarray of shape (n, q)
        NaN for missing.
    labels : ndarray of shape (n,), optional
        Class of each row, for counts by class.
    n_classes : int
    weights : ndarray of shape (n,), optional

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding._column_summary import summarize
    >>> column = np.array([[2.0], [1.0], [2.0], [np.nan]])
    >>> [(summary, has_missing)] = summarize(column, labels=np.array([0, 0, 1, 1]), n_classes=2)
    >>> summary.values, has_missing
    (array([1., 2.]), True)
    >>> summary.counts
    array([[1, 0],
           [1, 1]])
    """
    n_present = len(block) - np.isnan(block).sum(axis=0)
    if labels is None and weights is None:
        ordered = np.sort(block, axis=0) + 0.0  # missing values come last; no -0.0
        is_end = np.ones((len(block) + 1, block.shape[1]), dtype=bool, order="F")
        np.not_equal(ordered[1:], ordered[:-1], out=is_end[1:-1])
        for j, n in enumerate(n_present.tolist()):
            ends = is_end[: n + 1, j].nonzero()[0] if n else np.zeros(1, dtype=np.intp)
            values = ordered[:, j].take(ends[:-1])
            yield Summary(values, (ends[1:] - ends[:-1])[:, None]), n < len(block)
    else:
        for j, n in enumerate(n_present.tolist()):
            order = np.argsort(block[:, j], kind="stable")[:n]
            yield _summarize_by_class(block[order, j], order, labels, n_classes, weights), n < len(block)


def _summarize_by_class(
    ordered: NDArray[np.float64],
    order: NDArray[np.intp],
    labels: NDArray[np.intp] | None,
    n_classes: int,
    weights: NDArray[np.float64] | None,
) -> Summary:
    is_start = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_start[1:])
    k = 1 if labels is None else n_classes
    cell = (np.cumsum(is_start) - 1) * k
    if labels is not None:
        cell += labels[order]
    values = ordered[is_start] + 0.0
    counts = np.bincount(cell, None if weights is None else weights[order], minlength=len(values) * k)
    return Summary(values, counts.reshape(-1, k))


def middles(values: NDArray[np.float64], starts: NDArray[np.intp]) -> NDArray[np.float64]:
    """Cuts in the middle between a value and the one before it; at the value itself where floats leave no middle."""
    before, after = values[starts - 1], values[starts]
    middle = before / 2 + after / 2
    return np.where((middle > before) & (middle <= after), middle, after)
