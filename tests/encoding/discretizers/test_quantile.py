import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from twins import quantile_codes

from gnbayes import QuantileDiscretizer

COLUMN = st.lists(st.one_of(st.integers(-3, 8).map(float), st.floats(-10, 10)), min_size=1, max_size=60)


@given(COLUMN, st.integers(2, 7))
def test_equals_the_papers_rule_value_by_value(values, n_bins):
    column = np.array(values)[:, None]
    codes = QuantileDiscretizer(n_bins).fit_transform(column)
    assert codes.ravel().tolist() == quantile_codes(values, n_bins)


@given(COLUMN, st.integers(0, 2**31 - 1))
def test_whole_weights_are_as_good_as_repeated_rows(values, seed):
    weights = np.random.default_rng(seed).integers(1, 4, len(values))
    column = np.array(values)[:, None]
    weighted = QuantileDiscretizer(3).fit(column, sample_weight=weights)
    repeated = QuantileDiscretizer(3).fit(np.repeat(column, weights, axis=0))
    assert weighted.features_[0].edges == repeated.features_[0].edges
    assert weighted.features_[0].means == pytest.approx(repeated.features_[0].means)


@pytest.mark.parametrize("n_bins", [2, 3, 5, 7])
@pytest.mark.parametrize("weight", [0.1, 0.3, 1 / 3, 1e-9, 1e9])
def test_equal_weights_change_nothing(n_bins, weight):
    column = np.arange(50.0)[:, None]
    weighted = QuantileDiscretizer(n_bins).fit(column, sample_weight=np.full(50, weight))
    assert weighted.bin_edges_[0].tolist() == QuantileDiscretizer(n_bins).fit(column).bin_edges_[0].tolist()


@given(COLUMN, st.integers(2, 7), st.integers(0, 99))
def test_a_small_change_of_weights_moves_no_cut(values, n_bins, seed):
    column, weights = np.array(values)[:, None], np.exp(1e-4 * np.random.default_rng(seed).normal(size=len(values)))
    weighted = QuantileDiscretizer(n_bins).fit(column, sample_weight=weights)
    assert weighted.features_[0].edges == QuantileDiscretizer(n_bins).fit(column).features_[0].edges


def test_means_near_the_limit_of_floats_do_not_overflow():
    bins = QuantileDiscretizer(2).fit([[-1.7e308], [0.0], [1e308], [1.7e308]])
    assert bins.inverse_transform([[0], [1]]).ravel().tolist() == pytest.approx([-8.5e307, 1.35e308])


def test_a_column_of_few_values_is_left_as_it_is():
    bins = QuantileDiscretizer(5).fit([[1.0], [7.0], [2.0], [7.0], [3.0], [4.0]])
    assert bins.features_[0].categories == (1.0, 2.0, 3.0, 4.0, 7.0)
    assert bins.bin_labels_[0].tolist() == ["x0 = 1", "x0 = 2", "x0 = 3", "x0 = 4", "x0 = 7"]


def test_a_cut_at_the_minimum_makes_no_empty_interval():
    column = np.array([0.0] * 50 + list(range(1, 51)))[:, None]
    bins = QuantileDiscretizer(5).fit(column)
    assert bins.bin_edges_[0].tolist() == [1.0, 11.0, 31.0] or min(np.bincount(bins.transform(column)[:, 0])) > 0


def test_values_outside_the_training_range_belong_to_the_outer_intervals():
    bins = QuantileDiscretizer(2).fit(np.arange(10.0)[:, None])
    assert bins.transform([[-100.0], [100.0]]).ravel().tolist() == [0, 1]


def test_representative_values_are_the_means():
    column = np.array([1.0, 2.0, 3.0, 10.0, 20.0, 60.0])[:, None]
    bins = QuantileDiscretizer(2).fit(column)
    assert bins.inverse_transform(bins.transform(column)).ravel().tolist() == [2.0] * 3 + [30.0] * 3


@pytest.mark.parametrize("n_bins", [1, 2.5, "5", True, None])
def test_n_bins_out_of_range(n_bins):
    with pytest.raises(ValueError, match=f"n_bins must be a whole number of at least 2, got {n_bins!r} instead"):
        QuantileDiscretizer(n_bins).fit([[1.0], [2.0]])
