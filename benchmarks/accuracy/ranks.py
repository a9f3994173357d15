"""Ranks of rivals over tables, and which differences of mean ranks are more than chance (Demšar, JMLR 7, 2006)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Friedman:
    """The test that all rivals are alike: Friedman's chi-square, and its sharper form by Iman and Davenport."""

    chi_square: float
    f: float
    p_value: float


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Of mean ranks, over tables drawn with replacement: ends of the interval, and how often each was the best."""

    low: Floats
    high: Floats
    first: Floats


def ranks(losses: Floats) -> Floats:
    """Rank of each rival on each table, (tables, rivals); 1 is the least loss, equals share their mean rank."""
    return stats.rankdata(losses, axis=1)


def friedman(ranks: Floats) -> Friedman:
    """Friedman's test of ranks (tables, rivals); the p-value is that of Iman and Davenport's F."""
    n, k = ranks.shape
    chi_square = 12 * n / (k * (k + 1)) * ((ranks.mean(axis=0) ** 2).sum() - k * (k + 1) ** 2 / 4)
    room = n * (k - 1) - chi_square
    f = (n - 1) * chi_square / room if room > 0 else np.inf
    return Friedman(float(chi_square), float(f), float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))))


def bootstrap(ranks: Floats, level: float = 0.95, repeats: int = 10_000) -> Uncertainty:
    """Uncertainty of the mean ranks of ranks (tables, rivals), if these tables are a sample of all that there could be.

    Where several have the best mean rank in a drawn sample, they share it.
    """
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(len(ranks), np.full(len(ranks), 1 / len(ranks)), size=repeats)
    means = drawn @ ranks / len(ranks)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
    best = np.isclose(means, means.min(axis=1, keepdims=True), rtol=0, atol=1e-9)
    return Uncertainty(low, high, (best / best.sum(axis=1, keepdims=True)).mean(axis=0))


def critical_difference(n_tables: int, n_rivals: int, level: float = 0.05) -> float:
    """Nemenyi: two mean ranks that are further apart than this differ, at the given level for all pairs together."""
    quantile = stats.studentized_range.ppf(1 - level, n_rivals, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(n_rivals * (n_rivals + 1) / (6 * n_tables)))


def groups(mean_ranks: Floats, difference: float) -> list[tuple[float, float]]:
    """First and last rank of every largest group whose members are not further apart than `difference`."""
    ordered = np.sort(mean_ranks)
    ends = [ordered[ordered <= first + difference][-1] for first in ordered]
    found = [(first, last) for first, last in zip(ordered, ends, strict=True) if last > first]
    # A group that ends where the one before it ends lies within it.
    return [group for i, group in enumerate(found) if i == 0 or group[1] > found[i - 1][1]]
