"""Scales of families from log-losses at a few points."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.sites.rounds.balancing import _derivatives, _points


@given(st.integers(1, 5), st.integers(0, 99))
def test_a_quadratic_function_is_found_again(f, seed):
    rng = np.random.default_rng(seed)
    square = rng.normal(size=(f, f))
    curvature, slope = square @ square.T, rng.normal(size=f)
    away = _points(f) - 1.0
    losses = 7.0 + away @ slope + 0.5 * np.einsum("pi,ij,pj->p", away, curvature, away)
    found = _derivatives(losses, f)
    assert np.allclose(found[0], slope, atol=1e-9)
    assert np.allclose(found[1], curvature, atol=1e-8)
