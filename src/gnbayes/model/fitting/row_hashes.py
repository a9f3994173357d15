"""Pseudo-random numbers for rows and columns, which depend on their values and not on their place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.kernels import for_each, limit_threads, ranges
from gnbayes.model.fitting.cells import count_cells, sum_steps

_SEED = 20240829
# 2^64 over the golden ratio: multiples of it are spread evenly.
_GOLDEN = 0x9E3779B97F4A7C15
# Codes and counts that are held at a time, of as many columns as fit.
_NUMBERS_AT_ONCE = 2**16
# Rows whose sums stay in cache.
_ROWS_AT_ONCE = 2**14


def column_factors(
    codes: NDArray[Any],
    labels: NDArray[np.intp],
    n_equal: NDArray[np.int64] | None,
    n_classes: int,
    n_threads: int = 1,
) -> NDArray[np.uint64]:
    """An odd pseudo-random number per column, from the frequencies of its values by class; 0 for a constant column.

    Columns with equal frequencies are told apart by the rows in which values occur, then by the sizes of the classes of
    these rows, and only then by position.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
    labels : ndarray of shape (n,)
    n_equal : ndarray of shape (n,), optional
        Number of duplicate rows that each stands for.
    n_classes : int
    n_threads : int, default=1
    """
    numbers = _contents(codes, labels, n_equal, n_classes, n_threads)
    is_constant = numbers == 0
    if _has_ties(numbers[~is_constant]):
        rows = row_hash(codes, numbers, n_threads)
        times = np.ones(len(codes), dtype=np.uint64) if n_equal is None else n_equal.astype(np.uint64)
        numbers = _told_apart(numbers, codes, rows, times)
        if _has_ties(numbers[~is_constant]):
            # Of a class, only its size is used: classes may have any names.
            sizes = np.bincount(labels, times, minlength=n_classes).astype(np.uint64)
            numbers = _told_apart(numbers, codes, rows + _scrambled(sizes)[labels], times)
        numbers = _scrambled(numbers + _n_before(numbers) * np.uint64(_GOLDEN))
    return np.where(is_constant, np.uint64(0), numbers | np.uint64(1))


def _has_ties(numbers: NDArray[np.uint64]) -> bool:
    return len(np.unique(numbers)) < len(numbers)


def _told_apart(
    numbers: NDArray[np.uint64], codes: NDArray[Any], rows: NDArray[np.uint64], times: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Numbers of columns; where several are equal, the hashes of the rows in which each value occurs are added."""
    out = numbers.copy()
    for j in np.flatnonzero(_occurs_before(numbers) | _occurs_before(numbers[::-1])[::-1]):
        own = _scrambled(rows + (codes[:, j].astype(np.uint64) + np.uint64(1)) * np.uint64(_GOLDEN))
        # An array of one: here the sum may overflow, as intended.
        out[j : j + 1] += (own * times).sum(dtype=np.uint64)
    return out


def factors_of_counts(counts: Counts) -> NDArray[np.uint64]:
    """As `column_factors`, from counts, which add up over batches; only position separates columns with equal counts.

    Parameters
    ----------
    counts : Counts
        Numbers of rows by value and class.
    """
    tables = [counts.single(j).astype(np.uint64) for j in range(counts.n_features)]
    numbers = np.array([_content_of(table[None])[0] for table in tables], dtype=np.uint64)
    is_constant = numbers == 0
    numbers = _scrambled(numbers + _n_before(numbers) * np.uint64(_GOLDEN))
    return np.where(is_constant, np.uint64(0), numbers | np.uint64(1))


