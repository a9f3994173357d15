import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from gnbayes.model.fitting.lbfgs import dots, minimise


def rosenbrock(points):
    x, y = points[:, :, 0]
    value = (1 - x) ** 2 + 100 * (y - x**2) ** 2
    gradient = np.stack([-2 * (1 - x) - 400 * x * (y - x**2), 200 * (y - x**2)])
    return value, gradient[:, :, None]


def test_a_curved_valley_from_several_points():
    start = np.array([[-1.2, 0.0, 2.0], [1.0, 0.0, -1.0]])[:, :, None]
    np.testing.assert_allclose(minimise(rosenbrock, start, 500, 1e-16), 1.0, rtol=1e-4)


def test_as_scipy_on_a_convex_function():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(30, 12))
    b = rng.normal(size=30)

    def function(points):
        scores = A @ points.reshape(12, -1)
        value = np.logaddexp(0, scores).sum(axis=0) - b @ scores + (points**2).sum(axis=(0, 2))
        gradient = A.T @ (1 / (1 + np.exp(-scores)) - b[:, None])
        return value, gradient.reshape(points.shape) + 2 * points

    expected = minimize(lambda x: function(x[:, None, None])[0][0], np.zeros(12), tol=1e-12).fun
    found = minimise(function, np.zeros((12, 1, 1)), 300, 1e-14)
    np.testing.assert_allclose(function(found)[0][0], expected, rtol=1e-9)


def test_problems_do_not_disturb_each_other():
    starts = np.array([[-1.2, 3.0], [1.0, 3.0]])[:, :, None]
    side_by_side = minimise(rosenbrock, starts, 12, 1e-9)
    for problem in range(2):
        alone = minimise(rosenbrock, starts[:, [problem]], 12, 1e-9)
        np.testing.assert_array_equal(alone[:, 0], side_by_side[:, problem])


def test_a_function_that_cannot_fall_stays():
    start = np.ones((2, 1, 1))
    np.testing.assert_array_equal(minimise(lambda x: (np.zeros(1), np.ones_like(x)), start, 5, 1e-9), start)


@given(n=st.integers(0, 70), b=st.integers(1, 4), c=st.integers(1, 3), seed=st.integers(0, 99))
def test_dots(n, b, c, seed):
    rng = np.random.default_rng(seed)
    left, right = rng.normal(size=(2, n, b, c))
    np.testing.assert_allclose(dots(left, right), np.einsum("nbc,nbc->b", left, right), atol=1e-12)
