"""Fine and coarse bins of many columns at once, by the C kernels: wide tables have few rows and very many columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._feature import Feature
from gnbayes.kernels import native, ranges

# Up to this many rows, the table of logarithms is small; up to this many classes, NumPy adds in order.
_MOST_ROWS, _MOST_CLASSES = 400, 7
# Numbers sorted at once.
_VALUES_AT_ONCE = 2**19


def features_of_block(
    names: Sequence[str],
    block: NDArray[np.float64],
    labels: NDArray[np.intp],
    n_classes: int,
    numbers_of_bins: tuple[int, int],
) -> Iterator[Feature | None]:
    """The features of columns of numbers: those of `NestedDiscretizer`, bit for bit.

    None for a column with missing values or with at most two values, for all columns if there are many rows or classes,
    and without the C kernels.

    Parameters
    ----------
    names : sequence of str
        One per column.
    block : ndarray of shape (n, q)
    labels : ndarray of shape (n,)
    n_classes : int
    numbers_of_bins : tuple of int
        Largest numbers of fine and of coarse bins.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding.discretizers._nested_block import features_of_block
    >>> from gnbayes.kernels import native
    >>> column, labels = np.arange(40.0)[:, None], (np.arange(40) > 12).astype(np.intp)
    >>> (found,) = features_of_block(["age"], column, labels, 2, (4, 2))
    >>> found.edges if native else (12.5, 19.5, 29.5)
    (12.5, 19.5, 29.5)
    """
    n, q = block.shape
    if native is None or not 0 < n <= _MOST_ROWS or n_classes > _MOST_CLASSES:
        yield from [None] * q
        return
    classes = labels.astype(np.uint8)
    for start, stop in ranges(q, max(1, _VALUES_AT_ONCE // n)):
        columns = np.ascontiguousarray(block[:, start:stop].T)
        is_complete: NDArray[np.bool_] = np.logical_not(np.isnan(columns).any(axis=1))
        found = iter(_bins(columns[is_complete], classes, n_classes, numbers_of_bins))
        for name, has_all in zip(names[start:stop], is_complete.tolist(), strict=True):
            yield _feature(name, *next(found)) if has_all else None


def _bins(
    columns: NDArray[np.float64], classes: NDArray[np.uint8], n_classes: int, numbers_of_bins: tuple[int, int]
) -> Iterator[tuple[int, list[float], list[float], list[int]]]:
    """Number of cuts of each column, the cuts, and means and coarse codes of the bins; -1 for up to two values."""
    d, n = columns.shape
    order = np.argsort(columns, axis=1)
    ordered = np.take_along_axis(columns, order, axis=1)
    n_cuts, coarse = np.empty(d, dtype=np.int64), np.empty((d, n), dtype=np.int64)
    cuts, means = np.empty((2, d, n))
    native.column_bins(  # type: ignore[union-attr]
        *(ordered, classes[order], d, n, n_classes, *numbers_of_bins, *_logarithms(n)),
        *(n_cuts, cuts, means, coarse),
    )
    for at, number in enumerate(n_cuts.tolist()):
        bins = slice(number + 1)
        yield number, cuts[at, : max(number, 0)].tolist(), means[at, bins].tolist(), coarse[at, bins].tolist()


def _feature(name: str, n_cuts: int, cuts: list[float], means: list[float], coarse: list[int]) -> Feature | None:
    if n_cuts < 0:
        return None
    own = () if coarse[-1] == n_cuts else tuple(coarse)
    return Feature(name, "interval", tuple(cuts), tuple(means), coarse=own)


@lru_cache(maxsize=4)
def _logarithms(n: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """P log2 p of i rows among j, shape (n + 1, n + 1), and the prices of a cut: by rows, and by classes."""
    rows = np.arange(n + 1.0)
    share = np.minimum(rows[:, None] / np.maximum(rows, 1.0), 1.0)
    entropies = share * np.log2(np.where(share > 0, share, 1.0))
    prices = [0.0, *(float(np.log2(3.0**k - 2)) for k in range(1, _MOST_CLASSES + 1))]
    return entropies, np.log2(np.maximum(rows - 1, 1e-300)), np.array(prices)
