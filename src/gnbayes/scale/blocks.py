"""Pairs of features in blocks, for counts of pairs that are too large for one message or one pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts

# Largest message of counts.
MAX_BYTES = 2**26
_BYTES_OF_CELL = 8


def pair_blocks(cardinalities: NDArray[np.intp], n_classes: int, max_bytes: int = MAX_BYTES) -> list[NDArray[np.intp]]:
    """All pairs in blocks, such that the counts of each block take at most `max_bytes`.

    Parameters
    ----------
    cardinalities : ndarray of shape (d,)
    n_classes : int
    max_bytes : int

    Returns
    -------
    blocks : list of ndarray of shape (m, 2)
        Pairs (i, j), i < j, each in increasing order; a block contains pairs of two groups of features.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.scale import pair_blocks
    >>> [block.tolist() for block in pair_blocks(np.array([2, 2, 2]), n_classes=2, max_bytes=256)]
    [[[0, 1]], [[0, 2], [1, 2]]]
    """
    most = max_bytes // (_BYTES_OF_CELL * n_classes)
    groups = _groups(cardinalities, int(np.sqrt(most)))
    blocks: list[NDArray[np.intp]] = []
    for g, left in enumerate(groups):
        for right in groups[g:]:
            pairs = np.array([(i, j) for i in left for j in right if i < j], dtype=np.intp).reshape(-1, 2)
            blocks += split_pairs(pairs, cardinalities, n_classes, max_bytes)
    return blocks


def join_blocks(values: Counts, blocks: Iterable[Counts]) -> Counts:
    """Counts of all pairs from blocks that together contain every pair once; `values` gives the rest.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import count_batch, join_blocks, make_plan, summarize
    >>> table = load_iris(as_frame=True).frame
    >>> clf = GeneralizedNB(weighting=None, n_bins=5)
    >>> plan = make_plan(clf, summarize(table, "target"), "target")
    >>> whole = count_batch(plan, table).counts
    >>> pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    >>> blocks = [count_batch(plan, table, np.array(pairs[at : at + 3])).counts for at in (0, 3)]
    >>> bool((join_blocks(whole, blocks).pair(1, 3) == whole.pair(1, 3)).all())
    True
    """
    n_values = int(values.offsets[-1])
    cells = np.zeros((values.n_classes, n_values, n_values), dtype=values.singles.dtype)
    counts = replace(values, pairs=None, cells=cells)
    for block in blocks:
        for i, j in [] if block.pairs is None else block.pairs.tolist():
            counts.pair(i, j)[:] = block.pair(i, j)
    return counts


def _groups(cardinalities: NDArray[np.intp], most: int) -> list[range]:
    """Groups of consecutive features with at most this many values in total, or of a single feature."""
    starts, total = [0], 0
    for j, size in enumerate(cardinalities.tolist()):
        if total and total + size > most:
            starts.append(j)
            total = 0
        total += size
    return [range(start, stop) for start, stop in pairwise([*starts, len(cardinalities)])]


def split_pairs(
    pairs: NDArray[np.intp], cardinalities: NDArray[np.intp], n_classes: int, max_bytes: int
) -> list[NDArray[np.intp]]:
    """Pairs in pieces, so that the counts of no piece take more than `max_bytes`; arguments as in `pair_blocks`."""
    most = max_bytes // (_BYTES_OF_CELL * n_classes)
    sizes = cardinalities[pairs].prod(axis=1)
    if len(pairs) and sizes.max() > most:
        i, j = pairs[np.argmax(sizes)].tolist()
        raise ValueError(
            f"the counts of columns {i} and {j} alone have {sizes.max()} cells per class, and max_bytes allows {most}; "
            "raise max_bytes, merge rare values, or use structure='nb'."
        )
    pieces, start, total = [], 0, 0
    for at, size in enumerate(sizes.tolist()):
        if total + size > most:
            pieces.append(pairs[start:at])
            start, total = at, 0
        total += size
    return [*pieces, pairs[start:]] if len(pairs) else []
