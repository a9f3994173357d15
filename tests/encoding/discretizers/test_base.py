from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from gnbayes import FixedDiscretizer, MDLPDiscretizer, QuantileDiscretizer, UniformDiscretizer
from gnbayes.encoding import JoinedDiscretizer, NestedDiscretizer
from gnbayes.encoding.discretizers import _base as base

ALL = [QuantileDiscretizer(), UniformDiscretizer(), MDLPDiscretizer(), FixedDiscretizer({0: [0.0]})]
RNG = np.random.default_rng(1)
X = pd.DataFrame(RNG.normal(size=(60, 2)), columns=["a", "b"])
Y = (X["a"] > 0).to_numpy().astype(int)


@pytest.mark.parametrize("bins", ALL, ids=lambda bins: type(bins).__name__)
def test_frames_in_frames_out(bins):
    codes = bins.set_output(transform="pandas").fit(X, Y).transform(X)
    assert codes.columns.tolist() == ["a", "b"]
    assert bins.get_feature_names_out().tolist() == ["a", "b"]
    bins.set_output(transform="default")


@pytest.mark.parametrize("bins", ALL, ids=lambda bins: type(bins).__name__)
def test_labels_name_every_code(bins):
    codes = bins.fit(X, Y).transform(X)
    for j, labels in enumerate(bins.bin_labels_):
        assert len(labels) == bins.n_bins_[j]
        assert codes[:, j].max() < len(labels)
        assert all(X.columns[j] in label for label in labels)


def test_missing_and_unseen_values_have_codes_and_no_value():
    bins = QuantileDiscretizer(2).fit([[1.0], [2.0]])
    codes = bins.transform([[np.nan], [1.5], [2.0]])
    assert codes.ravel().tolist() == [2, 3, 1]
    np.testing.assert_array_equal(bins.inverse_transform(codes).ravel(), [np.nan, np.nan, 2.0])


def test_text_is_refused():
    with pytest.raises(ValueError, match="column 'c' holds text; a discretizer takes numbers only"):
        QuantileDiscretizer().fit(pd.DataFrame({"c": ["x", "y"]}))


def test_codes_to_decode_must_fit():
    bins = QuantileDiscretizer().fit(X)
    with pytest.raises(ValueError, match=r"X must have shape \(n, 2\), one column per feature; got \(3, 1\)"):
        bins.inverse_transform([[0], [0], [1]])
    for wrong in ([[0.5, 0.0]], [[-1, 0]]):
        with pytest.raises(ValueError, match="X must hold codes, whole numbers from 0"):
            bins.inverse_transform(wrong)


SCALED = [*ALL, JoinedDiscretizer(), NestedDiscretizer(), FixedDiscretizer({0: [0.0]}, others=NestedDiscretizer())]


@pytest.mark.parametrize("bins", SCALED, ids=repr)
@pytest.mark.parametrize("factor", [1 / 150, 0.5, 1000.5])
def test_only_ratios_of_fractional_weights_count(bins, factor):
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).random(150) + 0.2
    ours, scaled = (clone(bins).fit(X, y, sample_weight=w).features_ for w in (weights, weights * factor))
    assert ours == scaled


@pytest.mark.parametrize("bins", SCALED, ids=repr)
@pytest.mark.parametrize("weight", [1 / 150, 0.5, 1000.5])
def test_equal_fractional_weights_are_as_good_as_none(bins, weight):
    X, y = load_iris(return_X_y=True)
    assert clone(bins).fit(X, y, sample_weight=np.full(150, weight)).features_ == clone(bins).fit(X, y).features_


@pytest.mark.parametrize("bins", SCALED, ids=repr)
def test_whole_weights_are_so_many_rows(bins):
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).integers(0, 4, 150)
    weighted, repeated = (
        clone(bins).fit(X, y, weights),
        clone(bins).fit(*(np.repeat(a, weights, axis=0) for a in (X, y))),
    )
    for ours, theirs in zip(weighted.bin_edges_, repeated.bin_edges_, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("totals", [RNG.integers(0, 9, 300), RNG.random(300)], ids=["whole", "weights"])
@pytest.mark.parametrize("scale", [1.0, 2.0**-100])
def test_kernel_adds_up_bins_as_numpy_does(monkeypatch, totals, scale):
    values, ends = np.sort(RNG.normal(size=300)), np.array([0, 7, 7, 250, 300])
    found = base.bin_sums(values, totals, ends, scale)
    monkeypatch.setattr(base, "native", None)
    np.testing.assert_array_equal(found, base.bin_sums(values, totals, ends, scale))
    by_hand = [(totals * values * scale)[start:stop].sum() for start, stop in pairwise([0, *ends.tolist()])]
    np.testing.assert_allclose(found[1], by_hand)
