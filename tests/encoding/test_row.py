"""Codes of single rows are those of tables."""

import decimal

import numpy as np
import pandas as pd
import pytest
from classifiers import quantile_bins
from hypothesis import given
from hypothesis import strategies as st

from gnbayes import GeneralizedNB
from gnbayes.encoding import Feature, RowEncoder, encode, read_frame

AGE = Feature("age", "interval", edges=(40.0, 60.0), means=(31.0, 50.0, 70.5))
WARD = Feature("ward", "category", categories=(-1.0, 0.1, 0.3, 7.0), has_missing=True)
SEX = Feature("sex", "category", categories=("f", "m"))
NOTHING = Feature("nothing", "category", has_missing=True)
FEATURES = [AGE, WARD, SEX, NOTHING]
NUMBERS = st.one_of(
    st.none(), st.floats(allow_infinity=False), st.sampled_from([40, 60, -1.0, 0.1, 0.3, float(np.float32(0.1)), 7, 8])
)


@given(st.lists(st.tuples(NUMBERS, NUMBERS, st.sampled_from(["f", "m", "x", None, float("nan")])), min_size=1))
def test_codes_are_those_of_a_table(rows):
    frame = pd.DataFrame([(*row, None) for row in rows], columns=[feature.name for feature in FEATURES])
    expected = encode(read_frame(frame.astype({"age": float, "ward": float, "sex": object})), FEATURES)
    encoder = RowEncoder(FEATURES, range(4))
    for row, codes in zip(rows, expected, strict=True):
        by_name = dict(zip(("age", "ward", "sex", "nothing"), (*row, None), strict=True))
        np.testing.assert_array_equal(encoder.codes(by_name)[0], codes)
        np.testing.assert_array_equal(encoder.codes([*row, None])[0], codes)


@pytest.mark.parametrize("value", [44, 44.0, np.float32(44), np.int8(44), decimal.Decimal(44), np.float64(44)])
def test_numbers_of_any_type(value):
    assert RowEncoder([AGE], [0]).codes([value]).tolist() == [[1]]


@pytest.mark.parametrize("value", [True, np.bool_(True), 1])
def test_truth_values_are_numbers(value):
    feature = Feature("ill", "category", categories=(0.0, 1.0))
    assert RowEncoder([feature], [0]).codes([value]).tolist() == [[1]]


@pytest.mark.parametrize("value", [None, float("nan"), np.nan, pd.NA, pd.NaT])
def test_missing_values_of_any_type(value):
    assert RowEncoder([AGE, WARD, SEX], range(3)).codes([value] * 3).tolist() == [[3, 4, 2]]


def test_what_a_mapping_leaves_out_is_unknown_and_not_missing():
    assert RowEncoder(FEATURES, range(4)).codes({"age": 50}).tolist() == [[1, 5, 3, 1]]


def test_values_of_features_that_are_not_used_are_not_looked_at():
    assert RowEncoder([AGE, SEX], [1]).codes([object(), "m"])[0, 1] == 1


def test_a_column_coded_by_a_transformer():
    X = np.arange(40.0)[:, None]
    clf = GeneralizedNB(discretizer=quantile_bins(4), weighting=None).fit(X, X[:, 0] > 17)
    encoder = RowEncoder(clf.features_, [0])
    found = [encoder.codes([value])[0, 0] for value in [*X[:, 0].tolist(), None]]
    np.testing.assert_array_equal(found[:-1], clf._codes(X)[:, 0])
    assert found[-1] == clf.features_[0].missing_code


@pytest.mark.parametrize(
    ("row", "error", "message"),
    [
        (
            {"ages": 3},
            ValueError,
            "the row has a value for 'ages', which is not a column; the columns are 'age', 'ward'",
        ),
        ([3, 4], ValueError, "a row as a sequence must have 4 values, one per column, got 2; give a mapping"),
        (3.5, TypeError, "a row must be a mapping from names of columns to values, or a sequence of values, got float"),
        ("abcd", TypeError, "a row must be a mapping .* got str instead"),
        ({"age": "44"}, ValueError, "column 'age' held numbers in training and holds text here"),
        ({"sex": 1}, ValueError, "column 'sex' held text in training and holds numbers here"),
        ({"age": float("inf")}, ValueError, "Input X contains infinity .* in column 'age'"),
        ({"ward": -float("inf")}, ValueError, "Input X contains infinity .* in column 'ward'"),
        ({"age": 2**60}, ValueError, "column 'age' holds whole numbers beyond 2\\*\\*53"),
        ({"age": pd.Timestamp("2020-01-01")}, TypeError, "column 'age' contains dates or times"),
        ({"sex": ["f"]}, TypeError, "column 'sex' holds a value of type list"),
    ],
)
def test_rows_that_are_refused(row, error, message):
    with pytest.raises(error, match=message):
        RowEncoder(FEATURES, range(4)).codes(row)
