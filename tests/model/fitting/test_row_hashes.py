import numpy as np
import pytest

from gnbayes.counting import CodedRows, count_values
from gnbayes.model.fitting import row_hashes
from gnbayes.model.fitting.row_hashes import column_factors, factors_of_counts, row_hash


def test_columns_that_hold_the_same_numbers_of_values_have_factors_of_their_own():
    codes = np.array([[0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 1], [1, 1, 1, 1]])
    factors = column_factors(codes, np.zeros(4, dtype=int), None, 1)
    assert len(set(factors.tolist())) == 4
    assert (factors % 2 == 1).all()


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_columns_of_many_rows_have_the_same_factors(monkeypatch, kind, n_threads):
    rng = np.random.default_rng(0)
    codes = np.asfortranarray(rng.integers(0, [2, 9, 1, 40], (500, 4)).astype(kind))
    labels = rng.integers(0, 3, 500)
    expected = column_factors(codes, labels, np.ones(500, dtype=np.int64), 3), row_hash(codes)
    monkeypatch.setattr(row_hashes, "_NUMBERS_AT_ONCE", 1)
    monkeypatch.setattr(row_hashes, "_ROWS_AT_ONCE", 64)
    monkeypatch.setattr(row_hashes, "limit_threads", lambda n_threads, _: n_threads)
    np.testing.assert_array_equal(column_factors(codes, labels, None, 3, n_threads), expected[0])
    np.testing.assert_array_equal(row_hash(codes, None, n_threads), expected[1])


def test_constant_columns_have_no_factor():
    codes = np.array([[0, 3], [1, 3], [1, 3]], dtype=np.uint8)
    rows = CodedRows(np.asfortranarray(codes), np.array([0, 1, 0]), np.array([2, 4]), 2)
    for factors in (column_factors(codes, rows.labels, None, 2), factors_of_counts(count_values(rows))):
        assert factors[0] % 2 == 1
        assert factors[1] == 0


def test_equal_rows_have_equal_hashes_and_others_do_not():
    hashes = row_hash(np.array([[0, 1], [1, 0], [0, 1], [0, 0]]))
    assert hashes[0] == hashes[2]
    assert len(set(hashes.tolist())) == 3


def _mixed(number: int) -> int:
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (29, 0xC4CEB9FE1A85EC53)):
        number = (number ^ number >> shift) * factor % 2**64
    return number ^ number >> 32


def test_columns_of_one_kind_of_counts_are_hashed_value_by_value():
    """Many columns at a time give the same numbers as each by itself, value after value, in Python's whole numbers."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(2, 9, 50)
    codes, labels, weights = rng.integers(0, sizes, (80, 50)), rng.integers(0, 3, 80), rng.integers(1, 4, 80)
    found = column_factors(codes, labels, weights.astype(np.float64), 3)
    for column, factor in zip(codes.T, found.tolist(), strict=True):
        total = 0
        for value in np.unique(column).tolist():
            counts = [int(weights[(column == value) & (labels == c)].sum()) for c in range(3)]
            number = _mixed((value * 0x9E3779B97F4A7C15 + sum(counts)) % 2**64)
            total += _mixed(_mixed((sum(map(_mixed, counts)) + number) % 2**64))
        assert factor == total % 2**64 | 1
