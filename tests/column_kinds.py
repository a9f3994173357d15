"""A table with a column of each kind, as models meet them where they are used."""

import numpy as np
import pandas as pd


def random_table(n, n_classes, seed=0):
    """A column of each kind, with and without gaps, that depend on each other and on the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)

    def pull():
        return y + rng.integers(0, 3, n)

    def gaps(values):
        return pd.Series(values).mask(rng.random(n) < 0.15)

    text = np.array(["no", "yes", "perhaps", "größer", "<5"], dtype=object)
    columns = {
        "number": pull() + rng.normal(size=n),
        "number with gaps": gaps(pull() * rng.normal(size=n)),
        "text": text[pull() % 5],
        "text with gaps": gaps(text[pull() % 4]),
        "text or nothing": np.array(["", "a", "b"], dtype=object)[pull() % 3],
        "bool": pull() % 2 == 0,
        "bool with gaps": gaps((pull() % 2 == 0).astype(object)),
        "ward": pull() % 7 - 2.5,
        "ward with gaps": gaps(pull() % 6 / 10),
        "constant": 1.0,
        "empty": np.nan,
    }
    return pd.DataFrame(columns), y


def with_gaps_and_strangers(X, seed=1):
    """The same table with a third of all values missing, and as many never seen in training."""
    rng = np.random.default_rng(seed)
    out = {}
    for name in X:
        chance = rng.random(len(X))
        column = X[name].astype(object).mask(chance < 1 / 3, None)
        stranger = "stranger" if "text" in name else 77.0
        out[name] = column if "bool" in name else column.mask(chance > 2 / 3, stranger)
    return pd.DataFrame(out)
