"""The first of two steps: find which features depend on each other, and choose the tables to count in the second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gnbayes.sites.dependence import dependence_of_independent, surveyed_pairs
from gnbayes.sites.estimate import Estimate, Pair, estimate_tables
from gnbayes.sites.measurements import LEAST_VARIANCE, Measured, merge_sites, merge_steps
from gnbayes.sites.privacy import NoisePart
from gnbayes.sites.shrinkage import positive_mean
from gnbayes.sites.site_counts import SiteCounts, Table
from gnbayes.structure import Information, tan

Array = NDArray[np.float64]

# Prior mean of the pairs' total variation distance from independence, and the smallest and largest mean accepted.
_USUAL_DEPENDENCE = 0.05
_LEAST_DEPENDENCE = 0.01
_MOST_DEPENDENCE = 0.95
# The mean absolute value of a normal variable is sqrt(2 / pi) of its standard deviation; dependence is half of it.
_SPREAD_OF_DEPENDENCE = 2.0 * float(np.sqrt(np.pi / 2))


@dataclass(frozen=True, eq=False)
class Survey:
    """The surveys of all sites combined.

    Parameters
    ----------
    found : Estimate
        Estimated tables of classes and columns.
    measured : dict of {features: Measured}
    spread : dict of {(i, j): float}
        How much the cells of a pair deviate from independence, given the noise.
    """

    found: Estimate
    measured: Mapping[Table, Measured]
    spread: dict[Pair, float]


def read_surveys(sites: Sequence[SiteCounts]) -> Survey:
    """Surveys of all sites combined, with the contributions of chance and noise to the dependences subtracted."""
    cardinalities = sites[0].features.cardinalities
    measured = merge_steps([merge_sites(sites)])
    found = estimate_tables(measured, cardinalities, independent_pair=0.5)
    pairs = surveyed_pairs(cardinalities)
    rows = np.sum([site.dependences for site in sites], axis=0) - _by_chance(sites, found, pairs)
    deviation = float(np.sqrt(sum(site.privacy.variance("dependences") for site in sites)))
    spreads = _SPREAD_OF_DEPENDENCE * _probable(rows, deviation, found.n) / found.n
    return Survey(found, measured, dict(zip(pairs, spreads.tolist(), strict=True)))


def choose_tables(survey: Survey, budgets: Sequence[NoisePart]) -> tuple[Table, ...]:
    """Choose the tables whose counts are most useful in a second step.

    All tables share one budget: the more tables, the more noise in each. For every number of edges, the candidates are
    the forest with the largest gain at that noise, together with the columns that are in no edge, all columns, or none.
    The candidate with the largest expected gain is chosen.

    Parameters
    ----------
    survey : Survey
    budgets : sequence of NoisePart
        The noise of a single table, one per site.
    """
    columns = [j for j, column in enumerate(survey.found.columns) if len(column) > 1]
    best: tuple[Table, ...] = ()
    best_gain = -np.inf
    for n_edges in range(len(columns)):
        edges = _best_edges(survey, n_edges, _variance(budgets, n_edges)) if n_edges else []
        alone = [(j,) for j in columns if all(j not in edge for edge in edges)]
        for singles in (alone, [(j,) for j in columns], []):
            tables = tuple(sorted([*singles, *edges]))
            gain = _gain(survey, tables, _variance(budgets, len(tables))) if tables else -np.inf
            if gain > best_gain:
                best, best_gain = tables, gain
    return best


def _by_chance(sites: Sequence[SiteCounts], found: Estimate, pairs: Sequence[Pair]) -> Array:
    """Dependence that independent features would show by chance at sites of these sizes."""
    shares = [column / found.classes for column in found.columns]
    classes = [_rows_of_classes(site) for site in sites]
    return np.array([sum(dependence_of_independent(shares[i], shares[j], n) for n in classes) for i, j in pairs])


def _rows_of_classes(site: SiteCounts) -> Array:
    table = next(iter(merge_sites([site]).values())).classes
    return positive_mean(table.cells, np.sqrt(table.variance))


def _probable(rows: Array, deviation: float, n: float) -> Array:
    """Posterior means of dependences, given noisy ones: the prior is exponential, with their estimated mean.

    The mean itself is uncertain, and is shrunk towards a typical value.
    """
    usual = _USUAL_DEPENDENCE * n
    error = deviation / np.sqrt(max(len(rows), 1)) + 1e-9
    mean = (rows.sum() / max(len(rows), 1) / error**2 + 1 / usual) / (1 / error**2 + 1 / usual**2)
    mean = max(mean, _LEAST_DEPENDENCE * n)
    likely = positive_mean(rows - deviation**2 / mean, np.full(len(rows), deviation))
    return np.minimum(likely, _MOST_DEPENDENCE * n)


def _variance(budgets: Sequence[NoisePart], n_tables: int) -> float:
    """Variance of the noise in a cell, summed over all sites, if each releases `n_tables` tables."""
    noise = (replace(part, sensitivity=part.sensitivity * n_tables) for part in budgets)
    return max(sum(part.variance for part in noise), LEAST_VARIANCE)


def _best_edges(survey: Survey, n_edges: int, variance: float) -> list[Pair]:
    """The heaviest edges of the heaviest tree, weighted by what tables add at the given noise."""
    d = len(survey.found.columns)
    gain = np.zeros((d, d))
    for (i, j), spread in survey.spread.items():
        gain[i, j] = gain[j, i] = _usable(survey.found.expected_pair(i, j), spread, variance)
    mother = tan(Information(np.zeros(d), gain)).mother
    daughters = np.flatnonzero(mother >= 0)
    order = np.argsort(-gain[mother[daughters], daughters], kind="stable")
    return [(min(j, m), max(j, m)) for j, m in ((j, int(mother[j])) for j in daughters[order[:n_edges]].tolist())]


def _gain(survey: Survey, tables: Sequence[Table], variance: float) -> float:
    """Expected gain of columns and pairs if these tables are measured, too."""
    found = survey.found
    precision = {j: float((1 / survey.measured[(j,)].variance).mean()) for j in range(len(found.columns))}
    total = 0.0
    for table in tables:
        for j in table:
            n_summed = 1 if len(table) == 1 else len(found.columns[table[1 - table.index(j)]])
            precision[j] += 1 / (variance * n_summed)
        if len(table) == 2:
            i, j = table
            total += _usable(found.expected_pair(i, j), survey.spread[i, j], variance)
    for j, column in enumerate(found.columns):
        expected = column.sum(axis=1, keepdims=True) * found.classes / found.n
        total += _usable(expected, float(found.column_spread[j]), 1 / precision[j])
    return total


def _usable(expected: Array, spread: float, variance: float) -> float:
    """Gain in log-likelihood over independence from a table whose cells are known up to a variance.

    A cell that varies with variance (E s)^2 around its expectation E adds (E s)^2 / 2 E if it is known exactly. With
    noise and sampling error, the share (E s)^2 / ((E s)^2 + E + variance) of it remains.
    """
    scatter = (expected * spread) ** 2
    return float((0.5 * expected * spread**2 * scatter / (scatter + expected + variance)).sum())
