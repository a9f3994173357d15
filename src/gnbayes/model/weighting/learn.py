"""Learn all tables of a tree: strengths, multiplier, values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows
from gnbayes.encoding import Feature
from gnbayes.model.weighting.layout import Layout, make_layout
from gnbayes.model.weighting.objective import Array, Objective
from gnbayes.model.weighting.path import choose_multiplier
from gnbayes.model.weighting.rows import LearningRows, are_copies, together
from gnbayes.model.weighting.solve import make_solver
from gnbayes.model.weighting.strengths import update_strengths
from gnbayes.progress import Progress, silent
from gnbayes.structure import Tree

# Of many different rows so many are used for the strengths and the multiplier, and so many for the values.
_STRENGTH_ROWS, _VALUE_ROWS = 5_000, 100_000
_ROUNDS, _ROUND_ITERATIONS = 3, 10
_FIRST_ITERATIONS, _LAST_ITERATIONS = 15, 30
# Iterations that the choice of the multiplier usually takes, over all its problems.
_PATH_ITERATIONS = 150


class Weights(NamedTuple):
    """Learned scores: b + sum of singles + sum of pairs.

    Parameters
    ----------
    intercept : ndarray of shape (k,)
    singles : list of ndarray of shape (v_j, k)
        One a feature; 0 for one that is not used.
    pairs : list of ndarray of shape (c_mother, c_j, k), or None for a feature without a mother
    """

    intercept: Array
    singles: list[Array]
    pairs: list[Array | None]


def learn_weights(
    features: Sequence[Feature],
    tree: Tree,
    rows: CodedRows,
    coarse: NDArray[np.unsignedinteger],
    progress: Progress = silent,
) -> Weights:
    """Learn the tables of a tree for the log-loss of the rows.

    Parameters
    ----------
    features : sequence of Feature
    tree : Tree
    rows : CodedRows
        Of fine codes.
    coarse : ndarray of shape (n, d)
        Coarse codes.
    progress : callable
        Called with the share done, as far as it can be foreseen.

    Notes
    -----
    Minimises sum_i w_i log-loss_i + 1/2 mu sum_g a_g |z_g|^2 over all tables g, where a table is z itself, or its
    random walk for the intervals of one feature. The a_g come from empirical Bayes in three rounds, mu from rows held
    out. More than 7,500 different rows: both from 5,000 of them, and the tables from at most 100,000.
    """
    k = rows.n_classes
    layout, all_rows = _learning_rows(make_layout(features, tree), rows, coarse)
    few_rows = all_rows if len(all_rows) <= 1.5 * _STRENGTH_ROWS else all_rows.thinned(_STRENGTH_ROWS)
    many_rows = all_rows if len(all_rows) <= _VALUE_ROWS else all_rows.thinned(_VALUE_ROWS)
    looked_at = _shares(progress, len(few_rows), 0 if few_rows is all_rows else len(many_rows))
    objective = Objective(layout, few_rows, k)
    solver, x = make_solver(objective, looked_at), np.zeros((1, objective.n_unknowns + 1, objective.n_columns))
    strengths = np.ones(layout.n_tables)
    for _ in range(_ROUNDS):
        x = solver.solve(x, few_rows.weights[:, None], strengths, 1.0, _ROUND_ITERATIONS)
        strengths = update_strengths(objective, x, strengths)
    mu, _, x = choose_multiplier(solver, x, strengths)
    x = x[-1:]
    if few_rows is not all_rows:
        objective = Objective(layout, many_rows, k)
        solver = make_solver(objective, looked_at)
        x = solver.solve(x, many_rows.weights[:, None], strengths, mu, _FIRST_ITERATIONS)
        strengths = update_strengths(objective, x, mu * strengths)
        x = solver.solve(x, many_rows.weights[:, None], strengths, mu, _LAST_ITERATIONS)
    progress(1.0)
    return _weights(features, layout, objective, x[0])


def _shares(progress: Progress, n_few: int, n_many: int) -> Callable[[int], None]:
    """A function that takes numbers of rows as they are looked at, and tells the share that is done."""
    total = n_few * (_ROUNDS * _ROUND_ITERATIONS + _PATH_ITERATIONS) + n_many * (_FIRST_ITERATIONS + _LAST_ITERATIONS)
    done = 0

    def looked_at(n_rows: int) -> None:
        nonlocal done
        done += n_rows
        progress(min(0.99, done / total))

    return looked_at


def _learning_rows(layout: Layout, rows: CodedRows, coarse: NDArray[np.unsignedinteger]) -> tuple[Layout, LearningRows]:
    """The layout of what the rows hold, and the rows, alike ones together."""
    codes = rows.codes[:, layout.used]
    first, weights = together(codes, rows.labels, rows.weights, rows.n_classes)
    are_numbers = rows.are_whole and not are_copies(codes[first], weights)
    weights = weights if are_numbers else weights / weights.mean()
    layout, cells = layout.without_empty_cells(layout.cells(rows.codes[first], coarse[first]))
    return layout, LearningRows(cells, rows.labels[first], weights, are_numbers)


def _weights(features: Sequence[Feature], layout: Layout, objective: Objective, x: Array) -> Weights:
    """The unknowns as tables for every class, each centred: its mean over the rows is 0, and part of the intercept.

    So a table that is left out, for want of a value, counts as the average of its rows.
    """
    columns = np.concatenate([(x[0] + objective.base)[None], layout.basis @ x[1:]])
    if objective.n_columns == 1:
        columns = np.concatenate([-columns / 2, columns / 2], axis=1)
    means = _means_of_tables(layout, objective.rows, columns[1:])
    intercept = columns[0] + means.sum(axis=0)
    tables = [table - mean for table, mean in zip(layout.tables(columns[1:]), means, strict=True)]
    singles = [np.zeros((feature.cardinality, columns.shape[1])) for feature in features]
    pairs: list[Array | None] = [None] * len(features)
    n_used = len(layout.used)
    for j, table in zip(layout.used.tolist(), tables[:n_used], strict=True):
        singles[j] = table
    for j, table in zip(layout.edges[:, 1].tolist(), tables[n_used:], strict=True):
        pairs[j] = table
    return Weights(intercept, singles, pairs)


def _means_of_tables(layout: Layout, rows: LearningRows, values: Array) -> Array:
    """Mean of each table over the rows, shape (number of tables, k), from the values of kept cells."""
    total = np.bincount(rows.cells.ravel(), np.repeat(rows.weights, rows.cells.shape[1]), minlength=len(values))
    shares = total / rows.weights.sum()
    sums = [np.bincount(layout.table_of_cell, shares * column, minlength=layout.n_tables) for column in values.T]
    return np.stack(sums, axis=1)
