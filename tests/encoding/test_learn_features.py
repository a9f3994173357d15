import numpy as np
import pandas as pd
import pytest
from classifiers import counted

from gnbayes.encoding import choose_categories, extend_features, learn_features, read_array, read_frame
from gnbayes.encoding import choose_discretizer as choose
from gnbayes.encoding._learn_features import new_codes

FRAME = pd.DataFrame({"n": [1.0, 2.0, 3.0], "t": ["a", "b", "a"], "b": [True, False, True]})
Y = np.array([0, 1, 0])


def test_text_and_booleans_are_categories_numbers_are_not():
    assert choose_categories("from_dtype", read_frame(FRAME)).tolist() == [False, True, True]


@pytest.mark.parametrize("given", [["n"], [0], [True, False, False], np.array([0])])
def test_numbers_can_be_declared_categories(given):
    assert choose_categories(given, read_frame(FRAME)).tolist() == [True, True, True]


@pytest.mark.parametrize("given", [["z"], [3], [-1], [1.5]])
def test_columns_that_are_not_there(given):
    with pytest.raises(ValueError, match=f"categorical_features names {given[0]!r}, which is not a column of X"):
        choose_categories(given, read_frame(FRAME))


def test_a_mask_must_have_one_entry_a_column():
    with pytest.raises(ValueError, match="categorical_features is a mask of 2, but X has 3 columns"):
        choose_categories([True, False], read_frame(FRAME))


def test_declared_numbers_keep_all_their_values():
    X = np.arange(12.0)[:, None]
    clf = counted(categorical_features=[0]).fit(X, [0, 1] * 6)
    assert clf.features_[0].categories == tuple(range(12))


def learn(table):
    is_category = choose_categories("from_dtype", table)
    return learn_features(table, choose("quantile", 5), is_category, np.zeros(table.n_rows, dtype=np.intp), 1)


def test_extending_adds_categories_in_their_place_and_keeps_intervals():
    old = learn(read_frame(pd.DataFrame({"t": ["b", "d"], "n": [1.0, 3.0]})))
    new = extend_features(old, read_frame(pd.DataFrame({"t": ["c", None], "n": [2.0, np.nan]})))
    assert [feature.categories for feature in new] == [("b", "c", "d"), (1.0, 2.0, 3.0)]
    assert [feature.has_missing for feature in new] == [True, True]
    assert new_codes(old[0], new[0]).tolist() == [0, 2]


def test_codes_of_missing_values_move_behind_new_categories():
    old = learn(read_frame(pd.DataFrame({"t": ["b", None]})))
    new = extend_features(old, read_frame(pd.DataFrame({"t": ["a", "c"]})))
    assert new_codes(old[0], new[0]).tolist() == [1, 3]


def test_intervals_keep_their_codes():
    old = learn(read_array(np.arange(20.0)[:, None]))
    new = extend_features(old, read_array(np.array([[np.nan], [99.0]])))
    assert new[0].edges == old[0].edges
    assert new_codes(old[0], new[0]).tolist() == [0, 1, 2, 3, 4]


def test_a_column_without_values_takes_its_first_ones():
    old = learn(read_frame(pd.DataFrame({"t": pd.Series([None, None], dtype=object)})))
    new = extend_features(old, read_frame(pd.DataFrame({"t": ["a", "b"]})))
    assert new[0].categories == ("a", "b")
    assert new_codes(old[0], new[0]).tolist() == [2]
