"""The area under the ROC curve against pROC and scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

from gnbayes.evidence import Risks, auroc, roc_curve


def test_area_and_interval_are_those_of_proc(risks, by_r):
    found = auroc(risks)
    assert found.value == pytest.approx(by_r["auroc"], abs=1e-9)
    assert found.low == pytest.approx(by_r["auroc_low"], abs=1e-9)
    assert found.high == pytest.approx(by_r["auroc_high"], abs=1e-9)


def test_the_variance_is_that_of_the_definition():
    rng = np.random.default_rng(1)
    is_event = rng.random(80) < 0.5
    risk = np.round((rng.normal(size=80) + is_event + 4) / 10, 2).clip(0, 1)
    above = (risk[is_event][:, None] > risk[~is_event]) + 0.5 * (risk[is_event][:, None] == risk[~is_event])
    by_row, by_column = above.mean(axis=1), above.mean(axis=0)
    variance = by_row.var(ddof=1) / len(by_row) + by_column.var(ddof=1) / len(by_column)
    found = auroc(Risks(risk, is_event))
    assert found.value == pytest.approx(metrics.roc_auc_score(is_event, risk))
    assert found.high - found.value == pytest.approx(1.959964 * np.sqrt(variance), abs=1e-6)


def test_what_few_rows_do_not_give():
    assert auroc(Risks([0.1, 0.2], [True, True])).value is None
    alone = auroc(Risks([0.1, 0.2, 0.3], [False, False, True]))
    assert (alone.value, alone.low) == (1.0, None)
    perfect = auroc(Risks([0.1, 0.2, 0.8, 0.9], [False, False, True, True]))
    assert (perfect.value, perfect.low, perfect.high) == (1.0, None, None)


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
