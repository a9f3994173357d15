import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.model.fitting.repeats import find_repeats
from gnbayes.model.fitting.rows import DistinctRows, distinct_rows


def drawn(data, max_rows=40):
    n = data.draw(st.integers(1, max_rows))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    return rng.integers(0, 3, (n, 2)).astype(np.uint8), rng.integers(0, 3, n), rng


@given(data=st.data())
def test_every_kind_of_row_comes_once_with_its_weight(data):
    codes, labels, rng = drawn(data)
    weights = rng.integers(1, 4, len(labels)).astype(float)
    found = distinct_rows(codes, labels, weights, 3)
    expected = {}
    for row, label, weight in zip(codes.tolist(), labels.tolist(), weights, strict=True):
        expected[*row, label] = expected.get((*row, label), 0) + weight
    kinds = [(*codes[i].tolist(), int(labels[i])) for i in found.index]
    np.testing.assert_array_equal(found.labels, labels[found.index])
    assert dict(zip(kinds, found.weights, strict=True)) == expected
    assert len(kinds) == len(expected)


@given(data=st.data())
def test_the_order_of_rows_and_weights_for_repeats_do_not_matter(data):
    codes, labels, rng = drawn(data)
    weights = rng.integers(1, 4, len(labels))
    found = distinct_rows(codes, labels, weights.astype(float), 3)
    order = rng.permutation(np.repeat(np.arange(len(labels)), weights))
    again = distinct_rows(codes[order], labels[order], None, 3)
    np.testing.assert_array_equal(codes[order][again.index], codes[found.index])
    np.testing.assert_array_equal(again.labels, found.labels)
    np.testing.assert_array_equal(again.weights, found.weights)


def rows_of(labels, weights):
    weights = np.array(weights, float)
    return DistinctRows(np.arange(len(labels)), np.array(labels), weights, weights.astype(np.int64))


@pytest.mark.parametrize("n_folds", [3, 4])
@given(data=st.data())
def test_every_class_is_spread_over_the_folds_in_nearly_equal_shares(n_folds, data):
    weights = data.draw(st.lists(st.integers(1, 200), min_size=2, max_size=30))
    labels = np.sort([data.draw(st.integers(0, 1)) for _ in weights])
    folds = rows_of(labels, weights).fold_weights(n_folds)
    np.testing.assert_array_equal(folds.sum(axis=1), weights)
    for label in set(labels.tolist()):
        assert np.ptp(folds[labels == label].sum(axis=0)) <= 1


def test_copies_stay_in_one_fold():
    rows = rows_of([0, 0, 1, 1], [1, 2, 3, 4]).with_repeats(0.0)
    folds = rows.fold_weights(3)
    assert ((folds > 0).sum(axis=1) == 1).all()
    np.testing.assert_allclose(folds.sum(axis=1), [0.4, 0.8, 1.2, 1.6])


def test_thinned_rows_are_a_share_of_each_class():
    labels = np.repeat([0, 1, 2], [9000, 6000, 5000])
    rows = rows_of(labels, np.ones(20_000)).thinned(200)
    assert np.bincount(rows.labels).tolist() == [90, 60, 50]
    assert rows.weights.tolist() == [1.0] * 200
    heavy = rows_of([0, 0, 1, 1], [600, 300, 500, 400]).thinned(180)
    assert heavy.weights.tolist() == heavy.n_equal.tolist() == [60, 30, 50, 40]


@pytest.mark.parametrize("n_rare", [1, 44, 3000])
def test_a_rare_class_keeps_its_rows_and_its_share(n_rare):
    labels = np.repeat([0, 1], [n_rare, 500_000 - n_rare])
    rows = rows_of(labels, np.ones(500_000)).thinned(5000)
    n_kept = np.bincount(rows.labels)
    assert n_kept[0] == min(n_rare, 200)
    assert abs(n_kept[1] - 5000) <= 50
    share = np.bincount(rows.labels, rows.weights)[0] / rows.weights.sum()
    assert share == pytest.approx(n_rare / 500_000, rel=0.05)
    # The rows of the rare class, the only evidence of it, count for about one row each.
    if n_rare <= 200:
        assert 0.9 < rows.weights[rows.labels == 0].mean() <= 1.0


def test_a_rare_class_among_frequent_ones_does_not_make_them_count_for_more():
    labels = np.repeat([0, 1, 2], [5, 200_000, 300_000])
    rows = rows_of(labels, np.ones(500_005)).thinned(5000)
    assert np.bincount(rows.labels)[0] == 5
    assert rows.weights[rows.labels == 1].mean() == pytest.approx(1.0, abs=0.01)


def fractions(labels, weights, n_equal=1):
    """Rows with weights that are no numbers of rows."""
    labels, weights = np.array(labels), np.array(weights, float)
    n_equal = np.full(len(labels), n_equal)
    return DistinctRows(np.arange(len(labels)), labels, weights, n_equal, relative=weights / n_equal)


