"""The fitted model: an intercept and terms, P(y | x), together with the joint distribution of a tree, P(x)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Encoder, Feature
from gnbayes.model.joint import Joint
from gnbayes.model.learned import LearnedParts
from gnbayes.model.term import Term
from gnbayes.structure import Tree

Array = NDArray[np.float64]
UnknownRule = Literal["summed out", "averaged", "dropped"]


@dataclass(frozen=True, eq=False)
class Parts:
    """Scores of rows, decomposed: ``base + contributions.sum(axis=1) + unknown``.

    Parameters
    ----------
    base : ndarray of shape (k,)
        Base value of all rows.
    contributions : ndarray of shape (n, number of terms, k)
        Contribution of each term; 0 if it is not known.
    is_known : ndarray of shape (n, number of terms)
        Whether the features of the term are known in the row.
    unknown : ndarray of shape (n, k)
        Contribution of averaging over unknown features; 0 in rows where all features are known.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> parts = clf.model_.parts(clf._codes(X[:5]))
    >>> parts.base.shape, parts.contributions.shape, bool(parts.is_known.all())
    ((3,), (5, 7, 3), True)
    """

    base: Array
    contributions: Array
    is_known: NDArray[np.bool_]
    unknown: Array


@dataclass(frozen=True, eq=False)
class Anchor:
    """A correction toward the class prior when nothing is known, which fades as more features are known.

    Parameters
    ----------
    lacking : ndarray of shape (k,)
        Log prior minus the logarithm of the mean prediction when nothing is known.
    importances : ndarray of shape (d,)
        Share of `lacking` that is added to the log-probabilities if a feature is unknown; the sum is 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> anchor = clf.model_.anchor
    >>> anchor.lacking.shape, round(float(anchor.importances.sum()), 9)
    ((3,), 1.0)
    """

    lacking: Array
    importances: Array


class Model(ABC):
    """A fitted model, from which predictions, explanations, effects, reports and files are computed.

    Attributes
    ----------
    features : tuple of Feature
    classes : ndarray of shape (k,)

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> model = clf.model_
    >>> len(model.terms), model.unknown_rule, model.scores(clf._codes(X[:5])).shape
    (7, 'averaged', (5, 3))
    """

    features: tuple[Feature, ...]
    classes: NDArray[Any]
    tree: Tree

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder of tables."""
        return Encoder(self.features)

    @property
    @abstractmethod
    def joint(self) -> Joint:
        """The joint distribution of features and class along the tree."""

    @property
    def learned_parts(self) -> LearnedParts | None:
        """What was learned from rows; None if everything follows from the counts of the tree."""
        return None

    @property
    def anchor(self) -> Anchor:
        """The correction for averaging over completions; none if unknown features are summed out."""
        return Anchor(np.zeros(len(self.classes)), np.zeros(len(self.features)))

    @property
    @abstractmethod
    def unknown_rule(self) -> UnknownRule:
        """How unknown features are treated: summed out exactly, averaged over completions, or dropped."""

    @property
    @abstractmethod
    def intercept(self) -> Array:
        """Base value of the scores of all rows, shape (k,)."""

    @property
    @abstractmethod
    def terms(self) -> tuple[Term, ...]:
        """The terms: the scores of a row in which all features are known are the base plus their sum."""

    @property
    @abstractmethod
    def maps(self) -> tuple[NDArray[np.intp], ...]:
        """For each feature, the code in the joint distribution of every code, shape (v_j,)."""

    @property
    @abstractmethod
    def within(self) -> tuple[Array, ...]:
        """For each feature, P(code | its code in the joint distribution, y), shape (v_j, k)."""

    @abstractmethod
    def scores(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        """Scores of every row and class, shape (n, k); P(y | known features) is the softmax of the scores.

        Parameters
        ----------
        codes : ndarray of shape (n, d)
            Codes from the number of values of a feature on are unknown.
        n_threads : int, default=1
            Number of threads; the result does not depend on it.
        """

    @abstractmethod
    def log_joint(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        """Log P(x) + log P(y | x) for the known features of every row, for every class, shape (n, k)."""

    @abstractmethod
    def parts(self, codes: NDArray[Any]) -> Parts:
        """Scores decomposed into terms."""

    def score_spread(self, codes: NDArray[Any]) -> Array | None:
        """Standard error of the log-odds of every row and class, shape (n, k); None if unknown.

        Log-odds are the score of a class minus the mean score of the others. If features are unknown, they are those of
        the mean over completions.
        """
        return None

    @abstractmethod
    def draw_labels(self, codes: NDArray[Any], labels: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
        """Classes of rows that were drawn from the joint distribution together with the classes `labels`, shape
        (n,).
        """

    @property
    @abstractmethod
    def effects(self) -> tuple[Term, ...]:
        """Terms that show the effect of each feature by itself, and of each pair beyond its features; see `purify`."""

    def log_evidence(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        """Log P(x) for the known features of each row, under the joint distribution, shape (n,)."""
        return np.asarray(np.logaddexp.reduce(self.joint.log_joint(self.joint_codes(codes), n_threads), axis=1))

    def joint_codes(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Codes in the joint distribution, shape (n, d); unknown ones stay unknown."""
        out = np.empty(codes.shape, dtype=np.uint32, order="F")
        for j, (own, size) in enumerate(zip(self.maps, self.joint.cardinalities.tolist(), strict=True)):
            out[:, j] = np.append(own, size)[np.minimum(codes[:, j], len(own))]
        return out

    def sample(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Draw samples: features from the joint distribution, then the class given the features.

        Returns
        -------
        codes : ndarray of shape (n, d)
            Features that are not used are missing.
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
    """Identity maps of codes."""
    return tuple(np.arange(size) for size in sizes)
