import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.encoding import Feature, encode, read_array, read_frame


@given(
    st.lists(st.one_of(st.floats(-5, 5), st.just(np.nan), st.integers(-3, 3).map(float)), min_size=1, max_size=40),
    st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=60, unique=True).map(sorted),
    st.sampled_from(["interval", "category"]),
)
def test_codes_of_numbers_one_by_one(values, bounds, kind):
    if kind == "interval":
        feature = Feature("x", "interval", tuple(bounds), tuple([0.0] * (len(bounds) + 1)))
        expected = [sum(value >= bound for bound in bounds) for value in values]
    else:
        feature = Feature("x", "category", categories=tuple(bounds))
        expected = [bounds.index(value) if value in bounds else feature.unseen_code for value in values]
    expected = [feature.missing_code if np.isnan(v) else code for v, code in zip(values, expected, strict=True)]
    assert encode(read_array(np.array(values)[:, None]), [feature]).ravel().tolist() == expected


def test_columns_of_many_and_of_few_values_side_by_side():
    many = Feature("m", "category", categories=tuple(float(v) for v in range(300)))
    few = Feature("f", "interval", (0.5,), (0.0, 1.0))
    X = np.array([[0.0, 299.0, 1.0], [1.0, 7.5, 0.0], [np.nan, np.nan, np.nan]])
    codes = encode(read_array(X), [few, many, few])
    assert codes.dtype == np.uint16
    assert codes.tolist() == [[0, 299, 1], [1, 301, 0], [2, 300, 2]]
    assert codes.flags.f_contiguous


def test_text():
    feature = Feature("t", "category", categories=("a", "b"))
    codes = encode(read_frame(pd.DataFrame({"t": ["b", None, "z"]})), [feature])
    assert codes.ravel().tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("feature", "values", "message"),
    [
        (Feature("c", "category", categories=("a",)), [1.0], "column 'c' held text in training and holds numbers here"),
        (Feature("c", "category", categories=(1.0,)), ["a"], "column 'c' held numbers in training and holds text here"),
        (
            Feature("c", "interval", (1.0,), (0.0, 2.0)),
            ["a"],
            "column 'c' held numbers in training and holds text here",
        ),
    ],
)
def test_text_and_numbers_are_not_mixed_up(feature, values, message):
    with pytest.raises(ValueError, match=message):
        encode(read_frame(pd.DataFrame({"c": values})), [feature])


@pytest.mark.parametrize("feature", [Feature("c", "category", categories=("a",)), Feature("c", "interval", (), (1.0,))])
def test_a_column_with_nothing_but_gaps_fits_everywhere(feature):
    table = read_frame(pd.DataFrame({"c": pd.Series([None, None], dtype=object)}))
    assert encode(table, [feature]).ravel().tolist() == [feature.missing_code] * 2


@pytest.mark.parametrize("values", [["a", None], [1.0, np.nan]])
def test_values_of_a_column_that_had_none_are_unseen(values):
    feature = Feature("c", "category", has_missing=True)
    codes = encode(read_frame(pd.DataFrame({"c": pd.Series(values, dtype=object)})), [feature])
    assert codes.ravel().tolist() == [1, 0]
