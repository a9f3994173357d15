"""Multipliers of the ridge penalties, one per family of terms.

On held-out rows, the scores that each family adds are multiplied by a factor of their own. If the best factor is below
1, the family adds too much, and its penalties grow; if it is above 1, they shrink. The factors of all families are
found at once, so that one solution serves all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.cells import TermCells
from gnbayes.model.fitting.dual import table_scores
from gnbayes.model.fitting.multiplier import Step
from gnbayes.model.fitting.objective import Array
from gnbayes.model.fitting.rows import DistinctRows
from gnbayes.model.fitting.scales import HeldOutScores, best_scales
from gnbayes.model.fitting.solver import Solver
from gnbayes.model.fitting.sums import FittingRows, row_scores

# Three folds up to this number of rows, or to the second if a class is rare; then two halves, each held out in turn, up
# to the third; beyond it, one half is held out.
_FEW_ROWS, _FEW_EFFECTIVE, _MEDIUM_ROWS = 2000, 400, 4500
_FIRST_ITERATIONS, _ITERATIONS, _UPDATES = 30, 12, 6
_SMALLEST, _LARGEST = 1e-4, 1e5
# A multiplier changes by the inverse square of the scale, at most by these factors at a time.
_LEAST_SCALE, _MOST_SCALE = 0.25, 2.0
# Updates end when the relative gain is smaller than this.
_LEAST_GAIN = 5e-4
# All multipliers decrease together down to this one, in larger steps if the loss falls below this share of the last
# one.
_LOWEST_TOGETHER, _LARGE_FALL = 1e-3, 0.8
# One in so many rows that chose nothing is a judge, if there are enough of them.
_JUDGE_OF = 5
# Fewer would be a worse judgement than that of the rows that chose the multipliers.
_LEAST_JUDGES = 1000
# Up to this number of rows, families that need evidence are dropped if they gain fewer standard errors than this.
_FEW_FOR_TERMS, _LEAST_ERRORS = 500, 1.0


@dataclass(frozen=True, eq=False)
class Balance:
    """How to find one multiplier for each family of terms.

    Parameters
    ----------
    start : ndarray of shape (number of families,)
        Multipliers to begin with: 1, or more for a family that is not known to help.
    may_hold_out : ndarray of shape (n,)
        Among all rows, those that were not used to choose the terms, and may be used to choose the multipliers.
    begins : callable, optional
        Called with the rows, and the held-out weight of each row in each fold, before penalties and multipliers are
        chosen.
    ends : callable, optional
        Called with the scores of held-out rows, and all rows, once multipliers are chosen: what depends on them can
        begin before the tables are fitted to all rows.
    judge : callable, optional
        Called with rows of a sample that the tables are not fitted to, scored by them before they are fitted to all
        rows in the end, or with None if no row can be spared. Different ways to fit the terms are compared by these.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.fitting import Balance
    >>> Balance(np.array([1.0, 8.0]), np.array([True, False, True])).start.tolist()
    [1.0, 8.0]
    """

    start: NDArray[np.float64]
    may_hold_out: NDArray[np.bool_]
    begins: Callable[[DistinctRows, Array], None] = lambda *_: None
    ends: Callable[[HeldOut, DistinctRows], None] = lambda *_: None
    judge: Callable[[HeldOut | None], None] | None = None

    def hold_out(self, rows: DistinctRows) -> Array:
        """Held-out weight of each row in each fold, shape (n, f); what needs only these begins."""
        held_out = held_out_weights(rows, self.may_hold_out[rows.index])
        self.begins(rows, held_out)
        return held_out

    def take_judges(self, rows: DistinctRows, few: DistinctRows) -> tuple[DistinctRows, DistinctRows | None]:
        """Rows without the judges, if any are needed, and the judges: none of few rows that chose anything."""
        if self.judge is None:
            return rows, None
        is_free = self.may_hold_out[rows.index] & ~np.isin(rows.index, few.index)
        if rows.groups is not None and few.groups is not None:
            is_free &= ~np.isin(rows.groups, few.groups)
        rest, judges = rows.divided(_JUDGE_OF, is_free)
        # A few rows of great weight would decide by chance.
        squares = (judges.weights**2 / judges.n_equal).sum()
        return (rest, judges) if judges.weights.sum() ** 2 >= _LEAST_JUDGES * max(squares, 1e-300) else (rows, None)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Rows, and their scores by tables that were fitted without the held-out ones.

    Parameters
    ----------
    rows : DistinctRows
    weights : ndarray of shape (n, f)
        Held-out weight of each row in each fold.
    scores : ndarray of shape (n, f, c)
        Scores by the tables that were fitted without the held-out rows of a fold.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model.fitting import HeldOut, find_training_rows
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> distinct = find_training_rows([0, 1], rows).distinct
    >>> held_out = HeldOut(distinct, distinct.fold_weights(2), np.zeros((len(distinct), 2, 1)))
    >>> held_out.weights.shape, held_out.scores.shape
    ((3, 2), (3, 2, 1))
    """

    rows: DistinctRows
    weights: Array
    scores: Array


