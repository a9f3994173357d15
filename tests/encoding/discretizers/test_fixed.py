import numpy as np
import pandas as pd
import pytest
from classifiers import counted

from gnbayes import FixedDiscretizer


def test_columns_by_name_and_position():
    frame = pd.DataFrame({"age": [30.0, 45.0, 70.0], "bp": [80.0, 90.0, 100.0]})
    bins = FixedDiscretizer({"age": [40, 60], 1: [95]}).fit(frame)
    assert bins.transform(frame).tolist() == [[0, 0], [1, 0], [2, 1]]


def test_other_columns_are_cut_at_quantiles():
    X = np.column_stack([np.arange(10.0), np.arange(10.0)])
    bins = FixedDiscretizer({0: [3.5]}, n_bins=2).fit(X)
    assert [edges.tolist() for edges in bins.bin_edges_] == [[3.5], [5.0]]


def test_a_column_without_values_keeps_the_given_intervals():
    bins = FixedDiscretizer({0: [1.0]}).fit(np.full((3, 1), np.nan))
    assert bins.features_[0].labels == ("x0 < 1", "1 <= x0", "x0 missing")


@pytest.mark.parametrize("cuts", [[], [2, 1], [1, 1], [np.nan], [np.inf], ["a"], None, 3, [[1, 2]]])
def test_edges_must_increase(cuts):
    with pytest.raises(ValueError, match="edges of column 'a' must be increasing finite numbers, got"):
        FixedDiscretizer({"a": cuts}).fit([[1.0], [2.0]])


@pytest.mark.parametrize("column", ["b", 1, -1])
def test_edges_of_a_column_that_is_not_there(column):
    with pytest.raises(ValueError, match=f"edges are given for column {column!r}, which X does not have"):
        FixedDiscretizer({column: [1]}).fit(pd.DataFrame({"a": [1.0, 2.0]}))


def test_edges_of_a_column_of_text():
    frame = pd.DataFrame({"sex": ["f", "m"], "age": [1.0, 2.0]})
    with pytest.raises(ValueError, match="edges are given for column 'sex', which is not a column of numbers"):
        counted(discretizer={"sex": [1]}).fit(frame, [0, 1])


def test_edges_must_be_a_mapping():
    with pytest.raises(ValueError, match="edges must map columns to cuts, got list instead"):
        FixedDiscretizer([1, 2]).fit([[1.0], [2.0]])
