"""Learn the tables of terms: ridge penalties, multipliers, values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from gnbayes.counting import CodedRows, RowSource
from gnbayes.model.fitting.cells import TermCells
from gnbayes.model.fitting.dual import make_solver, table_scores
from gnbayes.model.fitting.families import Balance, balance_families
from gnbayes.model.fitting.gathered import GatheredRows, TermCounts, count_terms
from gnbayes.model.fitting.layout import Layout, layout_of, make_layout
from gnbayes.model.fitting.multiplier import choose_multipliers
from gnbayes.model.fitting.objective import Array, Objective, SummedRows
from gnbayes.model.fitting.penalties import update_penalties
from gnbayes.model.fitting.rows import DistinctRows, are_copies, distinct_rows
from gnbayes.model.fitting.sample import RowSample, sample_rows
from gnbayes.model.fitting.solver import Solver
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.spread import cell_variances, spread_ratio, table_spreads
from gnbayes.model.fitting.sums import FittingRows
from gnbayes.progress import Progress, silent

# Of many kinds of rows so many are used for the penalties and the multipliers, and so many for a first solution.
_PENALTY_ROWS, _MANY_ROWS = 5_000, 100_000
# Most bytes of those rows, and bytes of a row besides its codes.
_SAMPLE_BYTES, _BYTES_BESIDES = 2**26, 24
_ROUNDS, _ROUND_ITERATIONS = 3, 10
_FIRST_ITERATIONS, _LAST_ITERATIONS, _ALL_ITERATIONS = 15, 30, 15
# Iterations that the choice of penalties and multipliers usually takes, over all its problems.
_PENALTY_ITERATIONS = 180


@dataclass(frozen=True, eq=False)
class FittedTables:
    """Learned scores: the intercept plus one entry of each table.

    Parameters
    ----------
    intercept : ndarray of shape (k,)
    tables : tuple of ndarray of shape (c_1, ..., c_m, k)
        One for each term, in the order of the terms. Their mean over the rows is 0.
    spreads : tuple of ndarray of shape (c_1, ..., c_m, k), optional
        Standard errors of the tables, less their mean over the classes.
    spread_ratio : float, default=1.0
        Variance of a score over the sum of the variances of the cells.
    """

    intercept: Array
    tables: tuple[Array, ...]
    spreads: tuple[Array, ...] | None = None
    spread_ratio: float = 1.0


def learn_terms(
    specs: Sequence[TermSpec],
    rows: RowSource,
    counts: TermCounts | None = None,
    progress: Progress = silent,
    *,
    to_fit: RowsToFit | None = None,
    balance: Balance | None = None,
) -> FittedTables:
    """Learn the tables of terms for the log-loss of the rows.

    Parameters
    ----------
    specs : sequence of TermSpec
        The terms; their maps take the codes of the rows.
    rows : RowSource
    counts : TermCounts, optional
        The rows in the cells of the terms, where they are counted already.
    progress : callable
        Called with the share done, as far as it can be foreseen.
    to_fit : RowsToFit, optional
        The rows that penalties are chosen from, as `rows_to_fit` finds them, or some of them.
    balance : Balance, optional
        Find a multiplier for each family by itself. By default all families have the same.

    Returns
    -------
    fitted : FittedTables

    Notes
    -----
    Minimises sum_i w_i log-loss_i + 1/2 sum_g mu_f(g) a_g |z_g|^2 over all tables g, where a table is z itself, or
    waves times z for a random walk or a surface. The a_g come from empirical Bayes in three rounds, the mu_f of their
    families from held-out rows. The tables are learned from all rows. Of more than 7,500 different rows, about 5,000
    are used for the a_g and mu_f, in which rare classes are kept; the a_g are brought up to date with about 100,000 at
    most, which is `sample_rows` of them.

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
    if to_fit is None:
        to_fit = rows_to_fit({feature for spec in specs for feature in spec.features}, rows)
    some, is_whole, distinct = to_fit.rows, to_fit.is_whole, to_fit.distinct
    n_rows = 0
    if is_whole:
        layout, cells = make_layout(specs, some.codes)
    else:
        counts = rows.add_up(partial(count_terms, specs=specs)) if counts is None else counts
        layout, n_rows = layout_of(specs, [own > 0 for own in counts.cells]), round(counts.classes.sum())
        cells = layout.cells_of(some.codes)
    few = distinct if len(distinct) <= 1.5 * _PENALTY_ROWS else distinct.thinned(_PENALTY_ROWS)
    work = len(few) * _PENALTY_ITERATIONS + n_rows * _ALL_ITERATIONS
    if few is not distinct:
        work += len(distinct) * (_FIRST_ITERATIONS + _LAST_ITERATIONS)
    looked_at = _shares(progress, work)
    objective = _objective(layout, cells, few, some)
    solver = make_solver(objective, looked_at)
    x, penalties, multipliers = _choose_penalties(solver, few, balance)
    ratio = spread_ratio(solver, few, x, multipliers * penalties)
    if few is not distinct:
        objective = _objective(layout, cells, distinct, some)
        x, penalties = _refine(Solver(objective, looked_at=looked_at), x, penalties, multipliers)
    if counts is not None and not is_whole:
        objective = Objective(layout, _all_rows(layout, rows, counts))
        solver = Solver(objective, looked_at=looked_at)
        x = solver.solve(x, None, multipliers * penalties, _ALL_ITERATIONS)
    progress(1.0)
    spreads = table_spreads(layout, cell_variances(objective, x, multipliers * penalties))
    return replace(_learned(layout, objective, x[:, 0]), spreads=spreads, spread_ratio=ratio)


