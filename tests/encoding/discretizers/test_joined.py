from itertools import combinations
from math import lgamma, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes import FixedDiscretizer, GeneralizedNB
from gnbayes.encoding import JoinedDiscretizer
from gnbayes.encoding.discretizers._joined import best_starts
from gnbayes.encoding.discretizers._nested import quantile_starts


def log_probability(counts):
    """Of the classes of rows in one interval, class shares drawn from Jeffreys' prior: one row after the other."""
    k, total, seen = len(counts), 0.0, [0] * len(counts)
    for y, count in enumerate(counts):
        for _ in range(count):
            total += log((seen[y] + 0.5) / (sum(seen) + k / 2))
            seen[y] += 1
    return total


def score(counts, starts):
    """Of one way to join intervals."""
    parts = np.split(counts, starts)
    return sum(log_probability(part.sum(axis=0).tolist()) for part in parts) - len(parts) * log(len(counts))


def ways(n):
    """All ways to join n intervals."""
    return [np.array(starts, dtype=int) for m in range(n) for starts in combinations(range(1, n), m)]


COUNTS = st.integers(1, 6).flatmap(
    lambda f: st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=f, max_size=f).map(np.array)
)


@given(columns=st.lists(COUNTS, min_size=1, max_size=3), is_weighted=st.booleans())
def test_the_best_of_all_ways_to_join(columns, is_weighted):
    found = best_starts([counts.astype(float) if is_weighted else counts for counts in columns])
    for counts, starts in zip(columns, found, strict=True):
        assert score(counts, starts) == pytest.approx(max(score(counts, way) for way in ways(len(counts))), abs=1e-9)


def test_tables_of_the_gamma_function_change_nothing():
    rng = np.random.default_rng(0)
    few = [rng.integers(0, 3, (9, 2)) for _ in range(4)]
    many = [counts * 1000 for counts in few]
    for counts in (few, many):
        expected = best_starts([of_column.astype(float) for of_column in counts])
        for a, b in zip(best_starts(counts), expected, strict=True):
            np.testing.assert_array_equal(a, b)


def test_columns_in_groups_give_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    counts = [rng.integers(0, 30, (size, 2)) for size in (3, 9, 7, 5, 8)]
    expected = best_starts(counts)
    monkeypatch.setattr("gnbayes.encoding.discretizers._joined._CELLS_AT_ONCE", 40)
    for a, b in zip(best_starts(counts), expected, strict=True):
        np.testing.assert_array_equal(a, b)


def only_feature(column, y, weights=None, **parameters):
    return JoinedDiscretizer(**parameters).fit(np.array(column)[:, None], y, weights).features_[0]


def test_a_cut_where_the_class_changes():
    column = np.arange(100.0)
    feature = only_feature(column, column >= 70, n_bins=10)
    assert feature.edges == (69.5,)
    np.testing.assert_allclose(feature.means, (34.5, 84.5), rtol=1e-14)


def test_a_column_that_tells_nothing_by_itself_has_three_intervals():
    column = np.arange(90.0)
    assert only_feature(column, np.arange(90) % 2).edges == (29.5, 59.5)


def test_two_columns_that_tell_only_together():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (2000, 2))
    y = X[:, 0] * X[:, 1] > 0
    assert GeneralizedNB("tan", weighting=None, n_bins="auto").fit(X, y).score(X, y) > 0.7


def test_no_more_intervals_than_rows_can_fill():
    column = np.arange(50.0)
    feature = only_feature(column, column > 22)
    assert 22.5 not in feature.edges
    assert set(feature.edges) <= set(np.arange(4.5, 45, 5))


def test_missing_values_take_no_part():
    column = np.arange(100.0)
    y = column > 49
    expected = only_feature(column, y)
    feature = only_feature([*column, *[np.nan] * 30], [*y, *[True] * 30])
    assert (feature.edges, feature.means) == (expected.edges, expected.means)
    assert feature.has_missing


@pytest.mark.parametrize("values", [[1.0], [1.0, 7.0]])
def test_one_or_two_values_are_left_as_they_are(values):
    feature = only_feature(values * 5, np.arange(5 * len(values)) % 2)
    assert feature.categories == tuple(values)


def test_a_column_without_values():
    assert only_feature([np.nan] * 4, [0, 1, 0, 1]).categories == ()


@given(data=st.data(), n=st.integers(3, 40))
def test_weights_are_numbers_of_rows(data, n):
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    column, y, weights = rng.integers(9, size=n) / 3, np.arange(n) % 2, rng.integers(1, 4, n)
    feature = only_feature(column, y, weights.astype(float))
    again = only_feature(np.repeat(column, weights), np.repeat(y, weights))
    assert feature.edges == again.edges
    np.testing.assert_allclose(feature.means, again.means, rtol=1e-12)


def test_the_order_of_rows_does_not_matter():
    rng = np.random.default_rng(0)
    column, order = rng.normal(size=200), rng.permutation(200)
    y = column + rng.normal(size=200) > 0
    assert only_feature(column, y).edges == only_feature(column[order], y[order]).edges


def test_numbers_near_the_limit_of_floats():
    column = np.linspace(0.5, 1, 40) * 1.7e308
    assert np.isfinite(only_feature(column, np.arange(40) > 20).means).all()


def test_every_cut_is_a_quantile():
    rng = np.random.default_rng(0)
    column = rng.normal(size=300)
    feature = only_feature(column, column > 0.3)
    ordered = np.sort(column)
    at = np.searchsorted(ordered, feature.edges)
    assert set(at) <= set(quantile_starts(np.ones(300), 40))


def test_columns_without_edges(wdbc):
    X, y = wdbc[0][:, :3], wdbc[1]
    bins = FixedDiscretizer({1: [18.0]}, others=JoinedDiscretizer()).fit(X, y)
    alone = JoinedDiscretizer().fit(X, y)
    assert bins.features_[1].edges == (18.0,)
    assert [bins.features_[j] for j in (0, 2)] == [alone.features_[j] for j in (0, 2)]
    clf = GeneralizedNB(weighting=None, n_bins="auto", discretizer={1: [18.0]}).fit(X, y)
    assert clf.features_ == bins.features_


def test_auto_without_weighting(wdbc):
    X, y = wdbc
    clf = GeneralizedNB(weighting=None, n_bins="auto").fit(X, y)
    assert clf.features_ == JoinedDiscretizer().fit(X, y).features_


def test_a_batch_that_brings_a_third_value_is_warned_of():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.arange(40.0), np.arange(40) % 2])
    clf = GeneralizedNB("nb", weighting=None, n_bins="auto").partial_fit(X, rng.integers(2, size=40), classes=[0, 1])
    with pytest.warns(UserWarning, match="the first batch had too few numbers in 'x1' for bins"):
        clf.partial_fit([[3.0, 2.0]], [1])


def test_n_bins_out_of_range():
    with pytest.raises(ValueError, match="n_bins must be a whole number of at least 2, got 1 instead"):
        JoinedDiscretizer(1).fit([[1.0], [2.0]], [0, 1])


def test_the_gamma_function_and_the_rows_one_by_one_agree():
    counts = [3, 0, 4]
    expected = lgamma(1.5) - lgamma(8.5) + sum(lgamma(c + 0.5) - lgamma(0.5) for c in counts)
    assert log_probability(counts) == pytest.approx(expected)
