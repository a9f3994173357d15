"""Small cells set to 0: what is left, what is expected in their place, and what the model says of it."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import poisson
from site_tables import PARAMETERS, features_of, mixed_frame, three_sites

from gnbayes import GeneralizedNB
from gnbayes.sites import count_site, fit_sites, reveals, suppress
from gnbayes.sites.suppression import _hidden, filled, lost_shares, shown


@pytest.fixture(scope="module")
def frame():
    return mixed_frame(300)


@pytest.fixture(scope="module")
def sites(frame):
    features = features_of(frame)
    return [count_site(features, [part]) for part in three_sites(frame)]


def test_small_cells_are_gone(sites):
    few = suppress(sites[0], 5)
    assert not ((few.cells > 0) & (few.cells < 5)).any()
    assert np.array_equal(few.cells[sites[0].cells >= 5], sites[0].cells[sites[0].cells >= 5])
    assert "fewer than 5 rows are written as 0" in reveals(few)


def test_what_is_shown_is_a_lower_bound(sites):
    known, exact = shown(suppress(sites[0], 5)), shown(sites[0])
    assert (known.classes <= exact.classes).all()
    for j in range(9):
        assert (known.columns[j] <= exact.columns[j]).all()


def test_hidden_cells_are_poisson_below_the_threshold(sites):
    few = suppress(sites[0], 5)
    known, table = shown(few), (0, 1)
    cells, variance = filled(few)[table]
    expected = known.columns[0][:, None] * known.columns[1][None] / known.classes
    counts = few.split()[table]
    for cell in zip(*np.nonzero(counts == 0), strict=True):
        shares = poisson.pmf(np.arange(5), expected[cell])
        mean = shares @ np.arange(5) / shares.sum()
        assert cells[cell] == pytest.approx(mean)
        assert variance[cell] == pytest.approx(shares @ (np.arange(5) - mean) ** 2 / shares.sum(), abs=1e-12)
    assert np.array_equal(cells[counts > 0], counts[counts > 0])


def test_the_model_says_how_much_is_lost(frame, sites):
    few = [suppress(site, 5) for site in sites]
    clf = fit_sites(GeneralizedNB(**PARAMETERS), few)
    report = clf.site_report_
    lost = {}
    for site, exact in zip(few, sites, strict=True):
        n = shown(exact).classes.sum()
        for table, cells in site.split().items():
            lost[table] = lost.get(table, 0.0) + (n - cells.sum()) / 300
    edges = [tuple(edge) for edge in clf.tree_.edges.tolist()] or list(lost)
    truth = np.mean([lost[edge] for edge in edges])
    # The rows of a site are known up to what every table hides.
    assert 0.5 * truth < report.lost_share <= truth
    assert "of the rows, averaged over the model's tables; most, " in str(report)
    assert set(report.worst_table) <= set(clf.feature_names_in_)


def test_a_model_without_small_cells_is_near_the_whole_one(frame):
    big = pd.concat([frame] * 40, ignore_index=True)
    site = count_site(features_of(frame), [big])
    one = fit_sites(GeneralizedNB(**PARAMETERS), [site])
    other = fit_sites(GeneralizedNB(**PARAMETERS), [suppress(site, 2)])
    assert lost_shares(suppress(site, 2)) == dict.fromkeys(site.tables, 0.0)
    X = frame.drop(columns="y")
    assert np.abs(one.predict_proba(X) - other.predict_proba(X)).mean() < 0.02


@pytest.mark.parametrize("threshold", [2, 5, 20, 60, 90])
@pytest.mark.parametrize("what", ["pairs", "columns"])
def test_nothing_is_divided_by_nothing(frame, sites, threshold, what):
    features = sites[0].features
    few = [suppress(count_site(features, [part], what), threshold) for part in three_sites(frame)]
    if not any(site.cells.any() for site in few):
        with pytest.raises(ValueError, match="hold no rows"):
            fit_sites(GeneralizedNB("nb", weighting=None), few)
        return
    clf = fit_sites(GeneralizedNB("nb" if what == "columns" else "gnb-o", weighting=None), few)
    proba = clf.predict_proba(frame.drop(columns="y"))
    assert np.isfinite(proba).all()
    assert np.allclose(proba.sum(axis=1), 1)
    assert 0 <= clf.site_report_.lost_share <= 1


@pytest.mark.parametrize("threshold", [2, 3, 5, 40])
def test_hidden_rows_are_poisson_below_the_threshold(threshold):
    """Against the sums over all numbers below it."""
    means = np.array([0.0, 0.01, 0.7, 3.0, 12.0, 30.0])
    found = _hidden(means, threshold)
    numbers = np.arange(threshold)
    for mean, first, variance in zip(means, *found, strict=True):
        shares = poisson.pmf(numbers, mean)
        if shares.sum() <= 1e-12:
            assert (first, variance) == (threshold - 1.0, 0.0)
            continue
        shares /= shares.sum()
        assert first == pytest.approx((shares * numbers).sum(), abs=1e-9)
        assert variance == pytest.approx((shares * numbers**2).sum() - first**2, abs=1e-8)


def test_a_site_that_shows_nothing_beside_one_that_does(frame, sites):
    clf = fit_sites(GeneralizedNB(**PARAMETERS), [suppress(sites[0], 10**6), sites[1]])
    assert np.isfinite(clf.predict_proba(frame.drop(columns="y"))).all()
    assert clf.site_report_.lost_share == 1.0


def test_counts_of_which_nothing_is_left_are_refused(sites):
    hidden = [suppress(site, 10**6) for site in sites]
    with pytest.raises(ValueError, match="hold no rows"):
        fit_sites(GeneralizedNB(weighting=None), hidden)


@pytest.mark.parametrize("threshold", [1, 0, 2.5])
def test_threshold_is_checked(sites, threshold):
    with pytest.raises(ValueError, match="threshold must be a whole number from 2"):
        suppress(sites[0], threshold)


def test_a_survey_cannot_be_suppressed(frame, sites):
    survey = count_site(sites[0].features, [frame], "survey")
    with pytest.raises(ValueError, match="a survey holds numbers that are not counts of rows"):
        suppress(survey, 5)
