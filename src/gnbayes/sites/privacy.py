"""What was done to counts before they left a site: nothing, suppression, or noise of a known scale."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import exp, expm1

MECHANISM = "discrete Laplace"
# Below this, noise would not fit into 64-bit integers; counts are useless long before that.
SMALLEST_EPSILON = Fraction(1, 10**6)
# Above this, there would be no noise at all.
LARGEST_EPSILON = Fraction(10**6)
# A decimal number or a fraction, as written in files.
_NUMBER = re.compile(r"\d+(\.\d*)?([eE][+-]?\d{1,3})?|\d+/\d+", re.ASCII)


@dataclass(frozen=True)
class NoisePart:
    """Numbers of a release that have noise of the same scale.

    Parameters
    ----------
    name : {"classes", "tables", "dependences"}
        The table of the classes, all other tables, or the dependences of pairs.
    epsilon : Fraction
        What this part spends.
    sensitivity : int
        Total change of the numbers of this part if one row (or one person) is added or removed.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from gnbayes.sites import NoisePart
    >>> part = NoisePart("tables", Fraction(1, 2), sensitivity=10)
    >>> part.scale, round(part.variance)
    (Fraction(20, 1), 800)
    """

    name: str
    epsilon: Fraction
    sensitivity: int

    @property
    def scale(self) -> Fraction:
        """Scale of the noise: sensitivity over epsilon."""
        return self.sensitivity / self.epsilon

    @property
    def variance(self) -> float:
        """Variance of the noise of one number: 2 q / (1 - q)^2 with q = exp(-1 / scale)."""
        rate = -1.0 / float(self.scale)
        return 2.0 * exp(rate) / expm1(rate) ** 2


@dataclass(frozen=True)
class Privacy:
    """How counts were protected.

    Parameters
    ----------
    suppressed_below : int, optional
        Cells with fewer rows were set to 0.
    epsilon : str, optional
        Epsilon of differential privacy as a decimal number: the total of all parts.
    parts : tuple of NoisePart
        The scale of the noise in each part.
    seed : int, optional
        Seed of the noise, for tests only: anyone who knows it can remove the noise.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import add_noise, count_site, propose_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> privacy = add_noise(count_site(features, [table], "columns"), "0.5", seed=0).privacy
    >>> privacy.is_exact, privacy.epsilon, [part.name for part in privacy.parts]
    (False, '0.5', ['classes', 'tables'])
    """

    suppressed_below: int | None = None
    epsilon: str | None = None
    parts: tuple[NoisePart, ...] = ()
    seed: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the counts are unprotected."""
        return self.suppressed_below is None and self.epsilon is None

    def variance(self, name: str) -> float:
        """Variance of the noise in a part, 0 without noise."""
        return next((part.variance for part in self.parts if part.name == name), 0.0)


NOTHING_DONE = Privacy()


def exact_epsilon(epsilon: str | float | Fraction) -> Fraction:
    """Return epsilon as an exact fraction; raise an error if it is out of bounds or not a number."""
    try:
        exact = Fraction(str(epsilon)) if _NUMBER.fullmatch(str(epsilon)) else Fraction(0)
    except ZeroDivisionError:
        exact = Fraction(0)
    if not SMALLEST_EPSILON <= exact <= LARGEST_EPSILON:
        raise ValueError(f"epsilon must be a number from 1e-6 to 1e6, got {epsilon!r} instead.")
    return exact


def noise_parts(
    what: str, n_tables: int, n_dependences: int, epsilon: Fraction, most_rows: int, *, with_classes: bool
) -> tuple[NoisePart, ...]:
    """Divide the epsilon of a release among its parts.

    The class counts get a small share of their own: without them, not even the class frequencies would be known. In a
    survey, the columns get more than half, because naive Bayes is learned from them; the dependences, which are only
    used to choose the tree, get a quarter.

    Parameters
    ----------
    what : str
    n_tables : int
        Number of tables, without the table of the classes. A row is in one cell of each.
    n_dependences : int
    epsilon : Fraction
    most_rows : int
        Most rows that one protected unit can add: 1, or the limit per person.
    with_classes : bool
    """
    wanted = _SURVEY_SHARES if what == "survey" else _COUNT_SHARES
    sizes = {"classes": int(with_classes), "tables": n_tables, "dependences": 2 * n_dependences}
    present = {name: share for name, share in wanted.items() if sizes[name]}
    total = sum(present.values())
    return tuple(NoisePart(name, epsilon * share / total, sizes[name] * most_rows) for name, share in present.items())


_COUNT_SHARES = {"classes": Fraction(15, 100), "tables": Fraction(85, 100)}
_SURVEY_SHARES = {"classes": Fraction(20, 100), "tables": Fraction(55, 100), "dependences": Fraction(25, 100)}
