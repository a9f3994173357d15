"""Counted models: the terms are the tables of the joint distribution itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.encoding import Feature
from gnbayes.model.joint import Joint
from gnbayes.model.model import Array, Model, Parts, UnknownRule, identity_maps
from gnbayes.model.parameters import daughter_counts
from gnbayes.model.purify import purify
from gnbayes.model.term import Term
from gnbayes.structure import Tree


@dataclass(frozen=True, eq=False)
class CountedModel(Model):
    """One term per feature, log P(x_j | y, x_mother), so that scores are log P(x, y), as in the paper.

    Unknown features are summed out exactly, by message passing along the tree, except with the paper's rules for zeros.

    Parameters
    ----------
    features, classes, tree
        As in `Model`.
    own_joint : Joint
    counts : Counts
        The counts it was estimated from.
    """

    features: tuple[Feature, ...]
    classes: NDArray[Any]
    tree: Tree
    own_joint: Joint
    counts: Counts

    @property
    def joint(self) -> Joint:
        return self.own_joint

    @property
    def unknown_rule(self) -> UnknownRule:
        return "summed out" if self.joint.is_sum_of_tables else "dropped"

    @property
    def intercept(self) -> Array:
        return self.joint.log_prior

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        own, tables = identity_maps(self.joint.cardinalities.tolist()), self.joint.finite_tables
        terms = []
        for j in self.tree.order.tolist():
            mother, rows = int(self.tree.mother[j]), self._rows(j)
            if mother < 0:
                terms.append(Term((j,), (own[j],), tables[j][0], rows[0]))
            else:
                terms.append(Term((mother, j), (own[mother], own[j]), tables[j], rows, is_conditional=True))
        return tuple(terms)

    def _rows(self, j: int) -> Array:
        return np.asarray(daughter_counts(self.counts, self.tree, j).sum(axis=2), dtype=np.float64)

    @cached_property
    def effects(self) -> tuple[Term, ...]:
        rows = [self.counts.single(j).sum(axis=1).astype(np.float64) for j in range(len(self.features))]
        return purify(self.terms, rows)[1]

    @property
    def maps(self) -> tuple[NDArray[np.intp], ...]:
        return identity_maps(self.joint.cardinalities.tolist())

    @property
    def within(self) -> tuple[Array, ...]:
        return tuple(np.ones((size, len(self.classes))) for size in self.joint.cardinalities.tolist())

    def scores(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        return self.joint.log_joint(codes, n_threads)

    def log_joint(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        return self.joint.log_joint(codes, n_threads)

    def log_evidence(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        return np.asarray(np.logaddexp.reduce(self.joint.log_joint(codes, n_threads), axis=1))

    def parts(self, codes: NDArray[Any]) -> Parts:
        """Scores decomposed: a known feature adds log P(x_j | y, known features before it), an unknown one nothing."""
        order = self.tree.order
        is_known = ~self.joint.absent(codes)[:, order]
        nothing = np.zeros((len(codes), len(self.classes)))
        return Parts(self.intercept, self.joint.contributions(codes)[:, order], is_known, nothing)

    def draw_labels(self, codes: NDArray[Any], labels: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
        return labels
