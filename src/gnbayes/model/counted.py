"""Counted models: the terms are the tables of the joint distribution itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.model import Array, Model, Parts, identity_maps
from gnbayes.model.term import Term


@dataclass(frozen=True, eq=False)
class CountedModel(Model):
    """One term per feature, log P(x_j | y, x_mother), so that scores are log P(x, y), as in the paper.

    Unknown features are summed out exactly, by messages along the tree, but for the paper's own rules for zeros.

    Parameters
    ----------
    features, classes, joint
        As in `Model`.
    rows : tuple of ndarray of shape (v_mother, v_j), or (v_j,) without a mother
        Weight of the training rows in each cell of the tables.
    """

    rows: tuple[Array, ...]

    @property
    def intercept(self) -> Array:
        return self.joint.log_prior

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        own = identity_maps(self.joint.cardinalities.tolist())
        terms = []
        for j in self.tree.order.tolist():
            mother, table = int(self.tree.mother[j]), self.joint.finite_tables[j]
            if mother < 0:
                terms.append(Term((j,), (own[j],), table[0], self.rows[j]))
            else:
                terms.append(Term((mother, j), (own[mother], own[j]), table, self.rows[j]))
        return tuple(terms)

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
        """Scores taken apart: a known feature adds log P(x_j | y, known features before it), an unknown one nothing."""
        contributions = self.joint.contributions(codes)[:, self.tree.order]
        return Parts(self.intercept, contributions, np.zeros((len(codes), len(self.classes))))

    def draw_labels(self, codes: NDArray[Any], labels: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
        return labels
