"""Learn the tables of terms: ridge penalties, multipliers, values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, RowSource, row_numbers
from gnbayes.kernels import beside, limit_threads
from gnbayes.model.fitting.cells import TermCells
from gnbayes.model.fitting.dual import make_solver, table_scores
from gnbayes.model.fitting.families import Balance, HeldOut, balance_families
from gnbayes.model.fitting.gathered import GatheredRows, TermCounts, count_terms
from gnbayes.model.fitting.layout import Layout, layout_of, make_layout
from gnbayes.model.fitting.multiplier import choose_multipliers
from gnbayes.model.fitting.objective import Array, Objective, SummedRows
from gnbayes.model.fitting.penalties import update_penalties
from gnbayes.model.fitting.repeats import Repeats
from gnbayes.model.fitting.rows import DistinctRows, share_of_rows
from gnbayes.model.fitting.solver import Solver
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.spread import cell_variances, spread_ratio, table_spreads
from gnbayes.model.fitting.sums import FittingRows
from gnbayes.model.fitting.training import TrainingRows, find_training_rows
from gnbayes.progress import Progress, silent

# If there are many distinct rows, about this number is used to choose penalties and multipliers.
_PENALTY_ROWS = 5_000
# Likewise if families of terms have their own multipliers, which need more rows.
_BALANCE_ROWS = 10_000
_ROUNDS, _ROUND_ITERATIONS = 3, 10
_FIRST_ITERATIONS, _LAST_ITERATIONS, _ALL_ITERATIONS = 15, 30, 15
# Usual number of iterations to choose penalties and multipliers, over all problems.
_PENALTY_ITERATIONS = 180


@dataclass(frozen=True, eq=False)
class FittedTables:
    """Learned scores: the intercept plus one entry of each table.

    Parameters
    ----------
    intercept : ndarray of shape (k,)
    tables : tuple of ndarray of shape (c_1, ..., c_m, k)
        One per term, in the order of the terms. Their mean over the rows is 0.
    spreads : tuple of ndarray of shape (c_1, ..., c_m, k), optional
        Standard errors of the tables after subtracting their mean over the classes.
    spread_ratio : float, default=1.0
        Variance of a score, divided by the sum of the variances of its cells.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import TermSpec
    >>> from gnbayes.model.fitting import learn_terms
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> specs = [TermSpec((j,), (np.arange(2),), "free", (False,)) for j in range(2)]
    >>> fitted = learn_terms(specs, rows)
    >>> fitted.intercept.shape, [table.shape for table in fitted.tables]
    ((2,), [(2, 2), (2, 2)])
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
    training: TrainingRows | None = None,
    balance: Balance | None = None,
) -> FittedTables:
    """Fit the tables of terms to the log-loss of the rows.

    Parameters
    ----------
    specs : sequence of TermSpec
        The terms; their maps are applied to the codes of the rows.
    rows : RowSource
    counts : TermCounts, optional
        Counts of the cells of the terms, if already known.
    progress : callable
        Called with the share done, as far as it can be predicted.
    training : TrainingRows, optional
        The result of `find_training_rows`, if already known, or a part of it.
    balance : Balance, optional
        Find one multiplier per family. By default, all families share one.

    Returns
    -------
    fitted : FittedTables

    Notes
    -----
    Minimises sum_i w_i log-loss_i + 1/2 sum_g mu_f(g) a_g |z_g|^2 over all tables g, where a table is z itself, or
    waves times z for a random walk or a surface. The a_g are chosen by empirical Bayes in three rounds, the mu_f of
    families on held-out rows. Duplicate rows of the same class may be copies: they count in full if rows with equal
    values differ in class as often as the model predicts, and otherwise in part. The tables are fitted to all rows. Of
    more than 7,500 distinct rows, about 5,000, with rare classes kept, are used to choose the a_g and mu_f, or
    twice as many if families have their own mu_f; then the a_g are updated with at most about 100,000 rows
    (`sample_rows`).

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
    if 0 < sum(_adds_nothing(spec) for spec in specs) < len(specs):
        return _learn_others(specs, rows, counts, progress, training, balance)
    if training is None:
        training = find_training_rows({feature for spec in specs for feature in spec.features}, rows)
    distinct, codes = training.distinct, training.rows.codes
    most = _PENALTY_ROWS if balance is None else _BALANCE_ROWS
    few = distinct if len(distinct) <= 1.5 * most else distinct.thinned(most)
    if training.is_whole and counts is None:
        layout, cells = make_layout(specs, codes, few.index, training.rows.n_threads)
    else:
        counts = rows.add_up(partial(count_terms, specs=specs)) if counts is None else counts
        layout = layout_of(specs, [own > 0 for own in counts.cells])
        cells = layout.cells_of(codes, few.index, training.rows.n_threads)
    data = _Data(layout, training.rows, few.index, cells)
    newness = _newness(data, few, training.repeats)
    few, distinct = _all_with_repeats(newness, few, distinct)
    distinct, judges = (distinct, None) if balance is None else balance.take_judges(distinct, few)
    looked_at = _shares(progress, _work(few, distinct, None if training.is_whole else counts))
    objective = data.objective(few)
    solver = make_solver(objective, looked_at)
    n_threads = limit_threads(training.rows.n_threads, len(distinct) * len(specs)) if few is not distinct else 1
    objective_of_all = beside(partial(data.objective, distinct), n_threads)
    x, penalties, multipliers, held_out = _choose_penalties(solver, few, balance)
    if balance is not None and held_out is not None:
        balance.ends(held_out, distinct)
    ratio = spread_ratio(solver, few, x, multipliers * penalties)
    if few is not distinct:
        objective = objective_of_all()
        # The cells of the rows that served until now take memory.
        del solver, data, cells, objective_of_all
        x, penalties = _refine(Solver(objective, looked_at=looked_at), x, penalties, multipliers)
    if balance is not None and balance.judge is not None:
        balance.judge(None if judges is None else _scored(layout, training.rows, judges, x, objective.base))
    if counts is not None and not training.is_whole:
        # It has few bits, so that sums of many such weights are exact.
        weight = np.rint(share_of_rows(newness, training.n_kinds_per_row) * 2.0**20) / 2.0**20
        objective = Objective(layout, _all_rows(layout, rows, counts, weight))
        x = Solver(objective, looked_at=looked_at).solve(x, None, multipliers * penalties, _ALL_ITERATIONS)
    progress(1.0)
    spreads = table_spreads(layout, cell_variances(objective, x, multipliers * penalties))
    learned = tables_of_unknowns(layout, objective, x[:, 0])
    return replace(learned, spreads=spreads, spread_ratio=ratio)


def _adds_nothing(spec: TermSpec) -> bool:
    """Whether a feature is constant: its term would repeat the intercept or another term."""
    return min(spec.shape) == 1


def _learn_others(
    specs: Sequence[TermSpec],
    rows: RowSource,
    counts: TermCounts | None,
    progress: Progress,
    training: TrainingRows | None,
    balance: Balance | None,
) -> FittedTables:
    """Fit the terms that add something; the tables of the others are 0."""
    left = [at for at, spec in enumerate(specs) if not _adds_nothing(spec)]
    if counts is not None:
        counts = replace(counts, cells=tuple(counts.cells[at] for at in left))
    others = [specs[at] for at in left]
    fitted = learn_terms(others, rows, counts, progress, training=training, balance=balance)
    tables = [np.zeros((*spec.shape, len(fitted.intercept))) for spec in specs]
    spreads = [np.zeros_like(table) for table in tables]
    for place, at in enumerate(left):
        tables[at] = fitted.tables[place]
        if fitted.spreads is not None:
            spreads[at] = fitted.spreads[place]
    return replace(fitted, tables=tuple(tables), spreads=tuple(spreads))


@dataclass(frozen=True, eq=False)
class _Data:
    """The rows with which penalties are chosen, and the cells of those that are used repeatedly."""

    layout: Layout
    rows: CodedRows
    index: NDArray[np.intp]
    cells: TermCells

    def objective(self, some: DistinctRows) -> Objective:
        """The objective of some of the rows."""
        return Objective(self.layout, self.fitting_rows(some))

    def fitting_rows(self, some: DistinctRows) -> FittingRows:
        """Some of the rows, as cells."""
        rows = self.rows
        cells = self.cells if some.index is self.index else self.layout.cells_of(rows.codes, some.index, rows.n_threads)
        return FittingRows(cells, some.labels, some.weights, rows.n_classes, rows.n_threads)


def _scored(layout: Layout, rows: CodedRows, some: DistinctRows, x: Array, base: Array) -> HeldOut:
    """Rows that are held out in full, scored by unknowns x (p + 1, 1, c) that were found without them."""
    cells = layout.cells_of(rows.codes, some.index, rows.n_threads)
    here = FittingRows(cells, some.labels, some.weights, rows.n_classes, rows.n_threads)
    return HeldOut(some, some.weights[:, None], table_scores(layout, here, x) + x[0] + base)


def _all_rows(layout: Layout, rows: RowSource, counts: TermCounts, weight: float) -> SummedRows:
    """All rows for an objective, each with the same weight; their cells are stored if the rows are in memory."""
    if not isinstance(rows, CodedRows):
        return GatheredRows(rows, layout, counts.classes.astype(np.float64), weight)
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    # If weights are not numbers of rows, only their ratios count.
    weights = weights * (weight * (row_numbers(rows.weights, rows.n_rows).sum() / weights.sum()))
    return FittingRows(
        layout.cells_of(rows.codes, None, rows.n_threads), rows.labels, weights, rows.n_classes, rows.n_threads
    )


def _work(few: DistinctRows, distinct: DistinctRows, counts: TermCounts | None) -> float:
    """Approximate number of rows that will be visited, over all iterations."""
    work = float(len(few) * _PENALTY_ITERATIONS)
    if few is not distinct:
        work += len(distinct) * (_FIRST_ITERATIONS + _LAST_ITERATIONS)
    return work if counts is None else work + float(counts.classes.sum()) * _ALL_ITERATIONS


def _choose_penalties(
    solver: Solver, rows: DistinctRows, balance: Balance | None
) -> tuple[Array, Array, Array, HeldOut | None]:
    """The unknowns for all rows, penalty and multiplier of each table, and scores of held-out rows."""
    if balance is None:
        x, penalties = _first_penalties(solver)
        best, held_out = choose_multipliers(solver, rows, x, penalties), None
        multipliers = best.multipliers[solver.objective.layout.families]
    else:
        weights = balance.hold_out(rows)
        x, penalties = _first_penalties(solver)
        best, held_out = balance_families(solver, rows, x, penalties, weights, balance.start)
        multipliers = best.multipliers
    return np.ascontiguousarray(best.x[:, -1:]), penalties, multipliers, held_out


def _first_penalties(solver: Solver) -> tuple[Array, Array]:
    """The unknowns for all rows, and the penalty of each table by empirical Bayes."""
    objective = solver.objective
    x, penalties = objective.zeros(), np.ones(objective.layout.n_tables)
    for _ in range(_ROUNDS):
        x = solver.solve(x, None, penalties, _ROUND_ITERATIONS)
        penalties = update_penalties(objective, x, penalties)
    return x, penalties


def quick_scores(specs: Sequence[TermSpec], rows: CodedRows, distinct: DistinctRows) -> Array:
    """Scores of rows by tables whose penalties come from empirical Bayes only: quick, but approximate.

    Parameters
    ----------
    specs : sequence of TermSpec
    rows : CodedRows
    distinct : DistinctRows
        The rows to fit to, which are also the rows to score.

    Returns
    -------
    scores : ndarray of shape (n, c)
        In the order of `distinct`; for two classes, one column with the log-odds of the second.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import TermSpec
    >>> from gnbayes.model.fitting import find_training_rows, quick_scores
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> specs = [TermSpec((j,), (np.arange(2),), "free", (False,)) for j in range(2)]
    >>> quick_scores(specs, rows, find_training_rows([0, 1], rows).distinct).shape
    (3, 1)
    """
    layout, cells = make_layout(specs, rows.codes, distinct.index, rows.n_threads)
    data = _Data(layout, rows, distinct.index, cells)
    objective = data.objective(distinct)
    x, _ = _first_penalties(make_solver(objective))
    return table_scores(layout, data.fitting_rows(distinct), x)[:, 0] + x[0] + objective.base


def _newness(data: _Data, few: DistinctRows, repeats: Repeats) -> float:
    """Fraction of a new row that a duplicate row counts for.

    Independent rows with equal values differ in class as often as their probabilities predict; copies never do. The
    probabilities are those of a model that treats duplicates as copies. Duplicates that are to be expected by chance,
    because there are few different values, are not copies.
    """
    weights = np.where(repeats.is_repeated[few.index], few.weights, 0.0)
    if not weights.any():
        return 1.0
    if not repeats.disagreement or repeats.by_chance == 1.0:
        return repeats.by_chance
    solver = make_solver(data.objective(few.with_repeats(0.0)))
    x, _ = _first_penalties(solver)
    return min(1.0, max(repeats.by_chance, repeats.disagreement / solver.objective.disagreement(x, weights)))


def _all_with_repeats(newness: float, *parts: DistinctRows) -> list[DistinctRows]:
    """Some of the rows and all of them; if both are the same object, so are the results."""
    if newness == 1.0:
        return list(parts)
    done = {id(part): part.with_repeats(newness) for part in parts}
    return [done[id(part)] for part in parts]


def _refine(solver: Solver, x: Array, penalties: Array, multipliers: Array) -> tuple[Array, Array]:
    """Unknowns and penalties for more rows."""
    x = solver.solve(x, None, multipliers * penalties, _FIRST_ITERATIONS)
    penalties = update_penalties(solver.objective, x, multipliers * penalties)
    return solver.solve(x, None, multipliers * penalties, _LAST_ITERATIONS), penalties


def _shares(progress: Progress, total: float) -> Callable[[int], None]:
    """A function that takes numbers of visited rows and reports the share of all work that is done."""
    done = 0

    def looked_at(n_rows: int) -> None:
        nonlocal done
        done += n_rows
        progress(min(0.99, done / total))

    return looked_at


def tables_of_unknowns(layout: Layout, objective: Objective, x: Array) -> FittedTables:
    """The unknowns as tables for every class, each centred: its mean over the rows is moved to the intercept.

    So a table that is skipped because a value is unknown counts as its average over the rows.
    """
    intercept, values = x[0] + objective.base, layout.expand(x[1:, None])[:, 0]
    if len(intercept) == 1:
        intercept, values = np.append(-intercept, intercept) / 2, np.concatenate([-values, values], axis=1)
        values /= 2
    shares = objective.cell_weights / objective.rows.class_weights.sum()
    sums = [np.bincount(layout.table_of_cell, shares * column, minlength=layout.n_tables) for column in values.T]
    means = np.stack(sums, axis=1)
    of_given = np.empty_like(means)
    of_given[layout.places] = means
    tables = layout.tables(values)
    for table, mean in zip(tables, of_given, strict=True):
        table -= mean
    return FittedTables(intercept + means.sum(axis=0), tuple(tables))
