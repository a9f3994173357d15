from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import coded_rows

from gnbayes.counting import CodedRows, count, count_values, n_cells


def literal_pair(rows, i, j):
    table = np.zeros((rows.cardinalities[i], rows.cardinalities[j], rows.n_classes))
    for row, label in enumerate(rows.labels):
        table[rows.codes[row, i], rows.codes[row, j], label] += 1 if rows.weights is None else rows.weights[row]
    return table


def pairs_of(rows):
    return np.array(list(combinations(range(rows.n_features), 2)), dtype=np.intp).reshape(-1, 2)


@given(coded_rows(min_rows=0))
def test_all_tables_equal_counting_by_hand(rows):
    counts = count(rows)
    assert counts.cells.dtype == np.uint16
    np.testing.assert_array_equal(counts.classes, np.bincount(rows.labels, minlength=rows.n_classes))
    for i in range(rows.n_features):
        for j in set(range(rows.n_features)) - {i}:
            assert counts.pair(i, j).dtype == np.int64
            np.testing.assert_array_equal(counts.pair(i, j), literal_pair(rows, i, j))
            np.testing.assert_array_equal(counts.pair(i, j).sum(axis=1), counts.single(i))


@given(coded_rows(), st.integers(0, 2**31 - 1))
def test_weighted_tables_equal_counting_by_hand(rows, seed):
    rows = replace(rows, weights=np.random.default_rng(seed).random(rows.n_rows))
    counts = count(rows)
    for i in range(rows.n_features - 1):
        np.testing.assert_allclose(counts.pair(i, i + 1), literal_pair(rows, i, i + 1), rtol=1e-12)


@given(coded_rows(), st.integers(0, 2**31 - 1))
def test_whole_weights_are_as_good_as_repeated_rows(rows, seed):
    weights = np.random.default_rng(seed).integers(0, 4, rows.n_rows)
    again = replace(rows, codes=np.repeat(rows.codes, weights, axis=0), labels=np.repeat(rows.labels, weights))
    weighted = count(replace(rows, weights=weights.astype(float)))
    np.testing.assert_array_equal(weighted.cells, count(again).cells)
    assert weighted.cells.dtype == np.uint16


@given(coded_rows())
def test_chosen_pairs_equal_the_same_pairs_of_all(rows):
    counts = count(rows)
    chosen = pairs_of(rows)[::2]
    for i, j in chosen.tolist():
        np.testing.assert_array_equal(count(rows, chosen).pair(i, j), counts.pair(i, j))


@pytest.mark.parametrize("n", [0, 1, 300, pytest.param(20_000, marks=pytest.mark.slow)])
def test_features_of_many_values(n):
    rng = np.random.default_rng(3)
    cardinalities = np.array([40, 3, 700, 2, 33])
    codes = np.stack([rng.integers(0, v, n) for v in cardinalities], axis=1).astype(np.uint16)
    rows = CodedRows(np.asfortranarray(codes), rng.integers(0, 2, n), cardinalities, 2)
    counts = count(rows)
    for i, j in pairs_of(rows).tolist():
        np.testing.assert_array_equal(counts.pair(i, j), literal_pair(rows, i, j))


def test_tables_do_not_depend_on_how_features_are_blocked(monkeypatch, random_codes):
    codes, y = random_codes
    rows = CodedRows(codes, y, codes.max(axis=0).astype(np.intp) + 1, 3)
    whole = count(rows)
    monkeypatch.setattr("gnbayes.counting.numpy_path._BLOCK_BYTES", 800)
    monkeypatch.setattr("gnbayes.counting._indicators._VALUES_AT_ONCE", 1)
    for i, j in pairs_of(rows).tolist():
        np.testing.assert_array_equal(count(rows).pair(i, j), whole.pair(i, j))


def test_progress_ends_at_one(random_codes):
    codes, y = random_codes
    seen = []
    count(CodedRows(codes, y, codes.max(axis=0).astype(np.intp) + 1, 3), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1


@given(coded_rows())
def test_n_cells_is_the_size_of_all_tables(rows):
    assert n_cells(rows.cardinalities, rows.n_classes) == count(rows).cells.size


def test_n_cells_of_huge_features_does_not_overflow():
    assert n_cells(np.array([2**40, 2**40]), 2) == 2**83


def test_values_alone_keep_no_pairs(random_codes):
    codes, y = random_codes
    counts = count_values(CodedRows(codes, y, codes.max(axis=0).astype(np.intp) + 1, 3))
    with pytest.raises(KeyError, match="the table of features 0 and 1 was not kept"):
        counts.pair(0, 1)
