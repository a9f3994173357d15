"""What a fitted classifier is: an intercept and terms, P(y | x), beside the joint distribution of a tree, P(x)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Feature
from gnbayes.model.joint import Joint
from gnbayes.model.learned import LearnedParts
from gnbayes.model.term import Term
from gnbayes.structure import Tree

Array = NDArray[np.float64]
UnknownRule = Literal["summed out", "averaged", "dropped"]


@dataclass(frozen=True, eq=False)
class Parts:
    """Scores of rows taken apart: ``base + contributions.sum(axis=1) + unknown``.

    Parameters
    ----------
    base : ndarray of shape (k,)
        What all rows start from.
    contributions : ndarray of shape (n, number of terms, k)
        What each term adds; 0 where it is not known.
    is_known : ndarray of shape (n, number of terms)
        Whether the features of the term are known in the row.
    unknown : ndarray of shape (n, k)
        What averaging over unknown features adds; 0 in rows where all features are known.
    """

    base: Array
    contributions: Array
    is_known: NDArray[np.bool_]
    unknown: Array


@dataclass(frozen=True, eq=False)
class Anchor:
    """What brings the answer to the class prior where nothing is known, and fades as more is known.

    Parameters
    ----------
    lacking : ndarray of shape (k,)
        Log prior less the logarithm of the mean answer where nothing is known.
    importances : ndarray of shape (d,)
        Share of `lacking` that is added to the log-probabilities where a feature is unknown; the sum is 1.
    """

    lacking: Array
    importances: Array


class Model(ABC):
    """A fitted model: all that prediction, explanation, effects, reports and files know.

    Attributes
    ----------
    features : tuple of Feature
    classes : ndarray of shape (k,)
    """

    features: tuple[Feature, ...]
    classes: NDArray[Any]
    tree: Tree

    @property
    @abstractmethod
    def joint(self) -> Joint:
        """The joint distribution of features and class along the tree."""

    @property
    def learned_parts(self) -> LearnedParts | None:
        """What was learned from rows; None where everything follows from the counts of the tree."""
        return None

    @property
    def anchor(self) -> Anchor:
        """What averaging over completions lacks; nothing where unknown features are summed out."""
        return Anchor(np.zeros(len(self.classes)), np.zeros(len(self.features)))

    @property
    @abstractmethod
    def unknown_rule(self) -> UnknownRule:
        """What is done about unknown features: summed out exactly, averaged over completions, or dropped."""

    @property
    @abstractmethod
    def intercept(self) -> Array:
        """What the scores of all rows start from, shape (k,)."""

    @property
    @abstractmethod
    def terms(self) -> tuple[Term, ...]:
        """What is added to it: the scores of a row in which all features are known are the sum."""

    @property
    @abstractmethod
    def maps(self) -> tuple[NDArray[np.intp], ...]:
        """For each feature the code in the joint distribution of every code, shape (v_j,)."""

    @property
    @abstractmethod
    def within(self) -> tuple[Array, ...]:
        """For each feature P(code | its code in the joint distribution, y), shape (v_j, k)."""

    @abstractmethod
    def scores(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        """Scores of every row and class, shape (n, k); P(y | what is known of the row) is their softmax.

        Parameters
        ----------
        codes : ndarray of shape (n, d)
            A code from the number of values of a feature on is unknown.
        n_threads : int, default=1
            Threads that share the rows; the result does not depend on it.
        """

    @abstractmethod
    def log_joint(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        """Log P(x) + log P(y | x) of what is known of every row, for every class, shape (n, k)."""

    @abstractmethod
    def parts(self, codes: NDArray[Any]) -> Parts:
        """Scores taken apart, term by term."""

    def score_spread(self, codes: NDArray[Any]) -> Array | None:
        """Standard error of the log-odds of every row and class, shape (n, k); None where it is not known.

        Log-odds are the score of a class less the mean score of the others. The spread of a term whose features are not
        all known is left out.
        """
        return None

    @abstractmethod
    def draw_labels(self, codes: NDArray[Any], labels: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
        """Classes of rows drawn from the joint distribution, whose classes there were `labels`, shape (n,)."""

    @property
    @abstractmethod
    def effects(self) -> tuple[Term, ...]:
        """Terms that show what each feature adds by itself, and each pair beyond both; see `purify`."""

    def log_evidence(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        """Log P(x) of what is known of each row, under the joint distribution, shape (n,)."""
        return np.asarray(np.logaddexp.reduce(self.joint.log_joint(self.joint_codes(codes), n_threads), axis=1))

    def joint_codes(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Codes in the joint distribution, shape (n, d); unknown ones stay unknown."""
        out = np.empty(codes.shape, dtype=np.uint32, order="F")
        for j, (own, size) in enumerate(zip(self.maps, self.joint.cardinalities.tolist(), strict=True)):
            out[:, j] = np.append(own, size)[np.minimum(codes[:, j], len(own))]
        return out

    def sample(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Draw rows: features from the joint distribution, then the class given the features.

        Returns
        -------
        codes : ndarray of shape (n, d)
            Features that are not used come out as missing.
        labels : ndarray of shape (n,)
        """
        coarse, labels = self.joint.sample(n, rng)
        codes = np.tile([feature.missing_code for feature in self.features], (n, 1))
        for j in self.tree.order.tolist():
            codes[:, j] = draw_within(coarse[:, j], labels, self.maps[j], self.within[j], rng)
        return codes, self.draw_labels(codes, labels, rng)


def draw_within(
    coarse: NDArray[np.intp], labels: NDArray[np.intp], own: NDArray[np.intp], within: Array, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Draw codes given their codes in the joint distribution and the classes, shape (n,)."""
    if len(own) == int(own.max()) + 1:
        return coarse
    codes = np.empty(len(coarse), dtype=np.intp)
    for value in range(int(own.max()) + 1):
        members = np.flatnonzero(own == value)
        rows = np.flatnonzero(coarse == value)
        reached = np.cumsum(within[members][:, labels[rows]], axis=0)
        at = (rng.random(len(rows)) * reached[-1] >= reached).sum(axis=0)
        codes[rows] = members[np.minimum(at, len(members) - 1)]
    return codes


def softmax(scores: Array) -> Array:
    """Probabilities of the classes, along the last axis."""
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def identity_maps(sizes: Sequence[int]) -> tuple[NDArray[np.intp], ...]:
    """Maps that leave every code as it is."""
    return tuple(np.arange(size) for size in sizes)
