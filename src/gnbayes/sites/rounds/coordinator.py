"""The default model across sites, in rounds: questions to all sites, and the sums of their answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from operator import add

import numpy as np
from numpy.typing import NDArray

from gnbayes.base import all_or_nothing
from gnbayes.counting import Counts
from gnbayes.estimator import GeneralizedNB
from gnbayes.learned_elsewhere import set_fitted, settings_of
from gnbayes.model import (
    FittedTables,
    LearnedParts,
    NestedCounts,
    build_weighted_model,
    terms_of_tables,
    tree_terms,
)
from gnbayes.model.fitting.layout import Layout
from gnbayes.model.nested import split_codes
from gnbayes.pipeline import Learned
from gnbayes.sites.rounds.answer_file import check_answer
from gnbayes.sites.rounds.descent import Seen
from gnbayes.sites.rounds.learning import Array, learn_unknowns, parts_of
from gnbayes.sites.rounds.question_file import question_id
from gnbayes.sites.rounds.questions import PARTS, Answer, CountQuestion, Question, SumQuestion, Wholes
from gnbayes.sites.rounds.synthetic import SyntheticRows, draw_rows
from gnbayes.sites.rounds.tables import tables_of
from gnbayes.sites.site_features import SiteFeatures
from gnbayes.structure import (
    STRUCTURES,
    Information,
    Tree,
    choose_tree,
    class_information,
    information_of_blocks,
    weighed,
)

# The sum of all sites' answers to a question.
AskAll = Callable[[Question], Answer]
# Scores are asked for in these parts of 1, so that the same question comes out wherever it is computed.
_SCORE_PARTS = 2.0**24
_LARGEST_SCORE = 40.0
_MOST_CELLS = 2**25


def fit_rounds(
    clf: GeneralizedNB, features: SiteFeatures, sites: Sequence[Callable[[Question], Answer]]
) -> GeneralizedNB:
    """Fit a classifier with weights over sites that keep their rows.

    The coordinator asks questions, every site answers with sums over its rows, and only the sums of all answers are
    used. Two questions are for counts, 11 or 15 for log-losses and gradients. There is no noise in the answers, and no
    differential privacy: see the guide on what they can reveal.

    Parameters
    ----------
    clf : GeneralizedNB
        With ``weighting="discriminative"``, the default.
    features : SiteFeatures
        Of `propose_features` with the same `clf`.
    sites : sequence of callables
        Each answers a question: a `RoundSite`, or what passes the question on to one.

    Returns
    -------
    clf : GeneralizedNB
        The same object, fitted.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import RoundSite, fit_rounds
    >>> table = load_iris(as_frame=True).frame
    >>> clf = GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> sites = [RoundSite("a", features, [table[::2]]), RoundSite("b", features, [table[1::2]])]
    >>> clf = fit_rounds(clf, features, sites)
    >>> bool(clf.score(table.drop(columns="target"), table["target"]) > 0.95)
    True
    """
    if not sites:
        raise ValueError("there are no sites to ask.")

    def ask(question: Question) -> Answer:
        return reduce(add, (check_answer(site(question), question, features) for site in sites))

    return fit_answers(clf, features, ask)


def fit_answers(clf: GeneralizedNB, features: SiteFeatures, ask: AskAll) -> GeneralizedNB:
    """The same from a function that gives the sum of all answers to a question."""
    settings = settings_of(clf, features.classes, len(features.features))
    if clf.weighting is None:
        raise ValueError("weighting=None needs no rounds; count once, and use fit_sites.")
    with all_or_nothing(clf):
        rounds = _Rounds(features, ask)
        values, tree, counts = rounds.tree(clf)
        nested = rounds.nested(values, tree)
        fitted = rounds.tables(values, tree, counts)
        coarse = NestedCounts(tuple(feature.coarse_codes for feature in features.features), values, counts)
        parts = LearnedParts(terms_of_tables(tree_terms(features.features, tree), fitted, coarse), nested)
        columns, classes = list(features.features), features.classes
        model = build_weighted_model(columns, classes, tree, parts, counts, settings.class_prior)
        set_fitted(clf, classes, Learned(columns, counts, tree, model, float(settings.alpha)), has_names=True)
    return clf


@dataclass(eq=False)
class _Rounds:
    """The questions one after the other."""

    features: SiteFeatures
    ask: AskAll
    n_asked: int = 0

    def tree(self, clf: GeneralizedNB) -> tuple[Counts, Tree, Counts]:
        """Counts of values by fine codes, the tree, and counts of its edges by coarse codes."""
        columns, d = self.features.features, len(self.features.features)
        pairs = list(combinations(range(d), 2)) if STRUCTURES[clf.structure].needs_pairs else []
        maps = tuple(feature.coarse_codes for feature in columns)
        values, blocks = self._count(maps, np.array(pairs, dtype=np.intp).reshape(-1, 2))
        info = information_of_blocks(blocks, [blocks]) if pairs else _no_information(blocks)
        tree = choose_tree(clf.structure, clf.information, info, blocks)
        tree = tree if clf.n_features is None else tree.first(clf.n_features)
        cells = [np.ascontiguousarray(blocks.pair(i, j)).ravel() for i, j in tree.edges.tolist()]
        counts = replace(blocks, pairs=tree.edges, cells=np.concatenate([blocks.cells[:0], *cells]))
        return values, weighed(tree, counts), counts

    def nested(self, values: Counts, tree: Tree) -> NestedCounts:
        """What the joint distribution beside the terms is estimated from."""
        columns = self.features.features
        maps = tuple(split_codes(feature, values.single(j).sum(axis=1)) for j, feature in enumerate(columns))
        return NestedCounts(maps, values, self._count(maps, tree.edges)[1])

    def tables(self, values: Counts, tree: Tree, counts: Counts) -> FittedTables:
        """The learned tables, in the order of the tree's terms."""
        columns = self.features.features
        layout = tables_of(self.features, tree)
        coarse = NestedCounts(tuple(feature.coarse_codes for feature in columns), values, counts)
        n_rows = float(values.n)
        drawn = draw_rows(columns, tree, coarse, len(layout.table_of))
        synthetic = SyntheticRows(layout, *drawn, len(self.features.classes), n_rows)
        objective = synthetic.objective

        def ask(x: Array, held_out: Sequence[int | None]) -> Seen:
            return self._sums(tree, layout, objective.base, x, held_out, parts_of(n_rows))

        x = learn_unknowns(ask, synthetic, n_rows)
        return _fitted(layout, x[0] + objective.base, layout.expand(x[1:, None])[:, 0])

    def _count(self, maps: tuple[NDArray[np.intp], ...], pairs: NDArray[np.intp]) -> tuple[Counts, Counts]:
        """Counts of values by fine codes, and of values and pairs by the codes of the maps."""
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

    def _sums(
        self,
        tree: Tree,
        layout: Layout,
        base: Array,
        x: Array,
        held_out: Sequence[int | None],
        n_parts: int,
    ) -> Seen:
        """Log-loss, gradient and curvature at a point."""
        scores = np.concatenate([(x[0] + base)[None], layout.expand(x[1:])])
        scores = np.clip(np.rint(scores * _SCORE_PARTS) / _SCORE_PARTS, -_LARGEST_SCORE, _LARGEST_SCORE)
        self.n_asked += 1
        where = (self.n_asked, self.features.fingerprint, tree.mother, tree.order)
        numbers = self._answer(SumQuestion(*where, n_parts, tuple(held_out), scores + 0.0))
        sums = {name: part / PARTS for name, part in numbers.items()}
        gradient, bends = sums["gradient"], sums["curvature"]
        return Seen(
            x,
            sums["losses"],
            sums["held_out"],
            np.concatenate([gradient[:1], layout.project(np.ascontiguousarray(gradient[1:]))]),
            np.concatenate([bends[:1], layout.project_squares(np.ascontiguousarray(bends[1:]))]),
        )

    def _answer(self, question: Question) -> dict[str, Wholes]:
        answer = self.ask(question)
        if answer.question != question_id(question):
            raise ValueError(f"the answers to question {question.number} are to another question; ask the sites again.")
        return dict(answer.numbers)


def _no_information(values: Counts) -> Information:
    """Of values alone: nothing is known of pairs."""
    return Information(class_information(values), np.zeros((values.n_features,) * 2))


def _fitted(layout: Layout, intercept: Array, cells: Array) -> FittedTables:
    """Unknowns as tables for every class; the one column of two classes is their difference."""
    if len(intercept) == 1:
        intercept, cells = np.append(-intercept, intercept) / 2, np.concatenate([-cells, cells], axis=1) / 2
    return FittedTables(intercept, tuple(layout.tables(cells)))
