"""Means and standard deviations over the splits, one row per score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gnbayes.reproduction.protocol import SCORES, Measured
from gnbayes.reproduction.published import published

# The paper ran every classifier on five random splits.
PAPER_SPLITS = 5


@dataclass(frozen=True)
class Row:
    """One score of one classifier on one data set.

    Parameters
    ----------
    protocol : {"paper", "honest", "guess"}
    data, model : str
    reading : str
        How the paper was read, or which alternative was tried.
    features : {"all", "chosen"}
    n_features : float
        Mean number of features over the splits.
    score : str
    mean, spread : float
        Mean and standard deviation over the splits.
    splits : int
    published : float or None
        The paper's number.
    """

    protocol: str
    data: str
    model: str
    reading: str
    features: str
    n_features: float
    score: str
    mean: float
    spread: float
    splits: int
    published: float | None

    @property
    def distance(self) -> float | None:
        """The paper's number minus the mean, in standard errors of a difference of means; None without a number."""
        if self.published is None or self.spread == 0:
            return None
        return (self.published - self.mean) / (self.spread * np.sqrt(1 / PAPER_SPLITS + 1 / self.splits))


def summarize(measured: Measured) -> Iterator[Row]:
    """All rows of one classifier on one data set.

    Parameters
    ----------
    measured : Measured

    Yields
    ------
    row : Row
    """
    kinds: tuple[Literal["all", "chosen"], ...] = ("all",) if measured.chosen is None else ("all", "chosen")
    for features in kinds:
        n_features = float(measured.n_features(features).mean())
        for score in SCORES:
            values = measured.scores(score, features)
            yield Row(
                measured.protocol,
                measured.data,
                measured.model,
                measured.reading,
                features,
                n_features,
                *mean_and_spread(score, values),
                len(values),
                published(score, measured.data, measured.structure) if measured.protocol == "paper" else None,
            )


def mean_and_spread(score: str, values: NDArray[np.float64]) -> tuple[str, float, float]:
    """Name, mean and standard deviation of a score; log-loss is positive."""
    name, sign = score.removeprefix("neg_"), -1 if score.startswith("neg_") else 1
    return name, sign * float(values.mean()), float(values.std(ddof=1))
