"""Scores for every number of features, checked against scikit-learn and against literal formulas."""

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn import metrics

from gnbayes import GeneralizedNB, selection_curve
from gnbayes.encoding import check_table, encode
from gnbayes.reporting.evaluation import (
    auc_error,
    calibration_points,
    choose_steps,
    evaluate,
    roc_points,
    share_interval,
)
from gnbayes.reporting.scoring import Rows


def coded(clf, frame, labels):
    codes = encode(check_table(clf, frame, reset=False), clf.features_)
    return Rows(frame, codes, np.searchsorted(clf.classes_, labels))


@pytest.fixture(scope="module")
def split(binary):
    _, frame, labels = binary
    clf = GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(frame[:250], labels[:250])
    return clf, frame[250:], labels[250:]


def test_scores_on_new_rows_are_those_of_scikit_learn(split):
    clf, frame, labels = split
    found = evaluate(clf, coded(clf, frame, labels), 1)
    assert found["how"] == "new"
    assert found["steps"] == list(range(1, 8))
    scores = {name: column["mean"][-1] for name, column in found["scores"].items()}
    proba, predicted = clf.predict_proba(frame), clf.predict(frame)
    assert scores["accuracy"] == pytest.approx(metrics.accuracy_score(labels, predicted), abs=1e-5)
    # Rows that tie are told apart by the last bit of their sums, here and there.
    assert scores["auc"] == pytest.approx(metrics.roc_auc_score(labels == "well", proba[:, 1]), abs=5e-4)
    assert scores["logloss"] == pytest.approx(metrics.log_loss(labels, proba), abs=1e-5)
    assert scores["sensitivity"] == pytest.approx(metrics.recall_score(labels, predicted, pos_label="well"), abs=1e-5)
    assert scores["specificity"] == pytest.approx(metrics.recall_score(labels, predicted, pos_label="ill"), abs=1e-5)
    assert found["confusion"][-1] == metrics.confusion_matrix(labels, predicted).ravel().tolist()


def test_training_rows_are_known_by_their_counts_and_left_out_in_turn(binary):
    clf, frame, labels = binary
    found = evaluate(clf, coded(clf, frame, labels), 1)
    assert found["how"] == "leave-one-out"
    curve = selection_curve(clf, frame, labels, scoring=["accuracy", "neg_log_loss"])
    np.testing.assert_allclose(found["scores"]["accuracy"]["mean"], curve.mean("accuracy"), atol=1e-5)
    np.testing.assert_allclose(found["scores"]["logloss"]["mean"], -curve.mean("neg_log_loss"), atol=1e-5)
    assert found["best"] == {"best": curve.best("neg_log_loss"), "fewest": curve.one_standard_error("neg_log_loss")}


def test_a_weighted_model_has_one_more_place_than_steps(weighted):
    clf, frame, labels = weighted
    found = evaluate(clf, coded(clf, frame, labels), 1)
    assert (found["how"], found["folds"]) == ("cross-validation", 5)
    assert found["steps"] == list(range(1, 8))
    for part in ("confusion", "roc", "calibration"):
        assert len(found[part]) == 8
    assert all(len(column["mean"]) == 8 for column in found["scores"].values())
    assert set(found["best"].values()) <= set(found["steps"])


def test_more_than_two_classes(many_classes):
    clf, frame, labels = many_classes
    found = evaluate(clf, coded(clf, frame[:300], labels[:300]), 3)
    assert list(found["scores"]) == ["accuracy", "auc", "balanced", "logloss"]
    proba = clf.predict_proba(frame[:300])
    expected = metrics.roc_auc_score(labels[:300], proba, multi_class="ovr")
    assert found["scores"]["auc"]["mean"][-1] == pytest.approx(expected, abs=1e-5)
    assert [len(curves) for curves in found["roc"]] == [4] * 7


def test_a_class_without_rows_has_no_curve(split):
    clf, frame, labels = split
    is_well = labels == "well"
    found = evaluate(clf, coded(clf, frame[is_well], labels[is_well]), 1)
    assert found["roc"][-1] == [None]
    assert found["scores"]["auc"]["mean"] == [None] * 7
    assert found["scores"]["specificity"]["mean"] == [None] * 7
    assert found["scores"]["sensitivity"]["mean"][-1] is not None


def test_one_row(split):
    clf, frame, labels = split
    found = evaluate(clf, coded(clf, frame[:1], labels[:1]), 1)
    assert found["scores"]["logloss"]["low"] == [None] * 7


def test_roc_points_lie_on_the_curve_of_scikit_learn():
    rng = np.random.default_rng(0)
    is_positive = rng.random(500) < 0.4
    score = np.round(rng.normal(size=500) + is_positive, 1)
    points = np.array(roc_points(score, is_positive)).reshape(-1, 2)
    assert len(points) <= 33
    assert points[0].tolist() == [0, 0]
    assert points[-1].tolist() == [1000, 1000]
    alarms, hits, _ = metrics.roc_curve(is_positive, score, drop_intermediate=False)
    exact = np.rint(1000 * np.stack([alarms, hits], axis=1))
    assert all((exact == point).all(axis=1).any() for point in points)


def test_calibration_points():
    share = np.array([0.05, 0.07, 0.95, 1.0, 0.5])
    is_positive = np.array([False, True, True, True, False])
    low, middle, high = calibration_points(share, is_positive)
    assert low[:2] == [0.06, 0.5]
    assert middle[4] == 1
    assert high[:2] == [0.975, 1.0]
    assert [point[4] for point in (low, middle, high)] == [2, 1, 2]


@pytest.mark.parametrize(("hits", "n"), [(0, 5), (5, 5), (33, 100), (1, 1)])
def test_intervals_of_shares_are_those_of_wilson(hits, n):
    expected = binomtest(hits, n).proportion_ci(method="wilson")
    assert share_interval(hits, n) == pytest.approx((hits / n, expected.low, expected.high), abs=1e-6)


def test_the_error_of_the_area_is_that_of_delong():
    rng = np.random.default_rng(1)
    is_positive = rng.random(80) < 0.5
    score = np.round(rng.normal(size=80) + is_positive, 1)
    above = (score[is_positive][:, None] > score[~is_positive]) + 0.5 * (
        score[is_positive][:, None] == score[~is_positive]
    )
    by_row, by_column = above.mean(axis=1), above.mean(axis=0)
    expected = by_row.var(ddof=1) / len(by_row) + by_column.var(ddof=1) / len(by_column)
    assert auc_error(score, is_positive) == pytest.approx(np.sqrt(expected))
    assert auc_error(score[:1], is_positive[:1]) is None


def test_steps():
    assert choose_steps(100) == tuple(range(1, 101))
    assert choose_steps(101)[-1] == 101
    assert list(choose_steps(10_000)) == sorted(set(choose_steps(10_000)))
    assert len(choose_steps(10_000)) <= 100
    assert len(choose_steps(100, n_classes=20)) <= 50
    assert choose_steps(100, n_classes=500)[-1] == 100
