"""Splits: the same for all, stratified, and every class in the training part."""

import numpy as np
from splits import stratified_splits

Y = np.repeat([0, 1, 2, 3], [60, 37, 2, 1])


def test_parts_are_disjoint_and_complete():
    for train, test in stratified_splits(Y, 3):
        assert sorted([*train, *test]) == list(range(100))
        assert len(test) == 20


def test_every_class_is_in_the_training_part():
    for train, _ in stratified_splits(Y, 20):
        assert set(Y[train]) == {0, 1, 2, 3}


def test_a_split_does_not_depend_on_the_number_of_repeats():
    few, many = list(stratified_splits(Y, 2)), list(stratified_splits(Y, 5))
    for a, b in zip(few, many, strict=False):
        assert np.array_equal(a[0], b[0])
        assert np.array_equal(a[1], b[1])
    assert not np.array_equal(many[0][1], many[1][1])
