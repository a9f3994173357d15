"""Runs of nearly equal numbers: what is kept of a column that has too many different numbers.

Numbers are rounded by dropping low binary digits, as few as necessary. Runs of too many rows are divided again, in the
same way. Both follow from the numbers alone, whatever the order or the parts in which they arrive: a table in memory
and its batches have the same runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Memory for the numbers of all columns together, and the least number of them that is kept for each column.
NUMBER_BYTES, LEAST_NUMBERS = 2**27, 4096
# Smallest and largest number of a run; the rows of each class are counted.
_BYTES_OF_NUMBER, _BYTES_OF_CLASS = 16, 8
_SIGN = np.uint64(2**63)
# A run of different numbers is divided if it has more than one in so many rows, or more than so many times its part of
# the rows: there are few such runs, and each becomes several.
_LARGEST_SHARE, _TIMES_ITS_PART = 500, 8


def most_numbers(n_columns: int, n_classes: int, n_bytes: int = NUMBER_BYTES) -> int:
    """How many different numbers of a column, or runs of them, are kept.

    Parameters
    ----------
    n_columns : int
        Columns that share the memory; one column has half of it.
    n_classes : int
        Classes whose rows are counted apart.
    n_bytes : int
        Memory for the numbers of all columns.

    Examples
    --------
    >>> from gnbayes.encoding import most_numbers
    >>> most_numbers(20, 2), most_numbers(1000, 2)
    (209715, 4194)
    """
    return max(LEAST_NUMBERS, n_bytes // (max(2, n_columns) * bytes_of_number(n_classes)))


def bytes_of_number(n_classes: int) -> int:
    """Memory for a number, or a run of them, whose rows are counted by class.

    Examples
    --------
    >>> from gnbayes.encoding import bytes_of_number
    >>> bytes_of_number(2)
    32
    """
    return _BYTES_OF_NUMBER + _BYTES_OF_CLASS * n_classes


def ordered_keys(numbers: NDArray[np.float64]) -> NDArray[np.uint64]:
    """The binary digits of numbers, such that keys are ordered as the numbers are, shape (m,).

    Parameters
    ----------
    numbers : ndarray of shape (m,)
        Without NaN and -0.0.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding._runs import ordered_keys
    >>> ordered_keys(np.array([2.5, -1.0, 0.0, -1e300])).argsort().tolist()
    [3, 1, 2, 0]
    """
    bits = np.ascontiguousarray(numbers).view(np.uint64)
    with np.errstate(over="ignore"):
        return np.asarray(bits ^ (-(bits >> np.uint64(63)) | _SIGN))


def digits_to_drop(keys: NDArray[np.uint64], most: int, at_least: int = 0) -> int:
    """The least number of low binary digits without which at most `most` different keys are left.

    Parameters
    ----------
    keys : ndarray of shape (m,)
        Increasing.
    most : int
    at_least : int
        Digits that are dropped in any case.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding._runs import digits_to_drop
    >>> digits_to_drop(np.array([1, 2, 3, 8, 9], dtype=np.uint64), 3)
    1
    """
    if len(keys) <= most:
        return at_least
    # Neighbors fall apart at the highest digit in which they differ.
    differing = keys[1:] ^ keys[:-1]
    low, high = at_least, 63
    while low < high:
        middle = (low + high) // 2
        if np.count_nonzero(differing >> np.uint64(middle)) < most:
            high = middle
        else:
            low = middle + 1
    return low


def run_starts(keys: NDArray[np.uint64], n_dropped: int) -> NDArray[np.intp]:
    """Positions at which keys differ from those before, without some of their low digits; the first is 0.

    Parameters
    ----------
    keys : ndarray of shape (m,)
        Increasing.
    n_dropped : int

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding._runs import run_starts
    >>> run_starts(np.array([1, 2, 3, 8, 9], dtype=np.uint64), 1).tolist()
    [0, 1, 3]
    """
    is_start = np.ones(len(keys), dtype=bool)
    rounded = keys >> np.uint64(n_dropped) if n_dropped else keys
    np.not_equal(rounded[1:], rounded[:-1], out=is_start[1:])
    return np.flatnonzero(is_start)


def are_heavy(
    firsts: NDArray[np.float64], lasts: NDArray[np.float64], rows: NDArray[Any], most: int
) -> NDArray[np.bool_]:
    """Which runs are to be divided: those of different numbers with a large share of the rows, shape (m,).

    Parameters
    ----------
    firsts, lasts, rows : ndarray of shape (m,)
        The smallest and the largest number of each run, and the number of rows in it.
    most : int
        Largest number of runs.

    Examples
    --------
    The last run is a single number, however many rows have it:

    >>> import numpy as np
    >>> from gnbayes.encoding._runs import are_heavy
    >>> firsts, lasts = np.array([1.0, 2.0, 7.0]), np.array([1.9, 2.1, 7.0])
    >>> are_heavy(firsts, lasts, np.array([2, 500, 1000]), 5000).tolist()
    [False, True, False]
    """
    share = min(_LARGEST_SHARE, max(1, most // _TIMES_ITS_PART))
    return np.asarray((rows * share > rows.sum()) & (firsts < lasts))


def divide_into_runs(values: NDArray[np.float64], rows: NDArray[Any], most: int) -> NDArray[np.intp]:
    """Positions of the values at which runs begin; the first is 0.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Different numbers, increasing, without -0.0.
    rows : ndarray of shape (m,)
        Number of rows, or their weight, of each value.
    most : int
        Largest number of runs, not counting those into which runs of many rows are divided: as many again, each time.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding._runs import divide_into_runs
    >>> values = np.append(np.arange(1000.0), 1000 + np.arange(1000) / 1e6)
    >>> starts = divide_into_runs(values, np.ones(2000, dtype=int), 400)
    >>> np.searchsorted(values[starts], [999, 1000, 1000.0005]).tolist()
    [317, 317, 448]
    """
    keys = ordered_keys(values)
    starts = run_starts(keys, digits_to_drop(keys, most))
    while True:
        ends = np.append(starts[1:], len(values))
        is_heavy = are_heavy(values[starts], values[ends - 1], np.add.reduceat(rows, starts), most)
        if not is_heavy.any():
            return starts
        inside = np.flatnonzero(np.repeat(is_heavy, ends - starts))
        own = keys[inside]
        starts = np.union1d(starts, inside[run_starts(own, digits_to_drop(own, most))])
