"""Choose further pairs, and triples, by their gain, or that of boosted trees, on some of the rows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows
from gnbayes.encoding import Feature
from gnbayes.kernels import beside, limit_threads
from gnbayes.model.fitting import DistinctRows, TermSpec, quick_scores, single_terms
from gnbayes.model.fitting.tree import tree_edges
from gnbayes.model.interactions.gains import Residuals, second_order_gains
from gnbayes.model.interactions.grids import Grids, coarsened
from gnbayes.model.interactions.paths import ROUNDS, path_gains
from gnbayes.structure import Tree

Term = tuple[int, ...]
# Rows used: all up to the first number, and about a third of many, but not more than the second.
_FEW_ROWS, _MOST_ROWS, _SHARE = 3000, 10_000, 1 / 3
# Rows per cell of the tables by which terms are chosen, and most codes of a feature in them.
_ROWS_OF_CELL, _MOST_CODES_OF_PAIR, _MOST_CODES_OF_TRIPLE = 12, 6, 4
# Most features in further terms, most tables that are tried, and their largest size.
MOST_FEATURES_TRIED = 60
_MOST_TRIED, MOST_CELLS = 2500, 4096


@dataclass(frozen=True, eq=False)
class Chosen:
    """Terms of several features, the best first.

    Parameters
    ----------
    pairs : dict of tuple of int to float
        Pairs and their gains.
    triples : dict of tuple of int to float
        Triples and the inverse of their rank.
    """

    pairs: dict[Term, float]
    triples: dict[Term, float]


@dataclass(frozen=True, eq=False)
class Candidates:
    """What terms are chosen from.

    Parameters
    ----------
    features : sequence of Feature
    tree : Tree
    grids : Grids
    rows : CodedRows
    n_pairs, n_triples : int
        Largest numbers to choose.
    """

    features: Sequence[Feature]
    tree: Tree
    grids: Grids
    rows: CodedRows
    n_pairs: int
    n_triples: int


def choose_terms(candidates: Candidates, distinct: DistinctRows, is_choosing: NDArray[np.bool_]) -> Chosen:
    """Pairs by the residuals of the tree's terms; triples by those of all pairs and, in turn, by boosted trees.

    With more than two classes, triples are chosen by residuals alone: there is a tree for each class against the
    others, and what these gain was found to be of less use than the gain of a table for all classes.

    Parameters
    ----------
    candidates : Candidates
    distinct : DistinctRows
        The rows used by this fit.
    is_choosing : ndarray of shape (n,)
        The rows, among all, on which gains are measured.
    """
    n_seen = int(np.clip(_SHARE * len(distinct), _FEW_ROWS, _MOST_ROWS))
    seen = distinct if len(distinct) <= 1.5 * n_seen else distinct.thinned(n_seen)
    look = _Look(candidates, seen, is_choosing[seen.index])
    several = [feature.coarse_cardinality > 1 for feature in candidates.features]
    own = [_sorted(edge) for edge in tree_edges(candidates.tree) if all(several[j] for j in edge)]
    singles = [spec for spec in single_terms(candidates.features, candidates.tree) if spec.n_cells > 1]
    specs = singles + _specs(candidates, own)
    tried = look.best_features()
    has_triples = bool(candidates.n_triples and len(tried) > 2)
    by_paths = look.begin_paths(tried) if has_triples and candidates.rows.n_classes == 2 else tuple
    pairs = look.best(itertools.combinations(tried, 2), set(own), specs, candidates.n_pairs)
    triples: dict[Term, float] = {}
    if has_triples:
        known = [*pairs, *own]
        wider = ({*pair, j} for pair in known for j in tried if j not in pair)
        specs = specs + _specs(candidates, list(pairs))
        by_residuals = look.best(_different(map(_sorted, wider)), set(), specs, candidates.n_triples)
        triples = _in_turn([by_paths(), by_residuals], candidates.n_triples)
    return Chosen(pairs, triples)


def _in_turn(orders: Sequence[Iterable[Term]], n: int) -> dict[Term, float]:
    """Take the first term of each order, then the second ones and so on, up to n, with the inverse of their ranks."""
    in_turn = (term for terms in itertools.zip_longest(*orders) for term in terms if term is not None)
    return {term: 1 / place for place, term in enumerate(itertools.islice(_different(in_turn), n), start=1)}


def _specs(candidates: Candidates, terms: Sequence[Term]) -> list[TermSpec]:
    """Small tables of terms, for residuals."""
    grids, features = candidates.grids, candidates.features
    return [
        TermSpec(
            term,
            tuple(grids.triple[j] for j in term),
            "surface" if all(grids.is_ordered[j] for j in term) else "free",
            tuple(features[j].has_missing for j in term),
            family=1,
        )
        for term in terms
    ]


def most_codes(n_rows: float, order: int) -> int:
    """Most codes of a feature when terms of `order` features are chosen with `n_rows` rows."""
    most = n_rows / _ROWS_OF_CELL
    most = min(np.sqrt(most), _MOST_CODES_OF_PAIR) if order < 3 else min(np.cbrt(most), _MOST_CODES_OF_TRIPLE)
    return max(2, int(most))


def _sorted(term: Any) -> Term:
    return tuple(sorted(term))


def _different(terms: Iterable[Term]) -> Iterator[Term]:
    """Each term once, at its first occurrence, computed lazily."""
    seen: set[Term] = set()
    for term in terms:
        if term not in seen:
            seen.add(term)
            yield term


@dataclass(frozen=True, eq=False)
class _Look:
    """The rows with which terms are chosen, and their codes.

    Parameters
    ----------
    candidates : Candidates
    seen : DistinctRows
    is_choosing : ndarray of shape (m,)
        The rows, among those seen, on which gains are measured.
    """

    candidates: Candidates
    seen: DistinctRows
    is_choosing: NDArray[np.bool_]

    def codes(self, used: Sequence[int], order: int) -> tuple[list[NDArray[np.intp]], list[int]]:
        """Codes of the choosing rows in terms of n features, for each used feature, and the numbers of codes."""
        rows, some = self.candidates.rows, self.seen.some(self.is_choosing)
        most = most_codes(len(some), order)
        codes, sizes = [], []
        for j in used:
            own = self.candidates.grids.pair[j]
            of_rows = own[rows.codes[some.index, j]]
            k, size = rows.n_classes, int(own.max()) + 1
            counts = np.bincount(of_rows * k + some.labels, some.weights, minlength=size * k).astype(np.float64)
            coarse = coarsened(self.candidates.features[j], counts.reshape(size, k), most)
            codes.append(coarse[of_rows])
            sizes.append(int(coarse.max()) + 1)
        return codes, sizes

    def best_features(self) -> list[int]:
        """Features that terms may have: all, or those with the largest gain of their own."""
        features = self.candidates.features
        used = [j for j in np.sort(self.candidates.tree.order).tolist() if features[j].coarse_cardinality > 1]
        if len(used) <= MOST_FEATURES_TRIED:
            return used
        k = self.candidates.rows.n_classes
        shares = np.log(np.bincount(self.seen.labels, self.seen.weights, minlength=k) + 0.5)
        start = shares[1:] - shares[:1] if k == 2 else shares
        gains = self._gains([(j,) for j in used], 1, np.tile(start, (len(self.seen), 1)))
        return sorted(used[at] for at in np.argsort(-gains, kind="stable")[:MOST_FEATURES_TRIED])

    def best(self, terms: Any, known: set[Term], specs: list[TermSpec], n: int) -> dict[Term, float]:
        """The terms with the largest gains over a model, at most n, and only positive gains."""
        grids = self.candidates.grids
        # Candidates are sorted by the gains of their parts, the most promising first.
        new = (term for term in terms if term not in known and grids.n_cells(term) <= MOST_CELLS)
        tried = list(itertools.islice(new, _MOST_TRIED))
        if not tried or not n:
            return {}
        scores = quick_scores(specs, self.candidates.rows, self.seen)
        gains = self._gains(tried, len(tried[0]), scores)
        order = np.argsort(-gains, kind="stable")[:n]
        return {tried[at]: float(gains[at]) for at in order.tolist()}

    def begin_paths(self, tried: Sequence[int]) -> Callable[[], Iterable[Term]]:
        """Find `best_paths` in another thread, if there is one; returns a function that gets them."""
        n_values = ROUNDS * len(self.seen) * len(tried)
        return beside(partial(self.best_paths, tried), limit_threads(self.candidates.rows.n_threads, n_values))

    def best_paths(self, tried: Sequence[int]) -> Iterable[Term]:
        """Triples by what boosted trees gain by them on the choosing rows."""
        candidates, some = self.candidates, self.seen.some(self.is_choosing)
        gains = path_gains(candidates.features, candidates.grids, tried, candidates.rows, some)
        return (term for term, gain in gains.items() if gain > 0 and candidates.grids.n_cells(term) <= MOST_CELLS)

    def _gains(self, terms: list[Term], order: int, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        residuals = Residuals.of(scores, self.seen.labels, self.seen.weights).some(self.is_choosing)
        used = sorted({j for term in terms for j in term})
        place = {j: at for at, j in enumerate(used)}
        own = [tuple(place[j] for j in term) for term in terms]
        return second_order_gains(own, *self.codes(used, order), residuals)