def held_out_weights(rows: DistinctRows, may_hold_out: NDArray[np.bool_]) -> Array:
    """Held-out weight of each row in each fold, shape (n, f).

    Parameters
    ----------
    rows : DistinctRows
    may_hold_out : ndarray of shape (n,)
        Which of them may be held out.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model.fitting import find_training_rows, held_out_weights
    >>> rows = CodedRows(np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), np.array([0, 0, 1, 1]), np.array([2, 2]), 2)
    >>> distinct = find_training_rows([0, 1], rows).distinct
    >>> held_out_weights(distinct, np.ones(len(distinct), dtype=bool)).sum(axis=1).tolist() == distinct.weights.tolist()
    True
    """
    are_few = len(rows) <= _FEW_ROWS or rows.effective_size <= _FEW_EFFECTIVE
    n_folds, n_parts = (3, 3) if are_few else (2 if len(rows) <= _MEDIUM_ROWS else 1, 2)
    return rows.fold_weights(n_parts)[:, :n_folds] * may_hold_out[:, None]


def balance_families(
    solver: Solver,
    rows: DistinctRows,
    x: Array,
    penalties: NDArray[np.float64],
    held_out: Array,
    start: NDArray[np.float64],
) -> tuple[Step, HeldOut]:
    """Multipliers of tables: decrease all while the held-out log-loss falls, then scale each family separately.

    If rows are few, families that start above 1 are dropped unless they clearly improve the held-out log-loss.

    Parameters
    ----------
    solver : Solver
    rows : DistinctRows
        Those of the solver's objective.
    x : ndarray of shape (p + 1, 1, c)
        The solution for all rows and multipliers of 1.
    penalties : ndarray of shape (number of tables,)
    held_out : ndarray of shape (n, f)
        Held-out weight of each row in each fold.
    start : ndarray of shape (number of families,)
        Multipliers to begin with.

    Returns
    -------
    best : Step
        A multiplier for each table, and the unknowns fitted to all rows, (p + 1, 1, c).
    held_out : HeldOut
        The held-out rows, scored by its tables.
    """
    path = _HeldOut(solver, rows, penalties, held_out)
    best = _best_multipliers(path, path.start(x), solver.objective.layout.families, start)
    # All rows are the last problem.
    return best._replace(x=np.ascontiguousarray(best.x[:, -1:])), path.held_out(best.x)


def choose_one_multiplier(solver: Solver, rows: DistinctRows, held_out: Array) -> tuple[Step, HeldOut]:
    """The same ridge penalty for all tables, a power of 4 by the held-out log-loss.

    Parameters
    ----------
    solver : Solver
    rows : DistinctRows
        Those of the solver's objective.
    held_out : ndarray of shape (n, f)
        Held-out weight of each row in each fold.

    Returns
    -------
    best, held_out
        As from `balance_families`.
    """
    objective = solver.objective
    penalties = np.ones(objective.layout.n_tables)
    x = solver.solve(objective.zeros(), None, penalties, _FIRST_ITERATIONS)
    path = _HeldOut(solver, rows, penalties, held_out)
    best = _together(path, path.step(path.start(x), penalties, _FIRST_ITERATIONS), penalties > 0)
    return best._replace(x=np.ascontiguousarray(best.x[:, -1:])), path.held_out(best.x)


def _best_multipliers(path: _HeldOut, x: Array, families: NDArray[np.intp], first: NDArray[np.float64]) -> Step:
    """A multiplier for each table, and the unknowns of all problems."""
    usual = first[families]
    everything, is_plain = np.ones(len(usual), dtype=bool), usual == 1.0
    full = _apart(path, _together(path, path.step(x, usual, _FIRST_ITERATIONS), everything), families)
    if path.n_rows > _FEW_FOR_TERMS or is_plain.all():
        return full
    plain = _together(path, path.step(x, np.where(is_plain, 1.0, _LARGEST), _FIRST_ITERATIONS), is_plain)
    return full if path.is_better(full.x, plain.x) else plain


