"""Noise for differential privacy: drawn exactly, in whole numbers."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gnbayes.sites.site_counts import Privacy, SiteCounts, check_untouched

MECHANISM = "discrete Laplace"
# Below, noise would not fit into whole numbers of 64 bits, and nothing would be left to learn from long before.
_SMALLEST_EPSILON = Fraction(1, 10**6)


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
    check_untouched(counts)
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
    >>> from gnbayes.sites.noise import discrete_laplace
    >>> discrete_laplace(8, Fraction(2), random.Random(0)).dtype
    dtype('int64')
    """
    t, s = scale.numerator, scale.denominator
    return np.array([_draw(t, s, rng) for _ in range(n)], dtype=np.int64)


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
