"""The distribution of unusualness over rows, with which the page compares a person."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.estimator import GeneralizedNB
from gnbayes.model import completion_of, unusualness

# Shares of known features; the page interpolates between them.
SHARES = (0.25, 0.5, 0.75, 1.0)
# Number of sets of features for each share, and the number of rows used; fewer rows are not enough for rare values.
_SETS, _MOST_ROWS, _FEWEST_ROWS = 6, 500, 100


def describe_unusual(clf: GeneralizedNB, codes: NDArray[Any] | None) -> dict[str, Any] | None:
    """Percentiles of `unusualness` over rows, for some shares of known features; None if it is not defined.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    codes : ndarray of shape (n, d), optional
        The rows passed to `report`; those without unknown values are used. If there are fewer than 100 of these, rows
        drawn from the model are used instead.

    Returns
    -------
    described : dict
        ``shares``, and for each of them ``quantiles``: 101 numbers. ``isDrawn``: whether the rows come from the model.
    """
    model = clf.model_
    if model.unknown_rule == "dropped":
        return None
    unseen = np.array([len(own) for own in model.maps], dtype=np.uint32)
    used = clf.tree_.order
    rows = np.zeros((0, len(unseen))) if codes is None else codes[(codes < unseen)[:, used].all(axis=1)]
    is_drawn = len(rows) < _FEWEST_ROWS
    if is_drawn:
        rows = completion_of(model).draw(unseen).codes
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), _MOST_ROWS)).astype(np.intp))]
    rng = np.random.default_rng(0)
    orders = [rng.permutation(used) for _ in range(_SETS)]
    quantiles = []
    for share in SHARES:
        found = []
        for order in orders if share < 1 else orders[:1]:
            is_unknown = np.ones(len(unseen), dtype=bool)
            is_unknown[order[: int(np.ceil(share * len(used)))]] = False
            found.append(unusualness(model, np.where(is_unknown, unseen, rows.astype(np.uint32))))
        quantiles.append(
            [float(f"{value:.6g}") for value in np.quantile(np.concatenate(found), np.linspace(0, 1, 101))]
        )
    return {"shares": list(SHARES), "quantiles": quantiles, "isDrawn": is_drawn}
