import pickle
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.counting import CodedRows
from gnbayes.model.fitting.sample import sample_rows


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


def kinds(sample):
    rows = sample.rows
    return {
        (*codes, label): weight
        for codes, label, weight in zip(rows.codes.tolist(), rows.labels.tolist(), rows.weights.tolist(), strict=True)
    }


def test_few_kinds_are_all_kept_with_their_rows():
    rows = some_rows(500, [3, 4])
    sample = sample_rows(rows, 100)
    found, counts = np.unique(np.column_stack([rows.codes, rows.labels]), axis=0, return_counts=True)
    assert sample.is_whole
    assert kinds(sample) == {tuple(kind): count for kind, count in zip(found.tolist(), counts.tolist(), strict=True)}


@given(st.integers(0, 50), st.lists(st.integers(0, 400), max_size=5).map(sorted), st.sampled_from([5, 40, 150, 1000]))
def test_parts_in_any_order_give_the_sample_of_all_rows(seed, ends, most):
    rows = some_rows(400, [9, 8, 7], 3, seed)
    whole = sample_rows(rows, most)
    parts = [pickle.loads(pickle.dumps(sample_rows(part, most))) for part in parts_of(rows, ends)]
    for found in (reduce(add, parts), reduce(add, parts[::-1])):
        assert kinds(found) == kinds(whole)
        np.testing.assert_array_equal(found.numbers, whole.numbers)
        np.testing.assert_array_equal(found.class_weights, np.bincount(rows.labels, minlength=3))
        assert found.is_whole == whole.is_whole


def test_kinds_that_are_kept_have_all_their_rows():
    rows = some_rows(3000, [9, 8, 7])
    sample = sample_rows(rows, 100)
    everything = kinds(sample_rows(rows, 10**6))
    assert not sample.is_whole
    assert 100 <= len(sample.numbers) <= 250
    assert all(everything[kind] == weight for kind, weight in kinds(sample).items())


def test_rare_classes_are_kept():
    labels = np.zeros(5000, dtype=int)
    labels[:20] = 1
    rows = CodedRows(np.arange(5000, dtype=np.uint16)[:, None], labels, np.array([5000]), 3)
    sample = sample_rows(rows, 50)
    assert np.bincount(sample.rows.labels, minlength=3).tolist() in ([50, 8, 0], [49, 8, 0], [48, 8, 0])
    assert sample.class_weights.tolist() == [4980, 20, 0]


def test_weights_are_added_up():
    rows = some_rows(300, [2, 2], weights=np.full(300, 0.5))
    assert sum(kinds(sample_rows(rows, 10)).values()) == pytest.approx(150)