def test_thinned_fractions_keep_their_total_in_rows():
    rng = np.random.default_rng(0)
    rows = fractions(np.sort(rng.integers(0, 2, 5000)), rng.integers(1, 9, 5000) / 3).as_ratios().thinned(500)
    assert 480 < len(rows) <= 500
    assert (rows.n_equal == 1).all()
    assert rows.weights.sum() == pytest.approx(500, abs=2)


def test_a_sample_of_fractions_keeps_the_shares_of_classes():
    labels = np.repeat([0, 1], [3000, 5000])
    rows = fractions(labels, np.random.default_rng(0).random(8000) ** 2 + labels).as_ratios()
    shares = [np.bincount(own.labels, own.weights) / own.weights.sum() for own in (rows, rows.thinned(800))]
    np.testing.assert_allclose(*shares, rtol=1e-3)


def test_a_copied_row_that_is_taken_several_times_stays_in_one_fold():
    rows = rows_of([0, 0, 1, 1], [60, 1, 30, 9]).with_repeats(0.0).thinned(3)
    assert (rows.n_equal == 1).all()
    assert ((rows.fold_weights(3) > 0).sum(axis=1) == 1).all()


def test_the_mean_weight_of_all_equal_rows_becomes_1():
    rows = fractions([0, 0, 1], [0.25, 0.5, 0.25], n_equal=2).as_ratios()
    np.testing.assert_allclose(rows.weights, [1.5, 3.0, 1.5])
    assert rows.n_equal.tolist() == [2, 2, 2]
    whole = rows_of([0, 1, 1], [5, 7, 11])
    np.testing.assert_array_equal(whole.as_ratios().weights, whole.weights)


@given(data=st.data())
def test_rows_stay_in_their_folds_if_weights_change_a_little(data):
    codes, labels, rng = drawn(data)
    found = distinct_rows(codes, labels, None, 3)
    again = distinct_rows(codes, labels, np.exp(1e-6 * rng.normal(size=len(labels))), 3).as_ratios()
    np.testing.assert_array_equal(codes[again.index], codes[found.index])
    np.testing.assert_array_equal(again.n_equal, found.n_equal)
    np.testing.assert_allclose(again.fold_weights(3), found.fold_weights(3), atol=1e-4)


def test_a_sample_stays_the_same_if_weights_change_a_little():
    labels, weights = np.repeat([0, 1], [3000, 5000]), np.exp(0.01 * np.random.default_rng(0).normal(size=8000))
    rows = fractions(labels, weights).as_ratios().thinned(2000)
    expected = rows_of(labels, np.ones(8000)).thinned(2000)
    np.testing.assert_array_equal(rows.index, expected.index)
    np.testing.assert_allclose(rows.weights / rows.relative, expected.weights, rtol=1e-3)


def test_effective_size():
    assert rows_of(np.repeat([0, 1], 50), np.ones(100)).effective_size == pytest.approx(100)
    assert rows_of(np.repeat([0, 1, 2], 50), np.ones(150)).effective_size == pytest.approx(150)
    assert rows_of([0, 1], [44, 499_956]).effective_size == pytest.approx(4 * 44, rel=1e-3)


@pytest.mark.parametrize(("newness", "total"), [(0.0, 4.0), (0.5, 7.0), (1.0, 10.0)])
def test_repeats_count_for_a_share_of_new_rows_and_ratios_stay(newness, total):
    rows = rows_of([0, 0, 1, 1], [1, 2, 3, 4]).with_repeats(newness)
    np.testing.assert_allclose(rows.weights, np.array([0.1, 0.2, 0.3, 0.4]) * total)


def test_however_many_copies_there_are_weights_grow_with_rows():
    assert rows_of([0, 1], [1e6, 1e6]).with_repeats(0.0).weights.sum() == 2e6 / 64


def test_weights_of_a_sample_are_no_repeats():
    """A rare class keeps its rows; the others weigh more, for those that are not in the sample."""
    labels = np.repeat([0, 1], [40, 20_000])
    rows = rows_of(labels, np.ones(len(labels))).thinned(1000)
    assert rows.weights.max() > 10
    np.testing.assert_array_equal(rows.with_repeats(0.0).weights, rows.weights)
    assert rows.with_repeats(0.0).effective_size == pytest.approx(4 * 40, rel=0.05)


def test_disagreement_of_repeats_by_hand():
    codes, labels = np.array([[0], [0], [0], [1], [1], [2]]), np.array([0, 0, 1, 1, 1, 0])
    found = find_repeats(codes, distinct_rows(codes, labels, None, 2))
    # Of the three pairs of rows with 0 two differ, and none of those with 1.
    assert found.disagreement == pytest.approx((3 * 2 / 3 + 2 * 0) / 5)
    assert found.is_repeated[[0, 1, 2]].any()
    assert found.is_repeated[[3, 4]].any()
    assert not found.is_repeated[5]


