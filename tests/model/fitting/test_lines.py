"""Straight lines are logistic regression on codes."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from gnbayes.counting import CodedRows
from gnbayes.model.fitting import TermSpec, find_training_rows, learn_lines
from gnbayes.model.fitting.bases import line_basis

LINES = [TermSpec((j,), (np.arange(9),), "line", (False,)) for j in range(3)]
# Ridge penalty on the difference of the intercept from the log shares of the classes.
OF_INTERCEPT = 2.0


def coded(n_classes, n=150):
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(0, 9, (n, 3))
    slopes = np.array([[0.0, 0.3, -0.2], [0.1, -0.1, 0.2], [-0.3, 0.0, 0.1]])[:n_classes]
    y = ((codes - 4) @ slopes.T + rng.gumbel(size=(n, n_classes))).argmax(axis=1)
    return CodedRows(codes.astype(np.uint8), y.astype(np.intp), np.full(3, 9), n_classes)


def regression(Z, y, weights, base, penalty):
    """Log-probabilities by the literal objective: one intercept and slope for each class, fitted by SciPy."""
    k, d = len(base), Z.shape[1]

    def log_proba(x):
        intercept, slopes = np.split(x, [k])
        return log_softmax(base + intercept + Z @ slopes.reshape(d, k), axis=1)

    def objective(x):
        intercept, slopes = np.split(x, [k])
        ridge = OF_INTERCEPT * (intercept**2).sum() + penalty * (slopes**2).sum()
        return -(weights * log_proba(x)[np.arange(len(y)), y]).sum() + ridge / 2

    return log_proba(minimize(objective, np.zeros(k + k * d), method="BFGS", options={"gtol": 1e-5}).x)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_lines_are_the_logistic_regression_that_is_best_on_held_out_rows(n_classes):
    rows = coded(n_classes)
    some = find_training_rows([0, 1, 2], rows).distinct
    held_out = some.fold_weights(3)
    fitted, scores = learn_lines(LINES, rows, some, held_out)
    codes, y, w = rows.codes[some.index], some.labels, some.weights
    Z, base = line_basis(9)[codes, 0], np.log(np.bincount(y, w) + 0.5)

    def held_out_loss(penalty):
        folds = ((regression(Z, y, w - fold, base, penalty), fold) for fold in held_out.T)
        return -sum((log_proba[np.arange(len(y)), y] * fold).sum() for log_proba, fold in folds)

    losses = {penalty: held_out_loss(penalty) for penalty in 4.0 ** np.arange(-3, 5)}
    best = min(losses, key=losses.get)
    own = fitted.intercept + sum(table[codes[:, j]] for j, table in enumerate(fitted.tables))
    expected = np.exp(regression(Z, y, w, base, best))
    np.testing.assert_allclose(softmax(own, axis=1), expected, atol=2e-3)
    pairs = np.concatenate([np.zeros_like(scores), scores], axis=2) if n_classes == 2 else scores
    ours = -sum(
        (log_softmax(pairs[:, f], axis=1)[np.arange(len(y)), y] * fold).sum() for f, fold in enumerate(held_out.T)
    )
    assert ours == pytest.approx(losses[best], rel=1e-3)


def test_tables_are_straight_and_missing_values_are_apart():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 6, (400, 1))
    y = np.where(codes[:, 0] == 5, rng.random(400) < 0.9, rng.random(400) < codes[:, 0] / 6).astype(np.intp)
    rows = CodedRows(codes.astype(np.uint8), y, np.array([6]), 2)
    some = find_training_rows([0], rows).distinct
    spec = TermSpec((0,), (np.arange(6),), "line", (True,))
    fitted, _ = learn_lines([spec], rows, some, some.fold_weights(3))
    table = fitted.tables[0][:, 1]
    np.testing.assert_allclose(np.diff(table[:5], 2), 0, atol=1e-12)
    assert table[5] > table[3]
