"""Decision curves against dcurves, and thresholds against scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

from gnbayes.evidence import Risks, decide


def test_net_benefit_is_that_of_dcurves(risks, by_dcurves):
    found = decide(risks)
    np.testing.assert_allclose(found.thresholds, by_dcurves["risk"]["threshold"])
    np.testing.assert_allclose(found.net_benefit, by_dcurves["risk"]["net_benefit"], atol=1e-9)
    np.testing.assert_allclose(found.net_benefit_of_all, by_dcurves["all"]["net_benefit"], atol=1e-9)
    assert not by_dcurves["none"]["net_benefit"].any()
    np.testing.assert_allclose(found.true_positives / risks.n, by_dcurves["risk"]["tp_rate"], atol=1e-9)
    np.testing.assert_allclose(found.false_positives / risks.n, by_dcurves["risk"]["fp_rate"], atol=1e-9)


@pytest.mark.parametrize("threshold", [0.05, 0.3, 0.5, 0.91])
def test_shares_at_a_threshold_are_those_of_scikit_learn(threshold, risks):
    found = decide(risks).at(threshold)
    said = risks.risk >= threshold
    assert found.sensitivity.value == pytest.approx(metrics.recall_score(risks.is_event, said))
    assert found.specificity.value == pytest.approx(metrics.recall_score(~risks.is_event, ~said))
    assert found.positive_value.value == pytest.approx(metrics.precision_score(risks.is_event, said))
    assert found.negative_value.value == pytest.approx(metrics.precision_score(~risks.is_event, ~said))


def test_nobody_above_a_threshold():
    found = decide(Risks([0.1, 0.2], [False, True])).at(0.5)
    assert found.positive_value.value is None
    assert found.negative_value.value == 0.5
    assert decide(Risks([0.1, 0.2], [False, True])).net_benefit[-1] == 0
