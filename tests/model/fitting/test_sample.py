import pickle
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes import GeneralizedNB
from gnbayes.counting import CodedRows, count_values
from gnbayes.model.fitting import sample, training
from gnbayes.model.fitting.row_hashes import factors_of_counts


def sample_rows(rows, most, whole=None):
    """The sample of some rows of a whole."""
    return sample.sample_rows(rows, most, factors_of_counts(count_values(rows if whole is None else whole)))


def some_rows(n, cardinalities, n_classes=2, seed=0, weights=None):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, cardinalities, (n, len(cardinalities)))
    return CodedRows(codes, rng.integers(0, n_classes, n), np.array(cardinalities), n_classes, weights)


def parts_of(rows, ends):
    starts = [0, *ends]
    return [
        CodedRows(rows.codes[start:stop], rows.labels[start:stop], rows.cardinalities, rows.n_classes)
        for start, stop in zip(starts, [*ends, rows.n_rows], strict=True)
    ]


def kinds(found):
    rows = found.rows
    return {
        (*codes, label): weight
        for codes, label, weight in zip(rows.codes.tolist(), rows.labels.tolist(), rows.weights.tolist(), strict=True)
    }


def test_few_kinds_are_all_kept_with_their_rows():
    rows = some_rows(500, [3, 4])
    found = sample_rows(rows, 100)
    expected, counts = np.unique(np.column_stack([rows.codes, rows.labels]), axis=0, return_counts=True)
    assert found.is_whole
    assert kinds(found) == {tuple(kind): count for kind, count in zip(expected.tolist(), counts.tolist(), strict=True)}


@given(st.integers(0, 50), st.lists(st.integers(0, 400), max_size=5).map(sorted), st.sampled_from([5, 40, 150, 1000]))
def test_parts_in_any_order_give_the_sample_of_all_rows(seed, ends, most):
    rows = some_rows(400, [9, 8, 7], 3, seed)
    whole = sample_rows(rows, most)
    parts = [pickle.loads(pickle.dumps(sample_rows(part, most, rows))) for part in parts_of(rows, ends)]
    for found in (reduce(add, parts), reduce(add, parts[::-1])):
        assert kinds(found) == kinds(whole)
        np.testing.assert_array_equal(found.numbers, whole.numbers)
        np.testing.assert_array_equal(found.class_weights, np.bincount(rows.labels, minlength=3))
        assert found.is_whole == whole.is_whole


def test_kinds_that_are_kept_have_all_their_rows():
    rows = some_rows(3000, [9, 8, 7])
    found = sample_rows(rows, 100)
    everything = kinds(sample_rows(rows, 10**6))
    assert not found.is_whole
    assert 100 <= len(found.numbers) <= 250
    assert all(everything[kind] == weight for kind, weight in kinds(found).items())


def test_rare_classes_are_kept():
    labels = np.zeros(5000, dtype=int)
    labels[:20] = 1
    rows = CodedRows(np.arange(5000, dtype=np.uint16)[:, None], labels, np.array([5000]), 3)
    found = sample_rows(rows, 50)
    assert np.bincount(found.rows.labels, minlength=3).tolist() in ([50, 8, 0], [49, 8, 0], [48, 8, 0])
    assert found.class_weights.tolist() == [4980, 20, 0]


def test_weights_are_added_up():
    rows = some_rows(300, [2, 2], weights=np.full(300, 0.5))
    assert sum(kinds(sample_rows(rows, 10)).values()) == pytest.approx(150)


@pytest.mark.parametrize("weights", [None, np.arange(3000) % 3 + 1.0, 0.25 + np.arange(3000) % 7 / 4])
def test_neither_the_order_of_columns_nor_a_constant_one_matters(weights):
    rows = some_rows(3000, [9, 8, 7, 9, 1], weights=weights)
    order = [3, 1, 4, 0, 2]
    moved = CodedRows(rows.codes[:, order], rows.labels, rows.cardinalities[order], 2, weights)
    without = CodedRows(rows.codes[:, :4], rows.labels, rows.cardinalities[:4], 2, weights)
    expected = sample_rows(rows, 200)
    for other in (moved, without):
        found = sample_rows(other, 200)
        np.testing.assert_array_equal(found.numbers, expected.numbers)
        np.testing.assert_array_equal(found.rows.weights, expected.rows.weights)
    np.testing.assert_array_equal(sample_rows(moved, 200).rows.codes, expected.rows.codes[:, order])


@pytest.mark.slow
def test_models_of_many_rows_do_not_depend_on_the_order_of_columns(monkeypatch):
    monkeypatch.setattr(training, "_MANY_ROWS", 400)
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(2000, 6)), 2)
    y = (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=2000) > 0).astype(int)
    expected = GeneralizedNB(interactions="tree").fit(X, y).predict_proba(X)
    for order in ([5, 4, 3, 2, 1, 0], [2, 0, 1, 5, 3, 4]):
        found = GeneralizedNB(interactions="tree").fit(X[:, order], y).predict_proba(X[:, order])
        np.testing.assert_allclose(found, expected, atol=1e-6)


def test_nearly_equal_weights_leave_the_sample_as_it_is(monkeypatch):
    monkeypatch.setattr(training, "_MANY_ROWS", 300)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 3)).round(1)
    y = (rng.random(900) < 1 / (1 + np.exp(-X[:, 0]))).astype(int)
    weights = np.exp(1e-6 * rng.normal(size=900))
    found = [
        GeneralizedNB(interactions="tree").fit(X, y, sample_weight=own).predict_proba(X)
        for own in (None, weights, weights / 900)
    ]
    np.testing.assert_allclose(found[1], found[0], atol=1e-4)
    np.testing.assert_allclose(found[2], found[1], atol=1e-9)
