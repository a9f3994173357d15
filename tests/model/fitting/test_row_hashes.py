import numpy as np

from gnbayes.counting import CodedRows, count_values
from gnbayes.model.fitting.row_hashes import column_factors, factors_of_counts, row_hash


def test_columns_that_hold_the_same_numbers_of_values_have_factors_of_their_own():
    codes = np.array([[0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 1], [1, 1, 1, 1]])
    factors = column_factors(codes, np.zeros(4, dtype=int), None, 1)
    assert len(set(factors.tolist())) == 4
    assert (factors % 2 == 1).all()


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
