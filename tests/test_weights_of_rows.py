"""Weights of rows: whole numbers are rows, of all others only ratios count."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from gnbayes import GeneralizedNB
from gnbayes.datasets import fetch_diabetes

X, Y = load_iris(return_X_y=True)
FRACTIONS = np.random.default_rng(0).random(150) + 0.2


@pytest.mark.parametrize("discretizer", ["quantile", "uniform", "mdlp", {0: [5.5]}])
@pytest.mark.parametrize(
    "parameters",
    [{"weighting": None}, {"interactions": "tree"}, pytest.param({}, marks=[pytest.mark.slow, pytest.mark.once])],
    ids=["counted", "tree", "default"],
)
def test_the_scale_of_fractional_weights_does_not_matter(discretizer, parameters):
    def proba(weights):
        clf = GeneralizedNB(discretizer=discretizer, **parameters)
        return clf.fit(X, Y, sample_weight=weights).predict_proba(X)

    expected = proba(FRACTIONS)
    for factor in (1 / 150, 0.5, 1000.5):
        np.testing.assert_allclose(proba(FRACTIONS * factor), expected, atol=1e-9)
    np.testing.assert_array_equal(proba(np.full(150, 1 / 150)), proba(None))


@pytest.mark.parametrize("factor", [1 / 150, 0.5, 1000.5])
def test_intervals_of_a_first_batch_do_not_depend_on_the_scale(factor):
    def first_batch(weights):
        clf = GeneralizedNB(discretizer="mdlp", weighting=None)
        return clf.partial_fit(X, Y, classes=[0, 1, 2], sample_weight=weights)

    assert first_batch(FRACTIONS).features_ == first_batch(FRACTIONS * factor).features_


def test_weights_of_batches_go_together():
    edges = {j: [float(np.median(X[:, j]))] for j in range(4)}
    clf = GeneralizedNB(discretizer=edges, weighting=None)
    light, heavy = FRACTIONS[:75] / 8, FRACTIONS[75:] * 8
    clf.partial_fit(X[:75], Y[:75], classes=[0, 1, 2], sample_weight=light)
    clf.partial_fit(X[75:], Y[75:], sample_weight=heavy)
    assert clf.counts_.n == pytest.approx(light.sum() + heavy.sum())


def largest_change(X, y, parameters, weights):
    """Largest change of a probability from a fit without weights."""
    found = [
        GeneralizedNB(**parameters).fit(X, y, sample_weight=own).predict_proba(X) for own in (None, np.array(weights))
    ]
    return np.abs(found[1] - found[0]).max()


def nearly_equal(n):
    """Weights close to 1: one row weighs a little more, or all differ a little."""
    rng = np.random.default_rng(0)
    return [1 + 1e-4 * (np.arange(n) == 0), 1 + 1e-4 * (np.arange(n) == n // 2), np.exp(1e-4 * rng.normal(size=n))]


@pytest.mark.parametrize(
    ("parameters", "most"),
    [
        ({"weighting": None}, 1e-4),
        ({"interactions": "tree"}, 1e-3),
        pytest.param({}, 0.02, marks=[pytest.mark.slow, pytest.mark.once]),
    ],
    ids=["counted", "tree", "default"],
)
def test_nearly_equal_weights_give_nearly_the_same_model(parameters, most):
    for weights in nearly_equal(150):
        assert largest_change(X, Y, parameters, weights) < most


@pytest.mark.slow
@pytest.mark.once
@pytest.mark.data
@pytest.mark.parametrize("name", ["zoo", "diabetes", "pima"])
def test_nearly_equal_weights_where_rows_are_repeated_or_many(name):
    """Terms are chosen and iterations end at slightly different places: not quite as continuous as tables of counts."""
    frame = table_of(name)
    X, y = frame.drop(columns="target"), frame["target"]
    for weights in nearly_equal(len(y)):
        assert largest_change(X, y, {"weighting": None}, weights) < 1e-3
        assert largest_change(X, y, {}, weights) < 0.05


def table_of(name):
    if name == "diabetes":
        found = fetch_diabetes()
        return found.data.assign(target=found.target)
    return pd.read_csv(Path(os.environ["GNBAYES_DATA"]) / "suite" / f"{name}.csv.gz")


@pytest.mark.parametrize("n_levels", [2, 12])
def test_rows_that_come_again_count_the_same_with_nearly_equal_weights(n_levels):
    """With two levels rows come again with other classes, as rows that were drawn do; copies have the class copied."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, n_levels, (150, 3)).astype(float)
    y = (rng.random(150) < 0.2 + 0.6 * (X[:, 0] < n_levels / 2)).astype(int)
    if n_levels > 2:
        X, y = np.tile(X, (3, 1)), np.tile(y, 3)
    for weights in nearly_equal(len(y)):
        assert largest_change(X, y, {"interactions": "tree"}, weights) < 1e-3


def test_two_rows_of_weights_near_1_are_not_one_of_weight_near_2():
    """Repeats whose classes differ as often as the model says count in full, whether or not weights are whole."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (2000, 2)).astype(float)
    y = (rng.random(2000) < 0.2 + 0.6 * X[:, 0]).astype(int)
    weights = np.exp(0.01 * rng.normal(size=2000))
    found = GeneralizedNB(interactions="tree").fit(X, y, sample_weight=weights).predict_proba([[0.0, 0.0]])[0, 1]
    alike = X[:, 0] == 0
    assert found == pytest.approx(y[alike].mean(), abs=0.02)
