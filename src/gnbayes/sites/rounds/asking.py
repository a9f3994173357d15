"""Ask questions one after the other, and sum the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.model import TermSpec
from gnbayes.sites.rounds.descent import Seen
from gnbayes.sites.rounds.question_file import question_id
from gnbayes.sites.rounds.questions import PARTS, Answer, CountQuestion, Question, SumQuestion, Wholes
from gnbayes.sites.rounds.synthetic import SyntheticRows
from gnbayes.sites.rounds.tables import named_tables
from gnbayes.sites.site_features import SiteFeatures

Array = NDArray[np.float64]
HeldOut = Sequence[int | None]
# Takes a question, returns the sum of all sites' answers to it.
AskAll = Callable[[Question], Answer]
# Scores in questions are rounded to multiples of 1 / _SCORE_PARTS, so that every machine computes the same question.
_SCORE_PARTS = 2.0**24
_LARGEST_SCORE = 40.0
_MOST_CELLS = 2**25


@dataclass(eq=False)
class Asking:
    """Asks questions and numbers them.

    Parameters
    ----------
    features : SiteFeatures
    ask : callable
    n_asked : int
    """

    features: SiteFeatures
    ask: AskAll
    n_asked: int = 0

    def count(self, maps: tuple[NDArray[np.intp], ...], pairs: NDArray[np.intp]) -> tuple[Counts, Counts]:
        """Return counts of values by fine code, and counts of values and pairs by the codes of `maps`."""
        sizes = np.array([int(own.max()) + 1 for own in maps], dtype=np.intp)
        k = len(self.features.classes)
        n_cells = int((sizes[pairs[:, 0]] * sizes[pairs[:, 1]]).sum()) * k
        if n_cells > _MOST_CELLS:
            raise ValueError(
                f"the tables of all pairs would have {n_cells} cells, at most {_MOST_CELLS}; use fewer columns or "
                "values."
            )
        self.n_asked += 1
        numbers = self._answer(CountQuestion(self.n_asked, self.features.fingerprint, maps, pairs))
        singles = numbers["values"].reshape(-1, k)
        none = np.zeros((0, 2), dtype=np.intp)
        empty = np.zeros(0, dtype=np.int64)
        first = singles[: self.features.cardinalities[0]].sum(axis=0)
        if not first.sum() > 0:
            raise ValueError("the counts of all sites together hold no rows.")
        values = Counts(self.features.cardinalities, first, singles, none, empty)
        joined = [np.zeros((size, k), dtype=np.int64) for size in sizes.tolist()]
        for j, (own, table) in enumerate(zip(maps, joined, strict=True)):
            np.add.at(table, own, values.single(j))
        return values, Counts(sizes, first, np.concatenate(joined), pairs, numbers["pairs"])

    def sums(
        self,
        tables: Sequence[TermSpec],
        scores: Array,
        n_parts: int,
        held_out: HeldOut,
        *,
        only_losses: bool = False,
    ) -> dict[str, Array]:
        """Return log-losses and, unless `only_losses`, gradient and curvature, in units of rows."""
        scores = np.clip(np.rint(scores * _SCORE_PARTS) / _SCORE_PARTS, -_LARGEST_SCORE, _LARGEST_SCORE)
        self.n_asked += 1
        asked = (named_tables(tables), n_parts, tuple(held_out), scores + 0.0, only_losses)
        numbers = self._answer(SumQuestion(self.n_asked, self.features.fingerprint, *asked))
        return {name: part / PARTS for name, part in numbers.items()}

    def _answer(self, question: Question) -> dict[str, Wholes]:
        answer = self.ask(question)
        if answer.question != question_id(question):
            raise ValueError(
                f"the answers to question {question.number} belong to another question; ask the sites again."
            )
        return dict(answer.numbers)


@dataclass(frozen=True, eq=False)
class AskedTables:
    """The tables of a model that the sites are asked about.

    Parameters
    ----------
    asking : Asking
    synthetic : SyntheticRows
        Synthetic rows, which also hold the layout of the tables.
    n_parts : int
        Number of parts into which each site divides its rows.
    """

    asking: Asking
    synthetic: SyntheticRows
    n_parts: int

    def sums(self, x: Array, held_out: HeldOut) -> Seen:
        """Log-loss, gradient and curvature of all sites' rows at one point per problem, `x` of shape (p + 1, b, c)."""
        layout = self.synthetic.objective.layout
        sums = self.asking.sums(layout.specs, self.scores(x), self.n_parts, held_out)
        gradient, bends = sums["gradient"], sums["curvature"]
        return Seen(
            x,
            sums["losses"],
            sums["held_out"],
            np.concatenate([gradient[:1], layout.project(np.ascontiguousarray(gradient[1:]))]),
            np.concatenate([bends[:1], layout.project_squares(np.ascontiguousarray(bends[1:]))]),
        )

    def losses(self, x: Array, held_out: HeldOut) -> Array:
        """Log-loss of each problem's held-out rows, shape (b,)."""
        specs = self.synthetic.objective.layout.specs
        return self.asking.sums(specs, self.scores(x), self.n_parts, held_out, only_losses=True)["held_out"]

    def residuals(self, x: Array, others: Sequence[TermSpec], held_out: HeldOut) -> tuple[Array, Array]:
        """Gradient and curvature for the cells of tables not yet in the model, shape (number of cells, b, c)."""
        scores = self.scores(x)
        n_others = sum(spec.n_cells for spec in others)
        wide = np.concatenate([scores, np.zeros((n_others, *scores.shape[1:]))])
        tables = [*self.synthetic.objective.layout.specs, *others]
        sums = self.asking.sums(tables, wide, self.n_parts, held_out)
        return sums["gradient"][len(scores) :], sums["curvature"][len(scores) :]

    def scores(self, x: Array) -> Array:
        """Starting score of every row, followed by what each cell adds."""
        objective = self.synthetic.objective
        return np.concatenate([(x[0] + objective.base)[None], objective.layout.expand(x[1:])])
