import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.encoding import Feature, NestedDiscretizer
from gnbayes.encoding.discretizers._nested import nested_for, quantile_starts

COLUMNS = st.lists(st.integers(-9, 9).map(float) | st.floats(-1e6, 1e6), min_size=3, max_size=80)


def only_feature(column, weights=None, labels=None, **parameters):
    labels = np.zeros(len(column)) if labels is None else labels
    bins = NestedDiscretizer(**parameters).fit(np.array(column)[:, None], labels, sample_weight=weights)
    return bins.features_[0]


def test_without_ties_the_shares_are_equal():
    assert quantile_starts(np.ones(100), 4).tolist() == [25, 50, 75]


def test_few_values_stay_apart():
    assert quantile_starts(np.array([50, 1, 1]), 3).tolist() == [1, 2]


def test_a_frequent_value_has_an_interval_of_its_own_and_the_rest_is_shared_out_anew():
    counts = np.ones(41)
    counts[0] = 60
    assert quantile_starts(counts, 5).tolist() == [1, 11, 21, 31]


def literal_starts(counts, n_bins):
    """The interval of every value, one by one."""
    is_heavy = np.zeros(len(counts), dtype=bool)
    while True:
        is_new = ~is_heavy & (counts > counts[~is_heavy].sum() / (n_bins - is_heavy.sum()))
        if not is_new.any() or is_heavy.sum() + is_new.sum() >= n_bins:
            break
        is_heavy |= is_new
    rest = np.where(is_heavy, 0, counts)
    share = rest.sum() / (n_bins - is_heavy.sum())
    interval = np.floor((np.cumsum(rest) - rest / 2) / share + 1e-9)
    return np.flatnonzero((np.diff(interval) > 0) | is_heavy[1:] | is_heavy[:-1]) + 1


@given(counts=st.lists(st.integers(1, 9) | st.integers(1, 500), min_size=3, max_size=120), n_bins=st.integers(2, 40))
def test_starts_by_hand(counts, n_bins):
    counts = np.array(counts)
    expected = literal_starts(counts, n_bins) if len(counts) > n_bins else np.arange(1, len(counts))
    np.testing.assert_array_equal(quantile_starts(counts, n_bins), expected)


def test_cuts_lie_in_the_middle_between_values():
    assert only_feature([0.0, 1.0, 5.0]).edges == (0.5, 3.0)


def test_neighbouring_floats_are_cut_at_the_larger():
    high = np.nextafter(1.0, 2.0)
    assert only_feature([0.0, 1.0, high]).edges == (0.5, high)


@pytest.mark.parametrize("column", [[7.0] * 5, [0.0, 1.0, 0.0]])
def test_one_or_two_values_are_left_as_they_are(column):
    feature = only_feature(column)
    assert feature.kind == "category"
    assert feature.categories == tuple(sorted(set(column)))


def test_a_column_of_gaps_has_no_values():
    assert only_feature([np.nan] * 4) == Feature("x0", "category", has_missing=True)


def test_the_nearest_fine_cut_moves_to_where_the_class_changes():
    column = np.arange(40.0)
    assert only_feature(column, n_bins=4, n_coarse_bins=2).edges == (9.5, 19.5, 29.5)
    feature = only_feature(column, labels=column > 12, n_bins=4, n_coarse_bins=2)
    assert feature.edges == (12.5, 19.5, 29.5)
    assert feature.coarse == (0, 0, 1, 1)


def test_a_coarse_cut_stays():
    column = np.arange(40.0)
    assert only_feature(column, labels=column > 18, n_bins=4, n_coarse_bins=2).edges == (9.5, 18.5, 19.5, 29.5)


def test_a_frequent_value_keeps_its_interval():
    column = np.append(np.zeros(60), np.arange(1.0, 41.0))
    assert only_feature(column, n_bins=5, n_coarse_bins=2).edges == (0.5, 10.5, 20.5, 30.5)
    assert only_feature(column, labels=column > 3, n_bins=5, n_coarse_bins=2).edges == (0.5, 3.5, 10.5, 20.5, 30.5)


def test_a_change_is_found_among_many_values():
    column = np.random.default_rng(0).normal(size=30_000)
    feature = only_feature(column, labels=column > 2.5)
    nearest = min(feature.edges, key=lambda edge: abs(edge - 2.5))
    # One of a thousand quantiles: about thirty of the largest numbers.
    assert abs((column > nearest).sum() - (column > 2.5).sum()) <= 30
    assert len(feature.edges) < 45


@given(column=COLUMNS, n_bins=st.integers(4, 12), n_coarse=st.integers(2, 4))
def test_coarse_intervals_are_unions_of_fine_ones(column, n_bins, n_coarse):
    feature = only_feature(column, n_bins=n_bins, n_coarse_bins=n_coarse)
    codes = feature.coarse_codes
    assert len(codes) == feature.cardinality
    assert feature.kind == "category" or set(np.diff(codes).tolist()) <= {0, 1}
    assert feature.coarse_cardinality <= max(2, 2 * n_coarse)


@given(column=COLUMNS, data=st.data())
def test_weights_are_numbers_of_rows(column, data):
    weights = np.array([data.draw(st.integers(1, 3)) for _ in column])
    feature = only_feature(column, weights, n_bins=6, n_coarse_bins=3)
    again = only_feature(np.repeat(column, weights), n_bins=6, n_coarse_bins=3)
    assert (feature.edges, feature.coarse) == (again.edges, again.coarse)


@given(column=COLUMNS, n_bins=st.integers(4, 12), seed=st.integers(0, 99))
def test_a_small_change_of_weights_moves_no_cut(column, n_bins, seed):
    feature = only_feature(column, n_bins=n_bins, n_coarse_bins=3)
    weights = np.exp(1e-4 * np.random.default_rng(seed).normal(size=len(column)))
    again = only_feature(column, weights, n_bins=n_bins, n_coarse_bins=3)
    assert (feature.edges, feature.coarse) == (again.edges, again.coarse)


def test_missing_is_a_coarse_value_of_its_own():
    feature = only_feature([*np.arange(20.0), np.nan], n_bins=4, n_coarse_bins=2)
    assert feature.coarse_codes.tolist() == [0, 0, 1, 1, 2]
    assert feature.coarse_cardinality == 3


@pytest.mark.parametrize(("n", "fine", "coarse"), [(30, 5, 5), (200, 20, 5), (1500, 40, 6), (1e6, 40, 8)])
def test_intervals_grow_with_the_rows(n, fine, coarse):
    assert nested_for(n).get_params() == {"n_bins": fine, "n_coarse_bins": coarse}


def test_more_coarse_than_fine_intervals_are_refused():
    with pytest.raises(ValueError, match="n_coarse_bins must be a whole number from 2 to n_bins, 3, got 4 instead"):
        NestedDiscretizer(3, 4).fit([[1.0]])
