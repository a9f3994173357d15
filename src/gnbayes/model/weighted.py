"""Weighted models: terms fitted to minimize the log-loss, together with the joint distribution of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Feature
from gnbayes.kernels import ranges
from gnbayes.model.averaged_spread import averaged_variance
from gnbayes.model.completion import Completion
from gnbayes.model.joint import Joint
from gnbayes.model.learned import LearnedParts, LearnedTerms
from gnbayes.model.model import Anchor, Array, Model, Parts, UnknownRule, softmax
from gnbayes.model.nested import NestedCounts
from gnbayes.model.term import Term, TermSum, feature_importances
from gnbayes.structure import Tree

# Number of rows whose classes are drawn at a time.
_ROWS_AT_ONCE = 16384
# Probabilities are at least this large before their logarithm is taken.
_FLOOR = np.finfo(np.float64).tiny


@dataclass(frozen=True, eq=False)
class WeightedModel(Model):
    """P(y | x) is the softmax of intercept + terms, and P(x) that of the tree; their product is the joint distribution.

    If features are unknown, P(y | known) is the mean of P(y | x) over P(unknown | known).

    Parameters
    ----------
    features, classes, tree
        As in `Model`.
    learned : LearnedTerms
    log_prior : ndarray of shape (k,)
        Log-probabilities of the classes: their shares, or the given prior.
    prior_shift : ndarray of shape (k,)
        What a given class prior adds to the intercept; 0 without one.
    nested : NestedCounts
        The counts from which the joint distribution is estimated.
    """

    features: tuple[Feature, ...]
    classes: NDArray[Any]
    tree: Tree
    learned: LearnedTerms
    log_prior: Array
    prior_shift: Array
    nested: NestedCounts

    @property
    def learned_parts(self) -> LearnedParts:
        return LearnedParts(self.learned, self.nested)

    @property
    def unknown_rule(self) -> UnknownRule:
        return "averaged"

    @cached_property
    def joint(self) -> Joint:
        return self.nested.joint(self.features, self.tree, self.log_prior)

    @cached_property
    def intercept(self) -> Array:
        return self.learned.intercept + self.prior_shift

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.learned.terms

    @property
    def effects(self) -> tuple[Term, ...]:
        return self.learned.terms

    @property
    def maps(self) -> tuple[NDArray[np.intp], ...]:
        return self.nested.maps

    @cached_property
    def within(self) -> tuple[Array, ...]:
        return self.nested.within()

    def scores(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        """Scores of every row and class; if features are unknown, those that explanations decompose."""
        scores, is_incomplete = self._sum.scores(codes, n_threads)
        rows = np.flatnonzero(is_incomplete)
        if len(rows):
            scores[rows] = self._of_gaps(codes[rows], n_threads)
        return scores

    def log_joint(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        scores = self.scores(codes, n_threads)
        log_proba = scores - np.logaddexp.reduce(scores, axis=1)[:, None]
        return np.asarray(log_proba + self.log_evidence(codes, n_threads)[:, None])

    def parts(self, codes: NDArray[Any]) -> Parts:
        """Scores decomposed: the contribution of each term whose features are all known, and that of averaging."""
        contributions = np.zeros((len(codes), len(self.terms), len(self.classes)))
        is_known = np.zeros(contributions.shape[:2], dtype=bool)
        for at, term in enumerate(self.terms):
            is_known[:, at] = term.is_known(codes)
            rows = np.flatnonzero(is_known[:, at])
            contributions[rows, at] = term.contributions(codes[rows])
        known = self.intercept + contributions.sum(axis=1)
        is_complete = np.asarray(is_known.all(axis=1))
        with np.errstate(invalid="ignore"):
            added = self.scores(codes) - known
        unknown = np.where(is_complete[:, None] | ~np.isfinite(known), 0.0, added)
        return Parts(self.intercept, contributions, is_known, unknown)

    def score_spread(self, codes: NDArray[Any]) -> Array | None:
        if not any(term.spread is not None for term in self.terms):
            return None
        k = len(self.classes)
        variance = self.learned.variance(codes)
        rows = np.flatnonzero(~np.all([term.is_known(codes) for term in self.terms], axis=0))
        if len(rows):
            variance[rows] += averaged_variance(self._completion, self.terms, codes[rows])
        return np.sqrt(np.maximum(self.learned.spread_ratio * variance, self.least_variance)) * (k / (k - 1))

    @property
    def least_variance(self) -> Array:
        """Variance of the log shares of the classes minus their mean, shape (k,): that of a score is not smaller.

        If weights are not numbers of rows, the number of rows is not known here, and it is 0.
        """
        counts = self.nested.values.classes
        return share_variance(counts) if counts.dtype.kind == "i" else np.zeros(len(counts))

    def draw_labels(self, codes: NDArray[Any], labels: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
        drawn = np.empty(len(codes), dtype=np.intp)
        for start, stop in ranges(len(codes), _ROWS_AT_ONCE):
            proba = softmax(self._sum.scores(codes[start:stop].astype(np.uint32))[0])
            at = rng.random((stop - start, 1))
            drawn[start:stop] = np.minimum((at >= np.cumsum(proba, axis=1)).sum(axis=1), proba.shape[1] - 1)
        return drawn

    @cached_property
    def _sum(self) -> TermSum:
        return TermSum(self.intercept, self.terms)

    @cached_property
    def _completion(self) -> Completion:
        return Completion(self.joint, self.maps, self.within, self._sum)

    @cached_property
    def anchor(self) -> Anchor:
        """Correction of averages: the mean over the tree's P(x) need not be the prior, as terms and tree are separate.

        It is added in proportion to the importance of the unknown features.
        """
        importances = feature_importances(self.effects, len(self.features))
        is_used = np.isin(np.arange(len(self.features)), self.tree.order)
        importances = importances if importances.any() else is_used / max(1, is_used.sum())
        nothing = np.array([[len(own) for own in self.maps]], dtype=np.uint32)
        answer = log_floored(self._completion.average(nothing))[0]
        return Anchor(np.maximum(self.log_prior, np.log(_FLOOR)) - answer, importances)

    def _anchored(self, codes: NDArray[Any]) -> Array:
        """The correction of the log-probabilities of rows with unknown features, shape (n, k)."""
        sizes = np.array([len(own) for own in self.maps])
        unknown_share = ((codes >= sizes) * self.anchor.importances).sum(axis=1)
        return np.asarray(np.minimum(unknown_share, 1.0)[:, None] * self.anchor.lacking)

    def _of_gaps(self, codes: NDArray[Any], n_threads: int) -> Array:
        """Scores of rows with unknown features: log-probabilities, shifted so that averaging adds 0 on average.

        The shift does not change the softmax; with it, scores are those of the known terms plus the contribution of
        averaging.
        """
        log_proba = log_floored(self._completion.average(codes, n_threads)) + self._anchored(codes)
        known = np.tile(self.intercept, (len(codes), 1))
        for term in self.terms:
            rows = np.flatnonzero(term.is_known(codes))
            known[rows] += term.contributions(codes[rows])
        # A class with prior 0 stays impossible, and is ignored in the shift.
        is_possible = np.isfinite(self.intercept)
        added = (log_proba - np.where(is_possible, known, 0.0))[:, is_possible].mean(axis=1, keepdims=True)
        return np.where(is_possible, log_proba - added, -np.inf)


def log_floored(proba: Array) -> Array:
    """Logarithm of probabilities, which are at least the smallest float."""
    return np.log(np.maximum(proba, _FLOOR))


def share_variance(counts: NDArray[Any]) -> Array:
    """Variance of the log shares of classes minus the mean of these, shape (k,), from the numbers of their rows.

    Numbers of rows are multinomial. Half a row is added to each.

    Examples
    --------
    With two classes, it is a quarter of the variance of the log-odds:

    >>> import numpy as np
    >>> from gnbayes.model.weighted import share_variance
    >>> (4 * share_variance(np.array([9.5, 39.5]))).round(4).tolist()
    [0.125, 0.125]
    """
    inverse = 1 / (counts + 0.5)
    k = len(inverse)
    return np.asarray((1 - 2 / k) * inverse + inverse.sum() / k**2)
