"""Which question to ask next, and how unusual a row is: against literal twins."""

import itertools
import re

import numpy as np
import pytest
from classifiers import counted
from mixed_tables import mixed_frame

from gnbayes import GeneralizedNB
from gnbayes.model import TEMPERING, completion_of, question_values, unusualness
from gnbayes.model.model import softmax


@pytest.fixture(scope="module")
def weighted():
    frame, labels = mixed_frame()
    return GeneralizedNB(n_fits=1).fit(frame, labels), frame


def test_draws_are_what_predictions_are_averaged_over(weighted):
    clf, frame = weighted
    completion = completion_of(clf.model_)
    sizes = np.array([len(own) for own in clf.model_.maps])
    codes = clf._codes(frame[:6])
    for row, n_unknown in zip(codes, (1, 1, 2, 3, 5, 7), strict=True):
        known = np.where(np.arange(7) < 7 - n_unknown, row, sizes)
        draws = completion.draw(known)
        assert draws.weights.sum() == pytest.approx(1, abs=1e-12)
        mean = draws.weights @ softmax(completion.total.scores(draws.codes)[0])
        np.testing.assert_allclose(mean, completion.average(known[None])[0], atol=1e-13)


def test_the_value_of_a_question_of_a_counted_model_is_its_definition():
    frame, labels = mixed_frame()
    clf = counted().fit(frame, labels)
    joint = clf.joint_
    sizes = joint.cardinalities
    known = clf._codes(frame[3:4])[0].astype(int)
    unknown = [1, 4]
    known[unknown] = sizes[unknown]
    table = {}
    for values in itertools.product(*(range(sizes[j]) for j in unknown)):
        row = known.copy()
        row[unknown] = values
        table[values] = np.exp(joint.log_joint(row[None].astype(np.uint32))[0])
    whole = sum(table.values())
    for at, j in enumerate(unknown):
        expected = 0.0
        for value in range(sizes[j]):
            part = sum(cell for values, cell in table.items() if values[at] == value)
            expected += part.sum() / whole.sum() * abs(part[1] / part.sum() - whole[1] / whole.sum())
        assert question_values(clf.model_, known[None])[0, j] == pytest.approx(expected, abs=1e-12)


def test_the_value_of_the_only_question_of_a_weighted_model_is_its_definition(weighted):
    clf, frame = weighted
    j = clf.features_.index(next(feature for feature in clf.features_ if feature.name == "age"))
    codes = clf._codes(frame[5:6]).astype(np.uint32)
    size = len(clf.model_.maps[j])
    unknown = codes.copy()
    unknown[0, j] = size
    log_known = clf.joint_.log_joint(clf.model_.joint_codes(unknown))[0]
    posterior = np.exp(clf.joint_.log_prior) * np.exp((log_known - clf.joint_.log_prior) * TEMPERING)
    posterior /= posterior.sum()
    share, proba = np.zeros(size), np.zeros((size, 2))
    for code in range(size):
        codes[0, j] = code
        given = np.exp(clf.joint_.log_joint(clf.model_.joint_codes(codes))[0] - log_known) * clf.model_.within[j][code]
        share[code], proba[code] = posterior @ given, softmax(clf.model_.scores(codes))[0]
    expected = share @ abs(proba[:, 1] - share @ proba[:, 1])
    assert share.sum() == pytest.approx(1)
    assert question_values(clf.model_, unknown)[0, j] == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
def test_a_feature_that_is_noise_is_not_worth_asking():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 6))
    y = X[:, 0] + rng.normal(size=800) > 0
    clf = GeneralizedNB().fit(X, y)
    values = clf.question_values(X[:1], unknown=range(6))[0]
    proba = clf.predict_proba(X)[:, 1]
    assert values.argmax() == 0
    assert values[0] == pytest.approx(np.abs(proba - proba.mean()).mean(), rel=0.15)
    assert values[1:].max() < values[0] / 3


def test_what_is_known_or_not_used_is_not_asked(weighted):
    clf, frame = weighted
    assert not clf.question_values(frame[1:2].bfill(axis=0)[["age", *frame.columns[1:]]], unknown=[]).any()
    values = clf.question_values(frame[:1], unknown=["age", "sex"])[0]
    assert (values > 0).sum() <= 2
    few = GeneralizedNB(n_features=2, interactions="tree").fit(*mixed_frame())
    values = few.question_values(frame[:1], unknown=list(frame))
    assert (values[0] > 0).sum() == 2


def test_complete_rows_are_as_unusual_as_their_log_probability_is_low(weighted):
    clf, frame = weighted
    some = frame.dropna()[:50]
    order = np.argsort(clf.unusualness(some), kind="stable")
    assert np.array_equal(order, np.argsort(-clf.score_samples(some), kind="stable"))


def test_unusualness_is_its_definition(weighted):
    clf, frame = weighted
    model = clf.model_
    sizes = np.array([len(own) for own in model.maps])
    codes = np.where([True, False, True, True, False, False, True], clf._codes(frame[:4]), sizes)
    people = completion_of(model).draw(sizes).codes
    logs = model.log_evidence(np.where(codes[0] >= sizes, sizes, people))
    expected = (logs.mean() - model.log_evidence(codes)) / logs.std()
    np.testing.assert_allclose(unusualness(model, codes), expected, atol=1e-12)


def test_nothing_is_neither_usual_nor_unusual(weighted):
    clf, frame = weighted
    assert clf.unusualness(frame[:1], unknown=list(frame)).tolist() == [0.0]


@pytest.mark.parametrize("name", ["unusualness", "question_values"])
def test_the_rule_of_the_paper_cannot_be_asked(name):
    frame, labels = mixed_frame()
    clf = counted(smoothing="paper").fit(frame, labels)
    message = (
        f"{name} needs probabilities that unknown features can be summed out of, which smoothing='paper' does not "
        "give; use smoothing='additive' or weighting='discriminative'."
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        getattr(clf, name)(frame[:1])
