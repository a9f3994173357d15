"""The most informative features, and trees of some features."""

import numpy as np
import pytest

from gnbayes.counting import CodedRows, count
from gnbayes.structure import (
    choose_tree,
    choose_tree_among,
    corrected_class_information,
    counts_of,
    information,
    most_informative,
)


def table(d=9, n=80, seed=0):
    rng = np.random.default_rng(seed)
    labels, sizes = rng.integers(0, 2, n), rng.integers(2, 5, d)
    codes = np.stack([rng.integers(0, size, n) for size in sizes], axis=1)
    for j in range(0, d, 2):
        codes[:, j] = np.where(rng.random(n) < 0.1 * j, labels, codes[:, j])
    return CodedRows(codes, labels, sizes, 2)


def test_the_most_informative_are_those_with_the_largest_information():
    counts = count(table())
    gains = corrected_class_information(counts).tolist()
    ranked = sorted(range(9), key=lambda j: (-gains[j], j))
    for n in range(1, 10):
        assert most_informative(counts, n).tolist() == sorted(ranked[:n])


def test_of_equal_features_the_first_is_taken():
    codes = np.tile(np.array([[0], [1], [0], [1]]), (5, 6))
    counts = count(CodedRows(codes, np.tile([0, 1, 0, 1], 5), np.full(6, 2), 2))
    assert most_informative(counts, 3).tolist() == [0, 1, 2]


def test_features_that_are_always_there_take_the_place_of_others():
    counts = count(table())
    ranked = sorted(range(9), key=lambda j: (-corrected_class_information(counts)[j], j))
    worst = ranked[-2:]
    assert most_informative(counts, 4, worst).tolist() == sorted([*worst, *ranked[:2]])
    assert most_informative(counts, 1, worst).tolist() == sorted(worst)


def test_counts_of_some_features_are_those_of_their_columns():
    rows, kept = table(), np.array([1, 4, 5])
    alone = count(CodedRows(rows.codes[:, kept], rows.labels, rows.cardinalities[kept], 2))
    part = counts_of(count(rows), kept)
    assert np.array_equal(part.singles, alone.singles)
    assert part.cardinalities.tolist() == alone.cardinalities.tolist()


@pytest.mark.parametrize("structure", ["gnb-o", "gnb-a", "tan", "nb"])
def test_a_tree_of_some_features_is_the_tree_of_their_columns(structure):
    rows, kept = table(), np.array([0, 2, 3, 6, 8])
    counts = count(rows)
    alone = count(CodedRows(rows.codes[:, kept], rows.labels, rows.cardinalities[kept], 2))
    own = choose_tree(structure, "corrected", information(alone), alone)
    tree = choose_tree_among(kept, structure, "corrected", information(counts), counts)
    assert tree.order.tolist() == kept[own.order].tolist()
    assert tree.gain.tolist() == own.gain.tolist()
    for j, mother in zip(kept.tolist(), own.mother.tolist(), strict=True):
        assert tree.mother[j] == (kept[mother] if mother >= 0 else -1)
    assert (np.delete(tree.mother, kept) == -1).all()
