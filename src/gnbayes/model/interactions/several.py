"""Several whole fits, each with its own choice of terms, and their mean as one model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts, RowSource, count_values
from gnbayes.encoding import Feature
from gnbayes.model.boosting import by_content
from gnbayes.model.fitting import (
    Balance,
    TermCounts,
    TermSpec,
    TrainingRows,
    count_terms,
    find_training_rows,
    learn_terms,
    single_terms,
    tree_terms,
)
from gnbayes.model.fitting.tree import coarse_pair, tree_edges
from gnbayes.model.interactions.choice import MOST_FEATURES_TRIED, Candidates, Chosen, choose_terms
from gnbayes.model.interactions.columns import original_positions, reorder, reorder_request, reorder_rows
from gnbayes.model.interactions.cuts import cut_gains
from gnbayes.model.interactions.dealing import Share, deal_rows
from gnbayes.model.interactions.folding import Fit, Maps, fold
from gnbayes.model.interactions.grids import Grids, make_grids
from gnbayes.model.interactions.mixing import Trial, mix_with_others
from gnbayes.model.interactions.request import ONLY_TREE, Interactions
from gnbayes.model.learned import LearnedTerms
from gnbayes.progress import Progress, part_of, silent
from gnbayes.structure import Tree, counts_of, tree_among

Term = tuple[int, ...]
# Most further pairs per feature in one fit; and most pairs per feature, including the tree's, in the mean of fits.
_PAIRS_OF_FIT, MOST_PAIRS = 2, 3
# Most triples: one per feature, and more where there are few features.
_LEAST_TRIPLES = 12
# Families of terms, which share a multiplier: single features, the tree's pairs, further pairs, triples. The family of
# smooth pairs or triples precedes that of those with free cells.
SINGLES, TREE, PAIRS, TRIPLES = 0, 1, 3, 5
# Most fits, most rows for several fits, and most values of all their rows, times classes, that they may visit.
_MOST_FITS, _ROWS_OF_SEVERAL, _WORK_OF_FITS = 8, 1000, 45_000
_NO_GRIDS = Grids((), (), ())
# Terms are chosen if there are at least this many distinct rows, or groups of rows.
_LEAST_KINDS = 100
# Multipliers without evidence.
FIRST_MULTIPLIERS = np.array([1.0, 8.0, 1.0, 32.0, 32.0, 32.0, 32.0])


@dataclass(frozen=True, eq=False)
class Ground:
    """What terms are built from, wherever the rows are.

    Parameters
    ----------
    features : sequence of Feature
    tree : Tree
    grids : Grids
    """

    features: Sequence[Feature]
    tree: Tree
    grids: Grids

    @property
    def used(self) -> list[int]:
        """Features with more than one value."""
        return [j for j in self.tree.order.tolist() if self.features[j].coarse_cardinality > 1]

    @property
    def n_pairs(self) -> int:
        """Number of the tree's pairs of such features."""
        used = set(self.used)
        return sum(used.issuperset(edge) for edge in self.edges)

    @property
    def edges(self) -> list[Term]:
        """The pairs of the tree."""
        return [tuple(sorted(edge)) for edge in tree_edges(self.tree)]

    def n_further_pairs(self, request: Interactions) -> int:
        """Most pairs of one fit beyond those of the tree."""
        d = min(len(self.used), MOST_FEATURES_TRIED)
        return _PAIRS_OF_FIT * d if request.n_more is None else request.n_more


@dataclass(frozen=True, eq=False)
class Training(Ground):
    """What all fits share.

    Parameters
    ----------
    features, tree, grids
        As in `Ground`.
    to_fit : TrainingRows
        The rows with which terms and penalties are chosen, by fine codes.
    """

    to_fit: TrainingRows


