"""Counting of rows, independent of which path does the work."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import c_path, numpy_path
from gnbayes.counting._coded_rows import CodedRows
from gnbayes.counting._counts import Counts
from gnbayes.kernels import native
from gnbayes.progress import Progress, silent

path: ModuleType = numpy_path if native is None else c_path

# Tables of all pairs are kept up to this many cells, 256 MiB of int64.
MAX_KEPT_CELLS = 2**25


def count_values(rows: CodedRows) -> Counts:
    """Count classes and single values by class; no pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count_values
    >>> rows = CodedRows(np.array([[0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1]), np.array([2, 2]), 2)
    >>> count_values(rows).single(1).tolist()
    [[1, 0], [1, 1]]
    """
    no_pairs = np.zeros((0, 2), dtype=np.intp)
    classes, singles = path.count_values(rows)
    return Counts(rows.cardinalities, classes, singles, no_pairs, rows.as_counts(np.zeros(0)))


def without_pairs(counts: Counts) -> Counts:
    """The same counts without any pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count, without_pairs
    >>> rows = CodedRows(np.array([[0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1]), np.array([2, 2]), 2)
    >>> without_pairs(count(rows)).cells.size
    0
    """
    return replace(counts, pairs=np.zeros((0, 2), dtype=np.intp), cells=counts.cells[:0].ravel())


def count_pairs(
    values: Counts, rows: CodedRows, pairs: NDArray[np.intp] | None = None, progress: Progress = silent
) -> Counts:
    """Add the tables of pairs to the Counts of the values of the same rows; arguments as in `count`.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count_pairs, count_values
    >>> rows = CodedRows(np.array([[0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1]), np.array([2, 2]), 2)
    >>> count_pairs(count_values(rows), rows).pair(0, 1).tolist()
    [[[1, 0], [1, 0]], [[0, 0], [0, 1]]]
    """
    cells = path.all_cells(rows, progress) if pairs is None else path.count_pairs(rows, pairs)
    return replace(values, pairs=pairs, cells=cells)


def count(rows: CodedRows, pairs: NDArray[np.intp] | None = None, progress: Progress = silent) -> Counts:
    """Count values and pairs of values by class.

    Parameters
    ----------
    rows : CodedRows
    pairs : ndarray of shape (m, 2), optional
        Pairs (i, j), i < j, in increasing order, whose tables are kept. All pairs by default.
    progress : callable
        Called with the share done.

    Returns
    -------
    counts : Counts

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> rows = CodedRows(np.array([[0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1]), np.array([2, 2]), 2)
    >>> counts = count(rows)
    >>> counts.classes.tolist(), counts.single(0).tolist()
    ([2, 1], [[2, 0], [0, 1]])
    >>> counts.pair(0, 1).tolist()
    [[[1, 0], [1, 0]], [[0, 0], [0, 1]]]
    """
    return count_pairs(count_values(rows), rows, pairs, progress)


def n_cells(cardinalities: NDArray[np.intp], n_classes: int) -> int:
    """Number of cells that the tables of all pairs take.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import n_cells
    >>> n_cells(np.array([2, 3, 4]), 2)  # (2 + 3 + 4)**2 * 2
    162
    """
    return n_classes * int(cardinalities.astype(object).sum()) ** 2
