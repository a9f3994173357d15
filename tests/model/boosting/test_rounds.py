"""Rounds of boosting, and what they add up to."""

from concurrent.futures import Future

import numpy as np
import pytest

from gnbayes.kernels import native
from gnbayes.model.boosting import DrawnRows, Run, boost, choose_rounds, tables, tables_of_trees, tree_codes
from gnbayes.model.fitting import DistinctRows


def _rows(labels) -> DistinctRows:
    n = len(labels)
    return DistinctRows(np.arange(n), labels, np.ones(n), np.ones(n, dtype=np.int64))


def _halved(n: int):
    held_out = np.zeros((n, 1))
    held_out[::2] = 1.0
    return held_out


def _codes(codes, maps, terms):
    d = codes.shape[1]
    return [tree_codes(codes, own, [True] * d, [False] * d, terms) for own in maps]


@pytest.fixture(name="maps")
def _maps():
    fine = [np.arange(8)] * 3
    return [fine, [np.arange(8) // 2] * 3, [np.arange(8) // 4] * 3]


def _run(maps, n_classes: int, terms):
    """A run of 40 rounds, their trees, and the codes of its rows."""
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(0, 8, (400, 3))
    labels = ((codes[:, 0] > 3) * (codes[:, 1] // 3) + rng.integers(0, 2, 400)).astype(np.int64) % n_classes
    each = [_codes(codes, maps, own)[at] for at, own in enumerate(([], terms[:1], terms))]
    run = Run(each, labels, np.ones(400), np.zeros(1 if n_classes == 2 else n_classes))
    return run, run.advance(DrawnRows(400).rounds(0, 40)), codes


@pytest.mark.parametrize("n_classes", [2, 3])
def test_tables_add_up_to_the_scores_of_the_trees(maps, n_classes):
    terms = [(0, 1), (0, 1, 2)]
    run, trees, codes = _run(maps, n_classes, terms)
    intercept, found = tables_of_trees(trees, maps, terms)
    scores = np.tile(intercept, (400, 1))
    for term, table in found.items():
        scores += table[tuple(maps[len(term) - 1][j][codes[:, j]] for j in term)]
    np.testing.assert_allclose(scores, run.scores, atol=1e-12)
    assert {term for term in found if len(term) > 1} == set(terms)


@pytest.mark.skipif(native is None, reason="there are no C kernels to compare with")
@pytest.mark.parametrize("terms", [[(0, 1), (0, 1, 2)], [(1, 2)], [(0, 1, 2)]])
def test_tables_of_c_and_numpy_are_the_same(monkeypatch, maps, terms):
    _, trees, _ = _run(maps, 3, terms)
    intercept, found = tables_of_trees(trees, maps, terms)
    monkeypatch.setattr(tables, "native", None)
    expected_intercept, expected = tables_of_trees(trees, maps, terms)
    np.testing.assert_array_equal(intercept, expected_intercept)
    assert list(found) == list(expected)
    for term, table in found.items():
        np.testing.assert_array_equal(table, expected[term])


def test_a_feature_of_many_values_has_a_table_of_all_of_them():
    """Trees of one level leave it out, those of two and three levels see it by fewer codes."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 600, (900, 1))
    maps = [[np.arange(600)], [np.arange(600) // 30], [np.arange(600) // 100]]
    each = [tree_codes(codes, own, [True], [False], []) for own in maps]
    run = Run(each, (codes[:, 0] > 270).astype(np.int64), np.ones(900), np.zeros(1))
    intercept, found = tables_of_trees(run.advance(DrawnRows(900).rounds(0, 12)), maps, [])
    assert found[0,].shape == (600, 1)
    np.testing.assert_allclose(intercept + found[0,][codes[:, 0]], run.scores, atol=1e-12)


def test_draws_are_the_same_whenever_they_are_asked_for():
    drawn = DrawnRows(100)
    late = drawn.rounds(3, 6)
    np.testing.assert_array_equal(drawn.rounds(0, 6)[3:], late)
    np.testing.assert_array_equal(DrawnRows(100).rounds(0, 6), drawn.rounds(0, 6))
    share = np.unpackbits(DrawnRows(10_000).rounds(0, 4), axis=1, count=10_000, bitorder="little").mean()
    assert share == pytest.approx(0.7, abs=0.01)


def test_no_rounds_without_anything_to_learn(maps):
    rng = np.random.default_rng(0)
    rows, codes = _rows(rng.integers(0, 2, 600)), _codes(rng.integers(0, 8, (600, 3)), maps, [])
    n_rounds, scores = choose_rounds(codes, rows, _halved(600), 2, DrawnRows(600))
    assert n_rounds <= 10
    assert scores.shape == (600, 1, 1)
    assert len(boost(codes, rows, n_rounds, 2, DrawnRows(600)).trees) <= 11


@pytest.fixture(name="threshold")
def _threshold(maps):
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 8, (1200, 3))
    labels = np.where(rng.random(1200) < 0.1, 1 - (codes[:, 0] > 2), codes[:, 0] > 2).astype(np.intp)
    return _codes(codes, maps, []), _rows(labels)


def test_held_out_rows_lose_less_where_there_is_something(threshold):
    codes, rows = threshold
    _, scores = choose_rounds(codes, rows, _halved(1200), 2, DrawnRows(1200))
    losses = np.logaddexp(0, np.where(rows.labels == 1, -1, 1) * scores[:, 0, 0])
    assert losses[::2].mean() < 0.4
    _, twice = choose_rounds(codes, rows, np.repeat(_halved(1200), 2, axis=1), 2, DrawnRows(1200), n_threads=2)
    np.testing.assert_array_equal(twice[:, 0], scores[:, 0])


def test_what_loses_twice_as_much_is_given_up(threshold):
    steps: list[float] = []
    choose_rounds(*threshold, _halved(1200), 2, DrawnRows(1200), progress=steps.append)
    given_up: list[float] = []
    to_beat: Future[float] = Future()
    to_beat.set_result(1.0)
    choose_rounds(*threshold, _halved(1200), 2, DrawnRows(1200), to_beat=to_beat, progress=given_up.append)
    assert len(given_up) == 10 < len(steps)


def test_it_does_not_matter_when_the_loss_to_beat_becomes_known(threshold):
    early: Future[float] = Future()
    early.set_result(1.0)
    expected = choose_rounds(*threshold, _halved(1200), 2, DrawnRows(1200), to_beat=early)
    late: Future[float] = Future()
    steps: list[float] = []

    def progress(share: float) -> None:
        steps.append(share)
        if len(steps) == 15:
            late.set_result(1.0)

    found = choose_rounds(*threshold, _halved(1200), 2, DrawnRows(1200), to_beat=late, progress=progress)
    assert len(steps) == 15
    assert found[0] == expected[0]
    np.testing.assert_array_equal(found[1], expected[1])
