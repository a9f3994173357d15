"""Weights of rows: whole numbers are rows, of all others only ratios count."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from gnbayes import GeneralizedNB

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
