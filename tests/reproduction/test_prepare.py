import numpy as np
import pandas as pd
import pytest

from gnbayes.datasets import Dataset
from gnbayes.reproduction.prepare import as_averages, as_in_the_paper, as_in_the_program, as_numbers, as_values


@pytest.fixture
def small():
    """Eight rows: a number with a gap, text, and a column with a single deviating row; rows 0 and 1 are the same."""
    frame = pd.DataFrame(
        {
            "age": [1.0, 1.0, 3.0, 4.0, 5.0, 6.0, 7.0, np.nan],
            "sex": ["m", "m", "f", "m", "f", "m", "f", "m"],
            "rare": [0, 0, 0, 0, 1, 0, 0, 0],
        }
    )
    return Dataset("small", frame, np.array(["ill", "well"] * 4), "ill", None, "")


def test_text_becomes_numbers(small):
    rows = as_numbers(small)
    assert rows.categories == (1,)
    assert rows.X[:, 1].tolist() == [1, 1, 0, 1, 0, 1, 0, 1]
    assert rows.y.tolist() == [1, 0] * 4


def test_identical_rows_belong_together(small):
    groups = as_numbers(small).groups
    assert groups[0] == groups[1]
    assert len(np.unique(groups)) == 7


def test_people_belong_together(small):
    people = Dataset("small", small.data, small.target, "ill", np.array(list("aabbccdd")), "")
    assert as_numbers(people).groups.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def test_the_paper_leaves_out_gaps_and_the_all_but_constant_column(small):
    rows = as_in_the_paper(as_numbers(small))
    assert rows.X.shape == (7, 2)
    assert rows.X[:, 0].tolist() == [0, 0, 1, 1, 2, 3, 3]
    assert rows.categories == (0, 1)
    assert rows.groups.tolist() == list(range(7))


def test_intervals_as_their_averages(small):
    rows = as_averages(as_numbers(small))
    assert rows.X[:, 0].tolist() == [1, 1, 3.5, 3.5, 5, 6.5, 6.5]


def test_the_program_interpolates_and_puts_the_positive_class_first(small):
    rows = as_in_the_program(as_numbers(small))
    assert rows.X[:, 0].tolist() == [0, 0, 1, 2, 3, 4, 4]
    assert rows.categories == (0, 1)
    assert rows.positive == 0
    assert rows.y.tolist() == [0, 1] * 3 + [0]


def test_columns_can_stay_as_they_are(small):
    rows = as_in_the_program(as_numbers(small), uncut=(0,))
    np.testing.assert_array_equal(rows.X, as_values(as_numbers(small)).X)
    assert rows.X[:, 0].tolist() == [1, 1, 3, 4, 5, 6, 7]
