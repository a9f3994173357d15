"""Kernels read nothing beyond the end of their arrays, in the build that users have.

Sanitizers check a build without vectors; compilers that vectorise loops may read more than the loops say.
"""

import ctypes
import mmap
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gnbayes.kernels import native
from gnbayes.model.boosting import DrawnRows, TreeCodes
from gnbayes.model.boosting.trees import Growth, grow_trees

pytestmark = pytest.mark.skipif(
    native is None or not sys.platform.startswith("linux"), reason="needs the C kernels and mprotect"
)
LEVELS = ["portable", "avx2", "avx512-base", "avx512"]
_MAPS = []


def before_a_wall(array):
    """A copy of an array whose last byte is followed by memory that cannot be read."""
    array = np.ascontiguousarray(array)
    n_pages = -(-max(array.nbytes, 1) // mmap.PAGESIZE)
    memory = mmap.mmap(-1, (n_pages + 1) * mmap.PAGESIZE)
    _MAPS.append(memory)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    wall = ctypes.c_void_p(start + n_pages * mmap.PAGESIZE)
    assert ctypes.CDLL(None, use_errno=True).mprotect(wall, mmap.PAGESIZE, 0) == 0
    out = np.frombuffer(memory, array.dtype, array.size, n_pages * mmap.PAGESIZE - array.nbytes).reshape(array.shape)
    out[...] = array
    return out


def test_a_wall_cannot_be_read():
    code = """
import numpy as np
from test_bounds import before_a_wall
numbers = np.lib.stride_tricks.as_strided(before_a_wall(np.ones(3)), (4,))
print(numbers[:3].sum(), flush=True)
print(numbers[3])
"""
    here = Path(__file__).parent
    run = subprocess.run([sys.executable, "-c", code], cwd=here, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert run.stdout == "3.0\n"


@pytest.mark.parametrize("n_before", [1, 3, 7])
@pytest.mark.parametrize("n_after", [1, 2, 3, 4, 5, 7, 8, 12, 15, 19])
@pytest.mark.parametrize("n_out", [1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 33])
@pytest.mark.parametrize("n_in", [1, 2, 3, 5, 12])
def test_products_along_an_axis(n_in, n_out, n_after, n_before):
    rng = np.random.default_rng(0)
    transposed, values = rng.normal(size=(n_in, n_out)), rng.normal(size=(n_before, n_in, n_after))
    out = before_a_wall(np.zeros((n_before, n_out, n_after)))
    native.axis_product(before_a_wall(transposed), n_out, n_in, n_before, n_after, before_a_wall(values), out)
    np.testing.assert_allclose(out, np.einsum("io,tia->toa", transposed, values), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("n_terms", [1, 4, 7])
@pytest.mark.parametrize("m", [1, 2, 3, 4, 5, 6, 7])
def test_lookups_of_rows(m, n_terms, kind):
    rng = np.random.default_rng(0)
    kinds, n, n_cells = [np.uint8, np.uint16, np.uint32], 5, 3
    codes = rng.integers(0, n_cells, (n_terms, n))
    codes[:, -1] = n_cells - 1
    columns = [before_a_wall(codes.astype(own) if own is kind else np.zeros((0, n), own)) for own in kinds]
    starts = before_a_wall(np.arange(n_terms) * n_cells)
    counts = [n_terms if own is kind else 0 for own in kinds]
    cells = (*columns, *counts, n, starts, n_terms * n_cells)
    tables, base, out = rng.normal(size=(n_terms * n_cells, m)), np.zeros(m), before_a_wall(np.zeros((n, m)))
    native.row_scores(cells, before_a_wall(tables), before_a_wall(base), m, 0, n, out)
    places = codes + np.arange(n_terms)[:, None] * n_cells
    np.testing.assert_allclose(out, tables[places].sum(axis=0), rtol=1e-12, atol=1e-14)
    weights, labels = rng.integers(1, 9, (n, m)).astype(float), np.zeros(n, dtype=np.int64)
    sums, losses = before_a_wall(np.zeros((n_terms * n_cells + 1, m), dtype=np.int64)), np.zeros((2, m), dtype=np.int64)
    problems = (before_a_wall(tables), np.zeros(m), before_a_wall(labels), before_a_wall(weights), m, 1, 1.0)
    native.sum_over_rows(3, cells, *problems, 0, n, sums, losses)
    expected = np.zeros_like(sums)
    np.add.at(expected, places, weights.astype(np.int64))
    expected[-1] = weights.sum(axis=0)
    np.testing.assert_array_equal(sums, expected)


@pytest.mark.parametrize("n", [5, 64, 203, 1031])
def test_rounds_of_boosting(n):
    rng = np.random.default_rng(n)
    sizes = np.array([3, 9, 70, 7, 2], dtype=np.int32)
    codes = before_a_wall(rng.integers(0, sizes[:, None], (5, n)).astype(np.uint8))
    flags = before_a_wall(np.array([1, 1, 1, 0, 1], dtype=np.uint8)), before_a_wall(np.zeros(5, dtype=np.uint8))
    terms = before_a_wall(np.array([[0, 1, 2], [1, 3, 4]], dtype=np.int32))
    own = TreeCodes(codes, before_a_wall(sizes), *flags, terms)
    drawn = before_a_wall(DrawnRows(n).rounds(0, 6))
    labels, weights = before_a_wall(rng.integers(0, 2, n)), before_a_wall(np.ones(n))
    turns, scores = before_a_wall(np.arange(6, dtype=np.int32) % 3), before_a_wall(np.zeros((n, 1)))
    grow_trees([own] * 3, [Growth(depth) for depth in (1, 2, 3)], turns, drawn, labels, weights, scores)
    assert scores.any()


@pytest.mark.parametrize("n", [1, 7, 8, 33])
def test_sums_and_draws(n):
    rng = np.random.default_rng(n)
    codes = before_a_wall(rng.integers(0, 3, (3, n)).astype(np.int32))
    sizes, terms = before_a_wall(np.full(3, 3, dtype=np.int32)), before_a_wall(np.array([[0, 1, 2]], dtype=np.int32))
    ones, sums = before_a_wall(np.ones(n)), [before_a_wall(np.zeros(27)) for _ in range(2)]
    native.sum_by_cells(codes, sizes, n, 3, terms, 1, ones, ones, *sums)
    assert sums[0].sum() == sums[1].sum() == n
    drawn = before_a_wall(np.zeros((2, -(-n // 8)), dtype=np.uint8))
    native.draw_rows(1, 0, 2, n, 256, None, drawn)
    assert np.unpackbits(drawn).sum() == 2 * n


@pytest.mark.parametrize("n", [1, 5, 8, 13, 70])
@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("level", LEVELS)
def test_bins_of_a_matrix(set_level, level, order, kind, n):
    set_level(level)
    rng = np.random.default_rng(0)
    sizes = [0, 1, 7, 9, 31, 40, 63, 64, 130, 255, 3]
    matrix = rng.normal(size=(n, len(sizes))).astype(kind)
    cuts = [np.sort(rng.normal(size=size)) for size in sizes]
    starts, missing = np.cumsum([0, *sizes]), np.full(len(sizes), 99, dtype=np.uint8)
    laid = before_a_wall(matrix if order == "C" else matrix.T)
    out = before_a_wall(np.zeros(matrix.T.shape, dtype=np.uint8)).T
    native.count_matrix_cuts(
        *(laid if order == "C" else laid.T, 8 if kind == "float32" else 9, 0, n),
        *(before_a_wall(np.arange(len(sizes))), len(sizes), before_a_wall(starts), before_a_wall(np.concatenate(cuts))),
        *(before_a_wall(missing), out),
    )
    expected = [np.searchsorted(own, matrix[:, j], side="right") for j, own in enumerate(cuts)]
    np.testing.assert_array_equal(out, np.stack(expected, axis=1))


@pytest.mark.parametrize("n", [1, 8, 33, 64, 70])
@pytest.mark.parametrize("size", [1, 8, 9, 16, 17, 40, 64, 65, 200, 256])
@pytest.mark.parametrize("level", LEVELS)
def test_sums_of_terms(set_level, level, size, n):
    set_level(level)
    rng = np.random.default_rng(0)
    codes = rng.integers(0, size, (2, n)).astype(np.uint8)
    table, offsets = rng.normal(size=size), np.arange(size, dtype=np.int32)
    terms = np.array([[0, 1, 1, size, 0, 0, 0, 0, 0, 0, 0]], dtype=np.int64)
    out, is_incomplete = before_a_wall(np.zeros(n)), before_a_wall(np.zeros(n, dtype=np.uint8))
    native.score_terms(
        *(before_a_wall(codes).T, 1, n, 2, before_a_wall(terms), 1, before_a_wall(offsets), size),
        *(before_a_wall(table), size, before_a_wall(np.zeros(1)), 1, 0, n, out, is_incomplete),
    )
    np.testing.assert_array_equal(out, table[codes[1]])
    assert not is_incomplete.any()