def _apart(path: _HeldOut, best: Step, group_of: NDArray[np.intp]) -> Step:
    """Update the multipliers of groups of tables, each by its own scale, while the held-out log-loss falls."""
    highest = _MOST_SCALE
    for _ in range(_UPDATES):
        scales = np.clip(best_scales(path.scores(best.x, group_of)), _LEAST_SCALE, highest)
        multipliers = best.multipliers * scales[group_of] ** -2.0
        new = path.step(best.x, np.clip(multipliers, _SMALLEST, _LARGEST))
        if new.loss < best.loss:
            is_last = new.loss > best.loss * (1 - _LEAST_GAIN)
            best = new
            if is_last:
                break
        elif highest == 1.0:
            break
        else:
            # Smaller penalties need not make a family add more, even if it should: from now on, they only grow.
            highest = 1.0
    return best


def _together(path: _HeldOut, best: Step, which: NDArray[np.bool_]) -> Step:
    """Divide some multipliers by 4 while the loss falls, by 16 if it falls much; or multiply them by 4 and 16."""
    first, factor = best, 4.0
    while best.multipliers.min() > _LOWEST_TOGETHER:
        new = path.step(best.x, np.where(which, best.multipliers / factor, best.multipliers))
        if new.loss < best.loss:
            factor = 16.0 if new.loss < _LARGE_FALL * best.loss else 4.0
            best = new
        elif factor > 4.0:
            factor = 4.0
        else:
            break
    if best is first and path.n_folds > 1:
        for factor in (4.0, 16.0):
            new = path.step(best.x, np.where(which, first.multipliers * factor, first.multipliers))
            if new.loss >= best.loss:
                break
            best = new
    return best


class _HeldOut:
    """The problems of the folds, and one with all rows."""

    def __init__(self, solver: Solver, rows: DistinctRows, penalties: NDArray[np.float64], held_out: Array) -> None:
        self.n_rows, self.n_folds = held_out.shape
        self._solver, self._penalties, self._rows = solver, penalties, rows
        self._held_out = np.append(held_out, np.zeros((len(rows), 1)), axis=1)
        self._row_weights = rows.weights[:, None] - self._held_out
        self._row, self._fold = np.nonzero(held_out)

    def start(self, x: Array) -> Array:
        """Starting points of the problems, given the solution for all rows: folds must not see held-out rows."""
        start = np.zeros((len(x), self.n_folds + 1, x.shape[2]))
        start[:, -1] = x[:, 0]
        return start

    def step(self, x: Array, multipliers: NDArray[np.float64], max_iterations: int = _ITERATIONS) -> Step:
        """Solve for given multipliers of tables, starting from x, and compute the held-out log-loss."""
        x = self._solver.solve(x, self._row_weights, self._penalties * multipliers, max_iterations)
        losses = self._solver.objective.losses(x, self._held_out)
        return Step(multipliers, float(losses.sum() / max(self._held_out.sum(), 1e-300)), x)

    def held_out(self, x: Array) -> HeldOut:
        """All rows, scored by the unknowns of each fold."""
        objective, folds = self._solver.objective, np.ascontiguousarray(x[:, : self.n_folds])
        assert isinstance(objective.rows, FittingRows)
        scores = table_scores(objective.layout, objective.rows, folds) + folds[0] + objective.base
        return HeldOut(self._rows, self._held_out[:, : self.n_folds], scores)

    def is_better(self, x: Array, other: Array) -> bool:
        """Whether x has a significantly lower held-out log-loss than other unknowns."""
        everything = np.zeros(self._solver.objective.layout.n_tables, dtype=np.intp)
        gains = self.scores(other, everything).losses() - self.scores(x, everything).losses()
        weights = self._held_out[self._row, self._fold]
        total = max(float(weights.sum()), 1e-300)
        mean = float((weights * gains).sum()) / total
        error = float(np.sqrt((weights**2 * (gains - mean) ** 2).sum())) / total
        return mean > _LEAST_ERRORS * error

    def scores(self, x: Array, group_of: NDArray[np.intp]) -> HeldOutScores:
        """What each group of tables adds to the scores of held-out rows, by the problem fitted without them."""
        objective, row, fold = self._solver.objective, self._row, self._fold
        tables, nothing = objective.layout.expand(x[1:]), np.zeros(x.shape[1:])
        group_of_column = group_of[self._cells.table_of_columns(objective.layout.sizes)]
        parts = [
            row_scores(self._cells.of_columns(group_of_column == group), tables, nothing)[np.arange(len(row)), fold]
            for group in range(int(group_of.max()) + 1)
        ]
        start = x[0][fold] + objective.base
        return HeldOutScores(np.stack(parts, axis=1), start, self._rows.labels[row], self._held_out[row, fold])

    @cached_property
    def _cells(self) -> TermCells:
        """The cells of the held-out rows."""
        here = self._solver.objective.rows
        assert isinstance(here, FittingRows)
        return here.cells.of_rows(self._row)
