import numpy as np
import pytest
from classifiers import counted, quantile_bins
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, SplineTransformer

from gnbayes.encoding.discretizers._transformer import learn_with_transformer

RNG = np.random.default_rng(0)
X = RNG.normal(size=(100, 3))
Y = (X[:, 0] + X[:, 1] > 0).astype(int)


def test_bin_edges_of_scikit_learn_become_intervals():
    kbins = KBinsDiscretizer(4, encode="onehot", strategy="uniform")
    clf = counted(discretizer=kbins).fit(X, Y)
    assert [feature.kind for feature in clf.features_] == ["interval"] * 3
    np.testing.assert_array_equal(clf.features_[1].edges, clone_fit(kbins, X[:, [1]]).bin_edges_[0][1:-1])


def clone_fit(transformer, X):
    return KBinsDiscretizer(**transformer.get_params()).fit(X)


def test_outputs_of_any_transformer_become_categories():
    clf = counted(discretizer=FunctionTransformer(np.sign)).fit(X, Y)
    assert [feature.categories for feature in clf.features_] == [(-1.0, 1.0)] * 3
    signs = counted().fit(np.sign(X), Y)
    np.testing.assert_array_equal(clf.predict_proba(X), signs.predict_proba(np.sign(X)))


def test_missing_values_never_reach_the_transformer():
    gaps = X.copy()
    gaps[::7, 1] = np.nan
    gaps[:, 2] = np.nan
    clf = counted(discretizer=KBinsDiscretizer(3, encode="ordinal", strategy="uniform")).fit(gaps, Y)
    assert [feature.has_missing for feature in clf.features_] == [False, True, True]
    assert np.isfinite(clf.predict_proba(gaps)).all()
    clf = counted(discretizer=FunctionTransformer(np.sign)).fit(gaps, Y)
    assert np.isfinite(clf.predict_proba(gaps)).all()


def test_weights_reach_a_transformer_that_takes_them():
    weights = np.repeat([0.1, 5.0], 50)
    kbins = quantile_bins(2)
    light = learn_with_transformer(kbins, "a", np.arange(100.0), Y, None)
    heavy = learn_with_transformer(kbins, "a", np.arange(100.0), Y, weights)
    assert heavy.edges[0] > light.edges[0]


def test_a_transformer_must_give_one_number_for_each():
    with pytest.raises(ValueError, match=r"discretizer SplineTransformer\(\) must give one finite number for each"):
        counted(discretizer=SplineTransformer()).fit(X, Y)


def test_batches_may_bring_new_outputs():
    clf = counted(discretizer=FunctionTransformer(np.round))
    clf.partial_fit([[0.1], [1.2]], [0, 1], classes=[0, 1]).partial_fit([[2.2], [np.nan]], [0, 1])
    assert clf.features_[0].categories == (0.0, 1.0, 2.0)
    assert clf.features_[0].has_missing
