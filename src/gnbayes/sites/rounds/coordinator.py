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
from gnbayes.counted_tree import interactions_of
from gnbayes.counting import Counts
from gnbayes.estimator import GeneralizedNB
from gnbayes.learned_elsewhere import set_fitted, settings_of
from gnbayes.model import (
    ONLY_TREE,
    FittedTables,
    Interactions,
    LearnedParts,
    LearnedTerms,
    NestedCounts,
    TermSpec,
    build_weighted_model,
    read_monotonic,
    terms_of_tables,
    tree_terms,
)
from gnbayes.model.fitting import TermCounts
from gnbayes.model.fitting.layout import Layout
from gnbayes.model.interactions.choice import Chosen
from gnbayes.model.interactions.folding import Fit, fold
from gnbayes.model.interactions.grids import make_grids
from gnbayes.model.interactions.several import Ground, maps_of_terms, terms_of_fit
from gnbayes.model.monotone import make_monotone
from gnbayes.model.nested import split_codes
from gnbayes.pipeline import Learned
from gnbayes.settings import Settings
from gnbayes.sites.rounds.answer_file import check_answer
from gnbayes.sites.rounds.asking import AskAll, AskedTables, Asking
from gnbayes.sites.rounds.balancing import balance
from gnbayes.sites.rounds.learning import learn_penalties
from gnbayes.sites.rounds.pairs import choose_pairs
from gnbayes.sites.rounds.parts import Parts, parts_of
from gnbayes.sites.rounds.questions import Answer, Question
from gnbayes.sites.rounds.synthetic import SyntheticRows, draw_rows
from gnbayes.sites.rounds.tables import all_cells
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

Array = NDArray[np.float64]
# With fewer rows, no pairs are chosen beyond those of the tree.
_LEAST_ROWS = 500
# Questions after the first one while penalties are learned: if no pairs will be added, before adding pairs, and after.
_ONLY_ROUNDS, _FIRST_ROUNDS, _LATER_ROUNDS = 6, 4, 3


