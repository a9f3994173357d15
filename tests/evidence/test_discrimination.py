"""The area under the ROC curve against pROC and scikit-learn."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm
from sklearn import metrics

from gnbayes import evaluation
from gnbayes.evidence import Risks, auroc, roc_curve


def test_area_and_standard_error_are_those_of_proc(risks, by_r):
    """pROC's own interval is normal on the scale of the area; ours is made of the same error on that of log-odds."""
    found = auroc(risks)
    area = by_r["auroc"]
    error = (by_r["auroc_high"] - by_r["auroc_low"]) / 2 / norm.ppf(0.975)
    reach = norm.ppf(0.975) * error / (area * (1 - area))
    assert found.value == pytest.approx(area, abs=1e-9)
    assert found.low == pytest.approx(expit(logit(area) - reach), abs=1e-9)
    assert found.high == pytest.approx(expit(logit(area) + reach), abs=1e-9)


def test_there_is_one_area_and_one_interval(risks):
    shell = evaluation.auroc(risks.risk, risks.is_event)
    found = auroc(risks)
    assert (found.value, found.low, found.high) == (shell.value, shell.low, shell.high)


def test_what_few_rows_do_not_give():
    assert auroc(Risks([0.1, 0.2], [True, True])).value is None
    alone = auroc(Risks([0.1, 0.2, 0.3], [False, False, True]))
    assert (alone.value, alone.low) == (1.0, None)
    perfect = auroc(Risks([0.1, 0.2, 0.8, 0.9], [False, False, True, True]))
    assert (perfect.value, perfect.high) == (1.0, 1.0)
    assert 0 < perfect.low < 0.5


def test_points_lie_on_the_curve_of_scikit_learn(risks):
    curve = roc_curve(risks)
    assert len(curve.true_positive) <= 50
    assert (curve.false_positive[0], curve.true_positive[0]) == (0, 0)
    assert (curve.false_positive[-1], curve.true_positive[-1]) == (1, 1)
    alarms, hits, _ = metrics.roc_curve(risks.is_event, risks.risk, drop_intermediate=False)
    exact = np.stack([alarms, hits], axis=1)
    found = np.stack([curve.false_positive, curve.true_positive], axis=1)
    assert all(np.isclose(exact, point).all(axis=1).any() for point in found)
    assert roc_curve(Risks([0.5], [True])) is None
