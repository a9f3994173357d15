import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.model.fitting.rows import DistinctRows, are_copies, distinct_rows


def drawn(data, max_rows=40):
    n = data.draw(st.integers(1, max_rows))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    return rng.integers(0, 3, (n, 2)).astype(np.uint8), rng.integers(0, 3, n), rng


@given(data=st.data())
def test_every_kind_of_row_comes_once_with_its_weight(data):
    codes, labels, rng = drawn(data)
    weights = rng.integers(1, 4, len(labels)).astype(float)
    found = distinct_rows(codes, labels, weights, 3, are_whole=True)
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
    found = distinct_rows(codes, labels, weights.astype(float), 3, are_whole=True)
    order = rng.permutation(np.repeat(np.arange(len(labels)), weights))
    again = distinct_rows(codes[order], labels[order], None, 3, are_whole=True)
    np.testing.assert_array_equal(codes[order][again.index], codes[found.index])
    np.testing.assert_array_equal(again.labels, found.labels)
    np.testing.assert_array_equal(again.weights, found.weights)


def rows_of(labels, weights, are_whole=True):
    return DistinctRows(np.arange(len(labels)), np.array(labels), np.array(weights, float), are_whole)


@pytest.mark.parametrize("n_folds", [3, 4])
@given(data=st.data())
def test_every_class_is_spread_over_the_folds_in_nearly_equal_shares(n_folds, data):
    weights = data.draw(st.lists(st.integers(1, 200), min_size=2, max_size=30))
    labels = np.sort([data.draw(st.integers(0, 1)) for _ in weights])
    folds = rows_of(labels, weights).fold_weights(n_folds)
    np.testing.assert_array_equal(folds.sum(axis=1), weights)
    for label in set(labels.tolist()):
        assert np.ptp(folds[labels == label].sum(axis=0)) <= 1


def test_fractions_stay_whole():
    folds = rows_of([0, 0, 1, 1], [0.5, 0.2, 0.3, 0.9], are_whole=False).fold_weights(3)
    assert ((folds > 0).sum(axis=1) == 1).all()
    np.testing.assert_array_equal(folds.sum(axis=1), [0.5, 0.2, 0.3, 0.9])


def test_thinned_rows_keep_shares_and_classes():
    labels = np.repeat([0, 1, 2], [9000, 990, 10])
    rows = rows_of(labels, np.ones(10_000)).thinned(100)
    assert np.bincount(rows.labels).tolist() == [90, 9, 1]
    heavy = rows_of([0, 0, 1], [600, 300, 3]).thinned(90)
    assert heavy.weights.tolist() == [59, 30, 1]


def test_copies_are_told_from_rows_that_few_values_make_equal():
    rng = np.random.default_rng(0)
    many = rng.integers(0, 40, (300, 6))
    assert not are_copies(many, np.ones(300))
    assert are_copies(many, np.full(300, 3.0))
    oversampled = np.where(np.arange(300) < 30, 10.0, 1.0)
    assert are_copies(many, oversampled)
    few = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    # One row of each kind in both classes.
    assert not are_copies(np.concatenate([few, few]), np.full(8, 50.0))
