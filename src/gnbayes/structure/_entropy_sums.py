"""Sums of ``c log c`` over the cells of tables, from which entropies and information follow.

For whole-number counts these sums are taken in fixed point, as integers: the result does not depend on the order of
addition, so every way of counting and every number of threads gives the same bits; equal tables give equal bits, and a
constant feature has exactly zero information.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts, TermScale


class EntropySums:
    """Sums of ``c log c`` over the single tables of Counts; entropies are ``(total - sum) / n``."""

    def __init__(self, counts: Counts) -> None:
        self._n = counts.n
        self.is_whole = counts.classes.dtype.kind == "i"
        self.dtype = np.dtype(np.int64 if self.is_whole else np.float64)
        total = self._n * np.log(self._n) if self._n > 1 else 1.0
        # Four times the largest sum still fits into 63 bits.
        self._scale = 2.0 ** (60 - int(np.ceil(np.log2(total + 1)))) if self.is_whole else 1.0
        starts = counts.offsets[:-1]
        self.total = self.terms(np.array([self._n]))[0]
        self.of_class = self.terms(counts.classes).sum()
        self.of_features = np.add.reduceat(self.terms(counts.singles.sum(axis=1)), starts)
        self.of_features_and_class = np.add.reduceat(self.terms(counts.singles).sum(axis=1), starts)

    def terms(self, counts: NDArray[Any]) -> NDArray[Any]:
        """``c log c`` of every count, in fixed point if counts are integers."""
        if self.is_whole and counts.size > self._n:
            return self._table.take(counts, mode="clip")  # clip: skips a second bounds check
        return self._compute(counts)

    def _compute(self, counts: NDArray[Any]) -> NDArray[Any]:
        values = np.ascontiguousarray(counts, dtype=np.float64)
        terms = values * np.log(values, where=values > 0, out=np.zeros_like(values))
        return np.rint(terms * self._scale).astype(np.int64) if self.is_whole else terms

    def scale(self, *, of_terms: bool = False) -> TermScale:
        """What the kernels need to turn cells of whole numbers, or terms of cells, into information."""
        terms = None if of_terms else self._table
        return TermScale(terms, self.of_features_and_class, int(self.of_class), self._scale, float(self._n))

    @cached_property
    def _table(self) -> NDArray[np.int64]:
        """``c log c`` of 0, 1, ..., n."""
        return self._compute(np.arange(self._n + 1))

    def in_nats(self, sums: NDArray[Any]) -> NDArray[np.float64]:
        """A combination of sums as information in nats, never below 0."""
        return np.maximum(sums / self._scale / self._n, 0.0)
