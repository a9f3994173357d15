"""Rows of a group stay together wherever rows are held out."""

import numpy as np
import pytest
import sklearn
from classifiers import weighted
from sklearn.model_selection import GroupKFold, cross_validate

from gnbayes import GeneralizedNB

# Which rows are held out together is decided without kernels.
pytestmark = pytest.mark.once


def recordings(n_persons=40, n_each=8, seed=0):
    """Persons with a class of their own and columns that know the person, but nothing of the class."""
    rng = np.random.default_rng(seed)
    person = np.repeat(np.arange(n_persons), n_each)
    X = rng.normal(size=(n_persons, 6))[person] + 0.05 * rng.normal(size=(len(person), 6))
    return X, rng.integers(0, 2, n_persons)[person], person


def loss(clf, X, y):
    return float(-clf.predict_log_proba(X)[np.arange(len(y)), y].mean())


@pytest.mark.slow
def test_groups_keep_a_model_from_recognising_persons():
    X, y, person = recordings()
    new, of_new, _ = recordings(seed=1)
    apart, together = GeneralizedNB().fit(X, y), GeneralizedNB().fit(X, y, groups=person)
    assert loss(apart, new, of_new) > 2
    assert loss(together, new, of_new) < 1.0


def test_names_of_groups_and_the_order_of_rows_do_not_matter():
    X, y, person = recordings()
    expected = GeneralizedNB(n_fits=1).fit(X, y, groups=person).predict_proba(X)
    order = np.random.default_rng(1).permutation(len(y))
    names = [f"p{number}" for number in (person * 7 % 41)[order]]
    found = GeneralizedNB(n_fits=1).fit(X[order], y[order], groups=names).predict_proba(X)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_rows_of_weight_zero_leave_with_their_group():
    X, y, person = recordings()
    weights = (person % 4 > 0).astype(float)
    kept = weights > 0
    expected = GeneralizedNB(n_fits=1).fit(X[kept], y[kept], groups=person[kept]).predict_proba(X)
    found = GeneralizedNB(n_fits=1).fit(X, y, sample_weight=weights, groups=person).predict_proba(X)
    np.testing.assert_array_equal(found, expected)


def test_groups_of_another_length():
    with pytest.raises(ValueError, match=r"groups must hold one value per row of X, 3, got shape \(2,\) instead"):
        GeneralizedNB().fit([[1], [2], [3]], [0, 1, 0], groups=["a", "b"])


@pytest.mark.slow
def test_metadata_routing():
    X, y, person = recordings()
    with sklearn.config_context(enable_metadata_routing=True):
        clf = weighted().set_fit_request(groups=True)
        found = cross_validate(clf, X, y, cv=GroupKFold(4), scoring="neg_log_loss", params={"groups": person})
    apart = cross_validate(weighted(), X, y, groups=person, cv=GroupKFold(4), scoring="neg_log_loss")
    assert found["test_score"].mean() > apart["test_score"].mean() + 0.5


@pytest.mark.slow
def test_few_groups_choose_no_further_terms():
    """Of 40 persons with ten rows each, it is the persons that count."""
    rng = np.random.default_rng(0)
    person = np.repeat(np.arange(40), 10)
    X = rng.normal(size=(40, 5))[person] + 0.1 * rng.normal(size=(400, 5))
    y = (rng.normal(size=40) > 0).astype(int)[person]
    few = GeneralizedNB().fit(X, y, groups=person)
    tree = GeneralizedNB(interactions="tree", n_fits=1).fit(X, y, groups=person)
    np.testing.assert_allclose(few.predict_proba(X), tree.predict_proba(X), atol=1e-12)
    alone = GeneralizedNB().fit(X, y)
    assert len(alone.terms_) > len(few.terms_)
