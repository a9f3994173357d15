"""GeneralizedNB(weighting="discriminative"), as a user meets it."""

import os
import subprocess
import sys
from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
from classifiers import counted, weighted
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict

from gnbayes import GeneralizedNB, selection_curve
from gnbayes.datasets import fetch_heart

UNSEEN = "ignore:.* never seen in training:UserWarning"


# The default also has further pairs and triples, and takes the mean of several fits.
BOTH_INTERACTIONS = pytest.mark.parametrize("interactions", ["tree", pytest.param("auto", marks=pytest.mark.slow)])


def mixed(n=150, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    age, smokes = rng.normal(50, 10, n), rng.random(n) < 0.4
    frame = pd.DataFrame({"age": age, "smokes": smokes, "town": rng.choice(["a", "b", "c", None], n)})
    frame["visits"] = rng.integers(0, 9, n).astype(float)
    frame.loc[::7, "visits"] = np.nan
    risk = age + 9 * smokes + 3 * rng.normal(size=n)
    return frame, np.digitize(risk, np.quantile(risk, np.arange(1, n_classes) / n_classes))


@pytest.fixture(scope="module")
def on_wdbc(wdbc):
    """A weighted classifier, fitted; tests must not change it."""
    return weighted().fit(*wdbc)


@pytest.mark.parametrize("structure", ["gnb-a", "gnb-o", "tan", "nb"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_base_and_contributions_sum_to_the_scores(structure, n_classes):
    frame, y = mixed(n_classes=n_classes)
    clf = weighted(structure=structure).fit(frame, y)
    explanation = clf.explain(frame)
    scores = clf.decision_function(frame)
    found = explanation.scores if n_classes > 2 else explanation.scores[:, 1] - explanation.scores[:, 0]
    np.testing.assert_allclose(found, scores, rtol=0, atol=1e-12)
    np.testing.assert_allclose(explanation.proba, clf.predict_proba(frame), rtol=1e-9)
    assert "against" in explanation.text()


@pytest.mark.data
@pytest.mark.once
def test_better_probabilities_on_heart():
    X, y = fetch_heart().data, fetch_heart().target
    losses = [
        log_loss(y, cross_val_predict(clf, X, y, cv=5, method="predict_proba")) for clf in (GeneralizedNB(), counted())
    ]
    assert losses[0] < 0.9 * losses[1]


@pytest.mark.slow
@pytest.mark.once
def test_better_probabilities_on_wdbc(wdbc):
    losses = [
        log_loss(wdbc[1], cross_val_predict(clf, *wdbc, cv=5, method="predict_proba"))
        for clf in (GeneralizedNB(), counted())
    ]
    assert losses[0] < 0.08 < 0.13 < losses[1]


def test_fine_intervals_by_themselves_and_coarse_ones_in_pairs(on_wdbc):
    clf = on_wdbc
    feature = clf.features_[0]
    assert (feature.n_values, feature.coarse_cardinality) == (40, 5)
    assert clf.counts_.cardinalities[0] == 5
    shapes = {len(term.features): term.table.shape for term in clf.model_.terms}
    assert shapes == {1: (40, 2), 2: (5, 5, 2)}
    assert clf.joint_.cardinalities[0] == 10


@pytest.mark.parametrize(
    "parameters",
    [{"n_bins": 4}, {"discretizer": "mdlp"}, {"discretizer": "uniform"}, {"n_bins": 4, "discretizer": {0: [14.0]}}],
)
def test_intervals_that_are_given_are_both(parameters, wdbc):
    X, y = wdbc[0][:, :4], wdbc[1]
    features = weighted(**parameters).fit(X, y).features_
    plain = GeneralizedNB(**{"n_bins": 5, **parameters}).fit(X, y).features_
    assert features == plain
    assert not any(feature.coarse for feature in features)


def test_columns_without_edges_have_intervals_of_two_sizes(wdbc):
    features = weighted(discretizer={0: [14.0]}).fit(wdbc[0][:, :2], wdbc[1]).features_
    assert features[0].edges == (14.0,)
    assert features[1].n_values == 40


@BOTH_INTERACTIONS
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_order_of_rows_does_not_change_a_bit(n_classes, interactions):
    frame, y = mixed(n_classes=n_classes)
    order = np.random.default_rng(1).permutation(len(y))
    clf = weighted(interactions=interactions)
    shuffled = clf.fit(frame.iloc[order], y[order]).predict_proba(frame)
    np.testing.assert_array_equal(shuffled, clf.fit(frame, y).predict_proba(frame))


@BOTH_INTERACTIONS
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_row_of_weight_two_is_two_rows(n_classes, interactions):
    frame, y = mixed(n_classes=n_classes)
    weights = np.random.default_rng(1).integers(0, 4, len(y))
    repeated = np.repeat(np.arange(len(y)), weights)
    clf = weighted(interactions=interactions)
    heavy = clf.fit(frame, y, sample_weight=weights).predict_proba(frame)
    np.testing.assert_array_equal(heavy, clf.fit(frame.iloc[repeated], y[repeated]).predict_proba(frame))


def test_many_rows_of_fractions_of_weight():
    frame, y = mixed(400)
    weights = np.random.default_rng(1).random(400) + 0.5
    proba = weighted().fit(frame, y, sample_weight=weights).predict_proba(frame)
    plain = weighted().fit(frame, y).predict_proba(frame)
    assert 0 < np.abs(proba - plain).mean() < 0.05


@pytest.mark.parametrize("interactions", ["tree", pytest.param("auto", marks=[pytest.mark.slow, pytest.mark.once])])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_order_of_classes_does_not_matter(n_classes, interactions):
    frame, y = mixed(155, n_classes)
    clf = weighted(interactions=interactions)
    proba = clf.fit(frame, y).predict_proba(frame)
    turned = clf.fit(frame, n_classes - 1 - y).predict_proba(frame)
    np.testing.assert_allclose(turned[:, ::-1], proba, atol=1e-3)


@pytest.mark.slow
def test_many_rows_are_thinned_out(monkeypatch, wdbc, on_wdbc):
    X, y = wdbc
    every = log_loss(y, on_wdbc.predict_proba(X))
    monkeypatch.setattr("gnbayes.model.fitting.learn._PENALTY_ROWS", 150)
    penalties_of_few = log_loss(y, weighted().fit(X, y).predict_proba(X))
    monkeypatch.setattr("gnbayes.model.fitting.training._MANY_ROWS", 300)
    few = log_loss(y, weighted().fit(X, y).predict_proba(X))
    assert every < 0.05
    assert penalties_of_few < 0.08
    assert few < 0.12


SCRIPT = """
import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris
from gnbayes import GeneralizedNB
for (X, y), rows in ((load_breast_cancer(return_X_y=True), 1), (load_iris(return_X_y=True), 1),
                     (load_breast_cancer(return_X_y=True), 9)):
    X[::5, 1] = np.nan
    clf = GeneralizedNB("tan", weighting="discriminative", n_bins="auto", n_jobs={n_jobs}).fit(X[::rows], y[::rows])
    print(clf.decision_function(X).tobytes().hex(), clf.score_samples(X).round(9).tobytes().hex())
    # Where features are unknown, exponentials of C and NumPy differ in their last digits.
    X[::3, 2] = np.nan
    print((clf.predict_proba(X[:200]).round(11) + 0.0).tobytes().hex())
"""


@pytest.mark.slow
@pytest.mark.once
def test_the_same_bits_with_any_kernels_and_threads():
    def run(kernels, threads, n_jobs):
        environment = {**os.environ, "GNBAYES_KERNELS": kernels, "OPENBLAS_NUM_THREADS": threads}
        script = SCRIPT.format(n_jobs=n_jobs)
        return subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, env=environment).stdout

    expected = run("", "1", 1)
    assert len(expected) > 10_000
    assert run("numpy", "1", 1) == expected
    assert run("", "4", 2) == expected


@pytest.mark.slow
def test_a_given_prior_shifts_the_odds(wdbc, on_wdbc):
    X, y = wdbc
    plain, even = on_wdbc, weighted(class_prior=[0.5, 0.5]).fit(X, y)
    shift = np.log(0.5) - np.log(np.bincount(y) / len(y))
    moved = plain.decision_function(X) + shift[1] - shift[0]
    np.testing.assert_allclose(even.decision_function(X), moved, rtol=0, atol=1e-12)
    assert (weighted(class_prior=[0.0, 1.0]).fit(X, y).predict(X) == 1).all()


@pytest.mark.parametrize("n_features", [1, 3, pytest.param("few", marks=pytest.mark.slow)])
def test_a_number_of_features(n_features, wdbc):
    X, y = wdbc[0][:, :10], wdbc[1]
    clf = weighted(n_features=n_features).fit(X, y)
    assert clf.n_features_ < 10
    others = np.setdiff1d(np.arange(10), clf.feature_order_)
    changed = X.copy()
    changed[:, others] = -1.0
    np.testing.assert_array_equal(clf.predict_proba(changed), clf.predict_proba(X))
    assert not clf.feature_importances_[others].any()
    assert not {j for term in clf.model_.terms for j in term.features} & set(others.tolist())


@pytest.mark.filterwarnings(UNSEEN)
@pytest.mark.parametrize("n_bins", ["auto", 5])
@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0], [2.0]], [0, 1]),
        ([[1.0], [1.0], [1.0]], [0, 1, 1]),
        ([[np.nan]] * 5, [0, 1, 0, 1, 1]),
        ([[1.0, 1.0, np.nan], [2.0, 2.0, np.nan], [3.0, 3.0, np.nan], [4.0, 4.0, np.nan]], [0, 1, 2, 0]),
        (np.arange(14.0).reshape(7, 2), list("abcdefg")),
        (np.tile(np.arange(30.0)[:, None], 3), np.arange(30) > 14),
        (np.c_[np.ones(12), np.arange(12)], [0] * 11 + [1]),
    ],
    ids=["two rows", "constant", "gaps", "duplicates and gaps", "a class a row", "copies", "one row of a class"],
)
def test_odd_tables(X, y, n_bins):
    for structure in ("gnb-o", "tan", "nb"):
        clf = weighted(structure=structure, n_bins=n_bins).fit(X, y)
        proba = clf.predict_proba(X)
        np.testing.assert_allclose(proba.sum(axis=1), 1.0)
        assert np.isfinite(proba).all()


