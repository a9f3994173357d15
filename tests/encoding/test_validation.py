import numpy as np
import pandas as pd
import pytest
from classifiers import counted

from gnbayes.encoding import check_labels, check_table, check_target, check_weights
from gnbayes.encoding._validation import relative_weights, summable


@pytest.mark.parametrize(
    "y", [["no", "yes", "no"], pd.Series(["no", "yes", "no"], dtype="category"), np.array([0, 1, 0])]
)
def test_labels_are_numbered_in_order(y):
    assert check_labels(y, 3)[1].tolist() == [0, 1, 0]


@pytest.mark.parametrize("y", [[1.0, np.nan], ["a", None], pd.Series([1, None], dtype="Int64"), ["a", np.nan]])
def test_missing_labels(y):
    with pytest.raises(ValueError, match="Input y contains NaN"):
        check_target(pd.Series(y, dtype=object) if isinstance(y, list) and isinstance(y[0], str) else y, 2)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match=r"Found input variables with inconsistent numbers of samples: \[3, 2\]"):
        check_target([0, 1], 3)


def test_continuous_labels():
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        check_target([0.5, 1.5], 2)


def test_no_labels():
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        check_target(None, 2)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1], "Negative values in data passed to `sample_weight`"),
        ([0, 0], "(zero for every row|at least one non-zero)"),
        ([1, np.nan], "contains NaN"),
        ([1, 2, 3], r"sample_weight\.shape == "),
    ],
)
def test_weights_out_of_range(weights, message):
    with pytest.raises(ValueError, match=message):
        check_weights(weights, 2)


def test_lists_keep_numbers_beside_text():
    table = check_table(counted(), [[1, "a"], [2.5, "b"]], reset=True)
    assert table.kinds == ("number", "text")


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            pd.DataFrame({"a": []}),
            r"Found array with 0 sample\(s\) \(shape=\(0, 1\)\) while a minimum of 1 is required",
        ),
        (pd.DataFrame(index=[0, 1]), r"Found array with 0 feature\(s\) \(shape=\(2, 0\)\) while a minimum of 1"),
    ],
)
def test_empty_frames(frame, message):
    with pytest.raises(ValueError, match=message):
        check_table(counted(), frame, reset=True)


def test_whole_weights_stay_as_they_are_and_others_sum_exactly():
    large = np.array([2.0**51, 1.0, 3.0])
    np.testing.assert_array_equal(summable(large), large)
    rng = np.random.default_rng(0)
    weights = summable(rng.exponential(1, 10_000))
    assert weights.sum() == weights[::-1].sum() == np.cumsum(weights)[-1]
    assert summable(np.array([1e299, 1e-300])).min() > 0


def test_relative_weights_have_mean_1_and_do_not_depend_on_their_scale():
    weights = np.random.default_rng(0).exponential(1, 1000)
    weights[::7] = 0
    relative = relative_weights(weights)
    assert relative[weights > 0].mean() == pytest.approx(1, abs=1e-9)
    np.testing.assert_allclose(relative, weights / weights[weights > 0].mean(), atol=1e-9)
    for factor in (1 / 1000, 0.5, 1000.5, 1e-300, 1e290):
        np.testing.assert_array_equal(relative_weights(weights * factor), relative)
    np.testing.assert_array_equal(relative_weights(relative), relative)


@pytest.mark.parametrize("n", [3, 10_000, pytest.param(2**23, marks=pytest.mark.slow)])
def test_sums_of_relative_weights_are_exact(n):
    weights = relative_weights(np.random.default_rng(0).random(n))
    assert weights.sum() == weights[::-1].sum() == np.cumsum(weights)[-1]


def test_equal_weights_that_are_no_whole_numbers_are_as_good_as_none():
    np.testing.assert_array_equal(relative_weights(np.full(30, 0.1)), np.ones(30))


def test_tiny_weights_stay_above_zero():
    assert relative_weights(np.array([1e200, 1e-200, 0.0])).tolist()[1:] == [2**-30, 0.0]


def test_weights_of_batches_stay_as_they_are():
    assert check_weights([0.5, 0.25], 2, in_batches=True).tolist() == [0.5, 0.25]
    assert check_weights([0.5, 1.5], 2).tolist() == [0.5, 1.5]
    assert check_weights([5, 15], 2).tolist() == [5.0, 15.0]
