import numpy as np
import pytest

from gnbayes.model.fitting.cholesky import cholesky, solve_lower, solve_upper

# No kernel is called.
pytestmark = pytest.mark.once


def test_factors_and_solutions():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(20, 20))
    matrix = A @ A.T + np.eye(20)
    lower = cholesky(matrix)
    np.testing.assert_allclose(lower, np.linalg.cholesky(matrix), atol=1e-12)
    right = rng.normal(size=(20, 3))
    np.testing.assert_allclose(lower @ solve_lower(lower, right), right, atol=1e-12)
    np.testing.assert_allclose(lower.T @ solve_upper(lower, right), right, atol=1e-12)
