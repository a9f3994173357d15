"""The rows with which penalties are chosen: all, or a sample if they are many or not in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, Counts, RowSource, count_values
from gnbayes.model.fitting.repeats import Repeats, find_repeats
from gnbayes.model.fitting.row_hashes import factors_of_counts
from gnbayes.model.fitting.rows import DistinctRows, distinct_rows
from gnbayes.model.fitting.sample import RowSample, sample_rows

# Most kinds of rows in a sample, most bytes of the sample, and bytes of a row besides its codes.
_MANY_ROWS = 100_000
_SAMPLE_BYTES, _BYTES_BESIDES = 2**26, 24


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Rows, the distinct ones among them, and which of these share their values with others.

    Parameters
    ----------
    rows : CodedRows
        All rows, or a sample of them.
    distinct : DistinctRows
        The distinct ones of `rows`; in a sample, their weights give every class its share of all rows.
    repeats : Repeats
    n_kinds_per_row : float
        Number of distinct rows divided by the number of rows.
    is_whole : bool
        Whether `rows` are all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model.fitting import find_training_rows
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> training = find_training_rows([0, 1], rows)
    >>> sorted(training.distinct.weights.tolist()), training.repeats.disagreement
    ([1.0, 1.0, 2.0], 0.0)
    """

    rows: CodedRows
    distinct: DistinctRows
    repeats: Repeats
    n_kinds_per_row: float
    is_whole: bool


def find_training_rows(features: Iterable[int], rows: RowSource, values: Counts | None = None) -> TrainingRows:
    """Find the rows with which penalties are chosen.

    Parameters
    ----------
    features : iterable of int
        Rows with the same codes of all of these are duplicates.
    rows : RowSource
    values : Counts, optional
        Counts of the values of all rows, if already known.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model.fitting import find_training_rows
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> found = find_training_rows([0, 1], rows)
    >>> len(found.distinct), found.n_kinds_per_row, found.is_whole
    (3, 0.75, True)
    """
    used = sorted(features)
    if isinstance(rows, CodedRows) and rows.n_rows <= _MANY_ROWS:
        return _training_rows(used, rows)
    most = min(_MANY_ROWS, _SAMPLE_BYTES // (_BYTES_BESIDES + len(used)))
    if values is None or values.singles.dtype.kind != "i":
        values = rows.add_up(_count_rows)
    factors = factors_of_counts(values)
    sample: RowSample = rows.add_up(partial(sample_rows, most=most, factors=factors))
    found = _training_rows(used, sample.rows, sample.n_equal)
    if sample.is_whole:
        return found
    return replace(found, distinct=found.distinct.with_shares(sample.class_weights), is_whole=False)


def _count_rows(rows: CodedRows) -> Counts:
    """Numbers of rows by value and class, whatever the rows weigh."""
    return count_values(rows if rows.are_whole else replace(rows, weights=None))


def _training_rows(used: list[int], rows: CodedRows, n_equal: NDArray[np.int64] | None = None) -> TrainingRows:
    codes = rows.codes if len(used) == rows.n_features else rows.codes[:, used]
    how = (rows.n_classes, rows.groups, n_equal, rows.n_threads)
    distinct = distinct_rows(codes, rows.labels, rows.weights, *how).as_ratios()
    n_kinds_per_row = len(distinct) / float(distinct.n_equal.sum())
    return TrainingRows(rows, distinct, find_repeats(codes, distinct, rows.n_threads), n_kinds_per_row, True)
