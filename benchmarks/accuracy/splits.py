"""Seeded splits into training and test rows, the same for every rival."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit

TEST_SHARE = 0.2

Rows = NDArray[np.intp]


def stratified_splits(y: Rows, repeats: int) -> Iterator[tuple[Rows, Rows]]:
    """Training rows and test rows, 80 to 20, each class shared out alike; split r is the same whatever `repeats` is.

    The row of a class that has no other is always a training row, so that every class is known to every model.
    """
    alone = (np.bincount(y) == 1)[y]
    single, rest = np.flatnonzero(alone), np.flatnonzero(~alone)
    for seed in range(repeats):
        splitter = StratifiedShuffleSplit(1, test_size=TEST_SHARE, random_state=seed)
        train, test = next(splitter.split(rest, y[rest]))
        yield np.concatenate([rest[train], single]), rest[test]
