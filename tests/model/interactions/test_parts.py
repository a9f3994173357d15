"""Grids, gains, shares of rows and the mean of fits, each against a slow literal twin."""

import itertools

import numpy as np
import pytest

from gnbayes.counting import CodedRows, count_values
from gnbayes.encoding import Feature
from gnbayes.model import TermSum
from gnbayes.model.fitting import FittedTables, TermSpec, count_terms, find_training_rows
from gnbayes.model.interactions.dealing import deal_rows
from gnbayes.model.interactions.folding import Fit, fold
from gnbayes.model.interactions.gains import Residuals, second_order_gains
from gnbayes.model.interactions.grids import group_ordered, make_grids


def drawn(n=400, k=2, seed=0):
    rng = np.random.default_rng(seed)
    return CodedRows(rng.integers(0, 6, (n, 3)).astype(np.uint8), rng.integers(0, k, n), np.array([6, 6, 6]), k)


@pytest.mark.parametrize("most", [2, 5, 16, 50])
def test_groups_are_neighbours_and_at_most_so_many(most):
    groups = group_ordered(np.random.default_rng(0).integers(0, 9, (40, 3)).astype(float), most)
    assert set(np.diff(groups).tolist()) <= {0, 1}
    assert groups[0] == 0
    assert groups[-1] == min(most, 40) - 1


def test_cuts_go_to_where_the_class_changes_and_keep_coarse_ones():
    counts = np.full((40, 2), 50.0)
    counts[33:, 1] = 500.0
    assert 33 in np.flatnonzero(np.diff(group_ordered(counts, 4))) + 1
    coarse = np.repeat([0, 1], [7, 33])
    bounds = np.flatnonzero(np.diff(group_ordered(counts, 4, coarse))) + 1
    assert {7, 33} <= set(bounds.tolist())


def test_missing_is_a_code_of_its_own_and_categories_stay():
    codes = np.random.default_rng(0).integers(0, 31, (500, 2)).astype(np.uint8)
    codes[:, 1] = codes[:, 1] % 3
    age = Feature("age", "interval", tuple(range(1, 30)), tuple(range(30)), has_missing=True)
    color = Feature("color", "category", categories=("a", "b", "c"))
    rows = CodedRows(codes, np.arange(500) % 2, np.array([31, 3]), 2)
    grids = make_grids([age, color], count_values(rows))
    assert grids.is_ordered == (True, False)
    for own in (grids.pair[0], grids.triple[0]):
        assert own[-1] == own[-2] + 1
    assert grids.pair[1].tolist() == grids.triple[1].tolist() == [0, 1, 2]


@pytest.mark.parametrize("k", [2, 3])
def test_gains_cell_by_cell(k):
    rows, rng = drawn(k=k), np.random.default_rng(1)
    scores, weights = rng.normal(size=(400, 1 if k == 2 else k)), rng.random(400)
    both = np.append(np.zeros((400, 1)), scores, axis=1) if k == 2 else scores
    proba = np.exp(both) / np.exp(both).sum(axis=1, keepdims=True)
    expected = []
    for i, j in itertools.combinations(range(3), 2):
        gain = 0.0
        for a, b, c in itertools.product(range(6), range(6), range(1, 2) if k == 2 else range(k)):
            cell = np.flatnonzero((rows.codes[:, i] == a) & (rows.codes[:, j] == b))
            s = sum(weights[r] * ((rows.labels[r] == c) - proba[r, c]) for r in cell)
            t = sum(weights[r] * proba[r, c] * (1 - proba[r, c]) for r in cell)
            gain += (s**2 - t) / (t + 5)
        expected.append(gain)
    codes = [rows.codes[:, j].astype(np.intp) for j in range(3)]
    pairs = list(itertools.combinations(range(3), 2))
    found = second_order_gains(pairs, codes, [6, 6, 6], Residuals.of(scores, rows.labels, weights))
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_fits_leave_out_different_rows_of_every_class():
    rows = drawn(2000, k=3)
    distinct = find_training_rows(range(3), rows).distinct
    shares = deal_rows(distinct, rows.n_rows, 5)
    left_out = [set(distinct.index.tolist()) - set(share.rows.index.tolist()) for share in shares]
    for one, other in itertools.combinations(left_out, 2):
        assert not one & other
    for share in shares:
        kept = np.bincount(share.rows.labels) / np.bincount(distinct.labels)
        np.testing.assert_allclose(kept, 0.85, atol=0.02)
        assert abs(share.is_choosing[distinct.index].mean() - 0.5) < 0.01
    assert len(deal_rows(distinct, rows.n_rows, 1)[0].rows) == len(distinct)


def test_the_order_of_rows_does_not_matter():
    rows, order = drawn(300), np.random.default_rng(3).permutation(300)
    turned = CodedRows(rows.codes[order], rows.labels[order], rows.cardinalities, 2)
    for one, other in zip(
        *(deal_rows(find_training_rows(range(3), r).distinct, 300, 3) for r in (rows, turned)), strict=True
    ):
        np.testing.assert_array_equal(rows.codes[one.rows.index], turned.codes[other.rows.index])
        np.testing.assert_array_equal(one.is_choosing[one.rows.index], other.is_choosing[other.rows.index])


def test_the_mean_of_fits_scores_as_the_mean_of_their_scores():
    rows, rng = drawn(), np.random.default_rng(0)
    fine, coarse = np.arange(6), np.array([0, 0, 1, 1, 1, 2])
    own = np.array([0, 0, 0, 1, 1, 1])
    singles = [TermSpec((j,), (fine,), "free", (False,)) for j in range(3)]
    pair, surface = (TermSpec((0, 2), (m, fine), "free", (False, False)) for m in (own, coarse))
    triple = TermSpec((0, 1, 2), (own,) * 3, "free", (False,) * 3)
    fits = []
    for specs in ([*singles, surface], [*singles, pair, surface, triple]):
        tables = tuple(rng.normal(size=(*spec.shape, 2)) for spec in specs)
        fits.append(Fit(specs, FittedTables(rng.normal(size=2), tables)))
    finer = np.array([0, 0, 1, 2, 2, 3])
    maps = {(0,): (fine,), (1,): (fine,), (2,): (fine,), (0, 2): (finer, fine), (0, 1, 2): (own,) * 3}
    cells = [TermSpec(term, own, "free", (False,) * len(term)) for term, own in maps.items()]
    handed_over = list(fits)
    folded = fold(handed_over, maps, count_terms(rows, cells), rows.codes)
    assert not handed_over
    expected = np.zeros((rows.n_rows, 2))
    for fit in fits:
        expected += fit.fitted.intercept / 2
        for spec, table in zip(fit.specs, fit.fitted.tables, strict=True):
            expected += table.reshape(-1, 2)[spec.cells(rows.codes)] / 2
    found, _ = TermSum(folded.intercept, folded.terms).scores(rows.codes)
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert [term.features for term in folded.terms] == list(maps)
