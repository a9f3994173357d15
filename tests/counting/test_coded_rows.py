import numpy as np
import pytest

from gnbayes.counting import CodedRows, count


def test_shapes_must_fit():
    with pytest.raises(
        ValueError, match=r"codes must have one row per label and one column per cardinality, 3 x 2; got"
    ):
        CodedRows(np.zeros((3, 1), dtype=np.uint8), np.zeros(3, dtype=np.intp), np.array([1, 1]), 1)


def test_whole_number_weights_count_exactly():
    rows = CodedRows(np.zeros((2, 1), dtype=np.uint8), np.array([0, 0]), np.array([1]), 1, np.array([2.0, 1.0]))
    assert rows.as_counts(np.array([3.0])).dtype == np.int64


def test_other_weights_stay_floats():
    rows = CodedRows(np.zeros((2, 1), dtype=np.uint8), np.array([0, 0]), np.array([1]), 1, np.array([0.5, 1.0]))
    assert rows.as_counts(np.array([1.5])).dtype == np.float64


def test_numbers_of_any_kind_and_layout_become_what_the_kernels_take():
    plain = CodedRows(
        np.array([[0, 1], [1, 1], [1, 0]], np.uint8), np.array([0, 1, 1]), np.array([2, 2]), 2, np.ones(3)
    )
    odd = CodedRows(
        np.array([[0, 1], [1, 1], [1, 0]], dtype=">u4"),
        *(np.array([0, 1, 1], dtype=np.int8), np.array([2, 2], dtype=np.int32), 2),
        np.ones(6, dtype=np.float32)[::2],
    )
    np.testing.assert_array_equal(count(odd).cells, count(plain).cells)
    whole = count(CodedRows(plain.codes, plain.labels, plain.cardinalities, 2, np.array([1, 2, 3])))
    assert whole.singles.tolist() == [[1, 0], [0, 5], [0, 3], [1, 2]]


def test_codes_and_labels_out_of_range_are_refused():
    codes = np.full((4, 2), 9, dtype=np.uint8)
    with pytest.raises(ValueError, match="codes must be below the cardinality of their feature"):
        CodedRows(codes, np.zeros(4, dtype=int), np.array([2, 2]), 1)
    with pytest.raises(ValueError, match="labels must be class indices from 0 to 1"):
        CodedRows(codes, np.array([0, 1, 2, 0]), np.array([10, 10]), 2)
    with pytest.raises(ValueError, match="codes must be whole numbers from 0, got int64"):
        CodedRows(codes.astype(int) - 10, np.zeros(4, dtype=int), np.array([10, 10]), 1)
