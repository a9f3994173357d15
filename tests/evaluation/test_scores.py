import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax
from sklearn.metrics import accuracy_score, brier_score_loss, confusion_matrix, log_loss, precision_score, recall_score

from gnbayes.evaluation import (
    Predictions,
    brier_losses,
    log_losses,
    mean_interval,
    score,
    score_groups,
    wilson_interval,
)


def predictions(seed=0, n=80, k=2, **parts):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, k, n)
    proba = softmax(rng.normal(size=(n, k)) + 1.5 * np.eye(k)[labels], axis=1)
    names = np.array(["a", "b", "c", "d"][:k])
    return Predictions(proba, labels, names, np.tile(np.full(k, 1 / k), (n, 1)), **parts)


@given(st.integers(0, 1000), st.sampled_from([2, 3, 4]))
def test_scores_are_those_of_scikit_learn(seed, k):
    given_, found = predictions(seed, k=k), score(predictions(seed, k=k))
    y, predicted = given_.labels, given_.proba.argmax(axis=1)
    assert found.accuracy.value == accuracy_score(y, predicted)
    assert found.log_loss.value == pytest.approx(log_loss(y, given_.proba, labels=range(k)))
    assert found.prior_log_loss == pytest.approx(np.log(k))
    assert (found.confusion == confusion_matrix(y, predicted, labels=range(k))).all()
    for at, name in enumerate("abcd"[:k]):
        if (y == at).any():
            assert found.recall[name].value == pytest.approx(recall_score(y == at, predicted == at))
        if (predicted == at).any():
            assert found.precision[name].value == pytest.approx(precision_score(y == at, predicted == at))


@given(st.integers(0, 1000))
def test_the_brier_score_of_two_classes_is_that_of_scikit_learn(seed):
    given_ = predictions(seed)
    expected = brier_score_loss(given_.labels, given_.proba[:, 1])
    assert score(given_).brier.value == pytest.approx(expected)


def test_the_brier_score_of_more_classes_is_the_sum():
    proba, labels = np.array([[0.2, 0.3, 0.5]]), np.array([2])
    assert brier_losses(proba, labels)[0] == pytest.approx(0.04 + 0.09 + 0.25)


def test_a_probability_of_zero_has_a_finite_loss():
    assert log_losses(np.array([[1.0, 0.0]]), np.array([1]))[0] == pytest.approx(36.04, abs=0.01)


def test_intervals():
    given_ = predictions()
    found = score(given_)
    losses = log_losses(given_.proba, given_.labels)
    assert found.accuracy == wilson_interval(found.accuracy.value, 80)
    assert found.log_loss == mean_interval(losses)
    assert found.gain == mean_interval(np.log(2) - losses)


def test_the_positive_class():
    given_ = predictions()
    assert list(score(given_).auroc) == ["b"]
    assert list(score(given_, positive=0).auroc) == ["a"]
    assert score(given_, positive=0).auroc["a"].value == pytest.approx(score(given_).auroc["b"].value)
    assert list(score(predictions(k=3)).auroc) == ["a", "b", "c"]


def test_groups_are_scored_by_themselves_the_largest_first():
    given_ = predictions(n=60)
    groups = np.array(["x"] * 15 + ["y"] * 40 + [None] * 5, dtype=object)
    found = score_groups(given_, groups)
    assert list(found) == ["y", "x", "missing"]
    assert found["x"].to_dict() == score(given_.take(np.arange(15))).to_dict()
    assert [one.n_rows for one in found.values()] == [40, 15, 5]


def test_clusters_widen_all_intervals():
    clusters = np.repeat(np.arange(20), 4)
    once = predictions(n=20)
    copied = Predictions(
        *(np.repeat(part, 4, axis=0) for part in (once.proba, once.labels)),
        once.classes,
        np.full((80, 2), 0.5),
        clusters,
    )
    apart = Predictions(copied.proba, copied.labels, copied.classes, copied.prior)
    for name in ("accuracy", "log_loss", "gain", "brier"):
        wide, narrow = getattr(score(copied), name), getattr(score(apart), name)
        assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


def test_rows_of_one_class_have_no_area():
    given_ = predictions().take(np.flatnonzero(predictions().labels == 1))
    found = score(given_)
    assert found.auroc == {}
    assert found.calibration["b"].slope is None
    assert "a" not in found.recall
