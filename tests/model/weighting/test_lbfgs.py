import numpy as np
from scipy.optimize import minimize

from gnbayes.model.weighting.lbfgs import minimise


def rosenbrock(points):
    x, y = points.T
    value = (1 - x) ** 2 + 100 * (y - x**2) ** 2
    gradient = np.stack([-2 * (1 - x) - 400 * x * (y - x**2), 200 * (y - x**2)], axis=1)
    return value, gradient


def test_a_curved_valley_from_several_points():
    start = np.array([[-1.2, 1.0], [0.0, 0.0], [2.0, -1.0]])
    np.testing.assert_allclose(minimise(rosenbrock, start, 500, 1e-16), 1.0, rtol=1e-4)


def test_as_scipy_on_a_convex_function():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(30, 12))
    b = rng.normal(size=30)

    def function(points):
        scores = points @ A.T
        return np.logaddexp(0, scores).sum(axis=1) - scores @ b + (points**2).sum(axis=1), (
            1 / (1 + np.exp(-scores)) - b
        ) @ A + 2 * points

    expected = minimize(lambda x: function(x[None])[0][0], np.zeros(12), tol=1e-12).fun
    found = minimise(function, np.zeros((1, 12)), 300, 1e-14)
    np.testing.assert_allclose(function(found)[0][0], expected, rtol=1e-9)


def test_problems_do_not_disturb_each_other():
    starts = np.array([[-1.2, 1.0], [3.0, 3.0]])
    together = minimise(rosenbrock, starts, 12, 1e-9)
    for start, found in zip(starts, together, strict=True):
        np.testing.assert_array_equal(minimise(rosenbrock, start[None], 12, 1e-9)[0], found)


def test_a_function_that_cannot_fall_stays():
    assert minimise(lambda x: (np.zeros(1), np.ones_like(x)), np.ones((1, 2)), 5, 1e-9).tolist() == [[1.0, 1.0]]
