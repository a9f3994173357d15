import numpy as np
import pytest

from gnbayes.encoding import Feature

# No kernel is called.
pytestmark = pytest.mark.once


def test_labels_of_intervals():
    radius = Feature("mean radius", "interval", edges=(17.3, 21.0), means=(15.0, 19.0, 23.0))
    assert radius.labels == ("mean radius < 17.3", "17.3 <= mean radius < 21", "21 <= mean radius")


def test_labels_use_as_many_digits_as_keep_edges_apart():
    feature = Feature("x", "interval", edges=(1.00001, 1.00002), means=(1.0, 1.000015, 1.1))
    assert feature.labels == ("x < 1.00001", "1.00001 <= x < 1.00002", "1.00002 <= x")


def test_whole_numbers_are_written_in_full():
    feature = Feature("day", "interval", edges=(20240201.0, 20240301.5), means=(1.0, 2.0, 3.0))
    assert feature.labels == ("day < 20240201", "20240201 <= day < 20240301.5", "20240301.5 <= day")


def test_phrases_say_what_labels_say():
    age = Feature("age", "interval", edges=(40.0, 60.5), means=(30.0, 50.0, 70.0), has_missing=True)
    assert age.phrases[:4] == ("age below 40", "age 40 to 60.5", "age 60.5 or more", "age missing")
    sex = Feature("sex", "category", categories=("f", "m"))
    assert sex.phrases == ("sex = f", "sex = m", "sex missing (left out)", "sex never seen in training (left out)")
    assert Feature("x", "interval", means=(2.0,)).phrases[0] == "x any number"


def test_label_of_a_column_that_is_one_interval():
    assert Feature("x", "interval", means=(2.0,)).labels == ("x = any number",)


def test_labels_of_categories_and_missing():
    feature = Feature("sex", "category", categories=("f", "m"), has_missing=True)
    assert feature.labels == ("sex = f", "sex = m", "sex missing")
    assert Feature("n", "category", categories=(1.0, 2.5)).labels == ("n = 1", "n = 2.5")


@pytest.mark.parametrize(("has_missing", "cardinality"), [(False, 2), (True, 3)])
def test_codes_of_missing_and_unseen_values(has_missing, cardinality):
    feature = Feature("x", "category", categories=("a", "b"), has_missing=has_missing)
    assert (feature.cardinality, feature.missing_code, feature.unseen_code) == (cardinality, 2, 3)


def test_a_column_without_values_still_has_one():
    assert Feature("x", "category", has_missing=True).cardinality == 1
    assert Feature("x", "category", has_missing=True).labels == ("x missing",)


def test_decoding():
    interval = Feature("x", "interval", edges=(1.0,), means=(0.5, 2.0))
    np.testing.assert_array_equal(interval.decode(np.array([1, 0, 2, 3])), [2.0, 0.5, np.nan, np.nan])
    text = Feature("x", "category", categories=("a", "b"))
    assert text.decode(np.array([1, 0, 2])).tolist() == ["b", "a", None]
    truth = Feature("x", "category", categories=(False, True))
    assert truth.decode(np.array([1, 0])).tolist() == [True, False]


def test_features_compare_by_what_they_say():
    assert Feature("x", "interval", (1.0,), (0.0, 2.0)) == Feature("x", "interval", (1.0,), (0.0, 2.0))
    assert Feature("x", "interval", (1.0,), (0.0, 2.0)) != Feature("x", "interval", (1.5,), (0.0, 2.0))
