"""Rows that recur by chance, and copies."""

import itertools

import numpy as np
import pytest

from gnbayes import GeneralizedNB
from gnbayes.model.fitting.repeats import copies_together, find_repeats
from gnbayes.model.fitting.rows import distinct_rows


def test_the_share_by_chance_is_that_of_its_literal_twin():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (40, 3))
    codes[:, 2] = codes[:, 1]
    labels = codes[:, 0] % 2
    found = find_repeats(codes, distinct_rows(codes, labels, None, 2))
    pairs = [(codes[i] == codes[j]).all() for i, j in itertools.combinations(range(40), 2)]
    expected = np.prod([sum((column == value).mean() ** 2 for value in range(3)) for column in codes.T])
    assert found.by_chance == pytest.approx(expected / np.mean(pairs))
    assert 0 < found.by_chance < 1


def test_without_equal_rows_none_is_by_chance():
    codes = np.arange(5)[:, None]
    assert find_repeats(codes, distinct_rows(codes, np.arange(5) % 2, None, 2)).by_chance == 0.0


@pytest.mark.parametrize("n_columns", [1, 2])
@pytest.mark.parametrize("n", [20, 120])
def test_a_column_that_equals_the_class_is_believed(n, n_columns):
    y = np.arange(n) % 2
    X = np.tile(y[:, None].astype(float), n_columns)
    proba = GeneralizedNB().fit(X, y).predict_proba(X)[np.arange(n), y]
    assert proba.min() > 0.9


def test_few_values_recur_and_stay_apart_copies_of_many_stay_together():
    rng = np.random.default_rng(0)
    few = rng.integers(0, 2, (60, 1))
    rows = distinct_rows(few, few[:, 0], None, 2)
    assert copies_together(few, rows) is rows
    many = np.tile(rng.integers(0, 1000, (20, 2)), (3, 1))
    labels = np.tile(np.arange(20) % 2, 3)
    assert (copies_together(many, distinct_rows(many, labels, None, 2)).n_equal == 1).all()
