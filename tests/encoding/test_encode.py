import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes import QuantileDiscretizer
from gnbayes.encoding import Feature, encode, extend_features, learn_features, read_array, read_frame


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


TWO = np.array([0.1, 0.7, np.nan, 0.1])


@pytest.mark.parametrize("kernels", ["c", "numpy"])
@pytest.mark.parametrize(("learned", "met"), [("float64", "float32"), ("float32", "float64")])
def test_two_values_are_the_same_in_single_and_double_precision(kernels, learned, met, monkeypatch):
    if kernels == "numpy":
        monkeypatch.setattr("gnbayes.encoding._encode.native", None)
    bins = QuantileDiscretizer().fit(TWO.astype(learned)[:, None])
    codes = bins.transform(np.append(TWO, 0.4).astype(met)[:, None])
    assert codes.ravel().tolist() == [0, 1, 2, 0, 3]


@pytest.mark.parametrize("n_values", [3, 40, 400])
def test_many_categories_are_the_same_in_single_precision(n_values):
    values = np.random.default_rng(0).normal(size=n_values)
    feature = Feature("x", "category", categories=tuple(sorted(values.tolist())))
    single = read_array(values.astype(np.float32)[:, None])
    np.testing.assert_array_equal(encode(single, [feature]), encode(read_array(values[:, None]), [feature]))


def test_whole_numbers_that_float32_does_not_hold_stay_apart():
    feature = Feature("id", "category", categories=(16777216.0, 16777219.0))
    table = read_array(np.array([[16777216.0], [16777217.0], [16777219.0], [3e38], [1e300]]))
    assert encode(table, [feature]).ravel().tolist() == [0, 3, 1, 3, 3]


def test_a_further_batch_in_single_precision_brings_no_new_categories():
    first = learn_features(
        read_array(TWO[:, None]), QuantileDiscretizer(), np.array([False]), np.zeros(4, dtype=np.intp), 1
    )
    later = read_array(np.array([0.1, 0.7, 0.9], dtype=np.float32)[:, None])
    assert extend_features(first, later)[0].categories == (0.1, 0.7, float(np.float32(0.9)))
