"""Calibration against R's rms and glm, and where it cannot be known."""

import numpy as np
import pytest
from model_diagnostics.calibration import identification_function

from gnbayes.evidence import Risks, calibrate


def test_intercept_and_slope_are_those_of_r(risks, by_r):
    found = calibrate(risks)
    for name in ("intercept", "slope"):
        estimate = getattr(found, name)
        expected = [by_r[name], by_r[f"{name}_low"], by_r[f"{name}_high"]]
        assert [estimate.value, estimate.low, estimate.high] == pytest.approx(expected, abs=2e-5)


def test_the_curve_and_its_band_are_those_of_rms(risks, by_r):
    curve = calibrate(risks).curve
    assert curve.n_knots == 5
    for at in (1, 5, 10, 25, 40, 50):
        assert curve.observed[at - 1] == pytest.approx(by_r[f"curve_{at}"], rel=1e-4)
        assert curve.low[at - 1] == pytest.approx(by_r[f"curve_low_{at}"], rel=1e-3)
        assert curve.high[at - 1] == pytest.approx(by_r[f"curve_high_{at}"], rel=1e-4)


def test_distances_from_the_curve(risks, by_r):
    found = calibrate(risks)
    assert [found.ici, found.e50, found.e90] == pytest.approx([by_r[name] for name in ("ici", "e50", "e90")], abs=1e-5)
    # Another smoother, loess, gives nearly the same.
    assert found.ici == pytest.approx(by_r["loess_ici"], abs=0.015)


def test_mean_risk_less_observed_share_is_the_bias_of_model_diagnostics(risks):
    found = calibrate(risks)
    bias = identification_function(risks.is_event.astype(float), risks.risk, functional="mean").mean()
    assert found.mean_risk - found.observed.value == pytest.approx(bias, abs=1e-12)


@pytest.mark.parametrize(("n_events", "knots"), [(100, 5), (99, 4), (49, 3), (19, 0)])
def test_knots_by_the_rows_of_the_rarer_outcome(n_events, knots):
    rng = np.random.default_rng(0)
    is_event = np.arange(500) < n_events
    risk = 1 / (1 + np.exp(-(rng.normal(size=500) + is_event)))
    assert calibrate(Risks(risk, is_event)).curve.n_knots == knots
    assert calibrate(Risks(1 - risk, ~is_event)).curve.n_knots == knots


def test_few_values_of_risk_get_a_straight_line():
    risk = np.where(np.arange(400) % 2, 0.2, 0.6)
    is_event = np.random.default_rng(0).random(400) < risk
    curve = calibrate(Risks(risk, is_event)).curve
    assert curve.n_knots == 0
    assert curve.observed[0] == pytest.approx(is_event[risk == 0.2].mean(), abs=1e-6)
    assert curve.observed[-1] == pytest.approx(is_event[risk == 0.6].mean(), abs=1e-6)


def test_what_cannot_be_known():
    few = calibrate(Risks(np.linspace(0.1, 0.9, 9), np.arange(9) < 4))
    assert (few.slope.value, few.intercept.value, few.curve, few.ici) == (None, None, None, None)
    assert few.observed.value == pytest.approx(4 / 9)
    x = np.linspace(0.01, 0.99, 100)
    separated = calibrate(Risks(x, x > 0.5))
    assert (separated.slope.value, separated.curve) == (None, None)
    constant = calibrate(Risks(np.full(100, 0.3), np.arange(100) < 30))
    assert constant.slope.value is None
    assert constant.intercept.value == pytest.approx(0, abs=1e-9)


def test_certain_risks_are_borne():
    rng = np.random.default_rng(0)
    risk = rng.choice([0.0, 0.2, 0.5, 0.8, 1.0], 500)
    found = calibrate(Risks(risk, rng.random(500) < 0.1 + 0.8 * risk))
    assert 0 < found.slope.value < 1
    assert np.isfinite(found.curve.observed).all()
