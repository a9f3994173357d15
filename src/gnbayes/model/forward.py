"""Forward selection: an order of features by how much each improves the held-out log-loss of a weighted model.

Each step screens all features that are not in the model yet by one Newton step of their tables, and tries the most
promising ones with a short refit that starts from the current tables. The one with the lowest held-out log-loss joins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows
from gnbayes.model.fitting.cells import take_rows
from gnbayes.model.fitting.layout import Layout, TermColumn, arrange
from gnbayes.model.fitting.objective import Array, Objective
from gnbayes.model.fitting.penalties import update_penalties
from gnbayes.model.fitting.repeats import find_repeats
from gnbayes.model.fitting.rows import DistinctRows, distinct_rows
from gnbayes.model.fitting.solver import Solver
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.sums import FittingRows
from gnbayes.model.newton import newton_gains
from gnbayes.progress import Progress, silent

# Maximum number of distinct rows used by the search, and the number of folds.
_MOST_ROWS, _FOLDS = 5_000, 3
# Number of features tried in a step, and iterations of a trial and of the resulting model.
_TRIALS, _TRIAL_ITERATIONS, _STEP_ITERATIONS = 5, 4, 8
# Penalties of the search are this many times those of empirical Bayes, which makes its choice more stable.
_TIMES_PENALTY = 4.0
# After this many steps without a gain, all other features are ordered by their estimated gain.
_PATIENCE = 5


@dataclass(frozen=True, eq=False)
class ForwardSteps:
    """Features in the order in which they joined.

    Parameters
    ----------
    order : ndarray of shape (d,)
        All features: first those added step by step, then the others by their estimated gain, and copies of earlier
        features last.
    losses : ndarray of shape (number of steps,)
        Held-out log-loss after each step.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import TermSpec, forward_steps
    >>> codes = np.random.default_rng(0).integers(0, 2, (400, 3)).astype(np.uint8)
    >>> specs = [TermSpec((j,), (np.arange(2),), "free", (False,)) for j in range(3)]
    >>> found = forward_steps(specs, CodedRows(codes, codes[:, 1].astype(np.intp), np.full(3, 2), 2))
    >>> int(found.order[0]), len(found.order)
    (1, 3)
    """

    order: NDArray[np.intp]
    losses: Array


def forward_steps(
    specs: Sequence[TermSpec],
    rows: CodedRows,
    n_steps: int | None = None,
    costs: Array | None = None,
    progress: Progress = silent,
) -> ForwardSteps:
    """Add features one by one, each time the one that gives the lowest held-out log-loss.

    Parameters
    ----------
    specs : sequence of TermSpec
        Terms of all features: single features, and pairs, which join together with the later of their features.
    rows : CodedRows
    n_steps : int, optional
        Stop after this many features; the order up to there does not depend on it.
    costs : ndarray of shape (d,), optional
        Cost of each feature, above 0; the feature with the largest gain per cost joins.
    progress : callable
        Called with the share done.

    Examples
    --------
    The first two columns are equal, and the third is noise:

    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import TermSpec, forward_steps
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 2, (400, 4)).astype(np.uint8)
    >>> codes[:, 1] = codes[:, 0]
    >>> labels = np.where(rng.random(400) < 0.2, 1, codes[:, 0] & codes[:, 3]).astype(np.intp)
    >>> specs = [TermSpec((j,), (np.arange(2),), "free", (False,)) for j in range(4)]
    >>> forward_steps(specs, CodedRows(codes, labels, np.full(4, 2), 2)).order.tolist()
    [3, 0, 2, 1]
    """
    search = _Search(specs, rows, costs)
    wanted = rows.n_features if n_steps is None else min(n_steps, rows.n_features)
    best, since, losses = np.inf, 0, []
    while len(search.chosen) < wanted and since < _PATIENCE and search.candidates():
        losses.append(search.step())
        best, since = (losses[-1], 0) if losses[-1] < best else (best, since + 1)
        progress(min(0.99, len(search.chosen) / wanted))
    progress(1.0)
    return ForwardSteps(np.array([*search.chosen, *search.others()], dtype=np.intp), np.array(losses))


@dataclass(frozen=True, eq=False)
class _Fitted:
    """A model of some terms.

    Parameters
    ----------
    values : dict
        Coefficients of each term, shape (number, folds + 1, c): one problem without each fold, and one with all rows.
    penalties : dict
        Ridge penalty of each term.
    base : ndarray of shape (folds + 1, c)
        The intercept.
    loss : float
        Held-out log-loss.
    """

    values: dict[int, Array]
    penalties: dict[int, float]
    base: Array
    loss: float


class _Search:
    """Rows, terms, and the features that have joined so far."""

    def __init__(self, specs: Sequence[TermSpec], rows: CodedRows, costs: Array | None) -> None:
        self._specs, self._n_classes, self._n_threads = list(specs), rows.n_classes, rows.n_threads
        self._rows = _few_rows(rows)
        codes = take_rows(rows.codes, self._rows.index)
        self._columns = [TermColumn.of(spec, codes) for spec in specs]
        self._held_out = self._rows.fold_weights(_FOLDS)
        self._trained = self._rows.weights[:, None] - self._held_out
        self._costs = np.ones(rows.n_features) if costs is None else costs
        self._first_copy = first_copies(rows.codes)
        self._terms_of: list[list[int]] = [[] for _ in range(rows.n_features)]
        for at, spec in enumerate(self._specs):
            for feature in spec.features:
                self._terms_of[feature].append(at)
        self._all = self._objective(range(len(self._specs)))
        zeros = self._all.zeros(_FOLDS + 1)
        self._model = _Fitted({}, {}, zeros[0], self._held_out_loss(self._all, zeros[:, :-1]))
        self.chosen: list[int] = []

    def candidates(self) -> list[int]:
        """Features that may join: all but copies of features that have joined."""
        known = {self._first_copy[j] for j in self.chosen}
        return [j for j, first in enumerate(self._first_copy) if first not in known]

    def others(self) -> list[int]:
        """Features that have not joined, the most promising first, copies last."""
        known = {self._first_copy[j] for j in self.chosen}
        gains = self._screen()[0]
        ranked: list[int] = []
        copies: list[int] = []
        for j in sorted(set(range(len(self._first_copy))) - set(self.chosen), key=lambda j: (-gains[j], j)):
            (copies if self._first_copy[j] in known else ranked).append(j)
            known.add(self._first_copy[j])
        return ranked + sorted(copies)

    def step(self) -> float:
        """Add the best feature, and return the held-out log-loss."""
        gains, penalties = self._screen()
        gain_per_cost = {j: per_price(gains[j].item(), self._costs[j].item()) for j in self.candidates()}
        ranked = sorted(gain_per_cost, key=lambda j: (-gain_per_cost[j], j))[:_TRIALS]
        trials = [self._trial(j, penalties) for j in ranked]
        gained = [self._model.loss - loss for loss, _ in trials]
        at = int(np.argmax([per_price(gain, self._costs[j].item()) for gain, j in zip(gained, ranked, strict=True)]))
        self.chosen.append(ranked[at])
        self._model = self._settled(*trials[at][1])
        return self._model.loss

    def _screen(self) -> tuple[Array, Array]:
        """Estimated gain of each feature, shape (d,), and the ridge penalty of each term."""
        x = self._point(self._all, list(range(len(self._specs))))
        found = newton_gains(self._all, np.ascontiguousarray(x[:, :-1]), self._trained, self._held_out)
        gains, penalties = np.empty((2, len(self._specs)))
        gains[self._all.layout.places], penalties[self._all.layout.places] = found
        out = np.full(len(self._terms_of), -np.inf)
        for j in self.candidates():
            own = [gains[at] for at in self._terms_of[j] if len(self._specs[at].features) == 1]
            pairs = [gains[at] for at in self._joining(j) if len(self._specs[at].features) > 1]
            out[j] = sum(own) + max([0.0, *pairs])
        return out, penalties

    def _joining(self, feature: int) -> list[int]:
        """Terms that join with a feature."""
        inside = {feature, *self.chosen}
        return [at for at in self._terms_of[feature] if inside.issuperset(self._specs[at].features)]

    def _trial(self, feature: int, start: Array) -> tuple[float, tuple[Objective, list[int], Array, Array]]:
        """The held-out log-loss after a short refit with one more feature, and the coefficients."""
        terms = [*self._model.values, *self._joining(feature)]
        objective = self._objective(terms)
        known = self._model.penalties
        penalties = np.array([known.get(terms[at], start[terms[at]]) for at in objective.layout.places.tolist()])
        x = self._point(objective, terms)
        folds = np.ascontiguousarray(x[:, :-1])
        x[:, :-1] = Solver(objective).solve(folds, self._trained, _TIMES_PENALTY * penalties, _TRIAL_ITERATIONS)
        return self._held_out_loss(objective, x[:, :-1]), (objective, terms, x, penalties)

    def _settled(self, objective: Objective, terms: list[int], x: Array, penalties: Array) -> _Fitted:
        """The model of a trial with updated penalties."""
        solver, weights = Solver(objective), np.append(self._trained, self._rows.weights[:, None], axis=1)
        x = solver.solve(x, weights, _TIMES_PENALTY * penalties, _STEP_ITERATIONS)
        penalties = update_penalties(objective, np.ascontiguousarray(x[:, -1:]), penalties)
        x = solver.solve(x, weights, _TIMES_PENALTY * penalties, _STEP_ITERATIONS)
        values = {terms[at]: x[place] for at, place in _places(objective.layout)}
        found = dict(zip((terms[at] for at in objective.layout.places.tolist()), penalties.tolist(), strict=True))
        loss = self._held_out_loss(objective, x[:, :-1])
        return _Fitted({at: values[at] for at in terms}, found, x[0], loss)

    def _point(self, objective: Objective, terms: list[int]) -> Array:
        """The current coefficients in the layout of an objective; 0 for terms that are not in the model yet."""
        x = objective.zeros(_FOLDS + 1)
        x[0] = self._model.base
        for at, place in _places(objective.layout):
            if terms[at] in self._model.values:
                x[place] = self._model.values[terms[at]]
        return x

    def _objective(self, terms: Sequence[int]) -> Objective:
        layout, cells = arrange([self._columns[at] for at in terms], len(self._rows))
        rows = FittingRows(cells, self._rows.labels, self._rows.weights, self._n_classes, self._n_threads)
        return Objective(layout, rows)

    def _held_out_loss(self, objective: Objective, x: Array) -> float:
        losses = objective.losses(np.ascontiguousarray(x), self._held_out)
        return float(losses.sum() / self._held_out.sum())


def per_price(gain: float, price: float) -> float:
    """Gain divided by the cost; a negative gain is multiplied by it."""
    return gain / price if gain > 0 else gain * price


def first_copies(codes: NDArray[Any]) -> list[int]:
    """For each column, the first column that is equal up to a renaming of the values.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.forward import first_copies
    >>> first_copies(np.array([[0, 0, 2], [1, 1, 0], [1, 0, 0]]))
    [0, 1, 0]
    """
    first: dict[bytes, int] = {}
    out = []
    for j, column in enumerate(codes.T):
        _, where, values = np.unique(column, return_index=True, return_inverse=True)
        # Values are numbered in order of appearance, so that their names do not matter.
        numbers = np.empty(len(where), dtype=np.uint32)
        numbers[np.argsort(where)] = np.arange(len(where))
        out.append(first.setdefault(numbers[values].tobytes(), j))
    return out


def _places(layout: Layout) -> Iterator[tuple[int, slice]]:
    """The position of each table among the given terms, and that of its coefficients after the intercept."""
    ends = np.cumsum(layout.n_unknowns) + 1
    for at, end, n in zip(layout.places.tolist(), ends.tolist(), layout.n_unknowns.tolist(), strict=True):
        yield at, slice(end - n, end)


def _few_rows(rows: CodedRows) -> DistinctRows:
    """Distinct rows, or a sample if there are many."""
    found = distinct_rows(rows.codes, rows.labels, rows.weights, rows.n_classes, rows.groups).as_ratios()
    if find_repeats(rows.codes, found).may_be_copies:
        found = found.with_repeats(0.0)
    return found if len(found) <= 1.5 * _MOST_ROWS else found.thinned(_MOST_ROWS)
