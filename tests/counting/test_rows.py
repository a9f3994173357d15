import numpy as np
import pytest

from gnbayes.counting import CodedRows


def test_shapes_must_fit():
    with pytest.raises(ValueError, match=r"codes must have one row a label and one column a cardinality, 3 x 2; got"):
        CodedRows(np.zeros((3, 1), dtype=np.uint8), np.zeros(3, dtype=np.intp), np.array([1, 1]), 1)


def test_whole_number_weights_count_exactly():
    rows = CodedRows(np.zeros((2, 1), dtype=np.uint8), np.array([0, 0]), np.array([1]), 1, np.array([2.0, 1.0]))
    assert rows.as_counts(np.array([3.0])).dtype == np.int64


def test_other_weights_stay_floats():
    rows = CodedRows(np.zeros((2, 1), dtype=np.uint8), np.array([0, 0]), np.array([1]), 1, np.array([0.5, 1.0]))
    assert rows.as_counts(np.array([1.5])).dtype == np.float64
