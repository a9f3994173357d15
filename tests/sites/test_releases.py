"""Which releases may be merged."""

from dataclasses import replace

import pytest
from site_tables import PARAMETERS, features_of, mixed_frame, three_sites, two_steps

from gnbayes import GeneralizedNB
from gnbayes.scale import summarize
from gnbayes.sites import add_noise, count_site, fit_sites, propose_features, release_id


@pytest.fixture(scope="module")
def frame():
    return mixed_frame(300)


@pytest.fixture(scope="module")
def sites(frame):
    features = features_of(frame)
    return [count_site(features, [part], site="abc"[at]) for at, part in enumerate(three_sites(frame))]


def merge(*releases):
    return fit_sites(GeneralizedNB(**PARAMETERS), releases)


def test_other_features(frame, sites):
    other = propose_features(summarize(frame[:200], "y"), "y", GeneralizedNB(**PARAMETERS))
    with pytest.raises(ValueError, match=r"release 2 were made with other Features than those of release 1 \(column"):
        merge(sites[0], count_site(other, [frame[:200]]))


def test_the_same_release_twice(sites):
    noisy = [add_noise(site, 1) for site in sites]
    assert len({release_id(each) for each in noisy}) == 3
    short = release_id(noisy[0]).removeprefix("sha256:")[:12]
    with pytest.raises(ValueError, match=rf"releases 1 and 3 are the same release \({short}\)"):
        merge(noisy[0], noisy[1], noisy[0])


def test_the_same_counts_of_sites_without_names(frame, sites):
    unnamed = [replace(site, site=None) for site in (sites[0], sites[1], sites[0])]
    with pytest.raises(ValueError, match="releases 1 and 3 are the same release"):
        merge(*unnamed)


def test_two_noisy_releases_of_one_site_for_one_step(sites):
    noisy = [add_noise(site, 1) for site in (sites[0], sites[1], sites[0])]
    with pytest.raises(ValueError, match=r"releases 1 and 3 are both of site a and of the same step \(pairs\)"):
        merge(*noisy)


def test_pairs_at_some_sites_only(frame, sites):
    other = count_site(sites[0].features, [frame], "columns")
    with pytest.raises(ValueError, match=r"count different tables \('pairs' and 'columns'\), and some do not name"):
        merge(sites[0], other)


def test_a_site_that_left_a_step_out(frame):
    surveys, tables, _ = two_steps(frame, "1")
    with pytest.raises(ValueError, match=r"site c has not released the same tables \('survey' and 'tree'\)"):
        merge(*surveys, *tables[:2])
