"""The mean of penalised and boosted tables."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from gnbayes import GeneralizedNB
from gnbayes.model.interactions import mixing, several


def steep(n, seed=0):
    """A class that changes at once, at a value of each of three features."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    is_in = (X[:, 0] > -0.5) & (X[:, 1] < 0.5) & (X[:, 2] > -0.3)
    return X, np.where(rng.random(n) < 0.02, ~is_in, is_in).astype(int)


def smooth(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, (X[:, 0] + X[:, 1] + rng.logistic(size=n) > 0).astype(int)


@pytest.fixture(name="shares")
def _shares(monkeypatch):
    """Shares of the boosted tables, as they are found."""
    found, original = [], mixing._share

    def share(held_out, boosted):
        found.append(original(held_out, boosted))
        return found[-1]

    monkeypatch.setattr(mixing, "_share", share)
    return found


def loss(clf, rows):
    X, y = rows
    return log_loss(y, clf.predict_proba(X))


def alone(monkeypatch, rows):
    """The same without boosting."""
    with monkeypatch.context() as patch:
        patch.setattr(several, "mix_with_boosted", lambda fit, *_: fit)
        return GeneralizedNB(n_fits=1).fit(*rows)


@pytest.mark.slow
def test_steep_tables_are_boosted(monkeypatch, shares):
    clf = GeneralizedNB(n_fits=1).fit(*steep(2500))
    assert shares[0] > 0.6
    assert loss(clf, steep(4000, 1)) < 0.9 * loss(alone(monkeypatch, steep(2500)), steep(4000, 1))


def test_smooth_tables_are_not_the_worse_for_it(monkeypatch, shares):
    clf = GeneralizedNB(n_fits=1).fit(*smooth(800))
    assert shares[0] < 0.5
    assert loss(clf, smooth(4000, 1)) < loss(alone(monkeypatch, smooth(800)), smooth(4000, 1)) + 0.005


def test_a_small_share_is_not_worth_the_trees(monkeypatch):
    monkeypatch.setattr(mixing, "_share", lambda *_: 0.04)
    rows = smooth(400)
    found = GeneralizedNB(n_fits=1).fit(*rows).predict_proba(rows[0])
    np.testing.assert_array_equal(found, alone(monkeypatch, rows).predict_proba(rows[0]))


@pytest.mark.slow
def test_of_many_rows_some_tell_the_number_of_rounds(monkeypatch):
    monkeypatch.setattr("gnbayes.model.boosting.many._MOST_ROWS", 500)
    monkeypatch.setattr("gnbayes.model.fitting.learn._BALANCE_ROWS", 300)
    assert loss(GeneralizedNB().fit(*steep(1200)), steep(2000, 1)) < 0.25
