"""Boosting of many rows: every row is used in some of the rounds, and more rounds are better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import limit_threads
from gnbayes.model.boosting.codes import TreeCodes
from gnbayes.model.boosting.rounds import Boosted, DrawnRows, Run, base_scores
from gnbayes.model.boosting.trees import Trees
from gnbayes.model.fitting import DistinctRows, team_of
from gnbayes.progress import Progress, silent

Array = NDArray[np.float64]
# The number of rounds is found with at most about this many rows, of which one in five is held out; rounds of the final
# run use as many.
_MOST_ROWS, _FOLDS = 20_000, 5
# Rounds between evaluations of held-out rows, and most rounds.
_STEP, _MOST_ROUNDS = 50, 3000
# Fitting to all rows allows for more rounds, and averaging with penalised tables for more still.
_MORE_ROUNDS = 1.5
# Boosting continues while this many steps together reduce the log-loss by this share of it.
_STEPS, _LEAST_GAIN = 2, 1e-3


def boost_many(
    codes_of: Callable[[DistinctRows], Sequence[TreeCodes]],
    rows: DistinctRows,
    n_classes: int,
    n_threads: int = 1,
    progress: Progress = silent,
) -> Boosted:
    """Boost small trees for half as many rounds again as is best for held-out rows: none, if none helps.

    Parameters
    ----------
    codes_of : callable
        Codes of rows for trees of depth one, two and three.
    rows : DistinctRows
    n_classes : int
    n_threads : int, default=1
        Threads that share the rows of each round, if there are enough of them.
    progress : callable

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model import distinct_rows
    >>> from gnbayes.model.boosting import boost_many, tree_codes
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 4, (200, 2)).astype(np.uint8)
    >>> rows = distinct_rows(codes, (codes[:, 0] > 1).astype(np.intp), None, 2)
    >>> def codes_of(rows):
    ...     return [tree_codes(codes[rows.index], [np.arange(4)] * 2, [True] * 2, [False] * 2, [(0, 1)])] * 3
    >>> len(boost_many(codes_of, rows, 2).trees) > 50
    True
    """
    some = rows.thinned(_MOST_ROWS) if len(rows) > 1.5 * _MOST_ROWS else rows
    held_out = some.fold_weights(_FOLDS)[:, 0]
    without = _Grown.of(codes_of(some), some, some.weights - held_out, base_scores(some, n_classes))
    whole = _Grown.of(codes_of(rows), rows, rows.weights, base_scores(rows, n_classes))
    with team_of(limit_threads(n_threads, _STEP * whole.run.resolutions[0].codes.size)) as team:
        losses: list[float] = []
        while without.run.n_rounds <= _MOST_ROUNDS and _still_falls(losses):
            progress(0.5 * without.run.n_rounds / (without.run.n_rounds + _MOST_ROUNDS / 4))
            # Not a dot product: threads of a linear algebra library would go on waiting for more of them.
            losses.append(float((held_out * without.run.losses(held_out > 0)).sum()))
            without.advance(team)
            # Only their number matters, and they take memory.
            without.parts.clear()
        n_rounds = int(_MORE_ROUNDS * _STEP * int(np.argmin(losses)))
        while whole.run.n_rounds < n_rounds:
            whole.advance(team)
            progress(0.5 + 0.5 * min(1.0, whole.run.n_rounds / n_rounds))
    nothing = Trees.without_splits(np.zeros(0, dtype=np.int32), len(whole.run.base))
    return Boosted(Trees.joined([nothing, *whole.parts], n_rounds), whole.run.base)


def _still_falls(losses: Sequence[float]) -> bool:
    """Whether the last steps have reduced the loss."""
    return len(losses) <= _STEPS or min(losses[-_STEPS:]) <= (1 - _LEAST_GAIN) * min(losses[:-_STEPS])


@dataclass(eq=False)
class _Grown:
    """A run and the trees that it has grown."""

    run: Run
    drawn: DrawnRows
    parts: list[Trees] = field(default_factory=list)

    @classmethod
    def of(cls, codes: Sequence[TreeCodes], rows: DistinctRows, weights: Array, base: Array) -> _Grown:
        """A run that has not begun."""
        return cls(Run(codes, rows.labels.astype(np.int64), weights, base), DrawnRows(len(rows), _MOST_ROWS))

    def advance(self, team: Any) -> None:
        """Grow trees for a step of rounds, with the help of a team."""
        first = self.run.n_rounds
        self.parts.append(self.run.advance(self.drawn.rounds(first, first + _STEP, team), team))
