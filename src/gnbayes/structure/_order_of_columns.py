"""Trees that do not depend on the order of columns, even where amounts of information are equal."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.structure._information import InformationLike


class Reordered:
    """Information of the same features in another order.

    Parameters
    ----------
    info : InformationLike
    order : ndarray of shape (d,)
        Positions of the features in `info`.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.structure import Information
    >>> from gnbayes.structure._order_of_columns import Reordered
    >>> info = Information(np.array([0.3, 0.5]), np.array([[0.0, 0.1], [0.1, 0.0]]))
    >>> Reordered(info, np.array([1, 0])).with_class.tolist()
    [0.5, 0.3]
    """

    def __init__(self, info: InformationLike, order: NDArray[np.intp]) -> None:
        self._info, self._order = info, order
        self.with_class = info.with_class[order]

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self._order)

    def row(self, i: int) -> NDArray[np.float64]:
        """I(Xi; Xj | Y) of feature i and every j, shape (d,)."""
        return self._info.row(int(self._order[i]))[self._order]

    def rows(self, features: NDArray[np.intp]) -> NDArray[np.float64]:
        """The rows of several features, shape (m, d)."""
        return np.ascontiguousarray(self._info.rows(self._order[features])[:, self._order])


def order_by_counts(values: Counts) -> NDArray[np.intp]:
    """Features in an order that depends on the counts of their values alone; equal ones in the order of columns.

    Parameters
    ----------
    values : Counts
        Pairs are not used.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count_values
    >>> from gnbayes.structure import order_by_counts
    >>> codes = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1]])
    >>> order_by_counts(count_values(CodedRows(codes, np.array([0, 0, 1, 1]), np.full(3, 2), 2))).tolist()
    [2, 0, 1]
    """
    keys = [
        (stop - start, values.singles[start:stop].tolist())
        for start, stop in itertools.pairwise(values.offsets.tolist())
    ]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.intp)
