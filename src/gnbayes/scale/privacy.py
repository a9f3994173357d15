"""What a site may do to its counts before it gives them away, and how such counts become valid tables again."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from gnbayes.scale.sites import SiteCounts

MECHANISM = "discrete Laplace"
_SWEEPS = 100

Tables = dict[tuple[int, ...], NDArray[Any]]

# Below, noise would not fit into whole numbers of 64 bits, and nothing would be left to learn from long before.
_SMALLEST_EPSILON = Fraction(1, 10**6)


@dataclass(frozen=True)
class Privacy:
    """What was done to counts.

    Parameters
    ----------
    suppressed_below : int, optional
        Cells of fewer rows were set to 0.
    epsilon : str, optional
        Of differential privacy, as a decimal number: neighbours differ by one row that is added or removed.
    sensitivity : int, optional
        Cells that one row changes, by 1 each: the number of tables.
    seed : int, optional
        Of the noise, for tests: whoever knows it can take the noise off again.
    """

    suppressed_below: int | None = None
    epsilon: str | None = None
    sensitivity: int | None = None
    seed: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether nothing was done."""
        return self.suppressed_below is None and self.epsilon is None


NOTHING_DONE = Privacy()


def suppress(counts: SiteCounts, threshold: int) -> SiteCounts:
    """Set cells of fewer rows than a threshold to 0.

    Totals are not kept: they follow from the tables, each of which now misses other rows, and are brought to agreement
    when counts are merged. So the model is not that of all rows. It is no proof of privacy either: tables of the same
    rows can be compared with each other. For that use `add_noise`.

    Parameters
    ----------
    counts : SiteCounts
    threshold : int
        From 2.
    """
    if not isinstance(threshold, int | np.integer) or threshold < 2:
        raise ValueError(f"threshold must be a whole number from 2, got {threshold!r} instead.")
    _check_untouched(counts)
    cells = np.where(counts.cells < threshold, 0, counts.cells)
    return replace(counts, cells=cells, privacy=Privacy(suppressed_below=int(threshold)))


def add_noise(counts: SiteCounts, epsilon: str | float | Fraction, seed: int | None = None) -> SiteCounts:
    """Add noise to every cell, for epsilon-differential privacy of single rows.

    One row is in one cell of each of the m tables, so that adding or removing it changes m cells by 1. Every cell gets
    discrete Laplace noise, P(x) proportional to exp(-|x| epsilon / m), drawn exactly (Canonne, Kamath and Steinke 2020)
    from the operating system's random numbers.

    Parameters
    ----------
    counts : SiteCounts
    epsilon : decimal number
        From 1e-6. For all of the tables together: a site that gives away counts twice spends it twice.
    seed : int, optional
        For tests alone; it is written into the file.

    Notes
    -----
    The guarantee is for the cells. Features and classes that were learned from the same rows are not covered by it:
    take them from elsewhere, or agree on edges and categories beforehand.
    """
    try:
        exact = Fraction(str(epsilon))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(0)
    if exact < _SMALLEST_EPSILON:
        raise ValueError(f"epsilon must be a number from 1e-6, got {epsilon!r} instead.")
    _check_untouched(counts)
    sensitivity = len(counts.tables)
    rng = random.SystemRandom() if seed is None else random.Random(seed)
    noise = discrete_laplace(len(counts.cells), sensitivity / exact, rng)
    return replace(counts, cells=counts.cells + noise, privacy=Privacy(None, str(epsilon), sensitivity, seed))


def discrete_laplace(n: int, scale: Fraction, rng: random.Random) -> NDArray[np.int64]:
    """Draw n whole numbers x with P(x) proportional to exp(-|x| / scale), exactly.

    Algorithm 2 of Canonne, Kamath and Steinke (2020), The discrete Gaussian for differential privacy.

    Examples
    --------
    >>> import random
    >>> from fractions import Fraction
    >>> from gnbayes.scale.privacy import discrete_laplace
    >>> discrete_laplace(8, Fraction(2), random.Random(0)).dtype
    dtype('int64')
    """
    t, s = scale.numerator, scale.denominator
    return np.array([_draw(t, s, rng) for _ in range(n)], dtype=np.int64)


