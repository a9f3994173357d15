"""Trees that do not depend on the order of columns, even where amounts of information are equal."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.structure._information import InformationLike

# Rounds in which features with equal counts are told apart, and digits of shares and information that are looked at:
# small differences of weights must not matter.
_ROUNDS, _DIGITS = 4, 4


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


def order_by_counts(values: Counts, info: InformationLike) -> NDArray[np.intp]:
    """Features in an order that depends on the counts of their values, not on their positions.

    Features with equal counts are ordered by their information with the others, whose places are used where they are
    known. If that is equal, too, they stay in the order of columns.

    Parameters
    ----------
    values : Counts
        Pairs are not used.
    info : InformationLike
        Of the same features.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import information, order_by_counts
    >>> codes = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1]])
    >>> counts = count(CodedRows(codes, np.array([0, 0, 1, 1]), np.full(3, 2), 2))
    >>> order_by_counts(counts, information(counts)).tolist()
    [2, 0, 1]
    """
    shares = np.round(values.singles / max(float(values.n), 1e-300), _DIGITS).tolist()
    keys: list[Any] = [
        (stop - start, tuple(map(tuple, shares[start:stop]))) for start, stop in pairwise(values.offsets.tolist())
    ]
    places = _places(keys)
    for _ in range(_ROUNDS):
        n_equal = Counter(places.tolist())
        is_tied = [n_equal[place] > 1 for place in places.tolist()]
        if not any(is_tied):
            break
        keys = [(place, _others(info.row(j), places) if is_tied[j] else b"") for j, place in enumerate(places.tolist())]
        places = _places(keys)
    return np.argsort(places, kind="stable")


def _places(keys: list[Any]) -> NDArray[np.intp]:
    """The place of each key among the different ones."""
    place = {key: at for at, key in enumerate(sorted(set(keys)))}
    return np.array([place[key] for key in keys], dtype=np.intp)


def _others(information: NDArray[np.float64], places: NDArray[np.intp]) -> bytes:
    """Information with other features, and their places, in whatever order these features come."""
    # Zero has no sign.
    information = np.round(information, _DIGITS) + 0.0
    order = np.lexsort((places, information))
    return information[order].tobytes() + places[order].tobytes()
