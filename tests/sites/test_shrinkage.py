"""Posterior means of noisy cells, against numerical integration."""

import numpy as np
import pytest
import twins
from scipy.stats import truncnorm

from gnbayes.sites import shrinkage
from gnbayes.sites.shrinkage import positive_mean, shrink


@pytest.mark.parametrize("ratio", [-200.0, -31.0, -29.0, -5.0, -0.3, 0.0, 2.0, 50.0])
def test_positive_mean_is_that_of_a_truncated_normal(ratio):
    found = positive_mean(np.array([ratio * 7.0]), np.array([7.0]))[0]
    assert found == pytest.approx(truncnorm.mean(-ratio, np.inf, loc=ratio * 7.0, scale=7.0), rel=1e-4)


def test_positive_mean_without_uncertainty():
    assert positive_mean(np.array([5.0, 0.0]), np.zeros(2)).tolist() == pytest.approx([5.0, 0.0], abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("deviation", [0.0, 15.0, 60.0])
def test_cells_are_posterior_means(deviation):
    rng = np.random.default_rng(0)
    expected = np.array([[40.0, 60.0, 20.0], [30.0, 45.0, 15.0]])
    observed = expected + deviation * rng.normal(size=expected.shape)
    variance = expected + 200.0
    found = shrink(observed[None], expected[None], variance[None], 2, 0.5)
    # Spreads that are left out as improbable change a cell by at most their weight.
    wanted = twins.shrunk(observed, expected, variance, 2, 0.5, shrinkage._SPREADS, shrinkage._PRIOR)
    assert np.allclose(found.cells[0], wanted, rtol=3e-3)


def test_strong_evidence_is_kept_and_weak_is_not():
    expected = np.full((2, 1, 4), 1000.0)
    observed = expected + np.array([900.0, -900.0, 900.0, -900.0])
    variance = np.stack([np.full((1, 4), 100.0), np.full((1, 4), 1e8)])
    found = shrink(observed, expected, variance, 3, 0.5)
    assert np.allclose(found.cells[0], observed[0], rtol=0.02)
    assert np.allclose(found.cells[1], expected[1], rtol=0.02)
    assert found.independent[0] < 1e-6
    assert found.independent[1] == pytest.approx(0.5, abs=0.05)
    assert found.spread[0] > 0.5


def test_the_more_noise_the_nearer_to_independence():
    expected = np.full((5, 6), 100.0)
    observed = expected + np.array([60.0, -60.0, 30.0, -30.0, 50.0, -50.0])
    variance = np.array([1.0, 1e2, 1e3, 1e4, 1e6])[:, None] * np.ones((5, 6))
    found = shrink(observed, expected, variance, 5, 0.5)
    apart = found.cells.max(axis=1) - found.cells.min(axis=1)
    assert (np.diff(apart) < 0).all()
    assert (found.cells > 0).all()
