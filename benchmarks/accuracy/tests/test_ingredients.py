"""What `ingredients.py` measures beside the library: leave-one-out against real refits."""

import numpy as np
import pytest
from hierarchical import hierarchical_tables, leave_one_out_loss
from resolutions import leave_one_out_likelihood

from gnbayes.counting import CodedRows, count
from gnbayes.structure import gnb_o, information


def rows_of(codes, labels):
    return CodedRows(codes, labels, np.array([3, 2, 4]), 3)


@pytest.mark.parametrize("alpha", [0.1, 1.0, 30.0])
def test_hierarchical_smoothing_without_each_row(alpha):
    rng = np.random.default_rng(0)
    codes, labels = rng.integers(0, [3, 2, 4], (40, 3)), rng.integers(3, size=40)
    counts = count(rows_of(codes, labels))
    tree = gnb_o(information(counts))
    losses = []
    for i in range(40):
        rest = np.arange(40) != i
        others = count(rows_of(codes[rest], labels[rest]))
        joint = others.classes / others.n
        for j, table in enumerate(hierarchical_tables(others, tree, alpha)):
            above = codes[i, tree.mother[j]] if tree.mother[j] >= 0 else 0
            joint = joint * table[above, codes[i, j]]
        losses.append(-np.log(joint[labels[i]] / joint.sum()))
    assert leave_one_out_loss(counts, tree, rows_of(codes, labels), alpha) == pytest.approx(np.mean(losses))


def test_hierarchical_tables_sum_to_one():
    rng = np.random.default_rng(0)
    counts = count(rows_of(rng.integers(0, [3, 2, 4], (40, 3)), rng.integers(3, size=40)))
    for table in hierarchical_tables(counts, gnb_o(information(counts)), 0.5):
        np.testing.assert_allclose(table.sum(axis=1), 1)


def test_classes_from_one_feature_without_each_row():
    rng = np.random.default_rng(0)
    x, y = rng.integers(4, size=30), rng.integers(2, size=30)
    total = 0.0
    for i in range(30):
        rest = np.arange(30) != i
        joint = [
            (y[rest] == c).sum() * ((x[rest] == x[i]) & (y[rest] == c)).sum() + (y[rest] == c).sum() for c in (0, 1)
        ] / (np.bincount(y[rest], minlength=2) + 4)
        total += np.log(joint[y[i]] / joint.sum())
    counts = np.array([[((x == value) & (y == c)).sum() for c in (0, 1)] for value in range(4)], dtype=float)
    assert leave_one_out_likelihood(counts) == pytest.approx(total)
