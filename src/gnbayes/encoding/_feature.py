"""The description of one column: how its values are encoded as small integers, and how they are labeled."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._column_summary import middles


@dataclass(frozen=True)
class Feature:
    """One column of a table as the model sees it.

    Values have the codes ``0 .. n_values - 1``. A missing value has the code ``n_values``, a value never seen
    in training the code ``n_values + 1``. If values were missing in training, "missing" is a category of its own and is
    included in `cardinality`; every code from `cardinality` on is *absent*: the feature is unknown in that row.

    Parameters
    ----------
    name : str
        Name of the column.
    kind : {"interval", "category"}
        Bins ``[edge, next edge)`` of numbers, unbounded at both ends, or single values.
    edges : tuple of float
        Inner bin edges, increasing. Empty for categories.
    means : tuple of float
        Mean of the training values in each bin: the paper's representative value.
    categories : tuple
        The categories: sorted, or in the order declared by the table. Empty for bins.
    has_missing : bool
        Whether values were missing in training.
    transformer : object, optional
        A fitted scikit-learn transformer that is applied to the column before `categories` are looked up.
    coarse : tuple of int
        Coarser code of each value, for use in pairs with other features; empty if it is the code itself. If there were
        missing values in training, "missing" stays a separate value, the last one.
    has_order : bool
        Whether the table declares an order of the categories.

    Examples
    --------
    >>> from gnbayes.encoding import Feature
    >>> age = Feature("age", "interval", edges=(40.0, 60.0), means=(31.0, 50.0, 70.5))
    >>> age.labels
    ('age < 40', '40 <= age < 60', '60 <= age')
    >>> age.cardinality
    3
    """

    name: str
    kind: Literal["interval", "category"]
    edges: tuple[float, ...] = ()
    means: tuple[float, ...] = ()
    categories: tuple[Any, ...] = ()
    has_missing: bool = False
    transformer: Any = None
    coarse: tuple[int, ...] = ()
    has_order: bool = False

    @property
    def is_ordered(self) -> bool:
        """Whether adjacent codes represent similar values."""
        return self.kind == "interval" or self.has_order

    @property
    def n_values(self) -> int:
        """Number of values, not counting "missing"."""
        return len(self.edges) + 1 if self.kind == "interval" else len(self.categories)

    @property
    def cardinality(self) -> int:
        """Number of values the model has probabilities for; never 0."""
        return max(1, self.n_values + self.has_missing)

    @property
    def missing_code(self) -> int:
        """Code of a missing value."""
        return self.n_values

    @property
    def unseen_code(self) -> int:
        """Code of a value never seen in training."""
        return self.n_values + 1

    @cached_property
    def coarse_codes(self) -> NDArray[np.intp]:
        """Coarse code of each code that has probabilities, shape (cardinality,)."""
        if not self.coarse:
            return np.arange(self.cardinality)
        return np.array([*self.coarse, max(self.coarse) + 1][: self.cardinality], dtype=np.intp)

    @property
    def coarse_cardinality(self) -> int:
        """Number of coarse codes; never 0."""
        return int(self.coarse_codes.max()) + 1

    @property
    def is_text(self) -> bool:
        """Whether the values are text rather than numbers."""
        return bool(self.categories) and isinstance(self.categories[0], str)

    @cached_property
    def lookup(self) -> dict[Hashable, int]:
        """Code of each category."""
        return {category: code for code, category in enumerate(self.categories)}

    @property
    def lower_bounds(self) -> NDArray[np.float64]:
        """Smallest number of each value of a numeric column: the lower ends of the bins, or the categories."""
        return np.array([-np.inf, *self.edges] if self.kind == "interval" else self.categories, dtype=np.float64)

    @property
    def cuts(self) -> NDArray[np.float64]:
        """Boundaries between codes: bin edges, or midpoints between categories."""
        if self.kind == "interval":
            return np.array(self.edges, dtype=np.float64)
        return middles(np.array(self.categories, dtype=np.float64), np.arange(1, self.n_values))

    def are_known(self, codes: NDArray[Any], numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether numbers equal the categories of these codes, at least to the precision of float32.

        Integers must be exactly equal: they may be identifiers.
        """
        category = np.append(np.array(self.categories, dtype=np.float64), np.nan)
        is_same = category[codes] == numbers
        others = np.flatnonzero(~is_same)
        if len(others):
            nearest = category[codes[others]]
            with np.errstate(over="ignore"):
                is_near = nearest.astype(np.float32) == numbers[others].astype(np.float32)
            is_same[others] = is_near & (nearest != np.rint(nearest))
        return is_same

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """A readable name for every value that has probabilities."""
        if self.kind == "interval":
            values = _interval_labels(self.name, self.edges)
        else:
            values = tuple(f"{self.name} = {value_text(category)}" for category in self.categories)
        return values + (f"{self.name} missing",) * (self.cardinality - len(values))

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """The same in words, for sentences; also for missing and unseen values that the model omits."""
        if self.kind == "interval":
            values = _interval_phrases(self.name, self.edges)
        else:
            values = tuple(f"{self.name} = {value_text(category)}" for category in self.categories)
        missing = f"{self.name} missing" if self.has_missing else f"{self.name} missing (left out)"
        return (*values, missing, f"{self.name} never seen in training (left out)")

    def decode(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Convert codes back to values: bins to their means, missing and unseen values to NaN or None.

        Parameters
        ----------
        codes : ndarray of shape (n,)

        Returns
        -------
        values : ndarray of shape (n,)
            float64 for numbers, object for everything else.
        """
        codes = np.asarray(codes)
        known = codes < self.n_values
        if self.kind == "interval" or all(type(category) is float for category in self.categories):
            values = np.asarray([*(self.means or self.categories), np.nan], dtype=np.float64)
        else:
            values = np.empty(self.n_values + 1, dtype=object)
            values[: self.n_values] = list(self.categories)
        return values[np.where(known, codes, self.n_values)]


def value_text(value: Hashable) -> str:
    """Write a category as a person would: whole numbers without a point.

    Examples
    --------
    >>> from gnbayes.encoding import value_text
    >>> value_text(2.0), value_text(0.25), value_text("often")
    ('2', '0.25', 'often')
    """
    if isinstance(value, float):
        return f"{value:.15g}"
    return str(value)


def edge_texts(edges: tuple[float, ...]) -> list[str]:
    """Write edges with as few digits as keep them apart: whole numbers in full, others with at least six digits.

    Examples
    --------
    >>> from gnbayes.encoding import edge_texts
    >>> edge_texts((40.0, 41.123456789, 41.1234568))
    ['40', '41.12345679', '41.1234568']
    """
    for digits in range(6, 18):
        texts = [_number_text(edge, digits) for edge in edges]
        if len(set(texts)) == len(edges):
            break
    return texts


def _number_text(number: float, digits: int) -> str:
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    before_point = len(str(int(abs(number)))) if abs(number) < 1e15 else 0
    return f"{number:.{max(digits, before_point + 2)}g}"


def _interval_phrases(name: str, edges: tuple[float, ...]) -> tuple[str, ...]:
    texts = edge_texts(edges)
    if not texts:
        return (f"{name} any number",)
    middle = [f"{name} {low} to {high}" for low, high in pairwise(texts)]
    return (f"{name} below {texts[0]}", *middle, f"{name} {texts[-1]} or more")


def _interval_labels(name: str, edges: tuple[float, ...]) -> tuple[str, ...]:
    texts = edge_texts(edges)
    if not texts:
        return (f"{name} = any number",)
    middle = [f"{low} <= {name} < {high}" for low, high in pairwise(texts)]
    return (f"{name} < {texts[0]}", *middle, f"{texts[-1]} <= {name}")
