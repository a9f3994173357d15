"""Metrics against scikit-learn's, and against numbers worked out by hand."""

import metrics
import numpy as np
import pytest
from sklearn.metrics import log_loss, roc_auc_score


def random_case(n_classes, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.full(n_classes, 0.3), size=200)
    return rng.integers(0, n_classes, 200), proba


@pytest.mark.parametrize("n_classes", [2, 5])
def test_log_loss_is_that_of_scikit_learn(n_classes):
    y, proba = random_case(n_classes)
    proba = np.maximum(proba, 1e-4)
    proba /= proba.sum(axis=1, keepdims=True)
    assert metrics.log_loss(y, proba) == pytest.approx(log_loss(y, proba, labels=range(n_classes)))


def test_log_loss_of_a_sure_and_wrong_row_is_bounded():
    assert metrics.log_loss(np.array([0]), np.array([[0.0, 1.0]])) == pytest.approx(-np.log(1e-6))


def test_brier_by_hand():
    y, proba = np.array([0, 1]), np.array([[0.5, 0.3, 0.2], [0.0, 1.0, 0.0]])
    assert metrics.brier(y, proba) == pytest.approx((0.25 + 0.09 + 0.04) / 2)


def test_auc_is_that_of_scikit_learn():
    y, proba = random_case(2)
    assert metrics.auc(y, proba) == pytest.approx(roc_auc_score(y, proba[:, 1]))
    y, proba = random_case(4)
    assert metrics.auc(y, proba) == pytest.approx(roc_auc_score(y, proba, multi_class="ovr", average="macro"))


def test_auc_leaves_out_classes_that_the_test_part_lacks():
    y, proba = random_case(4)
    y[y == 3] = 0
    expected = np.mean([roc_auc_score(y == c, proba[:, c]) for c in range(3)])
    assert metrics.auc(y, proba) == pytest.approx(expected)
    assert np.isnan(metrics.auc(np.zeros(200, dtype=int), proba))


def test_calibration_error_by_hand():
    # Confidence 0.85 twice, one of them right; 0.6 once and right; 1 belongs to the last interval.
    proba = np.array([[0.85, 0.15], [0.85, 0.15], [0.4, 0.6], [1.0, 0.0]])
    y = np.array([0, 1, 1, 0])
    assert metrics.calibration_error(y, proba) == pytest.approx((abs(1 - 1.7) + abs(1 - 0.6) + 0.0) / 4)


def test_aligned_gives_unknown_classes_no_probability():
    found = metrics.aligned(np.array([[0.25, 0.75]]), np.array([0, 2]), 3)
    assert found.tolist() == [[0.25, 0.0, 0.75]]


@pytest.mark.parametrize("proba", [[[0.5, 0.6]], [[np.nan, 1.0]], [[-0.5, 1.5]], [[1.0]]])
def test_aligned_refuses_what_are_no_probabilities(proba):
    with pytest.raises(ArithmeticError):
        metrics.aligned(np.array(proba), np.array([0, 1]), 2)
