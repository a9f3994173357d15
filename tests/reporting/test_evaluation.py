"""What is measured is what the evidence says of scored rows."""

import json

import numpy as np
import pytest
from sklearn import metrics
from sklearn.base import clone

from gnbayes import selection_curve
from gnbayes.evaluation import cross_validate as validated
from gnbayes.evaluation import group_codes, score
from gnbayes.evidence import Risks, assess
from gnbayes.reporting.evaluation import FEWEST_REFITS, Parts, Plan, choose_numbers, evaluate
from gnbayes.reporting.scoring import Rows, choose_folds, cross_validate


def rows_of(clf, frame, labels, groups=None):
    return Rows(frame, np.searchsorted(clf.classes_, labels), groups)


def measured(clf, frame, labels, *, is_seen, groups=None, **plan):
    rows = rows_of(clf, frame, labels, groups)
    plan = {"classes": [0], "event": 0, "parts": [], "n_refits": 0, **plan}
    return evaluate(clf, rows, np.full(len(labels), is_seen), Plan(**plan))


@pytest.fixture(scope="module")
def split(binary):
    clf, frame, labels = binary
    return clone(clf).fit(frame[:250], labels[:250]), frame[250:], labels[250:]


def test_new_rows(split):
    clf, frame, labels = split
    found = measured(clf, frame, labels, is_seen=False)
    assert (found["rows"], found["seen"], found["folds"]) == (150, 0, 0)
    assert found["numbers"] is None
    assert found["instability"] is None
    risk, is_ill = clf.predict_proba(frame)[:, 0], labels == "ill"
    [one] = found["assessed"]
    assert one["events"] == is_ill.sum()
    assert one["auroc"][0] == pytest.approx(metrics.roc_auc_score(is_ill, risk), abs=1e-5)
    assert one["brier"][0] == pytest.approx(metrics.brier_score_loss(is_ill, risk), abs=1e-5)
    assert one["logloss"][0] == pytest.approx(metrics.log_loss(is_ill, risk), abs=1e-5)
    predicted = clf.predict(frame)
    assert found["classification"]["confusion"] == metrics.confusion_matrix(labels, predicted).ravel().tolist()
    assert found["classification"]["accuracy"][0] == pytest.approx(metrics.accuracy_score(labels, predicted), abs=1e-5)


@pytest.mark.slow
def test_everything_is_plain(weighted):
    clf, frame, labels = weighted
    parts = [Parts("sex", (frame["sex"] == "m").to_numpy().astype(np.intp), ["f", "m"])]
    found = measured(clf, frame, labels, is_seen=True, parts=parts, n_refits=2)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_every_list_is_that_of_the_evidence(split):
    clf, frame, labels = split
    [one] = measured(clf, frame, labels, is_seen=False)["assessed"]
    expected = assess(Risks(clf.predict_proba(frame)[:, 0], labels == "ill"))
    assert one["truePositives"] == expected.decisions.true_positives.tolist()
    np.testing.assert_allclose(one["netBenefit"], expected.decisions.net_benefit, atol=1e-5)
    np.testing.assert_allclose(one["curve"]["observed"], expected.calibration.curve.observed, atol=1e-4)
    assert sum(one["eventsByRisk"]) == one["events"]
    assert one["slope"][0] == pytest.approx(expected.calibration.slope.value, abs=1e-5)
    assert max(len(one["roc"][0]), len(one["curve"]["low"])) <= 50


def test_all_classes_of_more_than_two(many_classes):
    clf, frame, labels = many_classes
    found = measured(clf, frame[:300], labels[:300], is_seen=False, classes=[0, 1, 2, 3], event=None)
    proba = clf.predict_proba(frame[:300])
    areas = [one["auroc"][0] for one in found["assessed"]]
    expected = [metrics.roc_auc_score(labels[:300] == name, proba[:, y]) for y, name in enumerate(clf.classes_)]
    np.testing.assert_allclose(areas, expected, atol=1e-5)
    assert found["parts"] == []


def test_one_row_and_one_class(split):
    clf, frame, labels = split
    one = measured(clf, frame[:1], labels[:1], is_seen=False)["assessed"][0]
    assert (one["auroc"], one["roc"], one["curve"]) == ([None, None, None], None, None)
    is_ill = labels == "ill"
    one = measured(clf, frame[is_ill], labels[is_ill], is_seen=False)["assessed"][0]
    assert one["auroc"][0] is None
    assert one["scaledBrier"][0] is None


def test_rows_that_cannot_be_left_out_are_not_measured(binary):
    clf, frame, labels = binary
    alone = np.where(np.arange(len(labels)) == 0, "alone", labels)
    clf = clone(clf).fit(frame, alone)
    assert measured(clf, frame, alone, is_seen=True) == {"obstacle": "class"}


def test_fewer_features_are_whole_refits_and_the_model_comes_last(binary):
    clf, frame, labels = binary
    found = measured(clf, frame, labels, is_seen=True)
    curve = found["numbers"]
    assert curve["numbers"] == [1, 2, 3, 4, 5, 6, 7]
    assert curve["logloss"][-1] == found["classification"]["logloss"]
    assert curve["auroc"][-1] == found["assessed"][0]["auroc"]
    rows = rows_of(clf, frame, labels)
    proba = cross_validate(clf, rows, choose_folds(rows, 2), n_features=3)
    assert curve["logloss"][2][0] == pytest.approx(metrics.log_loss(labels, proba), abs=1e-5)


