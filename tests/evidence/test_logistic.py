"""Logistic regression against statsmodels, and the spline basis against its definition."""

import numpy as np
import pytest
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from gnbayes.evidence.logistic import fit_logistic, logit, spline_basis


def test_coefficients_and_errors_are_those_of_statsmodels():
    rng = np.random.default_rng(0)
    design = np.column_stack([np.ones(300), rng.normal(size=300), 100 * rng.random(300)])
    offset = rng.normal(size=300)
    is_event = rng.random(300) < 1 / (1 + np.exp(-(offset + design @ [-1.0, 0.8, 0.02])))
    expected = GLM(is_event.astype(float), design, family=Binomial(), offset=offset).fit(tol=1e-12)
    found = fit_logistic(design, is_event, offset)
    np.testing.assert_allclose(found.coefficients, expected.params, rtol=1e-7)
    errors = [found.standard_error(at) for at in range(3)]
    np.testing.assert_allclose(errors, expected.bse, rtol=1e-6)


def test_errors_of_clusters_are_those_of_statsmodels():
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(60), 5)
    design = np.column_stack([np.ones(300), rng.normal(size=60)[cluster]])
    is_event = rng.random(300) < 1 / (1 + np.exp(-(design @ [-0.5, 0.8] + rng.normal(size=60)[cluster])))
    how = {"cov_type": "cluster", "cov_kwds": {"groups": cluster, "use_correction": False}}
    expected = GLM(is_event.astype(float), design, family=Binomial()).fit(tol=1e-12, **how)
    found = fit_logistic(design, is_event, clusters=cluster)
    errors = [found.standard_error(at) for at in range(2)]
    np.testing.assert_allclose(errors, expected.bse * np.sqrt(60 / 59), rtol=1e-6)
    assert fit_logistic(design, is_event, clusters=np.zeros(300, dtype=np.intp)) is None


def test_separated_rows_and_repeated_columns_have_no_fit():
    x = np.linspace(-1, 1, 40)
    assert fit_logistic(np.column_stack([np.ones(40), x]), x > 0.1) is None
    assert fit_logistic(np.ones((40, 1)), np.ones(40, dtype=bool)) is None
    is_event = np.arange(40) % 2 == 0
    assert fit_logistic(np.column_stack([np.ones(40), np.ones(40)]), is_event) is None


def test_the_basis_is_linear_beyond_the_outer_knots_and_smooth_at_all():
    knots = np.array([-1.0, 0.0, 0.5, 2.0])
    basis = spline_basis(np.array([2.0, 3.0, 4.0, 5.0]), knots)
    np.testing.assert_allclose(np.diff(basis, n=2, axis=0), 0, atol=1e-9)
    assert spline_basis(np.array([-3.0]), knots).tolist() == [[-3.0, 0.0, 0.0]]
    step = 1e-4
    for knot in knots:
        around = spline_basis(knot + step * np.arange(-2, 3), knots)
        second = np.diff(around, n=2, axis=0) / step**2
        np.testing.assert_allclose(second[0], second[-1], atol=20 * step)


def test_logits_stay_finite():
    assert logit(np.array([0.5])) == pytest.approx(0)
    assert np.isfinite(logit(np.array([0.0, 1.0]))).all()
