"""Values that cannot be, and values that training never saw; in Python and in the page."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from gnbayes.dictionary import Column
from gnbayes.encoding import Feature
from gnbayes.reporting.limits import Limits, judge, limits_of

FEATURE = Feature("a", "interval", edges=(10.0, 20.0), means=(6.0, 15.0, 40.0))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (-20.0, "impossible"),
        (39.9, "impossible"),
        (40.0, "unseen"),
        (94.0, "rare"),
        (99.9, "rare"),
        (100.0, "fine"),
        (180.0, "fine"),
        (180.1, "rare"),
        (200.5, "unseen"),
        (300.0, "unseen"),
        (300.5, "impossible"),
        (float("nan"), "fine"),
    ],
)
def test_judgements(value, expected):
    assert judge(Limits(40, 300, 94, 200, 100, 180, True), value) == expected


def test_nothing_known_is_fine():
    assert judge(Limits(), -1e300) == "fine"
    assert judge(Limits(lowest=0), 5) == "fine"


def test_ranges_of_training_rows_are_rounded_away_from_the_middle():
    values = np.array([1.23456, 2.0, np.nan, 98.7654])
    found = limits_of(FEATURE, Column("a", lowest=0.0), values)
    assert (found.lowest, found.highest, found.low, found.high) == (0.0, None, 1.2, 98.8)
    assert found.is_exact
    assert found.rare_low is None
    whole = limits_of(FEATURE, Column("a"), np.arange(29.0, 78.0))
    assert (whole.low, whole.high) == (29, 77)


def test_ranks_need_a_thousand_rows():
    many = limits_of(FEATURE, Column("a"), np.append(np.linspace(0, 1, 9999), 50.0))
    assert many.high == 50
    assert judge(many, 40.0) == "rare"
    assert judge(many, 0.5) == "fine"
    few = limits_of(FEATURE, Column("a"), np.append(np.linspace(0, 1, 998), 50.0))
    assert judge(few, 40.0) == "fine"


def test_without_training_rows_ends_are_estimated_from_the_intervals():
    found = limits_of(FEATURE, Column("a"), None)
    assert (found.low, found.high, found.is_exact) == (0, 137, False)
    assert limits_of(Feature("a", "interval", means=(3.0,)), Column("a"), None).low is None
    assert limits_of(FEATURE, Column("a"), np.array([np.nan])).is_exact is False


@pytest.mark.parametrize(
    ("shift", "column", "expected"),
    [
        (0.0, Column("a"), (0.0, 137.0)),
        (-15.0, Column("a"), (-29.0, 122.0)),
        (-400.0, Column("a"), (-414.0, -263.0)),
        (-110.0, Column("a"), (-124.0, 0.0)),
        (-15.0, Column("a", lowest=-20.0, highest=90.0), (-20.0, 90.0)),
    ],
    ids=["positive", "both signs", "negative", "negative, near 0", "within what is possible"],
)
def test_estimated_ends_do_not_change_the_sign_and_are_possible(shift, column, expected):
    moved = replace(
        FEATURE,
        edges=tuple(edge + shift for edge in FEATURE.edges),
        means=tuple(mean + shift for mean in FEATURE.means),
    )
    found = limits_of(moved, column, None)
    assert (found.low, found.high) == expected


@pytest.mark.parametrize("n_bins", [3, 5, 20, 50])
@pytest.mark.parametrize("draw", ["normal", "exponential", "uniform"])
def test_estimated_ends_leave_few_rows_outside(n_bins, draw):
    values = np.sort(getattr(np.random.default_rng(0), draw)(size=20_000))
    parts = np.array_split(values, n_bins)
    edges = tuple((before[-1] + after[0]) / 2 for before, after in itertools.pairwise(parts))
    feature = Feature("a", "interval", edges=edges, means=tuple(part.mean() for part in parts))
    found = limits_of(feature, Column("a"), None)
    assert ((values < found.low) | (values > found.high)).mean() < 0.004
    assert found.high - found.low < 5 * np.ptp(values)


def test_one_value():
    found = limits_of(FEATURE, Column("a"), np.array([7.0, 7.0]))
    assert (found.low, found.high) == (7, 7)
