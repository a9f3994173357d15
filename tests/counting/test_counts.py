from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import coded_rows

from gnbayes.counting import CodedRows, count
from gnbayes.structure import information


@given(coded_rows(min_rows=2), st.data())
def test_counts_of_parts_add_up_to_the_counts_of_the_whole(rows, data):
    at = data.draw(st.integers(0, rows.n_rows))
    first = replace(rows, codes=rows.codes[:at], labels=rows.labels[:at])
    second = replace(rows, codes=rows.codes[at:], labels=rows.labels[at:])
    total, whole = count(first) + count(second), count(rows)
    np.testing.assert_array_equal(total.classes, whole.classes)
    np.testing.assert_array_equal(total.singles, whole.singles)
    np.testing.assert_array_equal(total.cells, whole.cells)
    assert total.n == rows.n_rows


def test_cells_take_as_few_bytes_as_hold_the_number_of_rows():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (40_000, 2)).astype(np.uint8)
    few = count(CodedRows(codes, np.zeros(len(codes), dtype=np.intp), np.array([2, 2]), 1))
    assert few.cells.dtype == np.uint16
    assert (few + few).cells.dtype == np.uint32
    np.testing.assert_array_equal((few + few).pair(0, 1), 2 * few.pair(0, 1))
    np.testing.assert_array_equal((few + few + few).pair(1, 0), 3 * few.pair(1, 0))


@pytest.mark.parametrize("kind", [np.uint32, np.int64])
def test_counts_and_information_do_not_depend_on_bytes(kind):
    rng = np.random.default_rng(1)
    codes, labels = rng.integers(0, [2, 5, 3, 40], (300, 4)).astype(np.uint8), rng.integers(0, 3, 300)
    few, more = (CodedRows(codes, labels, np.array([2, 5, 3, 40]), 3) for _ in range(2))
    more.__dict__["type_of_cells"] = np.dtype(kind)
    narrow, wide = count(few), count(more)
    assert wide.cells.dtype == kind
    np.testing.assert_array_equal(narrow.pair(1, 3), wide.pair(1, 3))
    np.testing.assert_array_equal(narrow.pair(2, 0), wide.pair(2, 0))
    np.testing.assert_array_equal(information(narrow).given_class, information(wide).given_class)


def one_row(cardinalities, n_classes=1):
    codes = np.zeros((1, len(cardinalities)), dtype=np.uint8)
    return CodedRows(codes, np.array([0]), np.array(cardinalities), n_classes)


def test_counts_of_different_features_do_not_add():
    with pytest.raises(ValueError, match="Counts of different cardinalities cannot be added"):
        count(one_row([2, 2])) + count(one_row([2, 3]))


def test_counts_of_different_pairs_do_not_add():
    with pytest.raises(ValueError, match="Counts of different pairs cannot be added"):
        count(one_row([2, 2])) + count(one_row([2, 2]), np.zeros((0, 2), dtype=np.intp))


def test_counts_of_different_classes_do_not_add():
    with pytest.raises(ValueError, match="Counts of 1 and of 2 classes cannot be added"):
        count(one_row([2, 2])) + count(one_row([2, 2], 2))


def test_counts_and_something_else_do_not_add():
    with pytest.raises(TypeError):
        count(one_row([2])) + 1


@given(coded_rows(min_features=2))
def test_recoded_counts_equal_counts_of_recoded_rows(rows):
    # Every value moves up by one, and one more value at the end is never seen.
    maps = [np.arange(v) + 1 for v in rows.cardinalities]
    moved = replace(rows, codes=rows.codes + 1, cardinalities=rows.cardinalities + 2)
    recoded = count(rows).recode(maps, moved.cardinalities)
    np.testing.assert_array_equal(recoded.cells, count(moved).cells)
    np.testing.assert_array_equal(recoded.singles, count(moved).singles)


@given(coded_rows())
def test_recoding_to_the_same_codes_changes_nothing(rows):
    counts = count(rows)
    recoded = counts.recode([np.arange(v) for v in rows.cardinalities], rows.cardinalities)
    np.testing.assert_array_equal(recoded.cells, counts.cells)


def test_a_short_text_with_all_digits_of_the_rows():
    rows = CodedRows(np.zeros((2, 1), dtype=np.uint8), np.array([0, 1]), np.array([1]), 2, np.array([1e6, 234567.0]))
    assert repr(count(rows)) == "Counts of 1,234,567 rows: 1 feature, 2 classes, all pairs"
