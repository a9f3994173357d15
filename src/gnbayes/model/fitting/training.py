"""The rows with which penalties are chosen: all, or a sample if they are many or not in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from gnbayes.counting import CodedRows, Counts, RowSource, count_values
from gnbayes.model.fitting.row_hashes import factors_of_counts
from gnbayes.model.fitting.rows import DistinctRows, Repeats, distinct_rows, find_repeats
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
    repeats : Repeats or None
        None if weights are not numbers of rows, so that only their ratios count.
    n_kinds_per_row : float
        Number of distinct rows divided by the number of rows.
    is_whole : bool
        Whether `rows` are all rows.
    """

    rows: CodedRows
    distinct: DistinctRows
    repeats: Repeats | None
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
    """
    used = sorted(features)
    if isinstance(rows, CodedRows) and rows.n_rows <= _MANY_ROWS:
        return _training_rows(used, rows)
    most = min(_MANY_ROWS, _SAMPLE_BYTES // (_BYTES_BESIDES + len(used)))
    factors = factors_of_counts(rows.add_up(count_values) if values is None else values)
    sample: RowSample = rows.add_up(partial(sample_rows, most=most, factors=factors))
    return _training_rows(used, sample.rows, None if sample.is_whole else sample)


def _training_rows(used: list[int], rows: CodedRows, sample: RowSample | None = None) -> TrainingRows:
    codes = rows.codes if len(used) == rows.n_features else rows.codes[:, used]
    distinct = distinct_rows(codes, rows.labels, rows.weights, rows.n_classes, rows.are_whole, rows.groups)
    n_kinds_per_row = len(distinct) / max(float(distinct.weights.sum()), 1e-300)
    if not rows.are_whole:
        distinct, repeats, n_kinds_per_row = distinct.as_ratios(), None, 1.0
    else:
        repeats = find_repeats(codes, distinct)
    if sample is not None:
        distinct = distinct.with_shares(sample.class_weights)
    return TrainingRows(rows, distinct, repeats, n_kinds_per_row, sample is None)
