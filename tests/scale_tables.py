"""Tables with a bit of everything, and what it means that two classifiers are the same."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd


def mixed_frame(n: int, seed: int = 0) -> pd.DataFrame:
    """Numbers, whole numbers, text, booleans, categories, missing values, and odd names."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    frame = pd.DataFrame(
        {
            "number": rng.normal(size=n) + y,
            "many whole": rng.integers(0, 300, n),
            'odd "name", é\n': rng.choice(["x", "y", "zz"], n),
            "flag": rng.random(n) < 0.2 + 0.2 * y,
            "rounded": np.where(rng.random(n) < 0.1, np.nan, (rng.normal(size=n) - y).round(1)),
            "category": pd.Categorical(rng.choice(["p", "q"], n)),
            "few": rng.integers(0, 4, n),
            "constant": 1.0,
            "empty": np.nan,
            "y": np.array(["u", "v", "w"])[y],
        }
    )
    frame.loc[rng.random(n) < 0.05, 'odd "name", é\n'] = None
    return frame


def assert_same(one, other, frame):
    """Equal bits: features, classes, counts, tree and probabilities."""
    X = frame.drop(columns="y")
    assert one.features_ == other.features_
    assert one.classes_.dtype == other.classes_.dtype
    assert one.classes_.tolist() == other.classes_.tolist()
    for name in ("cardinalities", "classes", "singles"):
        mine, theirs = getattr(one.counts_, name), getattr(other.counts_, name)
        assert mine.dtype == theirs.dtype
        assert np.array_equal(mine, theirs)
    assert np.array_equal(one.tree_.mother, other.tree_.mother)
    assert np.array_equal(one.tree_.order, other.tree_.order)
    assert np.array_equal(one.tree_.gain, other.tree_.gain)
    has_all = one.counts_.pairs is None and other.counts_.pairs is None
    pairs = np.argwhere(np.triu(np.ones((len(one.features_),) * 2), 1)) if has_all else one.tree_.edges
    for i, j in pairs.tolist():
        assert np.array_equal(one.counts_.pair(i, j), other.counts_.pair(i, j))
    assert np.array_equal(one.predict_proba(X), other.predict_proba(X))
    assert one.n_features_in_ == other.n_features_in_
    assert one.feature_names_in_.tolist() == other.feature_names_in_.tolist()


def in_batches(frame, size, seed=0):
    """The rows in batches of a size, in a random order, with empty ones among them."""
    parts = [frame.iloc[at : at + size] for at in range(0, len(frame), size)] + [frame.iloc[:0]]
    return [parts[at] for at in np.random.default_rng(seed).permutation(len(parts))]


def in_uneven_parts(frame):
    """The rows sorted, so that parts have values of their own, in parts of very different sizes, some of them empty."""
    n = len(frame)
    ordered = frame.sort_values(['odd "name", é\n', "number"], kind="stable", ignore_index=True)
    cuts = [0, 3, 3, 40, 41, n // 2, n // 2, n - 5, n, n]
    return [ordered.iloc[start:stop] for start, stop in pairwise(cuts)]


def together(parts):
    """All rows of the parts, those of the features, and the classes."""
    whole = pd.concat(parts)
    return whole, whole.drop(columns="y"), whole["y"]
