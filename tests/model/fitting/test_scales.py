"""Scales of parts of scores: the least penalised log-loss, by an optimiser that is not ours."""

import numpy as np
import pytest
from scipy.optimize import minimize

from gnbayes.model.fitting.scales import _PULL_ROWS, HeldOutScores, best_scales

# No kernel is called.
pytestmark = pytest.mark.once


@pytest.mark.parametrize("k", [2, 4])
def test_the_least_loss(k):
    rng = np.random.default_rng(k)
    c = 1 if k == 2 else k
    parts, start = rng.normal(size=(300, 3, c)), rng.normal(size=(300, c)) / 3
    labels, weights = rng.integers(0, k, 300), rng.random(300)
    true = start + parts[:, 0] * 1.5
    labels = np.where(true[:, 0] > 0, 1, 0) if k == 2 else true.argmax(axis=1)
    labels = np.where(rng.random(300) < 0.3, rng.integers(0, k, 300), labels)
    scores = HeldOutScores(parts, start, labels, weights)

    def proba(scales):
        totals = start + (parts * scales[:, None]).sum(axis=1)
        totals = np.append(np.zeros((300, 1)), totals, axis=1) if k == 2 else totals
        return np.exp(totals) / np.exp(totals).sum(axis=1, keepdims=True)

    ones = proba(np.ones(3))
    pull = _PULL_ROWS * (ones * (1 - ones)).mean()

    def value(scales):
        losses = -np.log(proba(scales)[np.arange(300), labels])
        return (weights * losses).sum() + pull / 2 * ((scales - 1) ** 2).sum()

    best = minimize(value, np.ones(3), bounds=[(0, 4)] * 3).x
    np.testing.assert_allclose(best_scales(scores), best, atol=2e-3)