@given(data=st.data())
def test_disagreement_of_weighted_repeats_equals_its_definition(data):
    """Two different rows of the same values, drawn in proportion to their weights, which equal rows share."""
    codes, labels, rng = drawn(data, max_rows=15)
    weights = (
        rng.random(len(labels)) + 0.5 if data.draw(st.booleans()) else rng.integers(1, 4, len(labels)).astype(float)
    )
    rows = distinct_rows(codes, labels, weights, 3)
    one_by_one = [
        (tuple(codes[i]), label, weight / m)
        for i, label, weight, m in zip(rows.index, rows.labels, rows.weights, rows.n_equal, strict=True)
        for _ in range(m)
    ]
    total, differ = 0.0, 0.0
    for values in {own[0] for own in one_by_one}:
        alike = [own[1:] for own in one_by_one if own[0] == values]
        if len(alike) > 1:
            pairs = [(u * v, a != b) for i, (a, u) in enumerate(alike) for j, (b, v) in enumerate(alike) if i != j]
            size = sum(weight for _, weight in alike)
            total += size
            differ += size * sum(w for w, differs in pairs if differs) / sum(w for w, _ in pairs)
    found = find_repeats(codes, rows)
    assert found.disagreement == pytest.approx(differ / total if total else 0.0, abs=1e-12)
    assert (found.disagreement == 0) == (differ == 0)


@given(data=st.data())
def test_neither_the_order_of_columns_nor_constant_ones_nor_that_of_classes_change_the_order_of_rows(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    codes, labels = rng.integers(0, [2, 2, 2, 3, 5], (30, 5)), np.sort(rng.integers(0, 2, 30))
    found = distinct_rows(codes, labels, None, 2)
    order = rng.permutation(5)
    other = np.insert(codes[:, order], data.draw(st.integers(0, 5)), 1, axis=1)
    again = distinct_rows(other, 1 - labels, None, 2)
    np.testing.assert_array_equal(codes[again.index], codes[found.index])


def grouped(labels, weights, groups):
    rows = rows_of(labels, weights)
    return DistinctRows(rows.index, rows.labels, rows.weights, rows.n_equal, np.array(groups))


@given(data=st.data())
def test_groups_are_dealt_out_whole_and_classes_about_evenly(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    labels, groups = np.sort(rng.integers(0, 2, 120)), rng.integers(0, 30, 120)
    folds = grouped(labels, np.ones(120), groups).fold_weights(3)
    np.testing.assert_array_equal(folds.sum(axis=1), np.ones(120))
    for group in range(30):
        assert (folds[groups == group] > 0).any(axis=0).sum() <= 1
    for label in range(2):
        shares = folds[labels == label].sum(axis=0) / np.sum(labels == label)
        assert np.ptp(shares) < 0.25


def test_equal_rows_of_different_groups_are_different():
    codes, labels = np.zeros((4, 1), dtype=np.uint8), np.array([0, 0, 0, 1])
    rows = distinct_rows(codes, labels, None, 2, groups=np.array([5, 5, 7, 5]))
    assert sorted(zip(rows.groups.tolist(), rows.labels.tolist(), rows.weights.tolist(), strict=True)) == [
        (5, 0, 2.0),
        (5, 1, 1.0),
        (7, 0, 1.0),
    ]
    assert rows.n_units == 2


@pytest.mark.parametrize("has_groups", [False, True])
def test_rows_that_leave_are_a_part_of_those_that_may(has_groups):
    rng = np.random.default_rng(0)
    codes, labels = rng.integers(0, 9, (4000, 3)), rng.integers(0, 3, 4000)
    groups = rng.integers(0, 500, 4000) if has_groups else None
    rows = distinct_rows(codes, labels, rng.integers(1, 4, 4000).astype(float), 3, groups)
    may_leave = rng.random(500)[rows.groups] < 0.5 if has_groups else rng.random(len(rows)) < 0.5
    rest, some = rows.divided(5, may_leave)
    assert rest.n_equal.sum() + some.n_equal.sum() == rows.n_equal.sum()
    assert np.isin(some.index, rows.index[may_leave]).all()
    assert 0.08 < some.n_equal.sum() / rows.n_equal.sum() < 0.12
    both = np.zeros(4000)
    for side in (rest, some):
        np.add.at(both, side.index, side.weights)
    np.testing.assert_allclose(both[rows.index], rows.weights, rtol=1e-15)
    if has_groups:
        assert not np.isin(some.groups, rest.groups).any()


def test_a_class_does_not_lose_all_of_its_rows():
    rows = distinct_rows(np.arange(40)[:, None], np.array([0] * 39 + [1]), None, 2)
    rest, some = rows.divided(2, np.ones(40, dtype=bool))
    assert 1 in rest.labels.tolist()
    assert 1 not in some.labels.tolist()
