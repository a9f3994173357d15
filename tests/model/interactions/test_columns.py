"""Models of the same columns in another order."""

import itertools

import numpy as np
import pandas as pd
import pytest

from gnbayes import GeneralizedNB
from gnbayes.counting import CodedRows, count_values
from gnbayes.model.interactions.columns import reorder_rows


def frame(n=400, seed=0):
    """Numbers, categories and gaps, two columns with the same values, a constant, and a class that needs pairs."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 5)).round(1), columns=list("abcde"))
    X["text"] = rng.choice(["x", "y", "z"], n)
    X["copy"] = X["text"].map({"x": "p", "y": "q", "z": "r"})
    X["constant"] = 1.0
    X.loc[rng.random(n) < 0.1, "c"] = np.nan
    score = X["a"] * X["b"] + np.where(X["text"] == "x", X["d"], -X["d"]) + rng.logistic(size=n)
    return X, np.digitize(score, [-1.0, 1.0])


@pytest.mark.parametrize(
    "parameters",
    [
        pytest.param({"n_fits": 2}, id="several"),
        pytest.param({"n_fits": 1}, marks=pytest.mark.slow, id="one"),
        pytest.param({"interactions": [("a", "b"), ("text", "d", "a")]}, marks=pytest.mark.slow, id="named"),
    ],
)
def test_the_order_of_columns_changes_nothing_but_rounding(parameters):
    X, y = frame()
    clf = GeneralizedNB(**parameters).fit(X, y)
    names = {frozenset(X.columns[list(term.features)]) for term in clf.terms_}
    columns = X.columns[np.random.default_rng(1).permutation(X.shape[1])]
    other = GeneralizedNB(**parameters).fit(X[columns], y)
    np.testing.assert_allclose(other.predict_proba(X[columns]), clf.predict_proba(X), rtol=0, atol=1e-12)
    assert {frozenset(columns[list(term.features)]) for term in other.terms_} == names
    assert all(list(term.features) == sorted(term.features) for term in other.terms_)


def test_rows_elsewhere_are_reordered_where_they_are():
    rows = CodedRows(np.array([[0, 2], [1, 0], [1, 1]]), np.array([0, 1, 1]), np.array([2, 3]), 2)

    class Elsewhere:
        def add_up(self, work):
            return work(rows)

    order = np.array([1, 0])
    here = reorder_rows(rows, order).add_up(count_values)
    there = reorder_rows(Elsewhere(), order).add_up(count_values)
    np.testing.assert_array_equal(there.singles, here.singles)
    assert here.cardinalities.tolist() == [3, 2]


@pytest.mark.parametrize("weighting", [None, "discriminative"])
@pytest.mark.parametrize("seed", [2, 3])
def test_columns_with_equal_counts_have_no_order_of_their_own(seed, weighting):
    """A replicated factorial design: every value of every column occurs equally often."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(np.repeat(list(itertools.product([0, 1], repeat=5)), 5, axis=0), columns=list("abcde"))
    y = (rng.random(160) < 1 / (1 + np.exp(1.5 - 3 * (X["a"] ^ X["b"])))).astype(int)
    clf = GeneralizedNB(weighting=weighting)
    expected = clf.fit(X, y).predict_proba(X)
    X = X[list("edcba")]
    np.testing.assert_allclose(clf.fit(X, y).predict_proba(X), expected, rtol=0, atol=1e-12)
