import pickle

import numpy as np
import pytest

from gnbayes.counting import CodedRows
from gnbayes.model.fitting.gathered import GatheredRows, count_terms
from gnbayes.model.fitting.layout import layout_of, make_layout
from gnbayes.model.fitting.objective import Objective
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.sums import FittingRows, Kind

SPECS = [
    TermSpec((0, 1), (np.array([0, 0, 1, 1]), np.arange(5)), "free", (False, True), family=1),
    TermSpec((0,), (np.arange(4),), "walk", (False,)),
    TermSpec((0, 2), (np.arange(4), np.arange(3)), "surface", (False, False), family=2),
    TermSpec((0, 1, 2), (np.array([0, 1, 1, 1]), np.arange(5), np.arange(3)), "free", (False,) * 3, family=3),
]


class Parts:
    """A source in pieces, whose work is pickled on the way as on a cluster."""

    def __init__(self, rows, size):
        self.parts = [
            CodedRows(rows.codes[at : at + size], rows.labels[at : at + size], rows.cardinalities, rows.n_classes)
            for at in range(0, rows.n_rows, size)
        ]

    def add_up(self, work):
        work = pickle.loads(pickle.dumps(work))
        total = work(self.parts[-1])
        for part in self.parts[:-1]:
            total = total + work(part)
        return total


def random_rows(n_classes, n=400):
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(0, [4, 5, 3], (n, 3))
    codes[codes[:, 1] == 2, 1] = 3  # a value without rows
    return CodedRows(codes, rng.integers(0, n_classes, n), np.array([4, 5, 3]), n_classes)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("size", [1, 64, 400])
def test_sums_over_parts_are_those_over_all_rows_to_the_bit(n_classes, size):
    rows = random_rows(n_classes)
    layout, cells = make_layout(SPECS, rows.codes)
    here = Objective(layout, FittingRows(cells, rows.labels, np.ones(rows.n_rows), n_classes))
    source = Parts(rows, size)
    counts = source.add_up(count_own_terms)
    there = Objective(layout, GatheredRows(source, layout, counts.classes.astype(float)))
    np.testing.assert_array_equal(here.cell_weights, there.cell_weights)
    x = np.random.default_rng(0).normal(size=here.zeros().shape)
    ridge = np.ones(len(x))
    for mine, others in zip(
        here.value_and_gradient(x, None, ridge), there.value_and_gradient(x, None, ridge), strict=True
    ):
        np.testing.assert_array_equal(mine, others)
    np.testing.assert_array_equal(here.update_curvature(x), there.update_curvature(x))
    assert here.curvature == there.curvature
    assert len(there.rows) == rows.n_rows


def count_own_terms(rows):
    return count_terms(rows, SPECS)


def test_the_layout_follows_from_counts():
    rows = random_rows(2)
    expected, cells = make_layout(SPECS, rows.codes)
    counts = Parts(rows, 50).add_up(count_own_terms)
    layout = layout_of(SPECS, [own > 0 for own in counts.cells])
    assert layout.places.tolist() == expected.places.tolist()
    assert [None if own is None else own.tolist() for own in layout.kept] == [
        None if own is None else own.tolist() for own in expected.kept
    ]
    for mine, others in zip(layout.cells_of(rows.codes).columns, cells.columns, strict=True):
        np.testing.assert_array_equal(mine, others)


def test_rows_elsewhere_have_no_weights():
    rows = random_rows(2)
    layout, _ = make_layout(SPECS, rows.codes)
    gathered = GatheredRows(Parts(rows, 50), layout, np.bincount(rows.labels).astype(float))
    with pytest.raises(ValueError, match="rows that are elsewhere have no weights of their own"):
        gathered.sums(Kind.GRADIENT, np.zeros((1, 1, 1)), np.zeros((1, 1)), np.ones((rows.n_rows, 1)))
