"""Bins of pairs and triples: their bounds are the cuts that boosted trees gain by."""

import numpy as np

from gnbayes.counting import CodedRows, count_values
from gnbayes.encoding import Feature
from gnbayes.model.fitting import find_training_rows
from gnbayes.model.interactions.cuts import cut_gains
from gnbayes.model.interactions.grids import group_ordered, make_grids

FEATURES = [Feature(name, "interval", tuple(range(1, 40)), tuple(range(40))) for name in "abc"]
EDGES = [(0, 1), (1, 2)]


def checkerboard(n=3000):
    """The class changes at 13 of the first and 29 of the second feature, but neither says anything by itself."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 40, (n, 3)).astype(np.uint8)
    labels = ((codes[:, 0] >= 13) ^ (codes[:, 1] >= 29) ^ (rng.random(n) < 0.1)).astype(np.intp)
    return CodedRows(codes, labels, np.array([40, 40, 40]), 2)


def gains_of(rows, order=(0, 1, 2)):
    training = find_training_rows(range(3), rows)
    edges = [tuple(sorted((order.index(i), order.index(j)))) for i, j in EDGES]
    return cut_gains([FEATURES[j] for j in order], range(3), edges, training)


def bounds(codes):
    return set((np.flatnonzero(np.diff(codes)) + 1).tolist())


def test_the_cuts_of_a_checkerboard_gain_most():
    gains = gains_of(checkerboard())
    assert [int(np.argmax(own)) for own in gains[:2]] == [13, 29]
    assert gains[2].max() < gains[0].max() / 5


def test_pairs_and_triples_are_cut_there():
    rows = checkerboard()
    grids = make_grids(FEATURES, count_values(rows), gains=gains_of(rows))
    for codes in (grids.pair, grids.triple):
        assert 13 in bounds(codes[0])
        assert 29 in bounds(codes[1])


def test_the_order_of_columns_does_not_matter():
    rows, order = checkerboard(), (2, 0, 1)
    other = CodedRows(np.asfortranarray(rows.codes[:, order]), rows.labels, rows.cardinalities, 2)
    for j, own in zip(order, gains_of(other, order), strict=True):
        np.testing.assert_array_equal(own, gains_of(rows)[j])


def test_few_rows_have_no_cuts_of_trees():
    assert gains_of(checkerboard(900)) is None


def test_categories_alone_have_no_cuts_of_trees():
    colors = [Feature(name, "category", categories=tuple("abcdefgh")) for name in "abc"]
    codes = np.random.default_rng(0).integers(0, 8, (2000, 3)).astype(np.uint8)
    rows = CodedRows(codes, np.arange(2000) % 2, np.array([8, 8, 8]), 2)
    assert cut_gains(colors, range(3), EDGES, find_training_rows(range(3), rows)) is None


def test_no_interval_is_too_small_and_a_quarter_of_the_cuts_are_left():
    gains = np.zeros(41)
    gains[[1, 20, 22, 30]] = [9.0, 8.0, 7.0, 6.0]
    rows = np.full((40, 2), 30.0)
    rows[0] = 1.0
    found = bounds(group_ordered(rows, 5, gains=gains))
    assert {20, 22, 30} <= found
    assert 1 not in found
    assert len(found) == 4
