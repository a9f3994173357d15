"""Metadata routing and set_output of scikit-learn, through pipelines and searches."""

import numpy as np
import pandas as pd
import pytest
from classifiers import counted
from sklearn import config_context
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline

from gnbayes import AODE, AveragedTAN, GeneralizedNB, GNBSelector, QuantileDiscretizer, SelectiveNB

# Routing is scikit-learn's, and passes parameters on.
pytestmark = pytest.mark.once


@pytest.fixture
def routing():
    with config_context(enable_metadata_routing=True):
        yield


@pytest.fixture(scope="module")
def weighted_rows(wdbc):
    X, y = wdbc
    return X[:200, :6], y[:200], np.arange(200) % 5


CLASSIFIERS = [counted(), AODE(), AveragedTAN(), SelectiveNB()]


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
@pytest.mark.usefixtures("routing")
def test_weights_reach_a_classifier_in_a_pipeline(clf, weighted_rows):
    X, y, weights = weighted_rows
    pipeline = make_pipeline(
        GNBSelector(n_features=4).set_fit_request(sample_weight=False), clf.set_fit_request(sample_weight=True)
    )
    pipeline.fit(X, y, sample_weight=weights)
    kept = pipeline[0].transform(X)
    expected = type(clf)(**clf.get_params()).fit(kept, y, sample_weight=weights)
    np.testing.assert_array_equal(pipeline.predict_proba(X), expected.predict_proba(kept))


@pytest.mark.usefixtures("routing")
def test_weights_reach_a_discretizer(weighted_rows):
    X, y, weights = weighted_rows
    bins = QuantileDiscretizer(4).set_fit_request(sample_weight=True)
    pipeline = make_pipeline(bins, counted().set_fit_request(sample_weight=False))
    pipeline.fit(X, y, sample_weight=weights)
    expected = QuantileDiscretizer(4).fit(X, y, sample_weight=weights)
    for found, edges in zip(pipeline[0].bin_edges_, expected.bin_edges_, strict=True):
        np.testing.assert_array_equal(found, edges)


@pytest.mark.usefixtures("routing")
def test_weights_reach_searches_and_scores(weighted_rows):
    X, y, weights = weighted_rows
    clf = counted().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    search = GridSearchCV(clf, {"n_bins": [3, 5]}, cv=3).fit(X, y, sample_weight=weights)
    assert search.best_estimator_.counts_.n == weights.sum()
    scores = cross_validate(clf, X, y, cv=3, params={"sample_weight": weights})
    assert len(scores["test_score"]) == 3


@pytest.mark.usefixtures("routing")
def test_weights_that_nobody_asked_for_are_an_error(weighted_rows):
    X, y, weights = weighted_rows
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        make_pipeline(counted()).fit(X, y, sample_weight=weights)


@pytest.mark.usefixtures("routing")
def test_unknown_columns_reach_a_classifier_in_a_pipeline(weighted_rows):
    X, y, _ = weighted_rows
    clf = GeneralizedNB(interactions="tree").set_predict_proba_request(unknown=True)
    pipeline = make_pipeline(GNBSelector(counted(), n_features=4), clf).fit(X, y)
    found = pipeline.predict_proba(X, unknown=[0, 2])
    np.testing.assert_array_equal(found, pipeline[-1].predict_proba(pipeline[0].transform(X), unknown=[0, 2]))


def test_frames_come_out_of_a_pipeline_with_names(weighted_rows):
    X, y, _ = weighted_rows
    frame = pd.DataFrame(X, columns=list("abcdef"))
    pipeline = make_pipeline(GNBSelector(n_features=4), QuantileDiscretizer(3)).set_output(transform="pandas")
    out = pipeline.fit_transform(frame, y)
    assert list(out.columns) == list(pipeline.get_feature_names_out())
    assert len(out.columns) == 4
    clf = counted().fit(out, y)
    assert clf.feature_names_in_.tolist() == list(out.columns)
