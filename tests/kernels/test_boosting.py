"""Boosting at each level of instructions, the random rows of its rounds, and sums by which terms are chosen."""

from itertools import combinations

import numpy as np
import pytest

from gnbayes.kernels import native
from gnbayes.model.boosting import DrawnRows, rounds, tree_codes
from gnbayes.model.boosting import trees as grown
from gnbayes.model.boosting.trees import Growth, grow_trees
from gnbayes.model.interactions import gains
from gnbayes.model.interactions.gains import Residuals, second_order_gains

pytestmark = pytest.mark.skipif(native is None, reason="there are no C kernels")
LEVELS = ["portable", "avx2", "avx512"]
# Neighbours fit into a byte together, or do not; one is constant.
SIZES = (16, 16, 3, 100, 1, 5, 40, 6, 4)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n_columns", [1, 3])
@pytest.mark.parametrize("n", [40, 300, 3001])
def test_trees_are_the_same_bits_for_all_instructions(monkeypatch, set_level, level, n_columns, n):
    """Few rows, whose sums stay apart, and many, where features share theirs."""
    set_level(level)
    rng = np.random.default_rng(n)
    columns = rng.integers(0, SIZES, (n, len(SIZES)))
    labels = (columns[:, 0] + columns[:, 7] * (columns[:, 3] > 40) + rng.normal(0, 4, n) > 10).astype(np.int64)
    flags = [size != 5 for size in SIZES], [size == 16 for size in SIZES]
    maps = [np.arange(size) for size in SIZES]
    own = tree_codes(columns, maps, *flags, list(combinations(range(0, 9, 2), 3)))
    weights = np.where(rng.random(n) < 0.2, 0.0, rng.integers(1, 4, n).astype(float))
    drawn = np.packbits(rng.random((6, n)) < 0.8, axis=1, bitorder="little")
    given = (
        [own] * 3,
        [Growth(depth) for depth in (1, 2, 3)],
        np.arange(6, dtype=np.int32) % 3,
        drawn,
        labels,
        weights,
    )
    scores, expected_scores = np.zeros((2, n, n_columns))
    found = grow_trees(*given, scores)
    monkeypatch.setattr(grown, "native", None)
    expected = grow_trees(*given, expected_scores)
    for name in ("features", "is_left", "gains", "values"):
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes()
    assert scores.tobytes() == expected_scores.tobytes()


@pytest.mark.parametrize("most", [None, 0, 20, 1000])
@pytest.mark.parametrize("n_rows", [1, 7, 8, 9, 100, 5003])
def test_drawn_rows_are_those_of_numpy(monkeypatch, n_rows, most):
    drawn = DrawnRows(n_rows, most)
    found = [drawn.rounds(*both) for both in ((0, 9), (600, 604), (3, 3))]
    monkeypatch.setattr(rounds, "native", None)
    expected = [drawn.rounds(*both) for both in ((0, 9), (600, 604), (3, 3))]
    for own, others in zip(found, expected, strict=True):
        np.testing.assert_array_equal(own, others)


@pytest.mark.parametrize("below", [0, 1, 255, 256])
def test_bytes_below_a_bound(below):
    out = np.zeros((4, 13), dtype=np.uint8)
    native.draw_rows(7, 2, 4, 101, below, None, out)
    for at, own in enumerate(out):
        numbers = np.random.PCG64((7, 2 + at)).random_raw(13).astype("<u8").view(np.uint8)[:101]
        np.testing.assert_array_equal(np.unpackbits(own, bitorder="little", count=101), numbers < below)
        assert not own[-1] >> 5


@pytest.mark.parametrize("n", [0, 1, 900])
@pytest.mark.parametrize("n_columns", [1, 3])
def test_gains_are_the_same_bits_as_those_of_numpy(monkeypatch, n, n_columns):
    rng = np.random.default_rng(n)
    sizes = [1, 2, 3, 6, 4, 30]
    codes = [rng.integers(0, size, n) for size in sizes]
    terms = [term for order in (1, 2, 3) for term in combinations(range(6), order)]
    residuals = Residuals(rng.normal(size=(n_columns, n)), rng.random((n_columns, n)))
    monkeypatch.setattr(gains, "_CELLS_AT_ONCE", 50)
    found = second_order_gains(terms, codes, sizes, residuals)
    monkeypatch.setattr(gains, "native", None)
    assert found.tobytes() == second_order_gains(terms, codes, sizes, residuals).tobytes()
    for term, gain in zip(terms, found.tolist(), strict=True):
        cell = np.ravel_multi_index([codes[j] for j in term], [sizes[j] for j in term])
        n_cells = int(np.prod([sizes[j] for j in term]))
        sums = [
            [np.bincount(cell, own, minlength=n_cells) for own in both] for both in (residuals.first, residuals.second)
        ]
        assert gain == sum(gains.gain_of_sums(s, t) for s, t in zip(*sums, strict=True))


def test_wrong_arguments_are_refused():
    codes, sizes, numbers = np.zeros((2, 5), dtype=np.int32), np.array([1, 2], dtype=np.int32), np.zeros(5)
    terms, sums = np.array([[0, 1, -1]], dtype=np.int32), np.zeros((2, 2))
    native.sum_by_cells(codes, sizes, 5, 2, terms, 1, numbers, numbers, *sums)
    with pytest.raises(ValueError, match="a cell is not there"):
        native.sum_by_cells(codes + 1, sizes, 5, 2, terms, 1, numbers, numbers, *sums)
    with pytest.raises(ValueError, match="a cell is not there"):
        native.sum_by_cells(codes, sizes, 5, 2, terms + 1, 1, numbers, numbers, *sums)
    with pytest.raises(ValueError, match="does not fit"):
        native.sum_by_cells(codes, sizes, 5, 2, terms, 1, numbers, numbers, *sums[:, :1])
    out = np.zeros((3, 2), dtype=np.uint8)
    for wrong in ((1, 0, -1, 9, 5), (1, 0, 3, -9, 5), (1, 0, 3, 9, 257), (2**32, 0, 3, 9, 5), (1, 2**32 - 2, 3, 9, 5)):
        with pytest.raises(ValueError, match="no such rounds"):
            native.draw_rows(*wrong, None, out)
    with pytest.raises(ValueError, match="does not fit"):
        native.draw_rows(1, 0, 3, 17, 5, None, out)
