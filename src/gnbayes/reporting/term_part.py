"""Terms for the page: integer multiples of small steps, as differences between adjacent cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model import Term

Array = NDArray[np.float64]

# Scores used in computations of the page are multiples of this: the rounding error of the sum of a thousand terms is
# far below 1e-9. Scores that are only displayed are multiples of the second.
TABLE_STEP, EFFECT_STEP = 2.0**-36, 0.001
# Logarithms of standard errors are multiples of this; standard errors are at least the second.
SPREAD_STEP, SMALLEST_SPREAD = 0.001, 1e-9
# Largest integer that stays exact in sums of 8 neighbors.
_MOST = 2.0**48


def describe_terms(terms: Sequence[Term], order: list[int], step: float) -> dict[str, Any]:
    """Terms, the most important first.

    Parameters
    ----------
    terms : sequence of Term
    order : list of int
        Features in the order of the model.
    step : float
        Scores are rounded to multiples of this.

    Returns
    -------
    described : dict
        ``maps``: for each feature, the different groupings of its codes; ``terms``: features by their position in the
        order, groupings by their number, shape of the table, importance. Concatenated for all terms: ``rows``, the
        training rows in the cells; ``tables``, the differences of their scores in steps; and ``spreads``, those of the
        logarithms of their standard errors, if the model has them. Scores sum to 0 over the classes, so those of the
        first class are omitted.
    """
    ranked = sorted(terms, key=lambda term: -term.importance)
    maps, described = _described(ranked, order)
    found = {
        "maps": maps,
        "terms": described,
        "step": step,
        "rows": whole(_joined([term.rows for term in ranked])),
        "tables": _differences([_centred(term.table)[..., 1:] for term in ranked], step),
    }
    # Weighted models have standard errors, except those from files of earlier versions.
    spreads = [spread for term in ranked if (spread := term.spread) is not None]
    if len(spreads) < len(ranked):
        return found
    # For two classes they are the same.
    errors = [spread[..., 1:] if spread.shape[-1] == 2 else spread for spread in spreads]
    logarithms = [np.log(np.maximum(error, SMALLEST_SPREAD)) for error in errors]
    return found | {"spreadStep": SPREAD_STEP, "spreads": _differences(logarithms, SPREAD_STEP)}


def whole(counts: Any) -> list[int] | list[float]:
    """Concatenated counts, as integers if all of them are integers.

    Examples
    --------
    >>> from gnbayes.reporting.term_part import whole
    >>> whole([[3.0, 0.0], [0.0, 1.0]]), whole([0.5, 1.0])
    ([3, 0, 0, 1], [0.5, 1.0])
    """
    flat = np.asarray(counts).ravel()
    return (flat.astype(np.int64) if np.array_equal(flat, np.round(flat)) else flat).tolist()


def _described(ranked: Sequence[Term], order: list[int]) -> tuple[list[list[list[int]]], list[dict[str, Any]]]:
    place = {j: at for at, j in enumerate(order)}
    maps: list[list[list[int]]] = [[] for _ in order]
    described = []
    for term in ranked:
        ways = []
        for j, own in zip(term.features, term.maps, strict=True):
            known, listed = maps[place[j]], own.tolist()
            if listed not in known:
                known.append(listed)
            ways.append(known.index(listed))
        described.append(
            {
                "features": [place[j] for j in term.features],
                "maps": ways,
                "shape": list(term.table.shape[:-1]),
                "importance": float(f"{term.importance:.6g}"),
            }
        )
    return maps, described


def _centred(table: Array) -> Array:
    """Scores minus their mean over the classes, which does not change the probabilities."""
    return np.asarray(table - table.mean(axis=-1, keepdims=True))


def _differences(tables: Sequence[Array], step: float) -> list[int]:
    """Concatenated tables in steps, as differences between adjacent cells along each axis except that of the classes.

    Adjacent cells are similar, so these numbers are smaller than those of the tables.
    """
    found = []
    for table in tables:
        steps = np.clip(np.round(table / step), -_MOST, _MOST).astype(np.int64)
        for axis in range(table.ndim - 1):
            steps = np.diff(steps, axis=axis, prepend=0)
        found.append(steps)
    return [int(value) for value in _joined(found).tolist()]


def _joined(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """All arrays concatenated; empty if there are none."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *(array.ravel() for array in arrays)])
