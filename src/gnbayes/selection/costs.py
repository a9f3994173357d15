"""Costs of features, checked before any work is done."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray


def check_costs(costs: Any, names: Sequence[str]) -> NDArray[np.float64] | None:
    """Costs of features, one per column, shape (d,).

    Parameters
    ----------
    costs : mapping of names to costs, sequence of d costs, or None
    names : sequence of str
        Names of the columns.
    """
    if costs is None:
        return None
    if getattr(costs, "ndim", 1) != 1 or hasattr(costs, "columns") or isinstance(costs, Set):
        raise ValueError(
            f"costs must be a mapping of columns to costs, or one cost per column in their order, got a "
            f"{type(costs).__name__} instead."
        )
    prices = dict(costs) if hasattr(costs, "keys") else _by_position(costs, names)
    for name in names:
        if name not in prices:
            raise ValueError(
                f"costs must have an entry for every column, and {name!r} has none; add it, 0 if it is free."
            )
    for name in prices:
        if name not in set(names):
            raise ValueError(f"costs has an entry for {name!r}, which is not a column of X; leave it out.")
    return np.array([_price(name, prices[name]) for name in names])


def _by_position(costs: Any, names: Sequence[str]) -> dict[str, Any]:
    listed = list(costs) if hasattr(costs, "__iter__") and not isinstance(costs, str) else None
    if listed is None or len(listed) != len(names):
        came = repr(costs) if listed is None else f"{len(listed)} numbers"
        raise ValueError(f"costs must be one number for each of the {len(names)} columns, got {came} instead.")
    return dict(zip(names, listed, strict=True))


def _price(name: str, price: Any) -> float:
    try:
        number = float("nan") if isinstance(price, bool | str) else float(price)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 <= number < np.inf:
        raise ValueError(f"costs must be numbers from 0, got {price!r} for column {name!r} instead.")
    return number
