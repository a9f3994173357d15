"""Two fitted classifiers that must agree to the last bit."""

from __future__ import annotations

import numpy as np


def assert_same_model(found, expected, X):
    """The same classes, features, counts, tree and probabilities."""
    assert found.classes_.dtype == expected.classes_.dtype
    assert found.classes_.tolist() == expected.classes_.tolist()
    assert list(found.features_) == list(expected.features_)
    assert_same_counts(found.counts_, expected.counts_)
    for name in ("mother", "order", "gain"):
        assert np.array_equal(getattr(found.tree_, name), getattr(expected.tree_, name)), name
    assert np.array_equal(found.predict_proba(X), expected.predict_proba(X))
    assert found.feature_names_in_.tolist() == expected.feature_names_in_.tolist()


def assert_same_counts(found, expected):
    """The same counts of classes, values and pairs."""
    assert np.array_equal(found.classes, expected.classes)
    assert np.array_equal(found.singles, expected.singles)
    assert (found.pairs is None) == (expected.pairs is None)
    pairs = np.argwhere(np.triu(np.ones((expected.n_features,) * 2), 1)) if expected.pairs is None else expected.pairs
    assert found.pairs is None or np.array_equal(found.pairs, expected.pairs)
    for i, j in pairs.tolist():
        assert np.array_equal(found.pair(i, j), expected.pair(i, j)), (i, j)
