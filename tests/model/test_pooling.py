import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import CategoricalNB
from twins import pooled_log_evidence, pooled_probability

from gnbayes import GeneralizedNB, load, save
from gnbayes.counting import CodedRows, count
from gnbayes.model import build_joint, choose_pooling, leave_one_out_prefixes
from gnbayes.model.parameters import daughter_counts
from gnbayes.model.pooling import STRENGTHS, log_evidence
from gnbayes.structure import Tree

TREE = Tree(np.array([1, -1, 1]), np.array([1, 0, 2]), np.zeros(3))


def some_rows(n=120, n_values=25, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n)
    codes = np.column_stack([rng.integers(0, n_values, n), rng.integers(0, 2, n), rng.integers(0, 2, n)])
    codes[: len(codes) // 2, 2] = labels[: len(codes) // 2] > 0
    codes[0, 0] = n_values - 1  # all values up to the largest have a code
    return CodedRows(codes, labels, np.array([n_values, 2, 2]), 3)


def frame_with_noise(n=400, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    useful = {f"x{j}": np.where(rng.random(n) < 0.3, rng.integers(0, 3, n), y) for j in range(3)}
    return pd.DataFrame(useful), pd.Series(rng.integers(0, 100, n)).map("v{}".format), y


@pytest.mark.parametrize("strength", [1.0, 16.0])
def test_a_pooled_table_equals_its_definition(strength):
    rows, alpha = some_rows(), 0.7
    pooling = np.array([strength, 0.0, 0.0])
    joint = build_joint(TREE, count(rows), "additive", alpha, None, pooling)
    plain = build_joint(TREE, count(rows), "additive", alpha)
    for values in rows.codes[:20]:
        for y in range(3):
            expected = pooled_probability(rows.codes, rows.labels, TREE.mother, values, y, 0, 25, alpha, strength)
            assert joint.tables[0][values[1], values[0], y] == pytest.approx(np.log(expected))
    np.testing.assert_allclose(np.exp(joint.tables[0]).sum(axis=1), 1.0)
    for j in (1, 2):
        np.testing.assert_array_equal(joint.tables[j], plain.tables[j])


@pytest.mark.parametrize("mother", [1, -1])
def test_the_strength_is_that_of_the_most_probable_classes(mother):
    rows = some_rows()
    tree = replace(TREE, mother=np.array([mother, -1, 1]))
    cells = daughter_counts(count(rows), tree, 0).astype(float)
    found = [log_evidence(cells, strength) for strength in STRENGTHS]
    expected = [pooled_log_evidence(rows.codes, rows.labels, tree.mother, 0, s) for s in STRENGTHS]
    np.testing.assert_allclose(found, expected)
    assert choose_pooling(count(rows), tree).tolist() == [STRENGTHS[np.argmax(expected)], 0.0, 0.0]


def test_noise_is_shared_by_the_classes_and_what_goes_with_them_is_not():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 600)
    skewed = np.minimum(rng.geometric(0.05, 600), 60) - 1
    codes = np.column_stack([skewed, rng.integers(0, 25, 600) + 25 * labels, rng.integers(0, 20, 600)])
    tree = Tree(np.full(3, -1), np.arange(3), np.zeros(3))
    noise, useful, few = choose_pooling(count(CodedRows(codes, labels, np.array([60, 50, 20]), 2)), tree)
    assert noise > 100
    assert useful == STRENGTHS[0]
    assert few == 0


@pytest.mark.parametrize("smoothing", ["additive", "backoff"])
@pytest.mark.parametrize("weights", [None, "integers"])
def test_leave_one_out_equals_real_refits(smoothing, weights):
    rows = some_rows(40)
    rows.labels[5] = 3  # the only row of its class
    rows = replace(rows, n_classes=4)
    if weights is not None:
        rows = replace(rows, weights=np.random.default_rng(1).integers(1, 3, 40).astype(float))
    pooling, counts = np.array([8.0, 0.0, 0.0]), count(rows)
    how = (smoothing, 0.5, None)
    joint = build_joint(TREE, counts, *how, pooling)
    found = [part.copy() for part in leave_one_out_prefixes(joint, counts, rows, *how, pooling=pooling)]
    for i in range(rows.n_rows):
        own = np.ones(rows.n_rows) if rows.weights is None else rows.weights.copy()
        own[i] -= 1
        refitted = build_joint(TREE, count(replace(rows, weights=own)), *how, pooling)
        expected = refitted.prefix_log_joint(rows.codes[[i]])[0]
        np.testing.assert_allclose([part[i] for part in found], expected, rtol=1e-10)


def test_a_random_column_costs_less_than_a_twentieth():
    X, noise, y = frame_with_noise()
    losses = []
    for table in (X, X.assign(noise=noise)):
        clf = GeneralizedNB(weighting=None, categorical_features=["x0", "x1", "x2"])
        losses.append(log_loss(y, cross_validated(clf, table, y)))
    assert losses[1] < 1.05 * losses[0]
    clf.fit(X.assign(noise=noise), y)
    assert clf.pooling_[:3].tolist() == [0, 0, 0]
    assert clf.pooling_[3] >= 8


def cross_validated(clf, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # values that a fold never saw
        return cross_val_predict(clf, X, y, cv=5, method="predict_proba")


@pytest.mark.parametrize(
    "parameters",
    [{"information": "plug-in"}, {"alpha": "auto"}, {"smoothing": "paper"}, {"weighting": "discriminative"}],
)
def test_some_settings_treat_all_features_alike(parameters):
    X, noise, y = frame_with_noise(150)
    settings = {"weighting": None, "interactions": "tree"} | parameters
    assert GeneralizedNB(**settings).fit(X.assign(noise=noise), y).pooling_ is None


def test_naive_bayes_is_that_of_scikit_learn():
    _, noise, y = frame_with_noise()
    codes = np.unique(noise, return_inverse=True)[1][:, None]
    expected = CategoricalNB().fit(codes, y).predict_proba(codes)
    found = GeneralizedNB("nb", weighting=None, categorical_features=[0]).fit(codes, y)
    np.testing.assert_allclose(found.predict_proba(codes), expected)
    assert found.pooling_ is None


def test_batches_give_the_same_model():
    X, noise, y = frame_with_noise()
    X = X.assign(noise=noise)
    settings = {"weighting": None, "categorical_features": list(X.columns)}
    whole, parts = GeneralizedNB(**settings).fit(X, y), GeneralizedNB(**settings)
    for rows in (slice(0, 250), slice(250, 400)):
        parts.partial_fit(X[rows], y[rows], classes=[0, 1])
    np.testing.assert_array_equal(parts.pooling_, whole.pooling_)
    np.testing.assert_array_equal(parts.predict_proba(X), whole.predict_proba(X))


def test_a_file_keeps_the_strengths(tmp_path):
    X, noise, y = frame_with_noise()
    clf = GeneralizedNB(weighting=None).fit(X.assign(noise=noise), y)
    save(clf, tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.pooling_, clf.pooling_)
    np.testing.assert_array_equal(again.predict_proba(X.assign(noise=noise)), clf.predict_proba(X.assign(noise=noise)))
