"""Boosting where rows abound."""

import numpy as np
import pytest

from gnbayes.model import distinct_rows
from gnbayes.model.boosting import DrawnRows, Run, base_scores, boost_many, many, tree_codes


@pytest.fixture(name="threshold")
def _threshold():
    """Rows whose class depends on two thresholds, with noise, and a function that gives their codes."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 16, (2000, 3)).astype(np.uint8)
    labels = np.where(rng.random(2000) < 0.2, 1, (codes[:, 0] > 7) & (codes[:, 1] > 3)).astype(np.intp)
    rows = distinct_rows(codes, labels, None, 2)

    def codes_of(some):
        return [tree_codes(codes[some.index], [np.arange(16)] * 3, [True] * 3, [False] * 3, [(0, 1)])] * 3

    return codes_of, rows


def same_trees(first, second):
    np.testing.assert_array_equal(first.features, second.features)
    np.testing.assert_array_equal(first.is_left, second.is_left)
    np.testing.assert_array_equal(first.values, second.values)


def test_two_threads_grow_the_same_trees(threshold, monkeypatch):
    monkeypatch.setattr("gnbayes.kernels.threads._LEAST_VALUES", 0)
    one, two = (boost_many(*threshold, 2, n_threads=n) for n in (1, 2))
    same_trees(one.trees, two.trees)


def test_the_trees_are_those_of_all_rows(threshold):
    codes_of, rows = threshold
    found = boost_many(codes_of, rows, 2)
    run = Run(codes_of(rows), rows.labels.astype(np.int64), rows.weights, base_scores(rows, 2))
    same_trees(found.trees, run.advance(DrawnRows(len(rows)).rounds(0, len(found.trees))))


def test_the_number_of_rounds_is_half_as_many_again_as_the_best_for_held_out_rows(threshold):
    codes_of, rows = threshold
    held_out = rows.fold_weights(5)[:, 0]
    run = Run(codes_of(rows), rows.labels.astype(np.int64), rows.weights - held_out, base_scores(rows, 2))
    losses = [held_out @ run.losses()]
    for first in range(0, 400, 50):
        run.advance(DrawnRows(len(rows)).rounds(first, first + 50))
        losses.append(held_out @ run.losses())
    assert len(boost_many(codes_of, rows, 2).trees) == int(1.5 * 50 * np.argmin(losses))


def test_of_very_many_rows_some_tell_the_number_of_rounds_and_each_round_looks_at_some(threshold, monkeypatch):
    monkeypatch.setattr(many, "_MOST_ROWS", 500)
    codes_of, rows = threshold
    seen = []
    found = boost_many(lambda some: seen.append(len(some)) or codes_of(some), rows, 2)
    assert seen[0] < 700
    assert seen[1] == len(rows)
    run = Run(codes_of(rows), rows.labels.astype(np.int64), rows.weights, base_scores(rows, 2))
    same_trees(found.trees, run.advance(DrawnRows(len(rows), 500).rounds(0, len(found.trees))))
    drawn = np.unpackbits(DrawnRows(len(rows), 500).rounds(0, 8), axis=1, count=len(rows)).sum(axis=1, dtype=int)
    assert np.all(np.abs(drawn - 500) < 100)


def test_progress_goes_from_0_to_1(threshold):
    steps = []
    boost_many(*threshold, 2, progress=steps.append)
    assert steps[0] == 0.0
    assert steps == sorted(steps)
    assert steps[-1] == 1.0


def test_where_no_tree_helps_there_is_none():
    rng = np.random.default_rng(0)
    codes, labels = rng.integers(0, 16, (2000, 3)).astype(np.uint8), rng.integers(0, 2, 2000)
    rows = distinct_rows(codes, labels, None, 2)
    found = boost_many(
        lambda some: [tree_codes(codes[some.index], [np.arange(16)] * 3, [True] * 3, [False] * 3, [(0, 1)])] * 3,
        rows,
        2,
    )
    assert len(found.trees) == 0
    assert found.base.tolist() == base_scores(rows, 2).tolist()
