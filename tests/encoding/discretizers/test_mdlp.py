import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from twins import mdlp_cuts

from gnbayes import MDLPDiscretizer


@given(st.data(), st.integers(2, 4))
def test_equals_the_recursion_on_rows_for_any_number_of_classes_and_with_ties(data, k):
    labels = data.draw(st.lists(st.integers(0, k - 1), min_size=4, max_size=60))
    values = [label * data.draw(st.integers(0, 3)) + data.draw(st.integers(0, 4)) for label in labels]
    cuts = MDLPDiscretizer().fit(np.array(values, dtype=float)[:, None], labels).bin_edges_[0]
    assert cuts.tolist() == pytest.approx(mdlp_cuts(values, labels))


def test_published_cuts_of_iris():
    """As the R package `discretization` prints them (mdlp(iris)$cutp)."""
    X, y = load_iris(return_X_y=True)
    cuts = [edges.tolist() for edges in MDLPDiscretizer().fit(X, y).bin_edges_]
    expected = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    assert cuts == [pytest.approx(edges) for edges in expected]


def test_a_column_that_tells_nothing_is_one_interval():
    bins = MDLPDiscretizer().fit(np.arange(8.0)[:, None], [0, 1] * 4)
    assert bins.n_bins_.tolist() == [1]
    assert bins.bin_labels_[0].tolist() == ["x0 = any number"]


def test_missing_values_take_no_part():
    values = np.array([1.0, 2, 3, 4, 11, 12, 13, 14])
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    gaps = np.concatenate([values, [np.nan, np.nan]])[:, None]
    bins = MDLPDiscretizer().fit(gaps, np.concatenate([labels, [0, 1]]))
    assert bins.bin_edges_[0].tolist() == [7.5]
    assert bins.features_[0].has_missing


def test_neighbouring_floats_are_cut_between():
    low, high = 1.0, np.nextafter(1.0, 2.0)
    bins = MDLPDiscretizer().fit(np.repeat([low, high], 10)[:, None], np.repeat([0, 1], 10))
    assert bins.transform([[low], [high]]).ravel().tolist() == [0, 1]


def test_many_classes_do_not_overflow():
    labels = np.repeat(np.arange(700), 3)
    bins = MDLPDiscretizer().fit(labels[:, None].astype(float), labels)
    assert bins.n_bins_[0] >= 1


def test_y_is_needed():
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        MDLPDiscretizer().fit([[1.0], [2.0]])
