"""The same columns in another order, and a model of them by their original positions.

A fit with many terms ends before it has converged, so that rounding, which depends on the order of sums, would show in
the probabilities. All fits therefore use the same order of columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, RowSource
from gnbayes.model.interactions.request import Interactions
from gnbayes.model.learned import LearnedTerms
from gnbayes.model.term import Term

Order = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _Reordered:
    """Rows that are not in memory, with their columns in another order."""

    source: RowSource
    order: Order

    def add_up(self, work: Callable[[CodedRows], Any]) -> Any:
        """The sum, by ``+``, of the results for all parts of the rows."""
        return self.source.add_up(partial(_on_reordered, work, self.order))


def _on_reordered(work: Callable[[CodedRows], Any], order: Order, rows: CodedRows) -> Any:
    return work(reorder(rows, order))


def reorder(rows: CodedRows, order: Order) -> CodedRows:
    """The same rows with their columns in another order.

    Parameters
    ----------
    rows : CodedRows
    order : ndarray of shape (d,)
        The original position of each column.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model.interactions.columns import reorder
    >>> rows = CodedRows(np.array([[0, 2], [1, 0]]), np.array([0, 1]), np.array([2, 3]), 2)
    >>> reorder(rows, np.array([1, 0])).codes.tolist()
    [[2, 0], [0, 1]]
    """
    if np.array_equal(order, np.arange(len(order))):
        return rows
    return replace(rows, codes=np.asfortranarray(rows.codes[:, order]), cardinalities=rows.cardinalities[order])


def reorder_rows(rows: RowSource, order: Order) -> RowSource:
    """The same rows with their columns in another order, wherever they are."""
    return reorder(rows, order) if isinstance(rows, CodedRows) else _Reordered(rows, order)


def reorder_request(request: Interactions, order: Order) -> Interactions:
    """The same request, by the positions of features in another order."""
    if request.terms is None:
        return request
    place = np.argsort(order).tolist()
    return replace(request, terms=tuple(tuple(sorted(place[j] for j in term)) for term in request.terms))


def original_positions(learned: LearnedTerms, order: Order) -> LearnedTerms:
    """Terms by the original positions of their features, in increasing order.

    Parameters
    ----------
    learned : LearnedTerms
    order : ndarray of shape (d,)
        The original position of each feature of the terms.
    """
    terms = [_original_position(term, order) for term in learned.terms]
    return replace(learned, terms=tuple(sorted(terms, key=lambda term: (len(term.features), term.features))))


def _original_position(term: Term, order: Order) -> Term:
    features = order[list(term.features)]
    axes = np.argsort(features).tolist()
    with_classes = (*axes, len(axes))
    return replace(
        term,
        features=tuple(features[axes].tolist()),
        maps=tuple(term.maps[axis] for axis in axes),
        table=np.ascontiguousarray(term.table.transpose(with_classes)),
        rows=np.ascontiguousarray(term.rows.transpose(axes)),
        spread=None if term.spread is None else np.ascontiguousarray(term.spread.transpose(with_classes)),
    )
