"""A fit in rounds with three sites, which many tests look at."""

import pytest
from round_tables import Recorder, mixed_frame, round_sites, three_sites, weighted_features

from gnbayes import GeneralizedNB
from gnbayes.sites.rounds import fit_rounds


@pytest.fixture(scope="session")
def frame():
    """All rows."""
    return mixed_frame(300)


@pytest.fixture(scope="session")
def recorded(frame):
    """Features, sites with all their questions and answers, and the model; tests must not change them."""
    parts = three_sites(frame)
    features = weighted_features(parts)
    sites = [Recorder(site) for site in round_sites(parts, features)]
    return features, sites, fit_rounds(GeneralizedNB(), features, sites)
