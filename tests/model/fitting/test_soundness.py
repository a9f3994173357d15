"""What the default says of copies, of few rows, and of columns in another order."""

import numpy as np
import pytest

from gnbayes import GeneralizedNB

# The two paths give the same bits (tests/test_weighting.py); this is about what they give.
pytestmark = pytest.mark.once


def few_uncertain(n, seed=0):
    """Four binary features; nine rows of ten have a sure class, the others P = .80 or .20."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.random(n) < 0.09, *(rng.integers(0, 2, (3, n)))]).astype(int)
    proba = np.where(X[:, 0] == 0, 0.0, np.where(X[:, 1] == 1, 0.8, 0.2))
    return X, (rng.random(n) < proba).astype(int)


POINTS = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 1]])


def test_probabilities_converge_to_the_truth():
    X, y = few_uncertain(200_000)
    proba = GeneralizedNB().fit(X, y).predict_proba(POINTS)[:, 1]
    shares = [y[(point == X).all(axis=1)].mean() for point in POINTS]
    np.testing.assert_allclose(proba, shares, atol=0.012)
    np.testing.assert_allclose(proba, [0.8, 0.2, 0.0, 0.0], atol=0.02)
    assert (proba[2:] < 0.0005).all()


def test_one_label_of_twenty_thousand_moves_nothing():
    X, y = few_uncertain(20_000)
    before = GeneralizedNB().fit(X, y).predict_proba(POINTS)
    for at in (np.flatnonzero(X[:, 0] == 0)[0], np.flatnonzero(X[:, 0] == 1)[0]):
        flipped = y.copy()
        flipped[at] = 1 - flipped[at]
        after = GeneralizedNB().fit(X, flipped).predict_proba(POINTS)
        assert np.abs(after - before).max() < 0.01


def normal_rows(n, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] + rng.normal(size=n) > 0).astype(int)


@pytest.mark.slow
def test_five_copies_of_every_row_hardly_say_more_than_one():
    X, y = normal_rows(500)
    new, of_new = normal_rows(2000, seed=1)
    losses = [
        -GeneralizedNB()
        .fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        .predict_log_proba(new)[range(2000), of_new]
        for times in (1, 5)
    ]
    assert losses[1].mean() < losses[0].mean() + 0.015


@pytest.mark.slow
def test_copies_of_a_class_change_its_share_and_not_how_sure_one_is():
    X, y = normal_rows(500)
    times = np.where(y == 1, 3, 1)
    oversampled = GeneralizedNB().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    weighted = GeneralizedNB(class_weight={0: 1.0, 1: 3.0}).fit(X, y)
    difference = oversampled.predict_proba(X)[:, 1] - weighted.predict_proba(X)[:, 1]
    assert np.abs(difference).mean() < 0.03


@pytest.mark.slow
@pytest.mark.parametrize(("n", "most"), [(6, 0.95), (10, 0.9), (20, 0.85)])
def test_few_rows_of_noise_are_hardly_better_than_none(n, most):
    losses = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(n, 5)), np.arange(n) % 2
        proba = GeneralizedNB().fit(X, y).predict_proba(rng.normal(size=(200, 5)))
        losses.append(-np.log(proba).mean())
    assert np.mean(losses) < most


def test_a_class_of_one_row_is_not_memorised():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 5)), np.append(1, np.zeros(29, dtype=int))
    assert GeneralizedNB().fit(X, y).predict_proba(X[:1])[0, 1] < 0.5


@pytest.mark.slow
def test_neither_the_order_of_columns_nor_a_constant_one_matters():
    X, y = normal_rows(300, 6)
    expected = GeneralizedNB().fit(X, y).predict_proba(X)
    rng = np.random.default_rng(1)
    for _ in range(4):
        order = rng.permutation(6)
        found = GeneralizedNB().fit(X[:, order], y).predict_proba(X[:, order])
        np.testing.assert_allclose(found, expected, atol=1e-4)
    constant = np.insert(X, 2, 7.0, axis=1)
    np.testing.assert_allclose(GeneralizedNB().fit(constant, y).predict_proba(constant), expected, atol=1e-4)
