"""Hierarchical smoothing, which the library does not have: P(x | mother, y) backs off to P(x | y), that to P(x).

The strengths of both steps are alpha times the number of values, and P(x) has one row added for each value. It was
measured by `ingredients.py`, where it is not better than back-off on most tables.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes import GeneralizedNB
from gnbayes.counting import CodedRows, Counts
from gnbayes.encoding import check_table, encode
from gnbayes.model import STRENGTHS, Model
from gnbayes.model.parameters import daughter_counts
from gnbayes.structure import Tree

Floats = NDArray[np.float64]


def with_hierarchical_smoothing(clf: GeneralizedNB, X: Any, y: NDArray[np.intp]) -> GeneralizedNB:
    """A classifier fitted to X and y, its tables smoothed anew, with the strength that leave-one-out chooses."""
    rows = CodedRows(
        encode(check_table(clf, X, reset=False), clf.features_), y, clf.counts_.cardinalities, len(clf.classes_)
    )
    losses = [leave_one_out_loss(clf.counts_, clf.tree_, rows, alpha) for alpha in STRENGTHS]
    clf.alpha_ = STRENGTHS[int(np.argmin(losses))]
    tables = tuple(np.log(table) for table in hierarchical_tables(clf.counts_, clf.tree_, clf.alpha_))
    clf.model_ = Model(tuple(clf.features_), clf.classes_, clf.tree_, clf.model_.log_prior, tables)
    return clf


def hierarchical_tables(counts: Counts, tree: Tree, alpha: float) -> list[Floats]:
    """P(x_j | x_mother, y) of each feature, shape (v_mother or 1, v_j, k)."""
    tables = []
    for j in range(tree.n_features):
        single, cells = counts.single(j), daughter_counts(counts, tree, j)
        v = len(single)
        alone = (single.sum(axis=1) + 1) / (single.sum() + v)
        table = (single + alpha * v * alone[:, None]) / (single.sum(axis=0) + alpha * v)
        if tree.mother[j] >= 0:
            table = (cells + alpha * v * table) / (cells.sum(axis=1, keepdims=True) + alpha * v)
        tables.append(table if table.ndim == 3 else table[None])
    return tables


def leave_one_out_loss(counts: Counts, tree: Tree, rows: CodedRows, alpha: float) -> float:
    """Mean log-loss when every row is scored by the tables without it; rows have no weights.

    A row that is left out takes part in P(x) of every class, so that all classes change, not its own alone.
    """
    own = np.eye(rows.n_classes)[rows.labels]
    in_class = counts.classes - own
    log_joint = np.log(np.maximum(in_class, 1e-300) / (counts.n - 1))
    for j in tree.order.tolist():
        single, x, mother = counts.single(j), rows.codes[:, j], int(tree.mother[j])
        v = len(single)
        alone = single.sum(axis=1)[x] / (single.sum() - 1 + v)
        share = (single[x] - own + alpha * v * alone[:, None]) / (in_class + alpha * v)
        if mother >= 0:
            above = rows.codes[:, mother]
            cells = daughter_counts(counts, tree, j)[above, x] - own
            share = (cells + alpha * v * share) / (counts.single(mother)[above] - own + alpha * v)
        log_joint += np.log(share)
    right = log_joint[np.arange(rows.n_rows), rows.labels] - np.logaddexp.reduce(log_joint, axis=1)
    return float(-np.maximum(right, np.log(np.finfo(float).eps)).mean())
