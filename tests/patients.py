"""A table of patients, as many tests of the command line use it."""

import numpy as np
import pandas as pd


def patients(n=150, seed=0):
    """Numbers with gaps, categories, whole numbers, and a class that depends on them."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.normal(50, 12, n).round(1),
            "sex": rng.choice(["f", "m"], n),
            "smokes": rng.choice(["yes", "no"], n),
        }
    )
    frame["ward nr"] = rng.integers(1, 9, n)
    frame["disease"] = np.where(frame["age"] + 9 * (frame["smokes"] == "yes") > 54, "ill", "well")
    frame.loc[::9, "age"] = np.nan
    return frame
