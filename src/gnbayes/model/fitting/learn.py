"""Learn the tables of terms: ridge penalties, multipliers, values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows
from gnbayes.model.fitting.layout import Layout, make_layout
from gnbayes.model.fitting.multiplier import choose_multipliers
from gnbayes.model.fitting.objective import Array, Objective
from gnbayes.model.fitting.penalties import update_penalties
from gnbayes.model.fitting.rows import DistinctRows, are_copies, distinct_rows
from gnbayes.model.fitting.solver import Solver
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.sums import FittingRows
from gnbayes.progress import Progress, silent

# Of many different rows so many are used for the penalties and the multipliers, and so many for the values.
_PENALTY_ROWS, _VALUE_ROWS = 5_000, 100_000
_ROUNDS, _ROUND_ITERATIONS = 3, 10
_FIRST_ITERATIONS, _LAST_ITERATIONS = 15, 30
# Iterations that the choice of the multipliers usually takes, over all its problems.
_PATH_ITERATIONS = 150


@dataclass(frozen=True, eq=False)
class LearnedTerms:
    """Learned scores: the intercept plus one entry of each table.

    Parameters
    ----------
    intercept : ndarray of shape (k,)
    tables : tuple of ndarray of shape (c_1, ..., c_m, k)
        One for each term, in the order of the terms. Their mean over the rows is 0.
    """

    intercept: Array
    tables: tuple[Array, ...]


def learn_terms(specs: Sequence[TermSpec], rows: CodedRows, progress: Progress = silent) -> LearnedTerms:
    """Learn the tables of terms for the log-loss of the rows.

    Parameters
    ----------
    specs : sequence of TermSpec
        The terms; their maps take the codes of the rows.
    rows : CodedRows
    progress : callable
        Called with the share done, as far as it can be foreseen.

    Returns
    -------
    learned : LearnedTerms

    Notes
    -----
    Minimises sum_i w_i log-loss_i + 1/2 sum_g mu_f(g) a_g |z_g|^2 over all tables g, where a table is z itself, or
    waves times z for a random walk or a surface. The a_g come from empirical Bayes in three rounds, the mu_f of their
    families from held-out rows. More than 7,500 different rows: both from 5,000 of them, and the tables from at most
    100,000.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model.fitting import TermSpec, learn_terms
    >>> rng = np.random.default_rng(0)
    >>> codes, labels = rng.integers(0, 2, (400, 2)).astype(np.uint8), np.zeros(400, dtype=np.intp)
    >>> labels[:] = np.where(rng.random(400) < 0.1, 1 - codes[:, 0], codes[:, 0])
    >>> both = [TermSpec((j,), (np.arange(2),), "free", (False,)) for j in range(2)]
    >>> learned = learn_terms(both, CodedRows(codes, labels, np.array([2, 2]), 2))
    >>> [table.shape for table in learned.tables]
    [(2, 2), (2, 2)]
    >>> bool(np.ptp(learned.tables[0][:, 1]) > 10 * np.ptp(learned.tables[1][:, 1]))
    True
    """
    distinct = _distinct(specs, rows)
    layout, cells = make_layout(specs, rows.codes[distinct.index])

    def make_objective(some: DistinctRows, at: NDArray[np.intp]) -> Objective:
        fitting = FittingRows(cells.take(at), some.labels, some.weights, rows.n_classes, rows.n_threads)
        return Objective(layout, fitting)

    few = distinct if len(distinct) <= 1.5 * _PENALTY_ROWS else distinct.thinned(_PENALTY_ROWS)
    many = distinct if len(distinct) <= _VALUE_ROWS else distinct.thinned(_VALUE_ROWS)
    looked_at = _shares(progress, len(few), 0 if few is distinct else len(many))
    place = np.empty(rows.n_rows, dtype=np.intp)
    place[distinct.index] = np.arange(len(distinct))
    objective = make_objective(few, place[few.index])
    solver, x, penalties = Solver(objective, looked_at=looked_at), objective.zeros(), np.ones(layout.n_tables)
    for _ in range(_ROUNDS):
        x = solver.solve(x, few.weights[:, None], penalties, _ROUND_ITERATIONS)
        penalties = update_penalties(objective, x, penalties)
    best = choose_multipliers(solver, few, x, penalties)
    x, multipliers = np.ascontiguousarray(best.x[:, -1:]), best.multipliers[layout.families]
    if few is not distinct:
        objective = make_objective(many, place[many.index])
        solver = Solver(objective, looked_at=looked_at)
        x = solver.solve(x, many.weights[:, None], multipliers * penalties, _FIRST_ITERATIONS)
        penalties = update_penalties(objective, x, multipliers * penalties)
        x = solver.solve(x, many.weights[:, None], multipliers * penalties, _LAST_ITERATIONS)
    progress(1.0)
    return _learned(layout, objective, x[:, 0])


def _shares(progress: Progress, n_few: int, n_many: int) -> Callable[[int], None]:
    """A function that takes numbers of rows as they are looked at, and tells the share that is done."""
    total = n_few * (_ROUNDS * _ROUND_ITERATIONS + _PATH_ITERATIONS) + n_many * (_FIRST_ITERATIONS + _LAST_ITERATIONS)
    done = 0

    def looked_at(n_rows: int) -> None:
        nonlocal done
        done += n_rows
        progress(min(0.99, done / total))

    return looked_at


def _distinct(specs: Sequence[TermSpec], rows: CodedRows) -> DistinctRows:
    """Rows that differ in the features of the terms; weights of mean 1 where they are no numbers of rows."""
    used = sorted({feature for spec in specs for feature in spec.features})
    codes = rows.codes[:, used]
    found = distinct_rows(codes, rows.labels, rows.weights, rows.n_classes, rows.are_whole)
    if rows.are_whole and not are_copies(codes[found.index], found.weights):
        return found
    return DistinctRows(found.index, found.labels, found.weights / found.weights.mean(), False)


def _learned(layout: Layout, objective: Objective, x: Array) -> LearnedTerms:
    """The unknowns as tables for every class, each centred: its mean over the rows is 0, and part of the intercept.

    So a table that is left out, for want of a value, counts as the average of its rows.
    """
    intercept, values = x[0] + objective.base, layout.expand(x[1:, None])[:, 0]
    if len(intercept) == 1:
        intercept, values = np.append(-intercept, intercept) / 2, np.concatenate([-values, values], axis=1) / 2
    shares = objective.cell_weights / objective.rows.weights.sum()
    sums = [np.bincount(layout.table_of_cell, shares * column, minlength=layout.n_tables) for column in values.T]
    means = np.stack(sums, axis=1)
    of_given = np.empty_like(means)
    of_given[layout.places] = means
    tables = [table - mean for table, mean in zip(layout.tables(values), of_given, strict=True)]
    return LearnedTerms(intercept + means.sum(axis=0), tuple(tables))