def learn_interactions(
    features: Sequence[Feature],
    tree: Tree,
    rows: RowSource,
    request: Interactions,
    n_fits: int | None = None,
    progress: Progress = silent,
) -> LearnedTerms:
    """Fit the terms of a model, several times if requested, and average the fits.

    Parameters
    ----------
    features : sequence of Feature
    tree : Tree
    rows : RowSource
        The rows, encoded by fine codes.
    request : Interactions
    n_fits : int, optional
        Number of fits. By default, it depends on the number of rows; if not all rows are in memory, there is one fit.
    progress : callable

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model import read_interactions
    >>> from gnbayes.model.interactions import learn_interactions
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> sizes = np.array([feature.cardinality for feature in clf.features_])
    >>> rows, request = CodedRows(clf._codes(X), y, sizes, 3), read_interactions("tree", range(4))
    >>> [term.features for term in learn_interactions(clf.features_, clf.tree_, rows, request).terms]
    [(0,), (1,), (2,), (3,), (0, 2), (1, 3), (2, 3)]
    """
    values: Counts = rows.add_up(count_values)
    to_fit = find_training_rows(tree.order.tolist(), rows, values)
    # From here on, columns are in an order that depends on their values.
    order = np.array(by_content(range(len(features)), to_fit.rows.codes[to_fit.distinct.index], to_fit.distinct))
    features, tree = [features[j] for j in order.tolist()], tree_among(tree, np.argsort(order), len(order))
    values, request, own_rows = counts_of(values, order), reorder_request(request, order), reorder(to_fit.rows, order)
    rows = own_rows if rows is to_fit.rows else reorder_rows(rows, order)
    learned = _learn(features, tree, rows, values, replace(to_fit, rows=own_rows), request, n_fits, progress)
    return original_positions(learned, order)


def _learn(
    features: Sequence[Feature],
    tree: Tree,
    rows: RowSource,
    values: Counts,
    to_fit: TrainingRows,
    request: Interactions,
    n_fits: int | None,
    progress: Progress,
) -> LearnedTerms:
    """Fit terms to rows with given counts of their values, of which some are used to choose terms and penalties."""
    if request.chooses and min(len(to_fit.distinct), to_fit.distinct.n_units) < _LEAST_KINDS:
        request = ONLY_TREE
    # The tree's own pairs need no codes of pairs and triples.
    is_of_tree = request == ONLY_TREE
    training = Training(features, tree, _NO_GRIDS, to_fit)
    if not is_of_tree:
        gains = cut_gains(features, training.used, training.edges, to_fit)
        grids = make_grids(features, values, to_fit.n_kinds_per_row, gains, tree.order.tolist())
        training = replace(training, grids=grids)
    n_fits = (
        (_fits_for(request, training, len(to_fit.distinct), to_fit.rows.n_classes) if n_fits is None else n_fits)
        if to_fit.is_whole
        else 1
    )
    shares = deal_rows(to_fit.distinct, to_fit.rows.n_rows, n_fits)
    fits = []
    for number, (share, own) in enumerate(zip(shares, _choose(training, request, shares), strict=True)):
        specs, part = terms_of_fit(training, request, own), part_of(progress, number, n_fits)
        may_hold_out = None if is_of_tree else ~share.is_choosing | (not request.chooses)
        fits.append(_learn_fit(training, rows, share, specs, may_hold_out, part))
    maps = maps_of_terms(training, [fit.specs for fit in fits], is_of_tree=is_of_tree)
    counts: TermCounts = rows.add_up(partial(count_terms, specs=_cells_of(maps)))
    return fold(fits, maps, counts, to_fit.rows.codes)


def _learn_fit(
    training: Training,
    rows: RowSource,
    share: Share,
    specs: list[TermSpec],
    may_hold_out: NDArray[np.bool_] | None,
    progress: Progress,
) -> Fit:
    """One fit: with ridge penalties and, unless it has the terms of the tree alone, in other ways too."""
    own_rows = replace(training.to_fit, distinct=share.rows)
    if may_hold_out is None:
        return Fit(specs, learn_terms(specs, rows, None, progress, training=own_rows))
    # The tables are fitted to all rows in the end, also to the judges.
    has_judges, to_fit = not training.to_fit.is_whole, training.to_fit
    with Trial(specs, training.features, training.grids, to_fit.rows, has_judges, part_of(progress, 1, 2)) as trial:
        judge = trial.judge if has_judges else None
        balance = Balance(FIRST_MULTIPLIERS, may_hold_out, trial.begin, trial.go_on, judge)
        fit = Fit(specs, learn_terms(specs, rows, None, part_of(progress, 0, 2), training=own_rows, balance=balance))
        return mix_with_others(fit, trial)


def _cells_of(maps: dict[Term, Maps]) -> list[TermSpec]:
    """Tables of terms, to be counted."""
    return [TermSpec(term, own, "free", (False,) * len(term)) for term, own in maps.items()]


