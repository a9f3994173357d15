"""Sparse input: what is not held is zero."""

import numpy as np
import pytest
from classifiers import counted, weighted
from scipy import sparse

from gnbayes import AODE, AveragedTAN, GNBSelector, QuantileDiscretizer, SelectiveNB, selection_curve

KINDS = [sparse.csr_array, sparse.csc_matrix, sparse.coo_array]


@pytest.fixture(scope="module")
def counts_of_words():
    """A table of small counts, most of them zero, and two classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    return rng.poisson(0.3 + 0.5 * y[:, None] * (np.arange(6) % 2), (200, 6)).astype(float), y


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("clf", [weighted(), counted(), AODE(), AveragedTAN(), SelectiveNB()])
def test_the_same_bits_as_from_the_full_table(counts_of_words, kind, clf):
    X, y = counts_of_words
    expected = clf.fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(clf.fit(kind(X), y).predict_proba(kind(X)), expected)
    assert clf.n_features_in_ == 6


def test_zeros_that_are_held_are_zeros(counts_of_words):
    X, y = counts_of_words
    held = sparse.csr_array(X)
    held.data[:40] = 0
    np.testing.assert_array_equal(
        counted().fit(held, y).predict_proba(held), counted().fit(held.toarray(), y).predict_proba(held)
    )


def test_missing_values_that_are_held_are_missing(counts_of_words):
    X, y = counts_of_words
    gaps = X.copy()
    gaps[::9, 2] = np.nan
    clf = counted().fit(sparse.csc_array(gaps), y)
    assert [feature.has_missing for feature in clf.features_] == [False, False, True, False, False, False]


@pytest.mark.parametrize("kind", KINDS)
def test_a_selector_keeps_a_sparse_table_sparse(counts_of_words, kind):
    X, y = counts_of_words
    selector = GNBSelector(n_features=3).fit(kind(X), y)
    kept = selector.transform(kind(X))
    assert sparse.issparse(kept)
    np.testing.assert_array_equal(kept.toarray(), selector.transform(X))


@pytest.mark.parametrize("kind", KINDS)
def test_curves_and_discretizers(counts_of_words, kind):
    X, y = counts_of_words
    for cv in ("loo", 3):
        full, thin = (selection_curve(counted(), table, y, cv=cv, scoring=["accuracy"]) for table in (X, kind(X)))
        np.testing.assert_array_equal(full.mean("accuracy"), thin.mean("accuracy"))
    bins = QuantileDiscretizer(3).fit(kind(X))
    np.testing.assert_array_equal(bins.transform(kind(X)), QuantileDiscretizer(3).fit(X).transform(X))


def test_a_sparse_row_is_explained(counts_of_words):
    X, y = counts_of_words
    clf = counted().fit(X, y)
    assert clf.explain(sparse.csr_array(X[:1])).text() == clf.explain(X[:1]).text()
