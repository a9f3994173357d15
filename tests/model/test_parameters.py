import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import coded_rows

from gnbayes.counting import count
from gnbayes.model.parameters import additive_tables, backoff_tables, log_class_prior
from gnbayes.structure import gnb_a, information_of_rows

ALPHA = st.floats(0.01, 10)


@given(coded_rows(min_classes=2), ALPHA)
def test_additive_probabilities_by_hand(rows, alpha):
    tree, counts = gnb_a(information_of_rows(rows)), count(rows)
    tables = additive_tables(counts, tree, alpha)
    for j, mother in enumerate(tree.mother.tolist()):
        v = rows.cardinalities[j]
        for y in range(rows.n_classes):
            for m in range(tables[j].shape[0]):
                in_row = (rows.labels == y) & (True if mother < 0 else rows.codes[:, mother] == m)
                for x in range(v):
                    expected = ((in_row & (rows.codes[:, j] == x)).sum() + alpha) / (in_row.sum() + alpha * v)
                    assert np.exp(tables[j][m, x, y]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("at_once", [1, 20, 2**18])
@given(rows=coded_rows(min_classes=2), alpha=ALPHA)
def test_tables_of_kept_pairs_are_those_of_all_pairs_however_many_at_once(rows, alpha, at_once):
    tree = gnb_a(information_of_rows(rows))
    of_all = additive_tables(count(rows), tree, alpha)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gnbayes.model.parameters._CELLS_AT_ONCE", at_once)
        of_kept = additive_tables(count(rows, tree.edges), tree, alpha)
    for ours, theirs in zip(of_kept, of_all, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@given(coded_rows(min_classes=2), ALPHA)
def test_backoff_probabilities_by_hand(rows, alpha):
    tree, counts = gnb_a(information_of_rows(rows)), count(rows)
    tables = backoff_tables(counts, tree, alpha)
    for j, mother in enumerate(tree.mother.tolist()):
        v, n_class = rows.cardinalities[j], counts.classes
        alone = (counts.single(j) + alpha) / (n_class + alpha * v)
        if mother < 0:
            np.testing.assert_allclose(np.exp(tables[j][0]), alone)
            continue
        pair, total = counts.pair(mother, j), counts.single(mother)
        expected = (pair + alpha * v * alone) / (total[:, None] + alpha * v)
        np.testing.assert_allclose(np.exp(tables[j]), expected)


@pytest.mark.parametrize("make", [additive_tables, backoff_tables])
@given(rows=coded_rows(min_classes=2), alpha=ALPHA)
def test_probabilities_given_mother_and_class_sum_to_one(make, rows, alpha):
    tree = gnb_a(information_of_rows(rows))
    for table in make(count(rows), tree, alpha):
        np.testing.assert_allclose(np.exp(table).sum(axis=1), 1.0)


@given(coded_rows(min_classes=2))
def test_prior_is_the_share_of_each_class_or_as_given(rows):
    counts = count(rows)
    np.testing.assert_allclose(np.exp(log_class_prior(counts)), counts.classes / rows.n_rows)
    given_prior = np.arange(1, rows.n_classes + 1) / np.arange(1, rows.n_classes + 1).sum()
    np.testing.assert_allclose(np.exp(log_class_prior(counts, given_prior)), given_prior)
