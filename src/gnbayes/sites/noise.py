"""Integer noise for differential privacy, drawn exactly."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gnbayes.sites.privacy import Privacy, exact_epsilon, noise_parts
from gnbayes.sites.site_counts import SiteCounts, check_untouched


def add_noise(counts: SiteCounts, epsilon: str | float | Fraction, seed: int | None = None) -> SiteCounts:
    """Add noise to every number of a release, for epsilon-differential privacy.

    Neighbors differ by one row, or by all rows of one person where `counts` bounds them. A row is in one cell of every
    table and changes every dependence by at most 2. So the sensitivity of m tables is m, and that of m dependences 2 m,
    times the rows of a person. Every number gets discrete Laplace noise of scale sensitivity / epsilon, drawn exactly
    (Canonne, Kamath and Steinke 2020) from the operating system's random numbers. The parts of a release share
    epsilon, see `noise_parts`.

    Parameters
    ----------
    counts : SiteCounts
        Exact counts. The table of the classes is added, except for counts of a tree.
    epsilon : decimal number
        At least 1e-6, for the whole release: a site that releases counts twice spends it twice.
    seed : int, optional
        For tests only; it is written into the file.

    Notes
    -----
    The guarantee covers the counts. It does not cover features and classes learned from the same rows: take these from
    elsewhere, or agree on edges and categories beforehand.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import add_noise, count_site, propose_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> counts = count_site(features, [table], "columns")
    >>> noisy = add_noise(counts, epsilon="0.5", seed=0)  # with a seed it is an example, and not private
    >>> noisy.privacy.epsilon, noisy.privacy.is_exact
    ('0.5', False)
    """
    exact = exact_epsilon(epsilon)
    check_untouched(counts)
    counts = _with_classes(counts) if counts.what != "tree" else counts
    parts = noise_parts(
        counts.what,
        sum(1 for table in counts.tables if table),
        len(counts.dependences),
        exact,
        1 if counts.persons is None else counts.persons.most_rows,
        with_classes=() in counts.tables,
    )
    rng = random.SystemRandom() if seed is None else random.Random(seed)
    noise = {part.name: (part.scale, rng) for part in parts}
    cells = [
        table.ravel() + discrete_laplace(table.size, *noise["tables" if features else "classes"])
        for features, table in counts.split().items()
    ]
    dependences = counts.dependences
    if len(dependences):
        dependences = dependences + discrete_laplace(len(dependences), *noise["dependences"])
    privacy = Privacy(None, str(epsilon), parts, seed)
    return replace(counts, cells=np.concatenate(cells), dependences=dependences, privacy=privacy, words=None)


def _with_classes(counts: SiteCounts) -> SiteCounts:
    """The same counts, preceded by the table of the classes."""
    first = next(iter(counts.split().values()))
    classes = first.reshape(-1, first.shape[-1]).sum(axis=0)
    return replace(counts, tables=((), *counts.tables), cells=np.concatenate([classes, counts.cells]))


def discrete_laplace(n: int, scale: Fraction, rng: random.Random) -> NDArray[np.int64]:
    """Draw n integers x with P(x) proportional to exp(-|x| / scale), exactly.

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
