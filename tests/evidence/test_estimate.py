"""Intervals of shares and means, and what risks may be."""

import numpy as np
import pytest
from scipy.stats import binomtest, t

from gnbayes.evidence import Risks, share_of
from gnbayes.evidence.estimate import mean_of


@pytest.mark.parametrize(("hits", "n"), [(0, 5), (5, 5), (33, 100), (1, 1)])
def test_intervals_of_shares_are_those_of_wilson(hits, n):
    expected = binomtest(hits, n).proportion_ci(method="wilson")
    found = share_of(hits, n)
    assert (found.value, found.low, found.high) == pytest.approx((hits / n, expected.low, expected.high), abs=1e-9)


def test_a_share_of_nothing_is_not_known():
    assert share_of(0, 0).value is None


def test_the_interval_of_a_mean_is_that_of_its_standard_error():
    values = np.random.default_rng(0).random(5000)
    low, high = t.interval(0.95, 4999, values.mean(), values.std(ddof=1) / np.sqrt(5000))
    found = mean_of(values)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-5)
    assert mean_of(values[:1]).low is None


@pytest.mark.parametrize(
    ("risk", "is_event", "message"),
    [
        ([0.1, 0.2], [True], "risk and is_event must be one number per row, got shapes"),
        ([1.1], [True], "risk must be probabilities from 0 to 1, of at least one row"),
        ([np.nan], [True], "risk must be probabilities from 0 to 1, of at least one row"),
        ([], [], "risk must be probabilities from 0 to 1, of at least one row"),
    ],
)
def test_wrong_risks(risk, is_event, message):
    with pytest.raises(ValueError, match=message):
        Risks(np.array(risk), np.array(is_event, dtype=bool))
