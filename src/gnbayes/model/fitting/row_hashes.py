"""Pseudo-random numbers for rows and columns, which depend on their values and not on their place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts

_SEED = 20240829
# 2^64 over the golden ratio: multiples of it are spread evenly.
_GOLDEN = 0x9E3779B97F4A7C15


def column_factors(
    codes: NDArray[Any], labels: NDArray[np.intp], weights: NDArray[np.float64] | None, n_classes: int
) -> NDArray[np.uint64]:
    """An odd pseudo-random number per column, from the frequencies of its values by class; 0 for a constant column.

    Columns with equal frequencies are told apart by the rows in which values occur, and only then by position.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,), optional
        They are numbers of rows.
    n_classes : int
    """
    numbers = np.array([_content(column, labels, weights, n_classes) for column in codes.T], dtype=np.uint64)
    is_constant = numbers == 0
    if len(np.unique(numbers[~is_constant])) < (~is_constant).sum():
        rows = row_hash(codes, numbers)
        times = np.uint64(1) if weights is None else weights.astype(np.uint64)
        for j in np.flatnonzero(_occurs_before(numbers) | _occurs_before(numbers[::-1])[::-1]):
            own = _scrambled(rows + (codes[:, j].astype(np.uint64) + np.uint64(1)) * np.uint64(_GOLDEN))
            # An array of one: here the sum may overflow, as intended.
            numbers[j : j + 1] += (own * times).sum(dtype=np.uint64)
        numbers = _scrambled(numbers + _n_before(numbers) * np.uint64(_GOLDEN))
    return np.where(is_constant, np.uint64(0), numbers | np.uint64(1))


def factors_of_counts(counts: Counts) -> NDArray[np.uint64]:
    """As `column_factors`, from counts, which add up over batches; only position separates columns with equal counts.

    Parameters
    ----------
    counts : Counts
        Of values, by class.
    """
    # Fractions matter: weights that are not numbers of rows are multiples of a small unit, so that sums are exact.
    unit = 1 if counts.singles.dtype.kind == "i" else 1024
    tables = [(counts.single(j) * unit).astype(np.uint64) for j in range(counts.n_features)]
    numbers = np.array([_content_of(table) for table in tables], dtype=np.uint64)
    is_constant = numbers == 0
    numbers = _scrambled(numbers + _n_before(numbers) * np.uint64(_GOLDEN))
    return np.where(is_constant, np.uint64(0), numbers | np.uint64(1))


def _content(
    column: NDArray[Any], labels: NDArray[np.intp], weights: NDArray[np.float64] | None, n_classes: int
) -> np.uint64:
    """A pseudo-random number from the frequencies of the values of a column by class; 0 for a single value."""
    found = np.bincount(column.astype(np.intp) * n_classes + labels, weights)
    counts = np.append(found, np.zeros(-len(found) % n_classes)).reshape(-1, n_classes)
    return _content_of(counts.astype(np.uint64))


def _content_of(counts: NDArray[np.uint64]) -> np.uint64:
    """As `_content`, from the counts of the values by class."""
    codes = np.flatnonzero(counts.any(axis=1))
    if len(codes) < 2:
        return np.uint64(0)
    numbers = _scrambled(codes.astype(np.uint64) * np.uint64(_GOLDEN) + counts[codes].sum(axis=1, dtype=np.uint64))
    # The order of classes does not matter.
    by_class = _scrambled(_scrambled(counts[codes]).sum(axis=1, dtype=np.uint64) + numbers)
    return np.uint64(_scrambled(by_class).sum(dtype=np.uint64) | np.uint64(1))


def _n_before(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Number of equal elements before each."""
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(numbers[order]) != 0)) if len(order) else order
    out = np.empty(len(numbers), dtype=np.uint64)
    out[order] = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    return out


def _occurs_before(numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
    return _n_before(numbers) > 0


def row_hash(codes: NDArray[Any], factors: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """A pseudo-random number for each row, the same for duplicate rows.

    Parameters
    ----------
    codes : ndarray of shape (n, s)
    factors : ndarray of shape (s,), optional
        Odd numbers; a column with factor 0 is ignored. By default, they depend on the position of a column.
    """
    if factors is None:
        factors = np.random.default_rng(_SEED).integers(2**63, size=codes.shape[1:], dtype=np.uint64) | np.uint64(1)
    out = np.zeros(len(codes), dtype=np.uint64)
    for j in np.flatnonzero(factors):
        out += (codes[:, j].astype(np.uint64) + np.uint64(1)) * factors[j]
    return _scrambled(out)


def _scrambled(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hash each number: every bit of the result depends on all bits of the number."""
    out = numbers.copy()
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (29, 0xC4CEB9FE1A85EC53)):
        out ^= out >> np.uint64(shift)
        out *= np.uint64(factor)
    out ^= out >> np.uint64(32)
    return out
