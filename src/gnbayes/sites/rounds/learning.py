"""Tables learned from answers: ridge penalties, and their values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.layout import Layout
from gnbayes.model.fitting.penalties import penalties_of
from gnbayes.model.fitting.solver import INTERCEPT_RIDGE
from gnbayes.sites.rounds.asking import AskedTables
from gnbayes.sites.rounds.descent import Descent
from gnbayes.sites.rounds.synthetic import SyntheticRows

Array = NDArray[np.float64]
# The ridge penalty of a table before anything is known of it: of the first tables, and of those that join later.
FIRST_PENALTY, LATER_PENALTY = 1.0, 32.0


class Penalised(NamedTuple):
    """Tables on their way down.

    Parameters
    ----------
    tables : AskedTables
    descent : Descent
        One problem, with all rows.
    penalties : ndarray of shape (number of tables,)
    """

    tables: AskedTables
    descent: Descent
    penalties: Array

    @property
    def layout(self) -> Layout:
        """Where the tables stand."""
        return self.tables.synthetic.objective.layout

    @property
    def x(self) -> Array:
        """The unknowns so far, shape (p + 1, 1, c)."""
        return self.descent.best.x


def learn_penalties(tables: AskedTables, n_rounds: int, before: Penalised | None = None) -> Penalised:
    """Go down from nothing, or from tables that are among these, while penalties follow by empirical Bayes.

    Parameters
    ----------
    tables : AskedTables
    n_rounds : int
        Questions after the first one.
    before : Penalised, optional
    """
    synthetic, everything = tables.synthetic, np.ones(1)
    x, penalties = _start(synthetic, before)
    descent = Descent(synthetic, everything, tables.sums(x, [None]))
    for _ in range(n_rounds):
        ridge = ridge_of(synthetic, penalties[:, None])
        descent.tell(tables.sums(descent.next_point(ridge), [None]), ridge)
        seen, objective = descent.best, synthetic.objective
        penalties = penalties_of(objective.layout, objective.ridge_share, seen.curvature[1:, 0], seen.x, penalties)
    return Penalised(tables, descent, penalties)


def ridge_of(synthetic: SyntheticRows, penalties: Array) -> Array:
    """Ridge penalties of the unknowns, shape (p + 1, b), from those of the tables, shape (number of tables, b)."""
    objective = synthetic.objective
    intercept = np.full((1, penalties.shape[1]), INTERCEPT_RIDGE)
    return np.concatenate([intercept, penalties[objective.layout.table_of]]) * objective.ridge_share


def _start(synthetic: SyntheticRows, before: Penalised | None) -> tuple[Array, Array]:
    """Unknowns and penalties of tables: those that they had before, else nothing."""
    objective = synthetic.objective
    layout, x = objective.layout, objective.zeros()
    if before is None:
        return x, np.full(layout.n_tables, FIRST_PENALTY)
    penalties = np.full(layout.n_tables, LATER_PENALTY)
    x[0] = before.x[0] + before.tables.synthetic.objective.base - objective.base
    known = {id(spec): at for at, spec in enumerate(before.layout.specs)}
    starts, starts_before = (1 + np.cumsum([0, *own.n_unknowns]) for own in (layout, before.layout))
    for at, spec in enumerate(layout.specs):
        place = known.get(id(spec))
        if place is not None:
            penalties[at] = before.penalties[place]
            x[starts[at] : starts[at + 1]] = before.x[starts_before[place] : starts_before[place + 1]]
    return x, penalties
