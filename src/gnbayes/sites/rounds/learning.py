"""Tables learned from answers: ridge penalties, their multiplier, values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting.penalties import penalties_of
from gnbayes.model.fitting.solver import INTERCEPT_RIDGE
from gnbayes.sites.rounds.descent import Descent, Seen
from gnbayes.sites.rounds.synthetic import SyntheticRows

Array = NDArray[np.float64]
# Points, shape (p + 1, b, c), and the part that each problem leaves out; one question.
Ask = Callable[[Array, Sequence[int | None]], Seen]

# Questions after the first one: for the penalties, and for each group of multipliers.
PENALTY_ROUNDS, MULTIPLIER_ROUNDS = 6, 4
# Multipliers of the penalties that are tried first, and where the smallest of them is best.
_FIRST, _SMALLER = (4.0, 1.0, 0.25, 0.0625), (2.0**-6, 2.0**-8, 2.0**-10)
# Up to so many rows three parts are held out in turn, above one quarter.
_FEW_ROWS, FOLDS, QUARTER = 2000, 3, 4


def parts_of(n_rows: float) -> int:
    """Parts into which sites deal their rows."""
    return FOLDS if n_rows <= _FEW_ROWS else QUARTER


def learn_unknowns(ask: Ask, synthetic: SyntheticRows, n_rows: float) -> Array:
    """The unknowns of all tables, shape (p + 1, c), that have the least penalised log-loss over all sites.

    Parameters
    ----------
    ask : callable
    synthetic : SyntheticRows
    n_rows : float
        Of all sites.
    """
    everything = np.ones(1)
    descent = Descent(synthetic, everything, ask(synthetic.objective.zeros(), [None]))
    penalties = np.ones(synthetic.objective.layout.n_tables)
    for _ in range(PENALTY_ROUNDS):
        ridge = _ridge(synthetic, penalties, everything)
        descent.tell(ask(descent.next_point(ridge), [None]), ridge)
        penalties = _penalties(synthetic, descent.best, penalties)
    return _with_multiplier(_Path(ask, synthetic, penalties, n_rows), descent)


def _with_multiplier(path: _Path, descent: Descent) -> Array:
    """The unknowns with the multiplier of the penalties that held-out rows prefer."""
    first = path.follow(descent, 0, _FIRST)
    best = first
    if first.at == len(_FIRST) - 1:
        second = path.follow(first.descent, first.problem, _SMALLER)
        best = second if second.loss < first.loss else first
    return np.ascontiguousarray(best.descent.best.x[:, best.problem])


class _Found(NamedTuple):
    """Problems after their rounds, which multiplier is best, its problem with all rows, and its held-out loss."""

    descent: Descent
    at: int
    problem: int
    loss: float


@dataclass(frozen=True, eq=False)
class _Path:
    """Several multipliers of the same penalties, each with problems that leave out parts of the rows."""

    ask: Ask
    synthetic: SyntheticRows
    penalties: Array
    n_rows: float

    def follow(self, start: Descent, problem: int, multipliers: Sequence[float]) -> _Found:
        """Go on from one problem, with all rows, for every multiplier."""
        n_parts = parts_of(self.n_rows)
        parts: list[int | None] = [None, *range(FOLDS if n_parts == FOLDS else 1)]
        held_out = parts * len(multipliers)
        shares = np.array([1.0 if part is None else 1 - 1 / n_parts for part in held_out])
        ridge = _ridge(self.synthetic, self.penalties, np.repeat(multipliers, len(parts)))
        x = np.take(start.best.x, [problem] * len(held_out), axis=1)
        descent = Descent(self.synthetic, shares, self.ask(x, held_out), start.secants_of(problem, shares))
        for _ in range(MULTIPLIER_ROUNDS - 1):
            descent.tell(self.ask(descent.next_point(ridge), held_out), ridge)
        losses = descent.best.held_out.reshape(len(multipliers), len(parts)).sum(axis=1)
        at = int(np.argmin(losses))
        return _Found(descent, at, at * len(parts), float(losses[at]))


def _ridge(synthetic: SyntheticRows, penalties: Array, multipliers: Array) -> Array:
    """Ridge penalties of the unknowns, shape (p + 1, b)."""
    objective = synthetic.objective
    of_tables = penalties[objective.layout.table_of][:, None] * multipliers
    intercept = np.full((1, len(multipliers)), INTERCEPT_RIDGE)
    return np.concatenate([intercept, of_tables]) * objective.ridge_share


def _penalties(synthetic: SyntheticRows, seen: Seen, penalties: Array) -> Array:
    objective = synthetic.objective
    return penalties_of(objective.layout, objective.ridge_share, seen.curvature[1:, 0], seen.x, penalties)