def _fits_for(request: Interactions, training: Training, n_kinds: int, n_classes: int) -> int:
    """Default number of fits: several if rows are few and terms are chosen, otherwise one."""
    if not request.chooses or n_kinds > _ROWS_OF_SEVERAL:
        return 1
    work = n_kinds * len(training.used) * max(1, n_classes - 1)
    return int(np.clip(_WORK_OF_FITS // max(work, 1), 1, _MOST_FITS))


def _choose(training: Training, request: Interactions, shares: Sequence[Share]) -> list[Chosen]:
    """Terms of each fit that are among the best over all fits."""
    if not request.chooses:
        return [Chosen({}, {})] * len(shares)
    used = training.used
    d = min(len(used), MOST_FEATURES_TRIED)
    n_pairs = training.n_further_pairs(request)
    n_triples = most_triples(d) if request.n_more is None else 0
    candidates = Candidates(training.features, training.tree, training.grids, training.to_fit.rows, n_pairs, n_triples)
    # A duplicate row may be a copy, which adds no evidence for a term.
    rows = [share.rows.with_repeats(0.0) for share in shares]
    chosen = [choose_terms(candidates, own, share.is_choosing) for own, share in zip(rows, shares, strict=True)]
    most = max(0, MOST_PAIRS * d - training.n_pairs) if request.n_more is None else request.n_more
    pairs = _best_of_all([own.pairs for own in chosen], most)
    triples = _best_of_all([own.triples for own in chosen], n_triples)
    return [
        Chosen(
            {term: gain for term, gain in own.pairs.items() if term in pairs},
            {term: gain for term, gain in own.triples.items() if term in triples},
        )
        for own in chosen
    ]


def most_triples(n_features: int) -> int:
    """Most triples that may be chosen from this number of features."""
    return max(n_features, _LEAST_TRIPLES)


def _best_of_all(chosen: Sequence[dict[Term, float]], most: int) -> set[Term]:
    """The terms chosen by the most fits; among equals, those with the largest gains."""
    gains: dict[Term, list[float]] = {}
    for own in chosen:
        for term, gain in own.items():
            gains.setdefault(term, []).append(gain)
    return set(sorted(gains, key=lambda term: (-len(gains[term]), -sum(gains[term]), term))[:most])


def terms_of_fit(training: Ground, request: Interactions, chosen: Chosen) -> list[TermSpec]:
    """All terms of one fit."""
    if request == ONLY_TREE:
        return tree_terms(training.features, training.tree)
    # A constant feature adds nothing to the intercept.
    specs = [spec for spec in single_terms(training.features, training.tree) if spec.n_cells > 1]
    if request.terms is not None:
        used = set(training.tree.order.tolist())
        return specs + [_spec(training, term, TREE) for term in request.terms if used.issuperset(term)]
    specs += [_tree_pair(training, edge) for edge in training.edges]
    specs += [spec for spec in (_spec(training, edge, TREE) for edge in training.edges) if spec.penalty == "surface"]
    specs += [_spec(training, term, PAIRS) for term in chosen.pairs]
    return specs + [_spec(training, term, TRIPLES) for term in chosen.triples]


def _spec(training: Ground, term: Term, family: int) -> TermSpec:
    """A surface if all features are ordered, otherwise free cells."""
    is_smooth = all(training.grids.is_ordered[j] for j in term)
    codes = training.grids.of_order(len(term))
    has_missing = tuple(training.features[j].has_missing for j in term)
    maps = tuple(codes[j] for j in term)
    return TermSpec(term, maps, "surface" if is_smooth else "free", has_missing, family + (not is_smooth))


def _tree_pair(training: Ground, edge: Term) -> TermSpec:
    """A pair of the tree with free cells: coarse codes, unless the codes in pairs are not finer."""
    spec = coarse_pair(training.features, (edge[0], edge[1]), TREE + 1)
    maps = tuple(
        coarse if _is_finer(training.grids.pair[j], coarse) else training.grids.pair[j]
        for j, coarse in zip(edge, spec.maps, strict=True)
    )
    return replace(spec, maps=maps)


def _is_finer(fine: NDArray[np.intp], coarse: NDArray[np.intp]) -> bool:
    return len(np.unique(fine * (int(coarse.max()) + 1) + coarse)) == int(fine.max()) + 1


def maps_of_terms(training: Ground, fits: Sequence[Sequence[TermSpec]], *, is_of_tree: bool) -> dict[Term, Maps]:
    """The codes of each term in the mean of fits: single features, then pairs, then triples."""
    specs = {spec.features: spec for fit in fits for spec in fit}
    specs |= {spec.features: spec for spec in single_terms(training.features, training.tree)}
    maps: dict[Term, Maps] = {}
    for term in sorted(specs, key=lambda term: (len(term), term)):
        if len(term) == 1 or is_of_tree:
            maps[term] = specs[term].maps
        else:
            maps[term] = tuple(training.grids.of_order(len(term))[j] for j in term)
    return maps
