"""The `unknown` parameter of predictions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Table


def mask_of(unknown: Any, table: Table) -> NDArray[np.bool_]:
    """The `unknown` parameter as an array of bool that fits (n, d)."""
    shape = (table.n_rows, table.n_columns)
    array = np.asarray(unknown) if not isinstance(unknown, str) else np.zeros(0)
    if array.dtype == bool and array.shape == shape:
        return array.astype(bool)
    if isinstance(unknown, str) or not isinstance(unknown, Iterable) or array.ndim != 1 or array.dtype == bool:
        raise ValueError(
            f"unknown must be names or positions of columns, or an array of bool of shape {shape}, got {unknown!r} "
            "instead."
        )
    is_unknown = np.zeros(table.n_columns, dtype=bool)
    for key in unknown:
        at = table.position(key.item() if isinstance(key, np.generic) else key)
        if at is None:
            raise ValueError(
                f"unknown names {key!r}, which is not a column of X; the columns are {listed(table.names)}."
            )
        is_unknown[at] = True
    return is_unknown


def listed(names: Iterable[Any]) -> str:
    """Names separated by commas, at most ten."""
    texts = [repr(name) for name in names]
    return ", ".join(texts[:10]) + (f" and {len(texts) - 10} more" if len(texts) > 10 else "")
