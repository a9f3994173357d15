"""Weighted models of very wide tables use the most informative features only."""

import numpy as np
import pandas as pd
import pytest

from gnbayes import GeneralizedNB, GNBSelector, counted_tree, selection_curve
from gnbayes.scale import fit_batches


@pytest.fixture
def at_most(monkeypatch):
    """Set the number of features of a model."""

    def limit(n, per_row=0):
        monkeypatch.setattr(counted_tree, "MOST_FEATURES", n)
        monkeypatch.setattr(counted_tree, "_FEATURES_PER_ROW", per_row)

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
    monkeypatch.setattr(counted_tree, "MAX_KEPT_CELLS", 10)
    assert np.array_equal(GeneralizedNB(interactions="tree").fit(X, y).predict_proba(X), expected)
    clf = fit_batches(GeneralizedNB(interactions="tree"), [table[:50], table[50:]], "y")
    assert np.array_equal(clf.predict_proba(X), expected)


@pytest.fixture
def few_candidates(monkeypatch, at_most):
    """Call a table of more than six columns wide."""
    at_most(10)
    for module in ("prefixes.order", "prefixes.path", "prefixes.learning", "selection.scoring"):
        monkeypatch.setattr(f"gnbayes.{module}.MOST_CANDIDATES", 6)
    monkeypatch.setattr("gnbayes.prefixes.path.MOST_FEATURES", 10)


def test_the_curve_of_a_wide_table_ends_with_the_model_of_all_features(few_candidates):
    X, y = frame(n=120)
    curve = selection_curve(GeneralizedNB(), X, y, scoring=["neg_log_loss", "roc_auc"])
    assert curve.n_features.tolist() == [1, 2, 3, 4, 5, 6, 10]
    assert sorted(curve.errors_to_all) == ["neg_log_loss", "roc_auc"]
    assert curve.errors_to_all["neg_log_loss"][-1] == 0


def test_without_clear_evidence_all_features_of_a_wide_table_are_used(few_candidates):
    """Each column says a little: fewer are not clearly better, and the model is that of all."""
    X, y = frame(n=120)
    clf, everything = GeneralizedNB(n_features="auto").fit(X, y), GeneralizedNB().fit(X, y)
    curve = selection_curve(GeneralizedNB(), X, y, scoring="neg_log_loss")
    assert clf.n_features_ == curve.within_noise("neg_log_loss") == 10
    assert np.array_equal(clf.predict_proba(X), everything.predict_proba(X))
    assert GNBSelector(n_features="auto").fit(X, y).n_features_ == 10


def test_of_a_wide_table_of_noise_few_features_are_used(few_candidates):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(100, 12)), np.tile([0, 1], 50)
    curve = selection_curve(GeneralizedNB(), X, y, scoring="neg_log_loss")
    assert not curve.errors_to_all
    assert GeneralizedNB(n_features="auto").fit(X, y).n_features_ == curve.within_noise("neg_log_loss") < 5
