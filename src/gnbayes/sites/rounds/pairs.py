"""Choose pairs beyond those of the tree from sums over sites: residuals of the current model by pair of values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.model import TermSpec
from gnbayes.model.interactions import Interactions
from gnbayes.model.interactions.choice import MOST_CELLS, MOST_FEATURES_TRIED, most_codes
from gnbayes.model.interactions.gains import gain_of_sums
from gnbayes.model.interactions.grids import coarsened
from gnbayes.model.interactions.several import Ground
from gnbayes.sites.rounds.asking import AskedTables
from gnbayes.sites.rounds.parts import Parts
from gnbayes.structure import class_information

Array = NDArray[np.float64]
Pair = tuple[int, int]
# Most cells of all candidate tables together: sites answer with two numbers per cell, class and part.
_MOST_TRIED_CELLS = 2**17


def choose_pairs(
    tables: AskedTables, x: Array, ground: Ground, values: Counts, request: Interactions, parts: Parts
) -> list[Pair]:
    """Choose the pairs with the largest second-order gains over a model, as a fit to pooled rows does.

    Parameters
    ----------
    tables : AskedTables
        The tables of the current model.
    x : ndarray of shape (p + 1, 1, c)
        Its coefficients.
    ground : Ground
    values : Counts
        Counts of all sites by fine code.
    request : Interactions
    parts : Parts
    """
    specs = tried_tables(ground, values, values.n * len(parts.choosing) / parts.number)
    if not specs:
        return []
    held_out = [None, *parts.choosing]
    at = np.take(x, [0] * len(held_out), axis=1)
    sums = tables.residuals(at, specs, held_out)
    # The first problem has all rows; each other one lacks the rows of one part.
    first, second = (len(parts.choosing) * found[:, 0] - found[:, 1:].sum(axis=1) for found in sums)
    ends = np.cumsum([spec.n_cells for spec in specs])[:-1]
    gains = [
        sum(gain_of_sums(own, bends) for own, bends in zip(s.T, t.T, strict=True))
        for s, t in zip(np.split(first, ends), np.split(second, ends), strict=True)
    ]
    best = sorted((at for at, gain in enumerate(gains) if gain > 0), key=lambda at: (-gains[at], at))
    return [(specs[at].features[0], specs[at].features[1]) for at in best[: ground.n_further_pairs(request)]]


def tried_tables(ground: Ground, values: Counts, n_rows: float) -> list[TermSpec]:
    """Small tables of candidate pairs, formed from as many of the most informative features as the limit allows.

    Parameters
    ----------
    ground : Ground
    values : Counts
    n_rows : float
        Number of rows used for the choice.
    """
    maps = {j: _coarse_map(ground, values, j, most_codes(n_rows, 2)) for j in ground.used}
    information = class_information(values)
    tried = sorted(maps, key=lambda j: (-information[j], j))[:MOST_FEATURES_TRIED]
    known = set(ground.edges)
    while True:
        pairs = [pair for pair in combinations(sorted(tried), 2) if pair not in known]
        pairs = [pair for pair in pairs if ground.grids.n_cells(pair) <= MOST_CELLS]
        specs = [_table(pair, [maps[j] for j in pair]) for pair in pairs]
        if sum(spec.n_cells for spec in specs) <= _MOST_TRIED_CELLS:
            return specs
        tried.pop()


def _coarse_map(ground: Ground, values: Counts, j: int, most: int) -> NDArray[np.intp]:
    """Map each code of a feature to a coarser code."""
    own = ground.grids.pair[j]
    counts = np.zeros((int(own.max()) + 1, len(values.classes)))
    np.add.at(counts, own, values.single(j))
    return np.asarray(coarsened(ground.features[j], counts, most)[own], dtype=np.intp)


def _table(pair: Pair, maps: Sequence[NDArray[np.intp]]) -> TermSpec:
    return TermSpec(pair, tuple(maps), "free", (False, False))
