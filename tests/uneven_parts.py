"""A table in parts as clusters have them: of very different sizes, some empty, values that only some of them have."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd
from mixed_tables import mixed_frame


def uneven_parts(n=1200):
    """Parts of one table with the class in "state"; sorted by ward and age, so that parts have values of their own."""
    X, y = mixed_frame(n, n_classes=3)
    table = X.assign(state=y).sort_values(["ward", "age"], kind="stable", ignore_index=True)
    cuts = [0, 3, 3, 40, 41, n // 2, n // 2, n - 5, n, n]
    return [table.iloc[start:stop] for start, stop in pairwise(cuts)]


def whole(parts):
    """Features and classes of all parts, in one piece."""
    table = pd.concat(parts, ignore_index=True)
    return table.drop(columns="state"), table["state"]