def test_features_of_the_slider_are_those_of_the_curve(binary):
    clf, frame, labels = binary
    found = measured(clf, frame, labels, is_seen=True)["numbers"]
    rows = rows_of(clf, frame, labels)
    folds = choose_folds(rows, 2)
    curve = selection_curve(clf, frame, labels, cv=folds, scoring="neg_log_loss")
    names = [clf.features_[j].name for j in clf.tree_.order]
    assert tuple(names[at] for at in found["order"]) == curve.order
    for number, shares in zip(found["numbers"], found["chosenIn"], strict=False):
        assert shares == [curve.stability(number).get(name, 0.0) for name in curve.order[:number]]


def test_a_model_of_chosen_features_says_how_often_folds_choose_them(binary):
    clf, frame, labels = binary
    few = clone(clf).set_params(n_features=3).fit(frame, labels)
    found = measured(few, frame, labels, is_seen=True)["numbers"]
    curve = selection_curve(few, frame, labels, cv=choose_folds(rows_of(few, frame, labels), 2), scoring="accuracy")
    assert found["numbers"] == [1, 2, 3]
    assert found["chosenIn"][2] == [curve.stability(3).get(name, 0.0) for name in curve.order[:3]]
    assert found["isStable"] == [curve.is_stable(n) for n in (1, 2, 3)]
    # All features are no choice.
    assert len(measured(clf, frame, labels, is_seen=True)["numbers"]["isStable"]) == 6


def test_numbers_of_features_to_try():
    assert choose_numbers(1, 100) == []
    assert choose_numbers(4, 100) == [1, 2, 3]
    assert len(choose_numbers(100, 400)) <= 10
    assert len(choose_numbers(100, 5_000)) <= 6
    assert choose_numbers(1000, 1_000_000) == []


@pytest.mark.slow
def test_instability_is_that_of_refits(weighted):
    clf, frame, labels = weighted
    found = measured(clf, frame, labels, is_seen=True, n_refits=3)["instability"]
    assert (found["refits"], found["rows"]) == (3, 400)
    [one] = found["classes"]
    assert 0 < one["mape"] < 0.3
    assert len(one["risk"]) == 20
    assert found == measured(clf, frame, labels, is_seen=True, n_refits=3)["instability"]


@pytest.mark.slow
def test_refits_end_with_the_time_but_not_before_the_fewest(binary, monkeypatch):
    clf, frame, labels = binary
    monkeypatch.setattr("gnbayes.reporting.evaluation.SECONDS", 0.0)
    shares = []
    found = measured(clf, frame[:80], labels[:80], is_seen=True, n_refits=None, progress=shares.append)
    assert found["instability"]["refits"] == FEWEST_REFITS
    assert shares[-1] == 1.0
    assert shares == sorted(shares)


def test_parts_are_measured_apart(split):
    clf, frame, labels = split
    is_man = (frame["sex"] == "m").to_numpy()
    found = measured(clf, frame, labels, is_seen=False, parts=[Parts("Sex", is_man.astype(np.intp), ["f", "m"])])
    [part] = found["parts"]
    assert part["name"] == "Sex"
    women = part["parts"][0]
    assert (women["name"], women["rows"]) == ("f", (~is_man).sum())
    risk = clf.predict_proba(frame)[~is_man, 0]
    assert women["auroc"][0] == pytest.approx(metrics.roc_auc_score(labels[~is_man] == "ill", risk), abs=1e-5)
    assert women["meanRisk"] == pytest.approx(risk.mean(), abs=1e-5)


@pytest.mark.parametrize("has_groups", [pytest.param(False, marks=pytest.mark.slow), True])
def test_scores_and_intervals_of_seen_rows_are_those_that_the_shell_prints(binary, has_groups):
    clf, frame, labels = binary
    groups = np.arange(len(labels)) // 4 if has_groups else None
    numbers = None if groups is None else group_codes(groups)
    found = measured(clf, frame, labels, is_seen=True, groups=numbers)
    expected = score(validated(clf, frame, labels, groups).predictions, positive=0)
    assert found["classification"]["accuracy"] == pytest.approx(plain(expected.accuracy), abs=1e-5)
    assert found["classification"]["logloss"] == pytest.approx(plain(expected.log_loss), abs=1e-5)
    assert found["assessed"][0]["auroc"] == pytest.approx(plain(expected.auroc["ill"]), abs=1e-5)


def plain(estimate):
    return [estimate.value, estimate.low, estimate.high]


@pytest.mark.slow
def test_fewer_features_are_scored_with_whole_groups_held_out_inside_the_folds(weighted):
    clf, frame, labels = weighted
    groups = np.arange(len(labels)) // 40
    clf = clone(clf).set_params(interactions="tree", n_fits=1).fit(frame, labels, groups=groups)
    rows = rows_of(clf, frame, labels, groups)
    found = measured(clf, frame, labels, is_seen=True, groups=groups)["numbers"]
    proba = cross_validate(clf, rows, choose_folds(rows, 2), n_features=2)
    assert found["logloss"][1][0] == pytest.approx(metrics.log_loss(labels, proba), abs=1e-5)
