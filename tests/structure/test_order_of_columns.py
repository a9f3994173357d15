"""Trees of the same columns in another order."""

import numpy as np
import pytest

from gnbayes.counting import CodedRows, count
from gnbayes.structure import STRUCTURES, choose_tree, information, order_by_counts


def tree_of(codes, labels, columns, structure):
    counts = count(CodedRows(codes[:, columns], labels, codes.max(axis=0)[columns] + 1, 2))
    return choose_tree(structure, "corrected", information(counts), counts)


@pytest.mark.parametrize("structure", sorted(STRUCTURES))
def test_ties_are_not_broken_by_position(structure):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 60)
    codes = rng.integers(0, 3, (60, 7)).astype(np.uint8)
    # Permuted values: the same information with every other feature, but other counts.
    codes[:, 5], codes[:, 6] = (codes[:, 0] + 1) % 3, (codes[:, 1] + 2) % 3
    tree = tree_of(codes, labels, np.arange(7), structure)
    for seed in range(5):
        columns = np.random.default_rng(seed).permutation(7)
        other = tree_of(codes, labels, columns, structure)
        assert columns[other.order].tolist() == tree.order.tolist()
        mother = np.where(other.mother >= 0, columns[other.mother], -1)
        assert mother.tolist() == tree.mother[columns].tolist()


def test_the_paper_breaks_ties_by_position():
    codes, labels = np.array([[0, 0], [0, 0], [1, 1], [1, 1]]), np.array([0, 0, 1, 1])
    counts = count(CodedRows(codes, labels, np.full(2, 2), 2))
    assert choose_tree("gnb-o", "plug-in", information(counts), counts).order.tolist() == [0, 1]


def test_columns_with_equal_counts_are_told_apart_by_their_information():
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1], 30)
    codes = np.stack([np.concatenate([rng.permutation(np.arange(30) % 2) for _ in range(2)]) for _ in range(6)], axis=1)
    tree = tree_of(codes, labels, np.arange(6), "gnb-o")
    for seed in range(5):
        columns = np.random.default_rng(seed).permutation(6)
        other = tree_of(codes, labels, columns, "gnb-o")
        assert columns[other.order].tolist() == tree.order.tolist()


def test_copies_stay_in_the_order_of_columns():
    codes = np.array([[1, 0, 0], [0, 0, 0], [1, 1, 1], [1, 1, 1]])
    counts = count(CodedRows(codes, np.array([0, 0, 1, 1]), np.full(3, 2), 2))
    order = order_by_counts(counts, information(counts)).tolist()
    assert order.index(1) < order.index(2)
