"""Tables with all kinds of columns, and gaps."""

from __future__ import annotations

import numpy as np
import pandas as pd


def mixed_frame(n=400, n_classes=2, seed=0):
    """Numbers, text, booleans and numeric categories that depend on each other and on the class, with gaps."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    base = rng.normal(size=n) + y
    frame = pd.DataFrame(
        {
            "age": (50 + 10 * base).round(1),
            "pressure": (120 + 8 * base + 5 * rng.normal(size=n)).round(),
            "sex": rng.choice(["f", "m"], n),
            "smokes": rng.random(n) < 0.3 + 0.2 * (y > 0),
            "stage": rng.integers(1, 4, n) + (y > 0),
            "marker": (rng.normal(size=n) + 0.5 * base).round(3),
        }
    )
    frame["ward"] = np.where(base > 1, "surgery", rng.choice(["medicine", "emergency"], n))
    frame.loc[rng.random(n) < 0.15, "ward"] = None
    frame.loc[rng.random(n) < 0.2, "marker"] = np.nan
    labels = np.array(["well", "ill", "very ill", "worst"])[y]
    return frame, labels


def patients(frame, n, seed):
    """Random patients: values from anywhere in the table, and many unknown."""
    rng = np.random.default_rng(seed)
    drawn = pd.DataFrame({name: frame[name].iloc[rng.integers(0, len(frame), n)].to_numpy() for name in frame})
    for name in drawn:
        drawn[name] = drawn[name].astype(object).mask(rng.random(n) < rng.choice([0.1, 0.5, 0.9]), None)
    return drawn
