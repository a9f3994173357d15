import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import KBinsDiscretizer

from gnbayes import UniformDiscretizer


@given(st.lists(st.integers(-1000, 1000), min_size=7, max_size=50, unique=True))
def test_equals_scikit_learn(values):
    column = np.array(values, dtype=float)[:, None]
    theirs = KBinsDiscretizer(6, encode="ordinal", strategy="uniform", dtype=np.float64).fit(column)
    ours = UniformDiscretizer(6).fit(column)
    np.testing.assert_allclose(ours.bin_edges_[0], theirs.bin_edges_[0][1:-1], rtol=1e-12, atol=1e-12)


def test_a_column_of_few_values_is_left_as_it_is():
    assert UniformDiscretizer(3).fit([[1.0], [5.0], [1.0]]).features_[0].categories == (1.0, 5.0)


def test_numbers_near_the_limit_of_floats_do_not_overflow():
    bins = UniformDiscretizer(2).fit([[-1.7e308], [0.0], [1.7e308]])
    assert bins.bin_edges_[0].tolist() == [0.0]
    assert np.isfinite(bins.inverse_transform([[0], [1]])).all()


def test_an_interval_without_values_stands_for_its_middle():
    bins = UniformDiscretizer(4).fit(np.array([0.0, 1.0, 2.0, 3.0, 100.0])[:, None])
    assert bins.inverse_transform([[1]]).ravel().tolist() == [37.5]
