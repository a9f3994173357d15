"""Information for choosing a tree: that of the training rows, or corrected for chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.structure._information import InformationLike, class_information

# The expected information of independent features is subtracted this many times.
_TIMES_EXPECTED = 1.5
# Maximum number of cached rows, one per profile of features; there are rarely that many profiles.
_MOST_ROWS = 256


class CorrectedInformation:
    """Expected information on new rows: plug-in information minus its bias, and minus what is lost on new rows.

    May be negative: such a pair does more harm than good. A feature with a single value is below all others. Rows are
    computed on demand.

    Parameters
    ----------
    info : InformationLike
        Plug-in information.
    values : Counts
        Counts of the same rows; pairs are not used.

    Notes
    -----
    Two features that are independent given the class, with v and w values among the n_y rows of class y, have a
    positive plug-in information by chance: (v - 1)(w - 1) / (2 n) summed over the classes if there are many rows (G. A.
    Miller 1955). With few rows, information is bounded; with x = (v - 1)(w - 1) / n_y the expected value is close to
    (n_y / n) log(1 + x + x^2) / 2: within a tenth for values of about equal frequency, and within a quarter if one
    feature has two values and the other nearly as many as there are rows. I(Xj; Y) is corrected in the same way.

    Probabilities estimated from the rows lose about as much again on new rows (H. Akaike 1974), but features that
    depend on each other share less by chance. One and a half times the expected value is subtracted, which was better
    than once and twice on the benchmark tables.

    Examples
    --------
    A column of 50 random values seems to be informative about a coin, but is not:

    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import CorrectedInformation, information
    >>> rng = np.random.default_rng(0)
    >>> codes = np.stack([rng.integers(0, 50, 200), rng.integers(0, 2, 200)], axis=1)
    >>> counts = count(CodedRows(codes, rng.integers(0, 2, 200), np.array([50, 2]), n_classes=2))
    >>> info = information(counts)
    >>> float(info.given_class[0, 1].round(3)), float(CorrectedInformation(info, counts).row(0)[1].round(3))
    (0.296, -0.085)
    """

    def __init__(self, info: InformationLike, values: Counts) -> None:
        self._info, self._optimism = info, _Optimism(values)
        self.with_class = info.with_class - self._optimism.with_class

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.with_class)

    def row(self, i: int) -> NDArray[np.float64]:
        """Corrected I(Xi; Xj | Y) of feature i and every j, shape (d,); 0 for itself."""
        out = self._info.row(i) - self._optimism.row(i)
        out[i] = 0.0
        return out

    def rows(self, features: NDArray[np.intp]) -> NDArray[np.float64]:
        """The rows of several features, shape (m, d)."""
        out = np.array(self._info.rows(features))
        for row, i in zip(out, features.tolist(), strict=True):
            row -= self._optimism.row(i)
            row[i] = 0.0
        return out


def corrected_class_information(values: Counts) -> NDArray[np.float64]:
    """I(Xj; Y) of every feature minus what is expected by chance, shape (d,).

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count_values
    >>> from gnbayes.structure import corrected_class_information
    >>> codes, labels = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]), np.array([0, 0, 1, 1])
    >>> rows = CodedRows(codes, labels, np.full(3, 2), 2)
    >>> corrected_class_information(count_values(rows)).round(3).tolist()
    [0.489, 0.489, -0.204]
    """
    return np.asarray(class_information(values) - _Optimism(values).with_class)


class _Optimism:
    """Information that tables show by chance or lose on new rows, from the numbers of values in each class."""

    def __init__(self, values: Counts) -> None:
        self._class_rows = np.maximum(values.classes.astype(np.float64), np.finfo(np.float64).tiny)
        self._class_share = values.classes / values.n
        n_seen = np.add.reduceat((values.singles > 0).astype(np.intp), values.offsets[:-1], axis=0)
        is_seen = values.singles.sum(axis=1) > 0
        free = np.add.reduceat(is_seen.astype(np.intp), values.offsets[:-1]) - 1
        # A feature with one value has information 0, and must not become the parent of features with less than 0.
        self._is_constant, self._most = free <= 0, float(_by_chance(np.array(values.n, dtype=np.float64)))
        with_class = _by_chance(np.maximum(free, 0) * (np.count_nonzero(values.classes) - 1) / values.n)
        self.with_class = np.where(self._is_constant, self._most, with_class)
        # Features with the same numbers of values in every class share everything below; there are few such profiles.
        self._profiles, profile_of = np.unique(np.maximum(n_seen - 1, 0), axis=0, return_inverse=True)
        self._profile_of = profile_of.ravel()
        self._rows: dict[int, NDArray[np.float64]] = {}

    def row(self, i: int) -> NDArray[np.float64]:
        """The correction for feature i and every feature, given the class, shape (d,); read-only."""
        if self._is_constant[i]:
            return np.full(len(self._profile_of), self._most)
        profile = int(self._profile_of[i])
        if profile not in self._rows:
            if len(self._rows) == _MOST_ROWS:
                self._rows.clear()
            self._rows[profile] = self._row_of_profile(profile)
        return self._rows[profile]

    def _row_of_profile(self, profile: int) -> NDArray[np.float64]:
        cells_by_class = self._profiles * self._profiles[profile]
        by_profile = (self._class_share * _by_chance(cells_by_class / self._class_rows)).sum(axis=1)
        return np.where(self._is_constant, self._most, by_profile[self._profile_of])


def _by_chance(cells_per_row: NDArray[np.float64]) -> NDArray[np.float64]:
    """The amount subtracted from the information of a table, from its degrees of freedom per row."""
    return _TIMES_EXPECTED * np.log1p(cells_per_row + cells_per_row**2) / 2


@dataclass(frozen=True)
class InformationChoice:
    """One value of the `information` parameter; call it with plug-in information and the counts of values.

    Parameters
    ----------
    estimator : callable
    description : str
        Text that completes "the tree is chosen by".
    breaks_ties_by_position : bool
        Whether ties go to the first column, as in the paper, instead of being broken by the counts of the columns.

    Examples
    --------
    >>> from gnbayes.structure import INFORMATIONS
    >>> INFORMATIONS["plug-in"].description
    'information of the training rows, as in the paper'
    """

    estimator: Callable[[InformationLike, Counts], InformationLike]
    description: str
    breaks_ties_by_position: bool

    def __call__(self, info: InformationLike, values: Counts) -> InformationLike:
        return self.estimator(info, values)


def _plug_in(info: InformationLike, _values: Counts) -> InformationLike:
    return info


INFORMATIONS: dict[str, InformationChoice] = {
    "corrected": InformationChoice(CorrectedInformation, "information that new rows can be expected to have", False),
    "plug-in": InformationChoice(_plug_in, "information of the training rows, as in the paper", True),
}
