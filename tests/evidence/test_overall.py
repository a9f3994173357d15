"""Brier score and log-loss against scikit-learn, R and model-diagnostics."""

import numpy as np
import pytest
from model_diagnostics.scoring import LogLoss, SquaredError
from sklearn import metrics

from gnbayes.evidence import Risks, measure_overall


def test_scores_are_those_of_others(risks, by_r):
    found = measure_overall(risks)
    outcome = risks.is_event.astype(float)
    assert found.brier.value == pytest.approx(by_r["brier"], abs=1e-9)
    assert found.brier.value == pytest.approx(SquaredError()(outcome, risks.risk))
    assert found.log_loss.value == pytest.approx(LogLoss()(outcome, risks.risk))
    assert found.log_loss.value == pytest.approx(metrics.log_loss(risks.is_event, risks.risk))
    expected = metrics.d2_brier_score(outcome, risks.risk)
    assert found.scaled_brier.value == pytest.approx(expected)


@pytest.mark.slow
def test_the_interval_of_the_scaled_score_is_that_of_a_bootstrap(risks):
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(2000):
        rows = rng.integers(0, risks.n, risks.n)
        drawn.append(measure_overall(Risks(risks.risk[rows], risks.is_event[rows])).scaled_brier.value)
    found = measure_overall(risks).scaled_brier
    assert [found.low, found.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.01)


def test_certainty_and_one_outcome():
    certain = measure_overall(Risks([0.0, 1.0], [True, True]))
    assert certain.log_loss.value == pytest.approx(metrics.log_loss([1, 1], [0.0, 1.0], labels=[0, 1]))
    assert certain.scaled_brier.value is None
