"""The dependence of a pair, and the proof of its sensitivity on all small tables."""

from itertools import product

import numpy as np
import pytest
import twins
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gnbayes.sites.dependence import SENSITIVITY, dependence_of, dependence_of_independent, surveyed_pairs

TABLES = arrays(
    np.int64,
    st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3)),
    elements=st.one_of(st.integers(0, 3), st.integers(0, 10**6)),
)


@given(TABLES)
def test_agrees_with_fractions(table):
    assert dependence_of(table) == twins.dependence(table)


@given(TABLES, st.data())
def test_one_row_changes_it_by_at_most_two(table, data):
    cell = tuple(data.draw(st.integers(0, size - 1)) for size in table.shape)
    more = table.copy()
    more[cell] += 1
    assert abs(dependence_of(more) - dependence_of(table)) <= SENSITIVITY


def test_on_all_small_tables_the_bound_holds_and_is_reached():
    changes = set()
    for counts in product(range(8), repeat=4):
        table = np.array(counts).reshape(2, 2, 1)
        more = table.copy()
        more[0, 0, 0] += 1
        changes.add(abs(dependence_of(more) - dependence_of(table)))
    assert changes == {0, 1, SENSITIVITY}


def test_large_counts_do_not_overflow():
    table = np.array([[[2**40], [0]], [[0], [2**40]]])
    assert dependence_of(table) == 2**40


def test_independent_features_show_what_chance_makes():
    rng = np.random.default_rng(1)
    n, left, right = 4000, np.array([0.2, 0.3, 0.5]), np.array([0.6, 0.4])
    found = []
    for _ in range(200):
        table = np.zeros((3, 2, 1), dtype=np.int64)
        np.add.at(table, (rng.choice(3, n, p=left), rng.choice(2, n, p=right), 0), 1)
        found.append(dependence_of(table))
    wanted = dependence_of_independent(left[:, None], right[:, None], np.array([float(n)]))
    assert np.mean(found) == pytest.approx(wanted, rel=0.08)


def test_constant_columns_are_not_surveyed():
    assert surveyed_pairs(np.array([3, 1, 2, 4])) == [(0, 2), (0, 3), (2, 3)]
