"""Ranks and tests against the worked example of Demšar, Statistical comparisons of classifiers, JMLR 7 (2006)."""

import numpy as np
import pytest
from ranks import bootstrap, critical_difference, friedman, groups, ranks

# Table 6: AUC of C4.5, and of C4.5 with m, cf, and both tuned, on 14 tables. The last two of the row before the last
# are both printed as 0.975, but ranked 2 and 3.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def test_mean_ranks():
    assert ranks(-DEMSAR).mean(axis=0) == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)


def test_friedman():
    test = friedman(ranks(-DEMSAR))
    assert test.chi_square == pytest.approx(9.28, abs=0.01)
    assert test.f == pytest.approx(3.69, abs=0.01)
    assert test.p_value < 0.05


def test_critical_difference():
    assert critical_difference(14, 4) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(14, 4, level=0.10) == pytest.approx(1.12, abs=0.005)


@pytest.mark.parametrize(("n_rivals", "quantile"), [(2, 1.960), (5, 2.728), (10, 3.164)])
def test_quantiles_are_those_of_the_table(n_rivals, quantile):
    scale = np.sqrt(n_rivals * (n_rivals + 1) / 6)
    assert critical_difference(1, n_rivals) / scale == pytest.approx(quantile, abs=1e-3)


def test_groups_are_the_largest_ones():
    assert groups(np.array([1.0, 1.5, 2.2, 4.0, 4.1]), 0.8) == [(1.0, 1.5), (1.5, 2.2), (4.0, 4.1)]
    assert groups(np.array([3.0, 1.0, 2.0]), 2.0) == [(1.0, 3.0)]
    assert groups(np.array([1.0, 3.0]), 1.0) == []


def test_the_interval_of_a_mean_rank_is_that_of_resampled_tables():
    """Against a plain loop over drawn tables."""
    found = ranks(-DEMSAR)
    rng = np.random.default_rng(1)
    means = np.array([found[rng.integers(0, 14, 14)].mean(axis=0) for _ in range(20_000)])
    spread = bootstrap(found)
    np.testing.assert_allclose(spread.low, np.quantile(means, 0.025, axis=0), atol=0.06)
    np.testing.assert_allclose(spread.high, np.quantile(means, 0.975, axis=0), atol=0.06)
    assert spread.first.sum() == pytest.approx(1)
    assert spread.first[3] == pytest.approx((means[:, 3] < means[:, :3].min(axis=1)).mean(), abs=0.05)


def test_equals_share_the_first_place():
    np.testing.assert_allclose(bootstrap(np.array([[1.5, 1.5, 3.0]])).first, [0.5, 0.5, 0.0])
