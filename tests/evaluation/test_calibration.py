import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from gnbayes.evaluation import calibrate, expected_error

Z = 1.959963984540054


def rows(seed=0, n=400, slope=1.0, shift=0.0):
    """Probabilities, and classes whose log-odds are `shift + slope` times those of the probabilities."""
    rng = np.random.default_rng(seed)
    probability = expit(rng.normal(size=n) * 1.5)
    return probability, rng.random(n) < expit(shift + slope * logit(probability))


@given(st.integers(0, 1000))
def test_the_slope_is_that_of_logistic_regression(seed):
    probability, is_positive = rows(seed)
    clf = LogisticRegression(C=1e12, tol=1e-10, max_iter=1000).fit(logit(probability)[:, None], is_positive)
    assert calibrate(probability, is_positive).slope.value == pytest.approx(clf.coef_[0, 0], abs=1e-4)


@given(st.integers(0, 1000))
def test_the_intercept_makes_as_many_rows_come_true_as_are_expected(seed):
    probability, is_positive = rows(seed, shift=1.0)
    found = calibrate(probability, is_positive).intercept
    assert expit(logit(probability) + found.value).sum() == pytest.approx(is_positive.sum(), abs=1e-6)
    share = expit(logit(probability) + found.value)
    assert (found.high - found.low) / 2 == pytest.approx(Z / np.sqrt((share * (1 - share)).sum()))


def test_the_error_of_the_slope_is_that_of_the_curvature():
    probability, is_positive = rows(3)
    found = calibrate(probability, is_positive).slope

    def profile(slope):
        """Log-likelihood at the best intercept for a slope."""
        low, high = -20.0, 20.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if expit(middle + slope * x).sum() < is_positive.sum() else (low, middle)
        scores = low + slope * x
        return float(is_positive @ scores - np.logaddexp(0, scores).sum())

    x, step = logit(probability), 1e-3
    curvature = (profile(found.value + step) - 2 * profile(found.value) + profile(found.value - step)) / step**2
    assert (found.high - found.low) / 2 == pytest.approx(Z / np.sqrt(-curvature), rel=1e-3)


@pytest.mark.slow
def test_the_intervals_cover_the_truth():
    slopes = [calibrate(*rows(seed, n=200, slope=0.6, shift=-0.5)).slope for seed in range(300)]
    assert 0.91 <= np.mean([found.low <= 0.6 <= found.high for found in slopes]) <= 0.985


def test_clusters_of_copies_tell_nothing_new():
    probability, is_positive = rows(5, n=150)
    once = calibrate(probability, is_positive)
    copied = calibrate(np.repeat(probability, 4), np.repeat(is_positive, 4), np.repeat(np.arange(150), 4))
    naive = calibrate(np.repeat(probability, 4), np.repeat(is_positive, 4))
    width = once.slope.high - once.slope.low
    assert copied.slope.value == pytest.approx(once.slope.value)
    assert copied.slope.high - copied.slope.low == pytest.approx(width, rel=0.15)
    assert naive.slope.high - naive.slope.low == pytest.approx(width / 2, rel=0.01)


def test_probabilities_of_zero_and_one():
    found = calibrate(np.array([0.0, 1.0, 0.0, 1.0, 0.5, 0.5]), np.array([0, 1, 1, 1, 0, 1], dtype=bool))
    assert 0 < found.slope.value < 1


@pytest.mark.parametrize("power", [1, 3, 10, 30])
def test_probabilities_that_are_far_too_extreme(power):
    """Log-odds times a power: the slope is that of the sensible ones over the power, however extreme they are."""
    probability, is_positive = rows(7)
    extreme = expit(power * logit(probability))
    found, sensible = calibrate(extreme, is_positive), calibrate(probability, is_positive)
    eps = np.finfo(float).eps
    kept = np.abs(power * logit(probability)) < -np.log(eps)
    if kept.all():
        assert found.slope.value == pytest.approx(sensible.slope.value / power, rel=1e-4)
    assert 0 < found.slope.low < found.slope.high < 2 / power**0.5
    assert np.isfinite(found.intercept.value)


def test_two_extremes_alone():
    probability = np.repeat([1e-300, 1 - 1e-17], [50, 50])
    is_positive = np.tile([False, False, False, True], 25)
    is_positive[50:] = ~is_positive[50:]
    found = calibrate(probability, is_positive)
    assert np.isfinite(found.intercept.value)
    eps = np.finfo(float).eps
    rise = logit(is_positive[50:].mean()) - logit(is_positive[:50].mean())
    assert found.slope.value == pytest.approx(rise / (logit(1 - eps) - logit(eps)))


def test_what_has_no_finite_value_is_not_given():
    separated = calibrate(np.array([0.1, 0.2, 0.8]), np.array([False, False, True]))
    assert separated.slope is None
    assert separated.intercept is not None
    assert calibrate(np.array([0.1, 0.2]), np.array([True, True])).intercept is None
    assert calibrate(np.full(4, 0.5), np.array([True, False, True, False])).slope is None


def literal_error(probability, is_positive, n_bins=10):
    """Bins by the same quantiles, one by one."""
    inner = sorted(set(np.quantile(probability, [k / n_bins for k in range(1, n_bins)]).tolist()))
    total = 0.0
    for low, high in zip([-np.inf, *inner], [*inner, np.inf], strict=True):
        part = (probability > low) & (probability <= high)
        if part.any():
            total += part.sum() / len(part) * abs(probability[part].mean() - is_positive[part].mean())
    return total


@given(st.integers(0, 1000), st.booleans())
def test_the_expected_error(seed, with_ties):
    probability, is_positive = rows(seed, n=83)
    probability = probability.round(1) if with_ties else probability
    assert expected_error(probability, is_positive)[0] == pytest.approx(literal_error(probability, is_positive))


def test_the_expected_error_does_not_depend_on_the_order_of_rows():
    probability, is_positive = rows(1, n=101)
    probability = probability.round(1)
    order = np.random.default_rng(0).permutation(101)
    assert expected_error(probability, is_positive) == pytest.approx(
        expected_error(probability[order], is_positive[order])
    )


def test_what_chance_alone_gives():
    rng = np.random.default_rng(0)
    probability = expit(rng.normal(size=500))
    found = [expected_error(probability, rng.random(500) < probability) for _ in range(400)]
    assert np.mean([error for error, _ in found]) == pytest.approx(found[0][1], rel=0.03)