def repaired(
    tables: Tables, cardinalities: NDArray[np.intp], n_classes: int
) -> tuple[NDArray[np.float64], list[NDArray[np.float64]], Tables]:
    """Valid tables that agree with each other, from tables with noise or without small cells.

    Totals of classes, then of single features, are means over all tables, which weigh the less the more cells they add
    up; cells below 0 are made 0 by taking the same off all cells of a class; and tables of pairs are brought to the
    totals by iterative proportional fitting.

    Parameters
    ----------
    tables : dict of {features: ndarray}
        Of shape (v_i, v_j, k), or (v_j, k).
    cardinalities : ndarray of shape (d,)
    n_classes : int

    Returns
    -------
    classes : ndarray of shape (k,)
        At least 1 each.
    singles : list of ndarray of shape (v_j, k)
    tables : dict of {features: ndarray}
    """
    sums = [table.reshape(-1, n_classes).sum(axis=0) for table in tables.values()]
    classes = np.maximum(_mean(sums, [table.size for table in tables.values()]), 1.0)
    singles = []
    for j in range(len(cardinalities)):
        found = [(features, table) for features, table in tables.items() if j in features]
        own = [table if len(features) == 1 else table.sum(axis=1 - features.index(j)) for features, table in found]
        singles.append(_with_total(_mean(own, [table.size for _, table in found]), classes))
    pairs: Tables = {
        (i, j): _fitted(_with_total(table, classes), singles[i], singles[j])
        for (i, j), table in ((features, table) for features, table in tables.items() if len(features) == 2)
    }
    return classes, singles, pairs or {(j,): single for j, single in enumerate(singles)}


def _check_untouched(counts: SiteCounts) -> None:
    if not counts.privacy.is_exact:
        raise ValueError(
            "something was done to these counts already; start from the counts of the rows, and choose one."
        )


def _draw(t: int, s: int, rng: random.Random) -> int:
    while True:
        u = rng.randrange(t)
        if not _bernoulli_exp(u, t, rng):
            continue
        v = 0
        while _bernoulli_exp(1, 1, rng):
            v += 1
        size = (u + t * v) // s
        is_negative = rng.randrange(2) == 1
        if not (is_negative and size == 0):
            return -size if is_negative else size


def _bernoulli_exp(numerator: int, denominator: int, rng: random.Random) -> bool:
    """True with probability exp(-numerator / denominator), a fraction from 0 to 1."""
    k = 1
    while rng.randrange(denominator * k) < numerator:
        k += 1
    return k % 2 == 1


def _mean(tables: Iterable[NDArray[Any]], sizes: Sequence[int]) -> NDArray[np.float64]:
    """Mean with weights 1 / size: noise adds up with the cells."""
    return np.average(np.stack(list(tables)).astype(np.float64), axis=0, weights=1 / np.array(sizes))


def _with_total(table: NDArray[Any], totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """The nearest table, by squares, without cells below 0 whose classes have the given totals."""
    cells = table.reshape(-1, len(totals)).astype(np.float64)
    ordered = -np.sort(-cells, axis=0)
    excess = (np.cumsum(ordered, axis=0) - totals) / np.arange(1, len(cells) + 1)[:, None]
    n_kept = (ordered > excess).sum(axis=0)
    cut = excess[n_kept - 1, np.arange(len(totals))]
    return np.maximum(cells - cut, 0.0).reshape(table.shape)


def _fitted(table: NDArray[np.float64], left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """A table of pairs with the totals of its two features, shapes (v_i, k) and (v_j, k).

    What proportions alone cannot reach, as where all cells of a value are 0, is added as if the features were
    independent: the rounding of Altschuler, Weed and Rigollet (2017).
    """
    for _ in range(_SWEEPS):
        table = table * _ratio(left, table.sum(axis=1))[:, None]
        table = table * _ratio(right, table.sum(axis=0))[None]
    table = table * np.minimum(_ratio(left, table.sum(axis=1)), 1.0)[:, None]
    table = table * np.minimum(_ratio(right, table.sum(axis=0)), 1.0)[None]
    short_left, short_right = (np.maximum(t, 0.0) for t in (left - table.sum(axis=1), right - table.sum(axis=0)))
    return table + short_left[:, None] * _ratio(short_right, np.broadcast_to(short_left.sum(axis=0), short_right.shape))


def _ratio(wanted: NDArray[np.float64], found: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(wanted, found, out=np.zeros_like(found), where=found > 0)