def fit_rounds(
    clf: GeneralizedNB, features: SiteFeatures, sites: Sequence[Callable[[Question], Answer]]
) -> GeneralizedNB:
    """Fit a discriminative classifier to the rows of several sites without moving the rows.

    The coordinator asks questions, every site answers with sums over its rows, and only the sums of all answers are
    used. It takes 13 to 30 questions, two or three of them for counts and the others for log-losses and gradients.
    Triples, the mean of several fits and boosted tables are left out. There is no noise in the answers, and no
    differential privacy: see the guide on what they can reveal.

    Parameters
    ----------
    clf : GeneralizedNB
        Must have ``weighting="discriminative"``, the default.
    features : SiteFeatures
        The result of `propose_features` with the same `clf`.
    sites : sequence of callables
        Each answers a question: a `RoundSite`, or a function that forwards the question to one.

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
    """Like `fit_rounds`, given a function that returns the sum of all sites' answers to a question.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import limits_for, summarize
    >>> from gnbayes.sites import propose_features
    >>> from gnbayes.sites.rounds import RoundSite, fit_answers
    >>> table, clf = load_iris(as_frame=True).frame, GeneralizedNB()
    >>> features = propose_features(summarize(table, "target", limits_for(clf)), "target", clf)
    >>> clf = fit_answers(clf.set_params(structure="nb"), features, RoundSite("a", features, [table]))
    >>> clf.predict(table.drop(columns="target")[::50]).tolist()
    [0, 1, 2]
    """
    settings = settings_of(clf, features.classes, len(features.features))
    columns, classes = list(features.features), features.classes
    request, signs = _request(settings, features), read_monotonic(clf.monotonic_cst, columns, len(classes))
    with all_or_nothing(clf):
        asking = Asking(features, ask)
        counted = _count(asking, clf)
        learned = _learn(
            asking, counted, request if counted.values.n >= _LEAST_ROWS or not request.chooses else ONLY_TREE
        )
        learned = make_monotone(learned, columns, signs) if signs else learned
        parts = LearnedParts(learned, counted.nested)
        model = build_weighted_model(columns, classes, counted.tree, parts, counted.edges, settings.class_prior)
        result = Learned(columns, counted.edges, counted.tree, model, float(settings.alpha))
        set_fitted(clf, classes, result, has_names=True)
    return clf


def _request(settings: Settings, features: SiteFeatures) -> Interactions:
    """The terms to learn; raise an error for settings that rounds do not support."""
    if settings.weighting is None:
        raise ValueError("weighting=None needs no rounds; count once, and use fit_sites.")
    request = interactions_of(settings, list(features.features))
    triples = [term for term in request.terms or () if len(term) > 2]
    if triples:
        names = ", ".join(repr(features.names[j]) for j in triples[0])
        raise ValueError(f"interactions names three columns, {names}, and rounds learn pairs; name pairs of them.")
    return request


@dataclass(frozen=True, eq=False)
class _Counted:
    """Counts and tree: the results of the first questions.

    Parameters
    ----------
    values : Counts
        Counts of values by fine code.
    tree : Tree
    edges : Counts
        Counts of the tree's edges by coarse code.
    nested : NestedCounts
        Counts for the joint distribution that accompanies the terms.
    """

    values: Counts
    tree: Tree
    edges: Counts
    nested: NestedCounts


def _count(asking: Asking, clf: GeneralizedNB) -> _Counted:
    """Ask for counts, choose the tree, and ask for the counts of its edges."""
    columns, d = asking.features.features, len(asking.features.features)
    pairs = list(combinations(range(d), 2)) if STRUCTURES[clf.structure].needs_pairs else []
    maps = tuple(feature.coarse_codes for feature in columns)
    values, blocks = asking.count(maps, np.array(pairs, dtype=np.intp).reshape(-1, 2))
    info = information_of_blocks(blocks, [blocks]) if pairs else _no_information(blocks)
    tree = choose_tree(clf.structure, clf.information, info, blocks)
    cells = [np.ascontiguousarray(blocks.pair(i, j)).ravel() for i, j in tree.edges.tolist()]
    edges = replace(blocks, pairs=tree.edges, cells=np.concatenate([blocks.cells[:0], *cells]))
    split = tuple(split_codes(feature, values.single(j).sum(axis=1)) for j, feature in enumerate(columns))
    nested = NestedCounts(split, values, asking.count(split, tree.edges)[1])
    return _Counted(values, weighed(tree, edges), edges, nested)


def _no_information(values: Counts) -> Information:
    """Information of single features; that of pairs is zero, since no pairs were counted."""
    return Information(class_information(values), np.zeros((values.n_features,) * 2))


def _learn(asking: Asking, counted: _Counted, request: Interactions) -> LearnedTerms:
    """Choose pairs if requested, and learn the tables of all terms."""
    features, tree = asking.features.features, counted.tree
    if request == ONLY_TREE:
        specs, parts = tree_terms(features, tree), parts_of(counted.values.n, chooses=False)
        start = learn_penalties(_asked(asking, counted, specs, parts), _ONLY_ROUNDS)
        coarse = NestedCounts(tuple(feature.coarse_codes for feature in features), counted.values, counted.edges)
        return terms_of_tables(specs, _fitted(start.tables, balance(start, parts)), coarse)
    ground = Ground(features, tree, make_grids(features, counted.values))
    parts = parts_of(counted.values.n, chooses=request.chooses)
    specs = terms_of_fit(ground, request, Chosen({}, {}))
    start = learn_penalties(_asked(asking, counted, specs, parts), _FIRST_ROUNDS if request.chooses else _ONLY_ROUNDS)
    if request.chooses:
        chosen = choose_pairs(start.tables, start.x, ground, counted.values, request, parts)
        more = terms_of_fit(ground, request, Chosen(dict.fromkeys(chosen, 0.0), {}))[len(specs) :]
        specs = [*specs, *more]
        start = learn_penalties(_asked(asking, counted, specs, parts), _LATER_ROUNDS, start)
    return _folded(asking, ground, specs, _fitted(start.tables, balance(start, parts)))


def _asked(asking: Asking, counted: _Counted, specs: Sequence[TermSpec], parts: Parts) -> AskedTables:
    """The tables of terms, with synthetic rows to approximate the curvature of the log-loss."""
    features, tree, values = asking.features.features, counted.tree, counted.values
    layout = all_cells(specs)
    coarse = NestedCounts(tuple(feature.coarse_codes for feature in features), values, counted.edges)
    drawn = draw_rows(features, tree, coarse, len(layout.table_of))
    return AskedTables(asking, SyntheticRows(layout, *drawn, len(values.classes), float(values.n)), parts.number)


def _folded(asking: Asking, ground: Ground, specs: Sequence[TermSpec], fitted: FittedTables) -> LearnedTerms:
    """Merge tables of the same features into one term, with the number of rows in each cell."""
    maps = maps_of_terms(ground, [specs], is_of_tree=False)
    pairs = [term for term in maps if len(term) == 2]
    values, counts = asking.count(ground.grids.pair, np.array(pairs, dtype=np.intp).reshape(-1, 2))
    cells = [(counts.pair(*term) if len(term) == 2 else values.single(*term)).sum(axis=-1).ravel() for term in maps]
    none = np.zeros((0, len(ground.features)), dtype=np.intp)
    learned = fold([Fit(specs, fitted)], maps, TermCounts(values.classes, tuple(cells)), none)
    # Standard errors cannot be computed without the rows.
    return replace(learned, terms=tuple(replace(term, spread=None) for term in learned.terms))


def _fitted(tables: AskedTables, x: Array) -> FittedTables:
    """Coefficients as one table per class; with two classes, the single column is the difference of the classes."""
    objective = tables.synthetic.objective
    layout: Layout = objective.layout
    intercept, cells = x[0] + objective.base, layout.expand(x[1:, None])[:, 0]
    if len(intercept) == 1:
        intercept, cells = np.append(-intercept, intercept) / 2, np.concatenate([-cells, cells], axis=1) / 2
    return FittedTables(intercept, tuple(layout.tables(cells)))
