"""The first pass: additive summaries of the columns of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import (
    NUMBER_BYTES,
    Discretizer,
    Feature,
    Summary,
    Table,
    Texts,
    choose_categories,
    choose_discretizer,
)
from gnbayes.estimator import GeneralizedNB
from gnbayes.model import WEIGHTINGS
from gnbayes.scale.batches import Labels, read_batch
from gnbayes.scale.column_summary import (
    DEFAULT_LIMITS,
    ColumnSummary,
    Limits,
    merge_columns,
    summarize_column,
)
from gnbayes.settings import check_number_in_batches


@dataclass(frozen=True, eq=False)
class TableSummary:
    """The contents of the columns of a table, from which Features are learned.

    ``a.merge(b)`` is the summary of the two tables stacked; neither the order of rows nor their division matters.

    Parameters
    ----------
    n_rows : int
    keys : tuple
        Names of the columns as in their frame.
    has_names : bool
        Whether these are names of a frame, all of them text.
    columns : tuple of ColumnSummary
    labels : dict of {label: int}
        Rows of each class.
    label_dtype : dtype
    limits : Limits

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> table = load_iris(as_frame=True).frame
    >>> both = summarize(table[:70], "target").merge(summarize(table[70:], "target"))
    >>> both.n_rows, both.classes.tolist(), both.is_exact
    (150, [0, 1, 2], True)
    """

    n_rows: int
    keys: tuple[Any, ...]
    has_names: bool
    columns: tuple[ColumnSummary, ...]
    labels: Mapping[Any, int]
    label_dtype: np.dtype[Any]
    limits: Limits = DEFAULT_LIMITS

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns as text."""
        return tuple(str(key) for key in self.keys)

    @property
    def classes(self) -> NDArray[Any]:
        """All labels, sorted, shape (k,)."""
        return np.array(sorted(self.labels), dtype=self.label_dtype)

    @property
    def is_exact(self) -> bool:
        """Whether all numbers of all columns are kept."""
        return all(column.is_exact for column in self.columns)

    @property
    def rounded(self) -> tuple[str, ...]:
        """Names of the columns of which nearly equal numbers are counted together."""
        return tuple(name for name, column in zip(self.names, self.columns, strict=True) if not column.is_exact)

    def merge(self, other: TableSummary) -> TableSummary:
        """The summary of both tables stacked."""
        if self.limits != other.limits:
            raise ValueError(f"summaries with different limits cannot be merged: {self.limits} and {other.limits}.")
        if self.keys != other.keys:
            raise ValueError(f"tables with different columns cannot be merged: {_difference(self.names, other.names)}.")
        labels = dict(Counter(self.labels) + Counter(other.labels))
        most = self.limits.most_numbers(len(self.keys), len(labels))
        return TableSummary(
            self.n_rows + other.n_rows,
            self.keys,
            self.has_names,
            tuple(
                merge_columns(name, mine, theirs, most)
                for name, mine, theirs in zip(self.names, self.columns, other.columns, strict=True)
            ),
            labels,
            _merge_label_types(self, other),
            self.limits,
        )

    def features(self, clf: GeneralizedNB) -> list[Feature]:
        """The Features that `clf` would learn from all rows, bit for bit, if no run of many rows is left to be divided.

        Such runs are left in merged summaries of tables of which a column has more numbers than are kept, and many of
        them close together; `summarize_batches` divides them.

        Parameters
        ----------
        clf : GeneralizedNB
            The parameters `discretizer`, `n_bins`, `categorical_features` and `weighting` are used.
        """
        schema = _schema(self)
        is_category = choose_categories(clf.categorical_features, schema)
        discretizer = discretizer_of(clf, self.n_rows)
        if discretizer.uses_labels and not self.limits.by_class:
            raise ValueError(
                "these bins depend on the classes, and the summary was not made by class; summarize with the limits of "
                "limits_for(clf), or give n_bins as a number."
            )
        numeric = np.flatnonzero(~is_category).tolist()
        summaries = {j: (self._summary(j, discretizer.uses_labels), self.columns[j].has_missing) for j in numeric}
        features = dict(zip(numeric, discretizer.learn_from_summaries(schema, summaries), strict=True))
        for j in np.flatnonzero(is_category).tolist():
            features[j] = self._category(j)
        return [features[j] for j in range(len(self.columns))]

    def _summary(self, j: int, by_class: bool) -> Summary:
        """The numbers of a column and the rows of each, by class if requested."""
        numbers = self.columns[j].numbers
        counts = numbers.counts(self.classes.tolist()) if by_class else numbers.totals[:, None]
        return Summary(numbers.firsts, counts, None if numbers.is_exact else numbers.lasts)

    def _category(self, j: int) -> Feature:
        column, name = self.columns[j], self.names[j]
        if not column.is_exact:
            most = self.limits.most_numbers(len(self.columns), len(self.labels))
            raise ValueError(
                f"column {name!r} is a category with more than {most} different numbers; treat it as a number, or drop "
                "it; fit_batches and limits_for also take a larger exact_bytes."
            )
        found: list[Any] = sorted(column.texts)
        if column.kind != "text":
            numbers = column.numbers.firsts
            found = (numbers.astype(bool) if column.kind == "bool" else numbers).tolist()
        return Feature(name, "category", categories=tuple(found), has_missing=column.has_missing)