def _contents(
    codes: NDArray[Any], labels: NDArray[np.intp], n_equal: NDArray[np.int64] | None, n_classes: int, n_threads: int
) -> NDArray[np.uint64]:
    """A pseudo-random number per column, from the frequencies of its values by class; 0 for a single value."""
    n, d = codes.shape
    size = int(codes.max(initial=0)) + 1
    at_once = max(1, _NUMBERS_AT_ONCE // max(size * n_classes, n, 1))
    if at_once == 1 and (n_equal is None or (n_equal == 1).all()):
        return _contents_of_long(codes, labels, (size, n_classes), n_threads)
    out = np.zeros(d, dtype=np.uint64)
    for first in range(0, d, at_once):
        some = codes[:, first : first + at_once].astype(np.intp)
        q = some.shape[1]
        cells = (np.arange(q) * size + some) * n_classes + labels[:, None]
        times = None if n_equal is None else np.repeat(n_equal, q)
        counts = np.bincount(cells.ravel(), times, minlength=q * size * n_classes)
        out[first : first + q] = _content_of(counts.astype(np.uint64).reshape(q, size, n_classes))
    return out


def _contents_of_long(
    codes: NDArray[Any], labels: NDArray[np.intp], shape: tuple[int, int], n_threads: int
) -> NDArray[np.uint64]:
    """The same for columns of many different rows, one after the other, without copies in large numbers."""
    n, d = codes.shape
    kind = np.min_scalar_type(max(*shape, 256) - 1)
    steps = [np.arange(shape[0]) * shape[1], np.arange(shape[1])]
    own, out = labels.astype(kind), np.zeros(d, dtype=np.uint64)

    def look(j: int) -> None:
        columns = [codes[:, j].astype(kind, copy=False), own]
        cells = sum_steps(columns, steps, np.min_scalar_type(shape[0] * shape[1]))
        counts = count_cells(cells, shape[0] * shape[1])
        out[j : j + 1] = _content_of(counts.astype(np.uint64).reshape(1, *shape))

    for_each(look, range(d), limit_threads(n_threads, n * d))
    return out


def _content_of(counts: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """As `_contents`, from the counts of the values by class, shape (number of columns, number of values, k)."""
    is_there = counts.any(axis=2)
    codes = np.arange(counts.shape[1], dtype=np.uint64) * np.uint64(_GOLDEN)
    numbers = _scrambled(codes + counts.sum(axis=2, dtype=np.uint64))
    # The order of classes does not matter.
    by_class = _scrambled(_scrambled(counts).sum(axis=2, dtype=np.uint64) + numbers)
    sums = np.where(is_there, _scrambled(by_class), np.uint64(0)).sum(axis=1, dtype=np.uint64)
    return np.where(is_there.sum(axis=1) < 2, np.uint64(0), sums | np.uint64(1))


def _n_before(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Number of equal elements before each."""
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(numbers[order]) != 0)) if len(order) else order
    out = np.empty(len(numbers), dtype=np.uint64)
    out[order] = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    return out


def _occurs_before(numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
    return _n_before(numbers) > 0


def row_hash(codes: NDArray[Any], factors: NDArray[np.uint64] | None = None, n_threads: int = 1) -> NDArray[np.uint64]:
    """A pseudo-random number for each row, the same for duplicate rows.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
    factors : ndarray of shape (s,), optional
        Odd numbers; a column with factor 0 is ignored. By default, they depend on the position of a column.
    n_threads : int, default=1

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import row_hash
    >>> hashes = row_hash(np.array([[0, 1], [1, 0], [0, 1]]))
    >>> bool(hashes[0] == hashes[2]), bool(hashes[0] == hashes[1])
    (True, False)
    """
    if factors is None:
        factors = np.random.default_rng(_SEED).integers(2**63, size=codes.shape[1:], dtype=np.uint64) | np.uint64(1)
    out = np.zeros(len(codes), dtype=np.uint64)
    used = np.flatnonzero(factors).tolist()

    def add(rows: tuple[int, int]) -> None:
        own, some = out[slice(*rows)], codes[slice(*rows)]
        for j in used:
            own += (some[:, j].astype(np.uint64) + np.uint64(1)) * factors[j]
        own[:] = _scrambled(own)

    for_each(add, ranges(len(codes), _ROWS_AT_ONCE), limit_threads(n_threads, codes.size))
    return out


def _scrambled(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hash each number: every bit of the result depends on all bits of the number."""
    out = numbers.copy()
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (29, 0xC4CEB9FE1A85EC53)):
        out ^= out >> np.uint64(shift)
        out *= np.uint64(factor)
    out ^= out >> np.uint64(32)
    return out
