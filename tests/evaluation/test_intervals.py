import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, sem

from gnbayes.evaluation import Estimate, mean_error, mean_interval, normal_interval, share_interval, wilson_interval
from gnbayes.evaluation.intervals import NORMAL_95


def test_the_quantile_of_the_normal_distribution():
    assert pytest.approx(norm.ppf(0.975), abs=1e-15) == NORMAL_95


@given(st.integers(1, 500), st.data())
def test_wilson_is_that_of_scipy(n, data):
    hits = data.draw(st.integers(0, n))
    expected = binomtest(hits, n).proportion_ci(0.95, method="wilson")
    found = wilson_interval(hits / n, n)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=50))
def test_the_error_of_a_mean_is_that_of_scipy(values):
    assert mean_error(np.array(values)) == pytest.approx(sem(values), abs=1e-9)


def literal_cluster_error(values, clusters):
    """The sum over clusters of squared sums of deviations, term by term."""
    mean, n = sum(values) / len(values), len(values)
    groups = sorted(set(clusters))
    total = 0.0
    for group in groups:
        total += sum(value - mean for value, member in zip(values, clusters, strict=True) if member == group) ** 2
    return (len(groups) / (len(groups) - 1) * total) ** 0.5 / n


def test_clusters():
    rng = np.random.default_rng(0)
    values, clusters = rng.normal(size=60), rng.integers(0, 12, 60)
    assert mean_error(values, clusters) == pytest.approx(literal_cluster_error(values.tolist(), clusters.tolist()))
    assert mean_error(values, np.arange(60)) == pytest.approx(mean_error(values))


def test_copies_of_rows_in_clusters_tell_nothing_new():
    hits = np.array([True, False, True, True, False, True, True, True])
    once, copied = share_interval(hits), share_interval(np.repeat(hits, 5), np.repeat(np.arange(8), 5))
    # The standard error of independent rows has n - 1, the trials of Wilson have n.
    assert copied.value == once.value
    assert copied.high - copied.low == pytest.approx(once.high - once.low, rel=0.1)
    assert share_interval(np.repeat(hits, 5)).low > copied.low


def test_all_hits_in_clusters_count_clusters():
    found = share_interval(np.ones(40, dtype=bool), np.repeat(np.arange(4), 10))
    assert found == wilson_interval(1.0, 4)


def test_too_few_to_tell():
    assert mean_error(np.array([1.0])) is None
    assert mean_error(np.array([1.0, 2.0]), np.zeros(2, dtype=int)) is None
    assert mean_interval(np.array([3.0])) == Estimate(3.0)
    assert share_interval(np.array([True, False]), np.zeros(2, dtype=int)) == Estimate(0.5)


def test_intervals_are_cut_where_numbers_cannot_be():
    assert normal_interval(0.1, 1.0, lowest=0.0, highest=1.0) == Estimate(0.1, 0.0, 1.0)
    assert Estimate(1.0, None, 2.0).to_dict() == {"value": 1.0, "low": None, "high": 2.0}