def test_one_feature_is_learned():
    x = np.random.default_rng(0).normal(size=(500, 1))
    y = (np.abs(x[:, 0]) > 1).astype(int)
    assert (weighted().fit(x, y).predict(x) == y).mean() > 0.95


@pytest.mark.slow
def test_wide_tables_take_the_wide_path(monkeypatch, wdbc, on_wdbc):
    X, y = wdbc
    kept = on_wdbc
    monkeypatch.setattr("gnbayes.counted_tree.MAX_KEPT_CELLS", 10)
    wide = weighted().fit(X, y)
    np.testing.assert_array_equal(wide.predict_proba(X), kept.predict_proba(X))
    assert len(wide.counts_.pairs) == 29
    np.testing.assert_array_equal(wide.class_gain_, kept.class_gain_)


def test_what_does_not_go_together(wdbc):
    X, y = wdbc
    with pytest.raises(AttributeError, match="has no attribute 'partial_fit'") as error:
        weighted().partial_fit(X, y, classes=[0, 1])
    assert "needs all rows at once, which partial_fit does not have; use fit" in str(error.value.__cause__)
    for smoothing in ("paper", "repair"):
        message = rf"takes the place of smoothing='{smoothing}', .* use another smoothing, or weight"
        with pytest.raises(ValueError, match=message):
            weighted(smoothing=smoothing).fit(X, y)
    with pytest.raises(ValueError, match="The 'weighting' parameter of GeneralizedNB must be"):
        weighted(weighting="some").fit(X, y)
    clf = weighted(n_features=3).fit(X, y)
    with pytest.raises(ValueError, match=r"cv='prefit' is for weighting=None: the first features of a weighted model"):
        selection_curve(clf, X, y, cv="prefit")


