"""Additive summaries of single columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Kind, Table
from gnbayes.scale.distinct_numbers import Numbers, merge, numbers_of, sketched

EXACT_BYTES = 2**27
SKETCH_K = 4000
# A column with more distinct texts than this is treated as an identifier.
MOST_TEXTS = 2**20
_BYTES_OF_NUMBER = 16
# Number of distinct numbers of a column that are always kept.
_LEAST_NUMBERS = 1000


@dataclass(frozen=True)
class Limits:
    """How much a summary keeps.

    Parameters
    ----------
    exact_bytes : int
        Memory for the distinct numbers of all columns together, divided evenly; a column that needs more becomes a
        sketch.
    sketch_k : int
        Size of a sketch: 4000 takes about 90 kB per column and has a rank error of 0.07 % with a probability of 99 %.
    by_class : bool
        Whether the numbers of each class are kept separately, for a supervised discretizer.

    Examples
    --------
    >>> from gnbayes.scale import Limits
    >>> Limits().sketch_k, Limits(by_class=True).by_class
    (4000, True)
    """

    exact_bytes: int = EXACT_BYTES
    sketch_k: int = SKETCH_K
    by_class: bool = False

    def most_numbers(self, n_columns: int) -> int:
        """Number of distinct numbers kept for one column."""
        return max(_LEAST_NUMBERS, self.exact_bytes // (_BYTES_OF_NUMBER * max(1, n_columns)))


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
    numbers : dict of {label or None: Numbers}
        One entry per class if classes are kept separately, otherwise one for None.
    """

    kind: Kind
    is_category: bool
    has_missing: bool
    texts: frozenset[str] = frozenset()
    numbers: Mapping[Any, Numbers] = field(default_factory=dict)

    @property
    def is_exact(self) -> bool:
        """Whether all numbers are kept."""
        return all(part.is_exact for part in self.numbers.values())


def summarize_column(table: Table, j: int, groups: Mapping[Any, Any], limits: Limits) -> ColumnSummary:
    """The summary of column j; `groups` gives the rows of each class, or all of them under None."""
    kind, is_category, small = table.kinds[j], table.is_category[j], table.byte_columns
    if small is not None and small.fits_byte[j]:
        by_label = {label: _of_bytes(small.values[rows, j]) for label, rows in groups.items()}
        return _limited(
            ColumnSummary(kind, is_category, small.has_missing(j), numbers=by_label), limits, table.n_columns
        )
    known = table.texts(j)
    if known is not None:
        return ColumnSummary(kind, is_category, known.has_missing, frozenset(known.values))
    column = table.columns[j]
    if kind == "text":
        texts = set(column.tolist())
        return ColumnSummary(kind, is_category, None in texts, frozenset(texts - {None}))
    has_missing = bool(np.isnan(column).any())
    by_label = {label: numbers_of(present(column[rows])) for label, rows in groups.items()}
    return _limited(ColumnSummary(kind, is_category, has_missing, numbers=by_label), limits, table.n_columns)


def _of_bytes(column: NDArray[np.uint8]) -> Numbers:
    """Numbers of a column of bytes, where 255 is missing."""
    counts = np.bincount(column, minlength=256)[:255]
    values = np.flatnonzero(counts)
    return Numbers(values.astype(np.float64), counts[values].astype(np.int64))


def present(column: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers that are not missing."""
    is_missing = np.isnan(column)
    return column[~is_missing] if is_missing.any() else column


def _limited(column: ColumnSummary, limits: Limits, n_columns: int) -> ColumnSummary:
    """The column as a sketch if it has too many numbers."""
    n_numbers = sum(len(part.values) for part in column.numbers.values())
    if column.is_exact and n_numbers <= limits.most_numbers(n_columns):
        return column
    numbers = {label: sketched(part, limits.sketch_k) for label, part in column.numbers.items()}
    return replace(column, numbers=numbers)


def merge_columns(
    name: str, mine: ColumnSummary, theirs: ColumnSummary, limits: Limits, n_columns: int
) -> ColumnSummary:
    """The summary of a column of two tables stacked."""
    texts = mine.texts | theirs.texts
    _check_texts(name, texts)
    numbers = {
        label: merge([part.numbers[label] for part in (mine, theirs) if label in part.numbers], limits.sketch_k)
        for label in {**mine.numbers, **theirs.numbers}
    }
    merged = ColumnSummary(
        _merge_kinds(name, mine.kind, theirs.kind),
        mine.is_category or theirs.is_category,
        mine.has_missing or theirs.has_missing,
        texts,
        numbers,
    )
    return _limited(merged, limits, n_columns)


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
