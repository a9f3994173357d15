"""Tables that agree with each other, whatever was measured."""

import numpy as np
import pytest
from site_tables import features_of, mixed_frame, three_sites

from gnbayes.sites import add_noise, count_site, suppress
from gnbayes.sites.estimate import estimate_tables, fitted
from gnbayes.sites.measurements import Measured, merge_sites, merge_steps, weighted_mean


@pytest.fixture(scope="module")
def sites():
    frame = mixed_frame(300)
    features = features_of(frame)
    return [count_site(features, [part]) for part in three_sites(frame)]


CHANGES = [
    lambda sites: [add_noise(site, 1, seed=at) for at, site in enumerate(sites)],
    lambda sites: [add_noise(site, "0.01", seed=at) for at, site in enumerate(sites)],
    lambda sites: [suppress(site, 5) for site in sites],
    lambda sites: [add_noise(sites[0], 1, seed=0), *sites[1:]],
]


@pytest.mark.parametrize("change", CHANGES)
def test_tables_are_valid_and_agree(sites, change):
    changed = change(sites)
    found = estimate_tables(merge_steps([merge_sites(changed)]), sites[0].features.cardinalities, 0.9)
    assert found.classes.min() > 0
    for column in found.columns:
        assert column.min() >= 0
        assert np.allclose(column.sum(axis=0), found.classes)
    for (i, j), table in found.pairs.items():
        assert table.min() >= 0
        assert np.allclose(table.sum(axis=1), found.columns[i])
        assert np.allclose(table.sum(axis=0), found.columns[j])


def test_precise_measurements_are_left_as_they_are():
    rng = np.random.default_rng(0)
    rows = rng.integers(2000, 50_000, (3, 4, 2)).astype(float)
    found = estimate_tables({(0, 1): Measured(rows, np.full(rows.shape, 1e-6))}, np.array([3, 4]), 0.5)
    assert np.allclose(found.classes, rows.sum(axis=(0, 1)))
    assert np.allclose(found.columns[0], rows.sum(axis=1), rtol=1e-3)
    # Chance in the rows is shrunk, too: the smallest cell has a relative standard error of two percent.
    assert np.allclose(found.pairs[0, 1], rows, rtol=0.02)


@pytest.mark.slow
def test_sums_of_larger_tables_sharpen_smaller_ones():
    """The classes are measured by every table, and their estimate is nearer to the truth than any one of them."""
    rng = np.random.default_rng(3)
    truth = rng.integers(100, 500, (4, 3, 2)).astype(float)
    errors = []
    for _ in range(200):
        measured = {
            table: Measured(cells + 20 * rng.normal(size=cells.shape), np.full(cells.shape, 400.0))
            for table, cells in {(0, 1): truth, (0,): truth.sum(axis=1), (): truth.sum(axis=(0, 1))}.items()
        }
        found = estimate_tables(measured, np.array([4, 3]), 0.5)
        errors.append([found.classes[0] - truth[..., 0].sum(), measured[()].cells[0] - truth[..., 0].sum()])
    wanted = 1 / (1 / 400 + 1 / 1600 + 1 / 4800)  # precisions of one, four and twelve cells add up
    assert np.var(errors, axis=0)[0] == pytest.approx(wanted, rel=0.3)
    assert np.var(errors, axis=0)[0] < np.var(errors, axis=0)[1]


def test_the_weighted_mean_weighs_by_precision():
    mean = weighted_mean([Measured(np.array([10.0]), np.array([1.0])), Measured(np.array([20.0]), np.array([4.0]))])
    assert mean.cells.tolist() == [12.0]
    assert mean.variance.tolist() == [0.8]


def test_fitting_reaches_sums_that_proportions_cannot():
    table = np.zeros((1, 2, 2, 1))
    table[0, 0, 0, 0] = 5.0
    left, right = np.array([[[6.0], [4.0]]]), np.array([[[3.0], [7.0]]])
    found = fitted(table, left, right)
    assert np.allclose(found.sum(axis=2), left)
    assert np.allclose(found.sum(axis=1), right)