def test_batches_without_weighting_stay():
    X, y = load_iris(return_X_y=True)
    assert hasattr(counted(), "partial_fit")
    assert not hasattr(GeneralizedNB(), "partial_fit")
    assert GeneralizedNB.partial_fit.__name__ == "partial_fit"
    assert counted().partial_fit(X, y, classes=[0, 1, 2]).counts_.n == 150


@pytest.mark.slow
def test_the_same_weight_for_all_rows_changes_little():
    rng = np.random.default_rng(3)
    X, noise = rng.normal(size=(400, 6)), rng.normal(size=(400, 2))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + noise[:, 0] > 0).astype(int)
    train, test = slice(0, 300), slice(300, 400)
    losses = [
        log_loss(y[test], weighted().fit(X[train], y[train], np.full(300, weight)).predict_proba(X[test]))
        for weight in (1.0, 2.0, 10.0, 100.0, 2.5, 1e-4)
    ]
    # Heavier rows get finer intervals, which may lose a little; copies in several folds would lose all.
    assert max(losses) < 1.25 * losses[0]


def test_batches_do_not_go_on_from_weights(wdbc, on_wdbc):
    clf = deepcopy(on_wdbc).set_params(weighting=None)
    with pytest.raises(ValueError, match="partial_fit cannot continue from a model with weights"):
        clf.partial_fit(*wdbc)
