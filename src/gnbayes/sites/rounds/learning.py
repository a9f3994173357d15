"""Learn tables and their ridge penalties from answers."""

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
# Initial ridge penalty of a table: of the first tables, and of tables added later.
FIRST_PENALTY, LATER_PENALTY = 1.0, 32.0


class Penalized(NamedTuple):
    """Tables during fitting, with their penalties.

    Parameters
    ----------
    tables : AskedTables
    descent : Descent
        A single problem, fitted to all rows.
    penalties : ndarray of shape (number of tables,)
    """

    tables: AskedTables
    descent: Descent
    penalties: Array

    @property
    def layout(self) -> Layout:
        """Layout of the tables' cells in the vector of coefficients."""
        return self.tables.synthetic.objective.layout

    @property
    def x(self) -> Array:
        """The current coefficients, shape (p + 1, 1, c)."""
        return self.descent.best.x


def learn_penalties(tables: AskedTables, n_rounds: int, before: Penalized | None = None) -> Penalized:
    """Fit tables, from zero or from an earlier fit of some of them, and update penalties by empirical Bayes.

    Parameters
    ----------
    tables : AskedTables
    n_rounds : int
        Number of questions after the first one.
    before : Penalized, optional
    """
    synthetic, everything = tables.synthetic, np.ones(1)
    x, penalties = _start(synthetic, before)
    descent = Descent(synthetic, everything, tables.sums(x, [None]))
    for _ in range(n_rounds):
        ridge = ridge_of(synthetic, penalties[:, None])
        descent.tell(tables.sums(descent.next_point(ridge), [None]), ridge)
        seen, objective = descent.best, synthetic.objective
        penalties = penalties_of(objective.layout, objective.ridge_share, seen.curvature[1:, 0], seen.x, penalties)
    return Penalized(tables, descent, penalties)


def ridge_of(synthetic: SyntheticRows, penalties: Array) -> Array:
    """Ridge penalties of coefficients, shape (p + 1, b), from those of tables, shape (number of tables, b)."""
    objective = synthetic.objective
    intercept = np.full((1, penalties.shape[1]), INTERCEPT_RIDGE)
    return np.concatenate([intercept, penalties[objective.layout.table_of]]) * objective.ridge_share


def _start(synthetic: SyntheticRows, before: Penalized | None) -> tuple[Array, Array]:
    """Starting coefficients and penalties: from the earlier fit if there is one, else zero and the initial penalty."""
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
