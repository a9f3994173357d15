"""Reasons by feature add up, and start where the page starts."""

import numpy as np
import pytest
from classifiers import alone, counted, pair_of
from mixed_tables import mixed_frame

from gnbayes import GeneralizedNB
from gnbayes.model import reasons_by_feature


@pytest.fixture(scope="module", params=["weighted", "counted", "prior"])
def fitted(request):
    frame, labels = mixed_frame(300, 3)
    clf = {
        "weighted": GeneralizedNB(n_fits=1),
        "counted": counted(),
        "prior": GeneralizedNB(class_prior=[0.2, 0.5, 0.3], n_fits=1),
    }[request.param].fit(frame, labels)
    return clf, frame


def relative(scores):
    return scores - scores.mean(axis=-1, keepdims=True)


@pytest.mark.parametrize("unknown", [[], ["age"], ["age", "sex", "ward"]])
def test_they_sum_to_the_scores(fitted, unknown):
    clf, frame = fitted
    codes = clf._codes(frame[:20], unknown)
    found = reasons_by_feature(clf.model_, codes)
    total = found.start + found.contributions.sum(axis=1) + found.unknown
    np.testing.assert_allclose(relative(total), relative(clf.model_.scores(codes)), atol=1e-10)


def test_where_nothing_is_known_the_start_is_the_answer(fitted):
    clf, frame = fitted
    found = reasons_by_feature(clf.model_, clf._codes(frame[:1], list(frame)))
    np.testing.assert_allclose(np.exp(found.start), np.exp(clf.joint_.log_prior))
    np.testing.assert_allclose(relative(found.unknown), 0, atol=1e-10)
    assert not found.contributions.any()


def test_where_everything_is_known_nothing_is_left_over(fitted):
    clf, frame = fitted
    found = reasons_by_feature(clf.model_, clf._codes(frame.dropna()[:3]))
    np.testing.assert_allclose(found.unknown, 0, atol=1e-12)


def test_a_pair_is_shared_evenly():
    frame, labels = mixed_frame()
    clf = GeneralizedNB(interactions="tree").fit(frame, labels)
    model = clf.model_
    codes = clf._codes(frame.dropna()[:1])
    importances, beyond = model.anchor.importances, model.intercept - model.joint.log_prior
    for j in clf.feature_order_.tolist():
        expected = alone(clf, j)[codes[0, j]] + importances[j] * beyond
        for term in model.terms:
            if len(term.features) == 2 and j in term.features:
                expected = expected + term.contributions(codes)[0] / 2
        np.testing.assert_allclose(reasons_by_feature(model, codes).contributions[0, j], expected, atol=1e-12)
    assert any(pair_of(clf, j) is not None for j in clf.feature_order_.tolist())
