"""Weighted models of very wide tables use the most informative features only."""

import numpy as np
import pandas as pd
import pytest

from gnbayes import GeneralizedNB, pipeline
from gnbayes.scale import fit_batches


@pytest.fixture
def at_most(monkeypatch):
    """Set the number of features of a model."""

    def limit(n, per_row=0):
        monkeypatch.setattr(pipeline, "MOST_FEATURES", n)
        monkeypatch.setattr(pipeline, "_FEATURES_PER_ROW", per_row)

    return limit


def frame(n=120, d=12, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, d))
    X[:, ::2] += 0.7 * y[:, None]
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(d)]), y


@pytest.mark.parametrize("structure", ["gnb-o", pytest.param("nb", marks=pytest.mark.slow)])
@pytest.mark.parametrize("weights", [None, "balanced"])
def test_the_model_is_that_of_the_kept_columns(at_most, structure, weights):
    at_most(5)
    X, y = frame()
    clf = GeneralizedNB(structure, class_weight=weights).fit(X, y)
    kept = np.sort(clf.feature_order_)
    alone = GeneralizedNB(structure, class_weight=weights).fit(X.iloc[:, kept], y)
    assert clf.n_features_ == 5
    assert np.array_equal(clf.predict_proba(X), alone.predict_proba(X.iloc[:, kept]))
    assert not np.delete(clf.feature_importances_, kept).any()


def test_enough_rows_keep_all_features(at_most):
    X, y = frame()
    at_most(5, per_row=0.1)
    assert GeneralizedNB(interactions="tree").fit(X, y).n_features_ == 12
    at_most(5, per_row=0.09)
    assert GeneralizedNB(interactions="tree").fit(X, y).n_features_ == 10


def test_counted_models_have_all_features(at_most):
    at_most(5)
    assert GeneralizedNB(weighting=None).fit(*frame()).n_features_ == 12


def test_features_of_requested_interactions_are_kept(at_most):
    at_most(5)
    X, y = frame()
    without = set(range(12)) - set(GeneralizedNB(interactions="tree").fit(X, y).feature_order_.tolist())
    i, j = sorted(without)[:2]
    clf = GeneralizedNB(interactions=[(i, j)]).fit(X, y)
    assert {i, j} <= set(clf.feature_order_.tolist())
    assert clf.n_features_ == 5
    assert (i, j) in [term.features for term in clf.model_.terms]


def test_batches_give_the_same_model(at_most):
    at_most(5)
    X, y = frame()
    table = X.assign(y=y)
    clf = fit_batches(GeneralizedNB(), [table[:50], table[50:]], "y")
    assert np.array_equal(clf.predict_proba(X), GeneralizedNB().fit(X, y).predict_proba(X))


def test_batches_of_a_table_that_is_too_wide_for_all_pairs_give_the_same_model(at_most, monkeypatch):
    at_most(5)
    X, y = frame()
    table = X.assign(y=y)
    expected = GeneralizedNB(interactions="tree").fit(X, y).predict_proba(X)
    monkeypatch.setattr(pipeline, "MAX_KEPT_CELLS", 10)
    assert np.array_equal(GeneralizedNB(interactions="tree").fit(X, y).predict_proba(X), expected)
    clf = fit_batches(GeneralizedNB(interactions="tree"), [table[:50], table[50:]], "y")
    assert np.array_equal(clf.predict_proba(X), expected)
