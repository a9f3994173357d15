"""Several ways to fit the same terms, and their mean.

Ridge penalties make tables smooth, boosting of small trees makes them steep where the class changes at a value.
Straight lines and the tables of naive Bayes describe less, but need fewer rows. Which is best depends on the data, and
their errors differ, so that a mean of them is usually better than any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows
from gnbayes.encoding import Feature
from gnbayes.kernels import Promise, beside, limit_threads
from gnbayes.model.boosting import (
    Boosted,
    DrawnRows,
    boost,
    boost_many,
    by_content,
    choose_rounds,
    tables_of_trees,
    tree_codes,
)
from gnbayes.model.boosting.codes import TreeCodes
from gnbayes.model.fitting import DistinctRows, FittedTables, HeldOut, TermSpec, learn_lines, line_terms
from gnbayes.model.fitting.cells import take_rows
from gnbayes.model.interactions.folding import Fit
from gnbayes.model.interactions.grids import Grids
from gnbayes.model.interactions.naive import count_naive, naive_terms
from gnbayes.progress import Progress, silent

Array = NDArray[np.float64]
Term = tuple[int, ...]
# Shares of other scores that are tried.
_SHARES = np.linspace(0.0, 1.0, 11)
# Factors of all scores that are tried, and rows that are added for them: some of each class everywhere.
_SCALES, _ROWS_OF_ANY_CLASS = np.linspace(0.4, 1.3, 19), 0.5
# A smaller share than this is not worth the tables.
_LEAST_SHARE = 0.05
# For lines and naive Bayes, a share has a prior of e to the minus this many times the share.
_NATS_AGAINST = 2.0
# An upper estimate of the number of boosting rounds, for the progress line.
_USUAL_ROUNDS = 100


def resolutions(features: Sequence[Feature], grids: Grids, used: Sequence[int]) -> list[list[NDArray[np.intp]]]:
    """Codes in trees of depth one, two and three, for each of the used features."""
    fine = [np.arange(features[j].cardinality) for j in used]
    return [fine, [grids.pair[j] for j in used], [grids.triple[j] for j in used]]


def codes_for_trees(
    features: Sequence[Feature], grids: Grids, used: Sequence[int], codes: NDArray[Any], terms: Sequence[Term]
) -> list[TreeCodes]:
    """Codes of the rows at each resolution; trees of depth two have pairs only."""
    is_ordered = [grids.is_ordered[j] for j in used]
    has_missing = [features[j].has_missing for j in used]
    columns = codes[:, list(used)]
    of_levels = [[], [term for term in terms if len(term) == 2], terms]
    each = zip(resolutions(features, grids, used), of_levels, strict=True)
    return [tree_codes(columns, maps, is_ordered, has_missing, own) for maps, own in each]


class Mixture(NamedTuple):
    """What a fit is combined with.

    Parameters
    ----------
    parts : tuple of (Fit, float)
        Other fits of the same terms, or of some of them. Each has a share in the mean of itself and all before it.
    scale : float
        Factor of all scores.
    """

    parts: tuple[tuple[Fit, float], ...]
    scale: float


class Trial:
    """Terms fitted in other ways, first without the held-out rows: by boosting, as straight lines, and by counting.

    This runs beside the fit with penalties if there is a thread for it. A context manager: boosting that waits for the
    log-loss of the fit gives up if the fit fails.

    Parameters
    ----------
    specs : sequence of TermSpec
    features : sequence of Feature
    grids : Grids
    rows : CodedRows
        All rows, by fine codes.
    has_judges : bool
        Whether rows are left out by which the fit and the other ways are compared in the end; see `judge`.
    progress : callable
    """

    def __init__(
        self,
        specs: Sequence[TermSpec],
        features: Sequence[Feature],
        grids: Grids,
        rows: CodedRows,
        has_judges: bool = False,
        progress: Progress = silent,
    ) -> None:
        self.features, self.grids, self.rows, self.progress = features, grids, rows, progress
        self._has_judges = has_judges
        self.used = [spec.features[0] for spec in specs if len(spec.features) == 1]
        simpler = ((line_terms(specs), learn_lines), (naive_terms(features, self.used), count_naive))
        self._simpler = [(own, learn) for own, learn in simpler if own]
        self._terms = {spec.features for spec in specs if len(spec.features) > 1}
        self._to_beat: Promise[float] = Promise(rows.n_threads)
        self._judged: Promise[HeldOut | None] = Promise(rows.n_threads)

    def __enter__(self) -> Trial:
        return self

    def __exit__(self, *_: object) -> None:
        self._to_beat.cancel()
        self._judged.cancel()

    def begin(self, few: DistinctRows, held_out: Array) -> None:
        """Boost some of the rows, given the held-out weight of each in each fold."""
        self._n_threads = limit_threads(self.rows.n_threads, _USUAL_ROUNDS * len(few) * len(self.used))
        self._choice = beside(partial(self._choose, few, held_out), self._n_threads)

    def go_on(self, held_out: HeldOut, rows: DistinctRows) -> None:
        """Boost all rows, given the held-out scores of the fit, whose log-loss is the one to beat."""
        self._to_beat.set_result(_total_loss(held_out))
        self._mixture = beside(partial(self._mix, held_out, rows), self._n_threads)

    def judge(self, held_out: HeldOut | None) -> None:
        """Compare by these rows, to which neither the fit nor anything else was fitted, scored by the fit."""
        self._judged.set_result(held_out)

    def mixture(self) -> Mixture:
        """What the fit is combined with."""
        return self._mixture()

    def _choose(self, few: DistinctRows, held_out: Array) -> tuple[int, Array, DrawnRows]:
        """The number of rounds, the scores of the rows after them, and which rows were drawn."""
        self.used = by_content(self.used, self.rows.codes[few.index], few)
        drawn = DrawnRows(len(few))
        how: dict[str, Any] = {"to_beat": self._to_beat, "n_threads": self.rows.n_threads, "progress": self._shown}
        found = choose_rounds(self.codes_of(few), few, held_out, self.rows.n_classes, drawn, **how)
        return *found, drawn

    def _mix(self, held_out: HeldOut, rows: DistinctRows) -> Mixture:
        parts: list[tuple[Fit, float]] = []
        n_rounds, scores, drawn = self._choice()
        share = _share(held_out, scores)
        if share >= _LEAST_SHARE and n_rounds:
            boosted = self._boost(n_rounds, rows, held_out, drawn)
            # With more rows, no tree may help any more.
            if boosted.trees:
                held_out = _with_share(held_out, scores, share)
                parts.append((_fit_of(boosted, self.features, self.grids, self.used, self.terms), share))
        for specs, learn in self._simpler:
            fitted, scores = learn(specs, self.rows, held_out.rows, held_out.weights)
            share = _share(held_out, scores, _NATS_AGAINST)
            if share >= _LEAST_SHARE:
                held_out = _with_share(held_out, scores, share)
                parts.append((Fit(specs, fitted), share))
        # The held-out scores are those of fits to few rows, and say little about the size of those of fits to more.
        scale = 1.0 if len(rows) > len(held_out.rows) else _scale(held_out, held_out.scores)
        if self._has_judges:
            parts = _judged_parts(parts, self._judged.result(), self.rows)
        return Mixture(tuple(parts), scale)

    def _boost(self, n_rounds: int, rows: DistinctRows, held_out: HeldOut, drawn: DrawnRows) -> Boosted:
        """All rows, boosted."""
        n_classes = self.rows.n_classes
        if len(rows) > len(held_out.rows):
            return boost_many(self.codes_of, rows, n_classes, self.rows.n_threads, self._shown)
        return boost(self.codes_of(rows), rows, n_rounds, n_classes, drawn, self.rows.n_threads, self._shown)

    @property
    def _shown(self) -> Progress:
        """Two lines of progress at once would be confusing."""
        return self.progress if self._n_threads == 1 else silent

    def codes_of(self, rows: DistinctRows) -> list[TreeCodes]:
        """Codes of rows for trees."""
        codes = take_rows(self.rows.codes, rows.index)
        return codes_for_trees(self.features, self.grids, self.used, codes, self.terms)

    @property
    def terms(self) -> list[Term]:
        """Pairs and triples, by the positions of their features among the used ones."""
        place = {j: at for at, j in enumerate(self.used)}
        own = (term for term in self._terms if place.keys() >= set(term))
        return sorted(tuple(sorted(place[j] for j in term)) for term in own)


def mix_with_others(fit: Fit, trial: Trial) -> Fit:
    """The weighted mean of a fit and of the same terms fitted in other ways, one after another.

    The share of each other way in the mean so far is the mean of all shares from 0 to 1, weighted by the likelihood of
    held-out rows, and for simpler ways also by a prior that favors small shares. If a share is negligible, the other
    way is left out. All scores are then scaled to fit the held-out rows, unless there are more rows than those with
    which penalties are chosen. If there are more rows than a sample holds, the shares of the ways that are not left out
    are determined again, by rows of the sample to which nothing was fitted.

    Parameters
    ----------
    fit : Fit
    trial : Trial
        Of the same terms, begun and gone on with while they were fitted.
    """
    parts, scale = trial.mixture()
    for other, share in parts:
        fit = _mean(fit, other, share)
    return _with_all_spreads(_scaled(fit, scale))


def _judged_parts(parts: list[tuple[Fit, float]], judged: HeldOut | None, rows: CodedRows) -> list[tuple[Fit, float]]:
    """The same ways with their shares by judges: the more rows there are, the less is gained by other ways."""
    if judged is None:
        return parts
    out = []
    for fit, _ in parts:
        scores = _scores(fit, rows.codes[judged.rows.index])[:, None]
        share = _share(judged, scores)
        if share >= _LEAST_SHARE:
            judged = _with_share(judged, scores, share)
            out.append((fit, share))
    return out


def _scores(fit: Fit, codes: NDArray[Any]) -> Array:
    """Scores of rows by a fit, shape (n, c): for two classes, their difference."""
    intercept = fit.fitted.intercept
    scores = np.tile(intercept, (len(codes), 1))
    for spec, table in zip(fit.specs, fit.fitted.tables, strict=True):
        scores += table.reshape(-1, len(intercept))[spec.cells(codes)]
    return scores[:, 1:] - scores[:, :1] if len(intercept) == 2 else scores


def _with_share(held_out: HeldOut, other: Array, share: float) -> HeldOut:
    """Held-out rows, scored by the mean with other scores, shape (n, f, c)."""
    return replace(held_out, scores=(1 - share) * held_out.scores + share * other)


def _share(held_out: HeldOut, others: Array, against: float = 0.0) -> float:
    """Share of other scores, shape (n, f, c), if each share has a prior of e^(-share * against)."""
    row, fold = np.nonzero(held_out.weights)
    labels, weights = held_out.rows.labels[row], held_out.weights[row, fold]
    own, other = held_out.scores[row, fold], others[row, fold]
    losses = [float((weights * _losses((1 - share) * own + share * other, labels)).sum()) for share in _SHARES]
    return _weighted_mean(_SHARES, np.array(losses) + against * _SHARES)


def _scale(held_out: HeldOut, scores: Array) -> float:
    """Factor of scores, shape (n, f, c), that suits the held-out rows.

    If few rows are held out and none is wrong, their likelihood alone would favor ever larger scores. As in the rule of
    succession, half a row is added, with an equal part of it at every row and in every class.
    """
    row, fold = np.nonzero(held_out.weights)
    labels, weights, own = held_out.rows.labels[row], held_out.weights[row, fold], scores[row, fold]
    n_classes = max(own.shape[1], 2)
    added = _ROWS_OF_ANY_CLASS / n_classes * weights / weights.sum()
    losses = []
    for scale in _SCALES:
        of_rows = (weights * _losses(scale * own, labels)).sum()
        of_added = sum((added * _losses(scale * own, np.full_like(labels, y))).sum() for y in range(n_classes))
        losses.append(float(of_rows + of_added))
    return _weighted_mean(_SCALES, np.array(losses))


def _weighted_mean(values: Array, losses: Array) -> float:
    """The mean of values, weighted by their likelihoods."""
    likelihood = np.exp(losses.min() - losses)
    return float((likelihood * values).sum() / likelihood.sum())


def _scaled(fit: Fit, scale: float) -> Fit:
    """A fit with all scores, and their standard errors, multiplied by a number."""
    fitted = fit.fitted
    return replace(
        fit,
        fitted=replace(
            fitted,
            intercept=scale * fitted.intercept,
            tables=tuple(scale * table for table in fitted.tables),
            spreads=fitted.spreads and tuple(scale * spread for spread in fitted.spreads),
        ),
    )


def _total_loss(held_out: HeldOut) -> float:
    row, fold = np.nonzero(held_out.weights)
    return float((held_out.weights[row, fold] * _losses(held_out.scores[row, fold], held_out.rows.labels[row])).sum())


def _losses(scores: Array, labels: NDArray[np.intp]) -> Array:
    if scores.shape[1] == 1:
        return np.logaddexp(0.0, np.where(labels == 1, -1.0, 1.0) * scores[:, 0])
    return np.asarray(np.logaddexp.reduce(scores, axis=1) - scores[np.arange(len(labels)), labels])


def _fit_of(
    boosted: Boosted, features: Sequence[Feature], grids: Grids, used: Sequence[int], terms: Sequence[Term]
) -> Fit:
    """Boosted trees as tables of terms."""
    maps = resolutions(features, grids, used)
    added, tables = tables_of_trees(boosted.trees, maps, terms)
    specs = []
    out = []
    for term, table in tables.items():
        # The features of a table are in the order of columns.
        axes = sorted(range(len(term)), key=lambda axis: used[term[axis]])
        places = [term[axis] for axis in axes]
        has_missing = tuple(features[used[at]].has_missing for at in places)
        own = tuple(maps[len(term) - 1][at] for at in places)
        specs.append(TermSpec(tuple(used[at] for at in places), own, "free", has_missing))
        out.append(_all_classes(table.transpose(*axes, len(term))))
    return Fit(specs, FittedTables(_all_classes(boosted.base + added), tuple(out)))


def _all_classes(scores: Array) -> Array:
    """Scores of all classes, from scores with one column for two classes, their difference."""
    return np.concatenate([-scores, scores], axis=-1) / 2 if scores.shape[-1] == 1 else scores


def _mean(first: Fit, second: Fit, share: float) -> Fit:
    """The weighted mean of two fits; only the tables of the first, which come first, have standard errors."""
    one, other = first.fitted, second.fitted
    fitted = replace(
        one,
        intercept=(1 - share) * one.intercept + share * other.intercept,
        tables=(*((1 - share) * table for table in one.tables), *(share * table for table in other.tables)),
    )
    return Fit([*first.specs, *second.specs], fitted)


def _with_all_spreads(fit: Fit) -> Fit:
    """The same fit, with standard errors of 0 for all tables that have none: views of a single zero."""
    tables, spreads = fit.fitted.tables, fit.fitted.spreads or ()
    others = (np.broadcast_to(0.0, table.shape) for table in tables[len(spreads) :])
    return replace(fit, fitted=replace(fit.fitted, spreads=(*spreads, *others)))