def summarize(
    batch: Any,
    target: str | None,
    limits: Limits | None = None,
    *,
    names: Iterable[Any] | None = None,
    n_threads: int = 1,
) -> TableSummary:
    """Summarize one batch of rows.

    Parameters
    ----------
    batch : data frame, pyarrow.RecordBatch, or pair (X, y)
    target : str, optional
        The column of the classes; None for pairs.
    limits : Limits, optional
        From `limits_for`.
    names : iterable, optional
        Columns of the features; all but the target by default.
    n_threads : int

    Examples
    --------
    >>> import pandas as pd
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import summarize
    >>> a = pd.DataFrame({"age": [41.0, 52.0], "sex": ["f", "f"], "ill": ["no", "yes"]})
    >>> b = pd.DataFrame({"age": [63.0, 74.0], "sex": ["m", None], "ill": ["no", "yes"]})
    >>> both = summarize(a, "ill").merge(summarize(b, "ill"))
    >>> both.n_rows, both.classes.tolist()
    (4, ['no', 'yes'])
    >>> [feature.labels for feature in both.features(GeneralizedNB(n_bins=2, weighting=None))]
    [('age < 63', '63 <= age'), ('sex = f', 'sex = m', 'sex missing')]
    """
    table, labels = read_batch(batch, target, None if names is None else list(names), n_threads)
    return summarize_table(table, labels, limits or DEFAULT_LIMITS, has_names=has_names_of(batch, target, table))


def summarize_table(table: Table, labels: Labels, limits: Limits, *, has_names: bool) -> TableSummary:
    """The same for a table that has been read."""
    groups, counted = groups_of(labels, limits.by_class), _counted(labels)
    most = limits.most_numbers(table.n_columns, len(counted))
    columns = tuple(summarize_column(table, j, groups, most) for j in range(table.n_columns))
    dtype = np.dtype(object) if isinstance(labels, Texts) else labels.dtype
    return TableSummary(table.n_rows, table.keys, has_names, columns, counted, dtype, limits)


def groups_of(labels: Labels, by_class: bool) -> dict[Any, Any]:
    """The rows of each class, or all of them under None, as an index."""
    if not by_class:
        return {None: slice(None)}
    array = labels.objects if isinstance(labels, Texts) else labels
    return {label: array == label for label in _counted(labels)}


def has_names_of(batch: Any, target: str | None, table: Table) -> bool:
    """Whether the columns have names of their own, all of them text."""
    is_array = target is None and isinstance(batch[0], np.ndarray | list)
    return not is_array and all(isinstance(key, str) for key in table.keys)


def merge_summaries(summaries: Iterable[TableSummary]) -> TableSummary:
    """The summary of several tables stacked.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import merge_summaries, summarize
    >>> table = load_iris(as_frame=True).frame
    >>> merge_summaries(summarize(table[at::3], "target") for at in range(3)).n_rows
    150
    """
    return reduce(TableSummary.merge, summaries)


def limits_for(clf: GeneralizedNB, exact_bytes: int = NUMBER_BYTES) -> Limits:
    """Limits that suit the discretizer of a classifier; raises an error for one that needs rows.

    Parameters
    ----------
    clf : GeneralizedNB
        Its parameters are checked.
    exact_bytes : int

    Examples
    --------
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for
    >>> limits_for(GeneralizedNB(discretizer="mdlp", weighting=None)).by_class
    True
    """
    clf._validate_params()
    check_number_in_batches(clf.n_features, clf.weighting)
    if isinstance(exact_bytes, bool) or not isinstance(exact_bytes, Integral) or exact_bytes < 0:
        raise ValueError(f"exact_bytes must be a whole number from 0, got {exact_bytes!r} instead.")
    return Limits(int(exact_bytes), discretizer_of(clf, None).uses_labels)


def discretizer_of(clf: GeneralizedNB, n_rows: int | None) -> Discretizer:
    """The discretizer; raises an error for one that needs rows."""
    chosen = choose_discretizer(
        clf.discretizer, clf.n_bins, n_rows if WEIGHTINGS[clf.weighting].has_two_sizes else None
    )
    if not isinstance(chosen, Discretizer):
        raise ValueError(
            f"discretizer {chosen!r} is fitted on all rows at once, which batches do not have; use 'quantile', "
            "'uniform', 'mdlp' or edges."
        )
    return chosen


def _merge_label_types(mine: TableSummary, theirs: TableSummary) -> np.dtype[Any]:
    if not mine.labels or not theirs.labels:
        return mine.label_dtype if mine.labels else theirs.label_dtype
    is_text = [summary.label_dtype.kind in "OUS" for summary in (mine, theirs)]
    if is_text[0] != is_text[1]:
        raise TypeError(
            "the target holds text in one batch and numbers in another; convert all of it to one or the other."
        )
    return np.result_type(mine.label_dtype, theirs.label_dtype)


def _counted(labels: Labels) -> dict[Any, int]:
    if isinstance(labels, Texts):
        counts = np.bincount(labels.places, minlength=len(labels.values))
        return dict(zip(labels.values, counts.tolist(), strict=True))
    if labels.dtype.kind in "OUS":
        return dict(Counter(labels.tolist()))
    values, counts = np.unique(labels, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _schema(summary: TableSummary) -> Table:
    """A table without rows that has the same columns."""
    kinds = tuple(column.kind for column in summary.columns)
    declared = tuple(column.is_category for column in summary.columns)
    empty = [np.zeros(0) for _ in summary.columns]
    return Table(summary.names, summary.keys, kinds, empty, 0, declared)


def _difference(mine: tuple[str, ...], theirs: tuple[str, ...]) -> str:
    alone = [name for name in mine if name not in theirs] + [name for name in theirs if name not in mine]
    return f"{alone[0]!r} is in one of them only" if alone else "their columns are in different order"
