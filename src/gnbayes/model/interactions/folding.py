"""Average several fits: tables of the same term on the same codes are added up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.fitting import FittedTables, TermCounts, TermSpec
from gnbayes.model.interactions.dealing import LEFT_OUT_SHARE
from gnbayes.model.learned import LearnedTerms
from gnbayes.model.purify import purify
from gnbayes.model.term import Term, TermSum

Array = NDArray[np.float64]
Maps = tuple[NDArray[np.intp], ...]
# The posterior counts as much as this many fits for the shape of an interval, and for its width.
_POSTERIOR_FITS, _POSTERIOR_FITS_OF_SIZE = 4, 1
# Most rows used to find how the variances of terms add up.
_ROWS_OF_SPREAD = 2000
# An average that is smaller than this share of the largest value is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Fit:
    """Terms of one fit, and their tables."""

    specs: Sequence[TermSpec]
    fitted: FittedTables


def fold(fits: list[Fit], maps: dict[tuple[int, ...], Maps], counts: TermCounts, codes: NDArray[Any]) -> LearnedTerms:
    """The mean of fits, as one sum of pure terms.

    Parameters
    ----------
    fits : list of Fit
        Emptied, so that their tables need not be kept beside those of the mean.
    maps : dict of tuple of int to tuple of ndarray
        Per term, the codes of its table; the codes in the fits are the same or coarser.
    counts : TermCounts
        Counts of the training rows in the cells of these terms, in the same order.
    codes : ndarray of shape (n, d)
        The training rows, or some of them, used to find how the variances of terms add up.
    """
    counted = {}
    for (features, own), cells in zip(maps.items(), counts.cells, strict=True):
        counted[features] = cells.astype(np.float64).reshape([int(codes_along.max()) + 1 for codes_along in own])
    pure = []
    while fits:
        pure.append(_pure(fits.pop(0), maps, counted))
    intercept = np.mean([learned.intercept for learned in pure], axis=0)
    terms = tuple(_mean_term([learned.terms[at] for learned in pure]) for at in range(len(pure[0].terms)))
    folded = LearnedTerms(intercept, terms)
    ratio = pure[0].spread_ratio if len(pure) == 1 else _spread_ratio(folded, pure, codes)
    return replace(folded, spread_ratio=ratio)


def _pure(fit: Fit, maps: dict[tuple[int, ...], Maps], counted: dict[tuple[int, ...], Array]) -> LearnedTerms:
    """A fit as pure terms; its own tables are not kept, unless others keep them."""
    intercept, ratio = fit.fitted.intercept, fit.fitted.spread_ratio
    tables, variances = _tables_and_variances(fit, maps, counted)
    del fit
    n_features = max(features[-1] for features in maps) + 1
    values = [counted.get((j,), np.zeros(0)) for j in range(n_features)]
    # Tables are handed over, not kept, as there may be many.
    shift, pure = purify(
        [
            Term(features, maps[features], tables.pop(features), own, spread=np.sqrt(variances.pop(features)))
            for features, own in counted.items()
        ],
        values,
    )
    return LearnedTerms(intercept + shift, pure, ratio)


def _tables_and_variances(
    fit: Fit, maps: dict[tuple[int, ...], Maps], counted: dict[tuple[int, ...], Array]
) -> tuple[dict[tuple[int, ...], Array], dict[tuple[int, ...], Array]]:
    """Sums of the tables of each term, and of their variances."""
    k = len(fit.fitted.intercept)
    tables = {features: np.zeros((*cells.shape, k)) for features, cells in counted.items()}
    variances = {features: np.zeros((*cells.shape, k)) for features, cells in counted.items()}
    spreads = fit.fitted.spreads or tuple(np.zeros_like(table) for table in fit.fitted.tables)
    for spec, table, spread in zip(fit.specs, fit.fitted.tables, spreads, strict=True):
        own = maps[spec.features]
        # Wide tables have many terms, whose codes are the same as in the fit.
        is_same = all(fine is coarse for fine, coarse in zip(own, spec.maps, strict=True))
        cells = () if is_same else np.ix_(*_coarser(own, spec.maps))
        tables[spec.features] += table[cells]
        variances[spec.features] += spread[cells] ** 2
    return tables, variances


def _coarser(fine: Maps, coarse: Maps) -> Iterable[NDArray[np.intp]]:
    """Along each axis, the coarser code of every code."""
    return tuple(to[np.unique(own, return_index=True)[1]] for own, to in zip(fine, coarse, strict=True))


def _mean_term(terms: Sequence[Term]) -> Term:
    """The mean of a term over fits, and its standard errors.

    Each fit omits a share q of the rows, and the variance over fits, times (1 - q) / q, estimates the sampling variance
    of one fit (delete-d jackknife). A few fits may agree by chance, in some cells or in all: so the variance is
    combined with that of the posteriors of the fits, both in its average and in how it differs between cells.
    """
    if len(terms) == 1:
        return terms[0]
    tables = np.stack([term.table for term in terms])
    mean = tables.mean(axis=0)
    centered = tables - mean
    centered -= centered.mean(axis=-1, keepdims=True)
    of_fits = (centered**2).mean(axis=0) * (1 - LEFT_OUT_SHARE) / LEFT_OUT_SHARE
    of_posterior = np.mean([term.spread**2 for term in terms if term.spread is not None] or [of_fits], axis=0)
    variance = _combined(of_fits, of_posterior, terms[0].rows, len(terms) - 1)
    return replace(terms[0], table=mean, spread=np.sqrt(variance))


def _combined(of_fits: Array, of_posterior: Array, rows: Array, n: int) -> Array:
    """Two estimates of a variance as one: their average counts n to 1, and how they differ between cells n to 4."""
    averages = np.array([(rows[..., None] * own).sum() for own in (of_fits, of_posterior)])
    # Cells without rows say nothing about the average, and must not be divided by one that is only rounding.
    largest = np.array([own.max() for own in (of_fits, of_posterior)])
    if (averages <= _ROUNDING * rows.sum() * largest).any():
        return of_fits
    average = (n * averages[0] + _POSTERIOR_FITS_OF_SIZE * averages[1]) / (n + _POSTERIOR_FITS_OF_SIZE)
    shape = (n * (of_fits / averages[0]) + _POSTERIOR_FITS * (of_posterior / averages[1])) / (n + _POSTERIOR_FITS)
    return np.asarray(average * shape)


def _spread_ratio(folded: LearnedTerms, fits: Sequence[LearnedTerms], codes: NDArray[Any]) -> float:
    """Variance of scores, divided by the sum of the variances of their terms, which are correlated.

    The variance of scores combines that over fits with, as a few fits may agree by chance, that of their posteriors.
    """
    codes = np.asfortranarray(codes[:: -(-len(codes) // _ROWS_OF_SPREAD)])
    scores = np.stack([TermSum(fit.intercept, fit.terms).scores(codes)[0] for fit in fits])
    scores -= scores.mean(axis=-1, keepdims=True)
    of_fits = float(scores.var(axis=0).mean()) * (1 - LEFT_OUT_SHARE) / LEFT_OUT_SHARE
    of_posteriors = float(np.mean([fit.spread_ratio * fit.variance(codes).mean() for fit in fits]))
    own, others = len(fits) - 1, _POSTERIOR_FITS_OF_SIZE
    of_scores = (own * of_fits + others * of_posteriors) / (own + others)
    return of_scores / max(float(folded.variance(codes).mean()), 1e-300)
