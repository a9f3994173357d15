"""Additive summaries of single columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import NUMBER_BYTES, Kind, Table, bytes_of_number, most_numbers
from gnbayes.scale.distinct_numbers import NO_NUMBERS, Numbers, merge, numbers_of

# A column with more distinct texts than this is treated as an identifier.
MOST_TEXTS = 2**20


@dataclass(frozen=True)
class Limits:
    """How much a summary keeps.

    Parameters
    ----------
    exact_bytes : int
        Memory for the numbers of all columns together, divided evenly; half of it for a single column, and enough for
        4096 numbers of each in any case. If a column needs more, nearly equal numbers are counted together.
        `GeneralizedNB.fit` does so with the default, too.
    by_class : bool
        Whether the rows of each class are counted separately, for a supervised discretizer.
    n_columns : int, optional
        Columns among which the memory is divided; by default, those of the table.

    Examples
    --------
    >>> from gnbayes.scale import Limits
    >>> Limits().exact_bytes, Limits(by_class=True).by_class
    (134217728, True)
    """

    exact_bytes: int = NUMBER_BYTES
    by_class: bool = False
    n_columns: int | None = None

    def most_numbers(self, n_columns: int, n_classes: int) -> int:
        """Number of different numbers, or runs of them, kept for one column."""
        return most_numbers(self.n_columns or n_columns, self._n_counted(n_classes), self.exact_bytes)

    def bytes_of_column(self, n_columns: int, n_classes: int) -> int:
        """Memory for these numbers."""
        return self.most_numbers(n_columns, n_classes) * bytes_of_number(self._n_counted(n_classes))

    def _n_counted(self, n_classes: int) -> int:
        return n_classes if self.by_class else 1


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, eq=False)
class ColumnSummary:
    """The summary of one column.

    Parameters
    ----------
    kind : {"number", "bool", "text", "empty"}
    is_category : bool
        Whether a frame declares the column as categorical.
    has_missing : bool
    texts : frozenset of str
    numbers : Numbers
        Rows are counted by class if classes are kept separately.
    """

    kind: Kind
    is_category: bool
    has_missing: bool
    texts: frozenset[str] = frozenset()
    numbers: Numbers = NO_NUMBERS

    @property
    def is_exact(self) -> bool:
        """Whether all numbers are kept."""
        return self.numbers.is_exact


def summarize_column(table: Table, j: int, groups: Mapping[Any, Any], most: int) -> ColumnSummary:
    """The summary of column j.

    Parameters
    ----------
    table : Table
    j : int
    groups : dict of {label: index of rows}
        The rows of each class, or all of them under None.
    most : int
        Largest number of numbers, or runs of them.
    """
    kind, is_category, in_bytes = table.kinds[j], table.is_category[j], table.byte_columns
    if in_bytes is not None and in_bytes.fits_byte[j]:
        parts = [_of_bytes(in_bytes.values[rows, j], label) for label, rows in groups.items()]
        return ColumnSummary(kind, is_category, in_bytes.has_missing(j), numbers=merge(parts, most))
    known = table.texts(j)
    if known is not None:
        return ColumnSummary(kind, is_category, known.has_missing, frozenset(known.values))
    column = table.columns[j]
    if kind == "text":
        texts = set(column.tolist())
        return ColumnSummary(kind, is_category, None in texts, frozenset(texts - {None}))
    has_missing = bool(np.isnan(column).any())
    return ColumnSummary(kind, is_category, has_missing, numbers=merge([numbers_of(column, groups)], most))


def _of_bytes(column: NDArray[np.uint8], label: Any) -> Numbers:
    """Numbers of a column of bytes, where 255 is missing."""
    counts = np.bincount(column, minlength=256)[:255]
    present = np.flatnonzero(counts)
    values = present.astype(np.float64)
    return Numbers(values, values, {label: counts[present].astype(np.int64)})


def merge_columns(name: str, mine: ColumnSummary, theirs: ColumnSummary, most: int) -> ColumnSummary:
    """The summary of a column of two tables stacked, with at most so many numbers or runs of them."""
    texts = mine.texts | theirs.texts
    _check_texts(name, texts)
    return ColumnSummary(
        _merge_kinds(name, mine.kind, theirs.kind),
        mine.is_category or theirs.is_category,
        mine.has_missing or theirs.has_missing,
        texts,
        merge([mine.numbers, theirs.numbers], most),
    )


def _merge_kinds(name: str, mine: Kind, theirs: Kind) -> Kind:
    if mine == theirs or theirs == "empty":
        return mine
    if mine == "empty":
        return theirs
    if "text" in (mine, theirs):
        raise TypeError(
            f"column {name!r} holds text in one batch and numbers in another; convert all of it to one or the other."
        )
    return "number"  # booleans and numbers


def _check_texts(name: str, texts: Iterable[str]) -> None:
    n_texts = len(set(texts))
    if n_texts > MOST_TEXTS:
        raise ValueError(
            f"column {name!r} has more than {MOST_TEXTS} different texts; is it an identifier? Leave it out, or "
            "merge rare texts."
        )