@dataclass(frozen=True, eq=False)
class RowsToFit:
    """Rows to choose penalties from, and where they are all, to learn from.

    Parameters
    ----------
    rows : CodedRows
    is_whole : bool
        Whether they are all rows.
    distinct : DistinctRows
        Those of them that differ.
    """

    rows: CodedRows
    is_whole: bool
    distinct: DistinctRows


def rows_to_fit(features: Iterable[int], rows: RowSource) -> RowsToFit:
    """Rows to choose penalties from, for terms of some features: all, or a sample."""
    used = sorted(features)
    if isinstance(rows, CodedRows) and rows.n_rows <= _MANY_ROWS:
        return RowsToFit(rows, True, _distinct(used, rows))
    most = min(_MANY_ROWS, _SAMPLE_BYTES // (_BYTES_BESIDES + len(used)))
    sample: RowSample = rows.add_up(partial(sample_rows, most=most))
    distinct = _distinct(used, sample.rows)
    if not sample.is_whole:
        distinct = distinct.with_shares(sample.class_weights)
    return RowsToFit(sample.rows, sample.is_whole, distinct)


def _objective(layout: Layout, cells: TermCells, some: DistinctRows, rows: CodedRows) -> Objective:
    """The objective of some rows, whose cells are among those given."""
    return Objective(layout, _fitting_rows(cells, some, rows))


def _fitting_rows(cells: TermCells, some: DistinctRows, rows: CodedRows) -> FittingRows:
    return FittingRows(cells.take(some.index), some.labels, some.weights, rows.n_classes, rows.n_threads)


def _all_rows(layout: Layout, rows: RowSource, counts: TermCounts) -> SummedRows:
    """All rows for an objective; their cells are kept where the rows are in memory."""
    if not isinstance(rows, CodedRows):
        return GatheredRows(rows, layout, counts.classes.astype(np.float64))
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    if not rows.are_whole:
        weights = weights / weights.mean()
    return FittingRows(layout.cells_of(rows.codes), rows.labels, weights, rows.n_classes, rows.n_threads)


def _choose_penalties(solver: Solver, rows: DistinctRows, balance: Balance | None) -> tuple[Array, Array, Array]:
    """The unknowns with all rows, and the penalty and the multiplier of each table."""
    objective = solver.objective
    x, penalties = _rounds(solver, rows)
    if balance is None:
        best = choose_multipliers(solver, rows, x, penalties)
        multipliers = best.multipliers[objective.layout.families]
    else:
        best = balance_families(solver, rows, x, penalties, balance)
        multipliers = best.multipliers
    return np.ascontiguousarray(best.x[:, -1:]), penalties, multipliers


def _rounds(solver: Solver, rows: DistinctRows) -> tuple[Array, Array]:
    """Rounds of empirical Bayes: unknowns and penalties."""
    x, penalties = solver.objective.zeros(), np.ones(solver.objective.layout.n_tables)
    for _ in range(_ROUNDS):
        x = solver.solve(x, rows.weights[:, None], penalties, _ROUND_ITERATIONS)
        penalties = update_penalties(solver.objective, x, penalties)
    return x, penalties


def quick_scores(specs: Sequence[TermSpec], rows: CodedRows, distinct: DistinctRows) -> Array:
    """Scores of rows by tables whose penalties are those of empirical Bayes alone, for what need not be exact.

    Parameters
    ----------
    specs : sequence of TermSpec
    rows : CodedRows
    distinct : DistinctRows
        The rows to learn from, which are also those that are scored.

    Returns
    -------
    scores : ndarray of shape (n, c)
        In the order of `distinct`; for two classes one column, the log-odds of the second.
    """
    layout, cells = make_layout(specs, rows.codes)
    here = _fitting_rows(cells, distinct, rows)
    objective = Objective(layout, here)
    x, _ = _rounds(make_solver(objective), distinct)
    return table_scores(layout, here, x)[:, 0] + x[0] + objective.base


def _refine(solver: Solver, x: Array, penalties: Array, multipliers: Array) -> tuple[Array, Array]:
    """Unknowns and penalties of more rows."""
    x = solver.solve(x, None, multipliers * penalties, _FIRST_ITERATIONS)
    penalties = update_penalties(solver.objective, x, multipliers * penalties)
    return solver.solve(x, None, multipliers * penalties, _LAST_ITERATIONS), penalties


def _shares(progress: Progress, total: int) -> Callable[[int], None]:
    """A function that takes numbers of rows as they are looked at, and tells the share of all that is done."""
    done = 0

    def looked_at(n_rows: int) -> None:
        nonlocal done
        done += n_rows
        progress(min(0.99, done / total))

    return looked_at


def _distinct(used: Sequence[int], rows: CodedRows) -> DistinctRows:
    """Rows that differ in some features; weights of mean 1 where they are no numbers of rows."""
    codes = rows.codes if len(used) == rows.n_features else rows.codes[:, used]
    found = distinct_rows(codes, rows.labels, rows.weights, rows.n_classes, rows.are_whole)
    if rows.are_whole and not are_copies(codes, found):
        return found
    return found.as_copies()


def _learned(layout: Layout, objective: Objective, x: Array) -> FittedTables:
    """The unknowns as tables for every class, each centred: its mean over the rows is 0, and part of the intercept.

    So a table that is left out, for want of a value, counts as the average of its rows.
    """
    intercept, values = x[0] + objective.base, layout.expand(x[1:, None])[:, 0]
    if len(intercept) == 1:
        intercept, values = np.append(-intercept, intercept) / 2, np.concatenate([-values, values], axis=1) / 2
    shares = objective.cell_weights / objective.rows.class_weights.sum()
    sums = [np.bincount(layout.table_of_cell, shares * column, minlength=layout.n_tables) for column in values.T]
    means = np.stack(sums, axis=1)
    of_given = np.empty_like(means)
    of_given[layout.places] = means
    tables = [table - mean for table, mean in zip(layout.tables(values), of_given, strict=True)]
    return FittedTables(intercept + means.sum(axis=0), tuple(tables))
