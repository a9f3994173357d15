"""Kernels that fit tables, against NumPy: the same bits, for all instructions, threads and orders of rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.kernels import native
from gnbayes.model.fitting import TermSpec, dual, lbfgs, products, solver, sums
from gnbayes.model.fitting import cells as cells_module
from gnbayes.model.fitting.cells import compact_cells
from gnbayes.model.fitting.elementary import exp_negative, log_above_1, to_whole
from gnbayes.model.fitting.layout import make_layout
from gnbayes.model.fitting.objective import Objective
from gnbayes.model.fitting.products import AxisMatrix
from gnbayes.model.fitting.solver import Solver
from gnbayes.model.fitting.sums import FittingRows, Kind, sum_over_rows

needs_c = pytest.mark.skipif(native is None, reason="the C kernels are not in use")
LEVELS = ["portable", "avx2", "avx512-base", "avx512"]


def by_numpy(module, function):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "native", None)
        return function()


def problem(rng, n, sizes, n_classes, b, n_threads=1):
    columns = [rng.integers(0, size, n) for size in sizes]
    cells = compact_cells(columns, sizes, n)
    weights = rng.integers(1, 9, n) * rng.choice([1.0, 0.3])
    rows = FittingRows(cells, rng.integers(0, n_classes, n), weights, n_classes, n_threads)
    # Scores from next to nothing to far beyond what exp can tell apart.
    tables = rng.normal(size=(cells.n_cells, b, rows.n_columns)) * rng.choice([1e-3, 1.0, 1e3])
    return rows, weights[:, None] * rng.integers(0, 2, (n, b)), tables, rng.normal(size=(b, rows.n_columns))


def assert_same(found, expected):
    for name in ("cells", "total", "losses"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


@needs_c
@given(
    seed=st.integers(0, 10**6),
    n=st.sampled_from([0, 1, 17, 1000]),
    sizes=st.lists(st.sampled_from([1, 2, 7, 30, 255]), min_size=1, max_size=3),
    code_kind=st.sampled_from([np.uint8, np.uint16, np.uint32]),
)
def test_cells_are_the_same_by_both_paths(seed, n, sizes, code_kind):
    rng = np.random.default_rng(seed)
    codes = np.asfortranarray(rng.integers(0, sizes, (n, len(sizes))).astype(code_kind))
    maps = tuple(rng.integers(0, size, size) for size in sizes)
    spec = TermSpec(tuple(range(len(sizes))), maps, "free", (False,) * len(sizes))
    found = spec.cells(codes)
    assert found.dtype == np.min_scalar_type(spec.n_cells - 1)
    np.testing.assert_array_equal(found, by_numpy(cells_module, lambda: spec.cells(codes)))
    along = [own[column] for own, column in zip(maps, codes.T, strict=True)]
    np.testing.assert_array_equal(found, np.ravel_multi_index(along, spec.shape))
    counts = cells_module.count_cells(found, spec.n_cells)
    np.testing.assert_array_equal(counts, np.bincount(found, minlength=spec.n_cells))
    np.testing.assert_array_equal(counts, by_numpy(cells_module, lambda: cells_module.count_cells(found, spec.n_cells)))


@needs_c
@pytest.mark.parametrize("n", [4, 5])
def test_counts_that_the_kernel_refuses(n):
    cells, counts = np.arange(n, dtype=np.uint8), np.zeros((2, n), dtype=np.int64)
    native.count_cells(cells, 1, n, n, counts)
    assert counts[0].tolist() == [1] * n
    with pytest.raises(ValueError, match="a cell is not there"):
        native.count_cells(cells, 1, n, n - 1, counts[:, 1:].copy())
    with pytest.raises(ValueError, match="1, 2 or 4 bytes"):
        native.count_cells(cells, 3, n, n, counts)
    with pytest.raises(ValueError, match="does not fit"):
        native.count_cells(cells, 1, n + 1, n, counts)


@needs_c
def test_cells_that_the_kernel_refuses():
    column, steps, out = np.zeros(5, dtype=np.uint8), np.zeros(1, dtype=np.uint32), np.zeros(5, dtype=np.uint8)
    native.cells_of_rows((column,), 1, 5, (steps,), out, 1)
    with pytest.raises(ValueError, match="one to three axes"):
        native.cells_of_rows((), 1, 5, (), out, 1)
    with pytest.raises(ValueError, match="one to three axes"):
        native.cells_of_rows((column,), 3, 5, (steps,), out, 1)
    with pytest.raises(ValueError, match="does not fit"):
        native.cells_of_rows((column,), 1, 6, (steps,), out, 1)
    with pytest.raises(ValueError, match="does not fit"):
        native.cells_of_rows((column,), 1, 5, (steps,), out, 2)


@needs_c
@given(
    seed=st.integers(0, 10**6),
    n=st.sampled_from([1, 15, 16, 17, 511, 513, 4097]),
    sizes=st.lists(st.sampled_from([1, 2, 7, 256, 257, 70_000]), min_size=0, max_size=11),
    n_classes=st.sampled_from([2, 3, 5, 11]),
    b=st.integers(1, 5),
    kind=st.sampled_from(Kind),
)
def test_sums_are_the_same_bits_by_both_paths(seed, n, sizes, n_classes, b, kind):
    arguments = problem(np.random.default_rng(seed), n, sizes, n_classes, b)
    assert_same(sum_over_rows(kind, *arguments), by_numpy(sums, lambda: sum_over_rows(kind, *arguments)))


@pytest.mark.slow
@needs_c
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("b", [1, 2, 3, 4])
def test_sums_are_the_same_bits_for_all_instructions(set_level, level, n_classes, b):
    arguments = problem(np.random.default_rng(b), 3000, [40, 64, 300, 8, 8, 8, 8, 8, 8, 70_000], n_classes, b)
    expected = by_numpy(sums, lambda: sum_over_rows(Kind.GRADIENT, *arguments))
    set_level(level)
    assert_same(sum_over_rows(Kind.GRADIENT, *arguments), expected)


@pytest.mark.parametrize("kind", Kind)
def test_threads_and_the_order_of_rows_do_not_change_a_bit(kind, monkeypatch):
    monkeypatch.setattr("gnbayes.model.fitting.sums.limit_threads", lambda n_threads, _: n_threads)
    rng = np.random.default_rng(0)
    rows, row_weights, tables, base = problem(rng, 5000, [9, 300], 3, 2)
    expected = sum_over_rows(kind, rows, row_weights, tables, base)
    order = rng.permutation(5000)
    turned = FittingRows(rows.cells.of_rows(order), rows.labels[order], rows.weights[order], 3, n_threads=3)
    assert_same(sum_over_rows(kind, turned, row_weights[order], tables, base), expected)


def test_sums_by_hand():
    rng = np.random.default_rng(1)
    rows, row_weights, tables, base = problem(rng, 50, [3, 4], 3, 2)
    tables = tables / np.abs(tables).max()
    cells = np.concatenate([part.astype(int) for part in rows.cells.columns], axis=1) + rows.cells.starts
    scores = base + tables[cells].sum(axis=1)
    proba = np.exp(scores) / np.exp(scores).sum(axis=2, keepdims=True)
    is_own = np.eye(3)[rows.labels][:, None]
    parts = {
        Kind.GRADIENT: (proba - is_own) * row_weights[:, :, None],
        Kind.CURVATURE: proba * (1 - proba) * row_weights[:, :, None],
        Kind.TOTALS: np.repeat(row_weights[:, :, None], 3, axis=2),
    }
    for kind, values in parts.items():
        found = sum_over_rows(kind, rows, row_weights, tables, base)
        expected = np.zeros_like(tables)
        for column in cells.T:
            np.add.at(expected, column, values)
        np.testing.assert_allclose(found.cells, expected, atol=1e-12)
        np.testing.assert_allclose(found.total, values.sum(axis=0), atol=1e-12)
        if kind is not Kind.TOTALS:
            losses = -(row_weights * np.log((proba * is_own).sum(axis=2))).sum(axis=0)
            np.testing.assert_allclose(found.losses, losses, rtol=1e-13)


def test_scores_that_are_no_numbers_give_finite_sums():
    rows, row_weights, tables, base = problem(np.random.default_rng(2), 20, [2], 2, 1)
    for score in (np.inf, -np.inf, np.nan, 1e300):
        found = sum_over_rows(Kind.GRADIENT, rows, row_weights, np.full_like(tables, score), base)
        assert np.isfinite(found.losses).all()
        assert np.isfinite(found.cells).all()


def test_exp_and_log_are_right_to_a_few_units_in_the_last_place():
    rng = np.random.default_rng(0)
    x = -np.concatenate([rng.exponential(1, 5000), rng.uniform(0, 700, 5000), [0.0, 1e-300, 708.0]])
    np.testing.assert_array_max_ulp(exp_negative(x), np.exp(x), 2)
    x = np.concatenate([1 + rng.random(5000), rng.uniform(1, 300, 5000), [1.0, 2.0, np.nextafter(1.0, 2.0)]])
    np.testing.assert_array_max_ulp(log_above_1(x), np.log(x), 4)
    assert exp_negative(np.array([-np.inf, np.nan, -1e4])).tolist() == [exp_negative(np.array([-708.0]))[0]] * 3


def test_whole_numbers_are_the_nearest():
    x = np.array([0.5, 1.5, -0.5, -1.5, 2.4999, -7.6, 2.0**51 - 1])
    assert to_whole(x).tolist() == np.rint(x).astype(int).tolist()


@needs_c
@given(
    seed=st.integers(0, 10**6),
    n_out=st.integers(1, 70),
    n_in=st.integers(1, 40),
    n_before=st.integers(1, 9),
    n_after=st.integers(1, 21),
)
def test_products_are_the_same_bits_by_both_paths(seed, n_out, n_in, n_before, n_after):
    assert_same_products(seed, n_out, n_in, n_before, n_after)


@needs_c
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n_after", [1, 2, 3, 4, 5, 7, 9, 17])
@pytest.mark.parametrize("n_out", [1, 2, 3, 4, 7, 13, 26, 40])
def test_products_are_the_same_bits_for_all_instructions(set_level, level, n_out, n_after):
    set_level(level)
    for n_before in (1, 2, 3, 4, 7):
        assert_same_products(0, n_out, 6, n_before, n_after)


def assert_same_products(seed, n_out, n_in, n_before, n_after):
    rng = np.random.default_rng(seed)
    matrix, values = rng.normal(size=(n_out, n_in)), rng.normal(size=(n_before, n_in, n_after))

    def product():
        out = np.empty((n_before, n_out, n_after))
        AxisMatrix.of(matrix).multiply(values, out, n_before)
        return out

    np.testing.assert_array_equal(product(), by_numpy(products, product))
    np.testing.assert_allclose(product(), np.einsum("rj,ajq->arq", matrix, values), atol=1e-12)


@needs_c
@given(seed=st.integers(0, 10**6), n=st.integers(1, 90), b=st.integers(1, 5), c=st.integers(1, 4))
def test_minimising_takes_the_same_way_by_both_paths(seed, n, b, c):
    assert_same_way(seed, n, b, c)


@needs_c
@pytest.mark.parametrize("level", LEVELS)
def test_minimising_takes_the_same_way_for_all_instructions(set_level, level):
    set_level(level)
    assert_same_way(0, 83, 3, 2)


def assert_same_way(seed, n, b, c):
    rng = np.random.default_rng(seed)
    bends, centres = rng.exponential(size=(n, 1, 1)), rng.normal(size=(n, b, c))

    def function(x):
        distance = x - centres
        return lbfgs.dots(bends * distance, distance**3), 4 * bends * distance**3

    def found():
        return lbfgs.minimise(function, np.zeros((n, b, c)), 20, 1e-12)

    np.testing.assert_array_equal(found(), by_numpy(lbfgs, found))


def tables_of_all_kinds(rng, n, n_classes):
    """Walks, surfaces of two and three features, and free tables with cells that no row falls into."""
    sizes = [12, 9, 5, 4]
    specs = [
        *(TermSpec((j,), (np.arange(12),), "walk", (bool(j),)) for j in (0, 0, 1)),
        TermSpec((2,), (np.arange(5),), "free", (False,)),
        TermSpec((0, 1), (np.arange(12), np.arange(12)), "surface", (False, True)),
        TermSpec((1, 2, 3), (np.arange(12) // 2, np.arange(5), np.arange(4)), "surface", (False, False, True)),
        TermSpec((0, 3), (np.arange(12), np.arange(4)), "free", (False, True)),
    ]
    layout, cells = make_layout(specs, rng.integers(0, sizes, (n, 4)))
    rows = FittingRows(cells, rng.integers(0, n_classes, n), rng.integers(1, 9, n) * 0.3, n_classes)
    return Objective(layout, rows)


def assert_same_solution(seed, n, b, n_classes, size=1.0):
    rng = np.random.default_rng(seed)
    objective = tables_of_all_kinds(rng, n, n_classes)
    # Far from the solution steps are too long, and are shortened.
    start = size * rng.normal(size=objective.zeros(b).shape)
    weights = None if b == 1 else objective.rows.weights[:, None] * rng.integers(0, 2, (n, b))
    penalties, looked_at = rng.exponential(size=objective.layout.n_tables), []
    solving = Solver(objective, looked_at=looked_at.append)

    def found():
        return solving.solve(start, weights, penalties, 12)

    by_kernel, n_of_kernel = found(), sum(looked_at)
    np.testing.assert_array_equal(by_kernel, by_numpy(solver, found))
    assert sum(looked_at) == 2 * n_of_kernel


@needs_c
@given(
    seed=st.integers(0, 10**6),
    n=st.sampled_from([1, 30, 200]),
    b=st.integers(1, 4),
    n_classes=st.integers(2, 4),
    size=st.sampled_from([0.0, 0.1, 30.0]),
)
def test_tables_are_solved_to_the_same_bits_by_one_kernel(seed, n, b, n_classes, size):
    assert_same_solution(seed, n, b, n_classes, size)


@needs_c
@pytest.mark.parametrize("level", LEVELS)
def test_tables_are_solved_to_the_same_bits_for_all_instructions(set_level, level):
    set_level(level)
    assert_same_solution(0, 200, 6, 2)


@needs_c
def test_tables_that_the_kernel_refuses():
    objective = tables_of_all_kinds(np.random.default_rng(0), 30, 2)
    groups, matrices = objective.layout.kernel_groups

    def solve_with(groups):
        objective.layout.__dict__["kernel_groups"] = groups, matrices
        Solver(objective).solve(objective.zeros(), None, np.ones(objective.layout.n_tables), 1)

    for at, value, message in ((0, 0, "no such group"), (1, 4, "no such group"), (4, 10**6, "beyond the matrices")):
        wrong = groups.copy()
        wrong[0, at] = value
        with pytest.raises(ValueError, match=message):
            solve_with(wrong)
    with pytest.raises(ValueError, match="unknowns and cells of free tables differ"):
        solve_with(groups[:-1])


@needs_c
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("size", [5, 200, 300])
def test_similarity_is_the_same_bits_for_all_instructions(set_level, level, size):
    rng = np.random.default_rng(size)
    specs = [
        TermSpec((0,), (np.arange(size),), "walk", (False,)),
        TermSpec((0,), (np.arange(size),), "free", (False,)),
        TermSpec((1, 2), (np.arange(3), np.arange(4)), "surface", (False, True)),
    ]
    layout, cells = make_layout(specs, rng.integers(0, [size, 3, 4], (70, 3)))
    objective = Objective(layout, FittingRows(cells, rng.integers(0, 2, 70), np.ones(70), 2))
    penalties = rng.exponential(size=3)
    arguments = (objective.layout, objective.rows.cells, penalties, np.array([0, 1, 0]))
    expected = by_numpy(dual, lambda: dual.row_similarity(*arguments))
    set_level(level)
    np.testing.assert_array_equal(dual.row_similarity(*arguments), expected)


@needs_c
@given(seed=st.integers(0, 10**6), n=st.sampled_from([1, 511, 1030]), b=st.integers(1, 5), n_classes=st.integers(2, 4))
def test_scores_are_the_same_bits_by_both_paths(seed, n, b, n_classes):
    rows, _, tables, base = problem(np.random.default_rng(seed), n, [7, 300, 70_000, 4], n_classes, b)
    found = sums.row_scores(rows.cells, tables, base)
    np.testing.assert_array_equal(found, by_numpy(sums, lambda: sums.row_scores(rows.cells, tables, base)))


@needs_c
def test_the_kernels_refuse_what_does_not_fit():
    one, no_columns = np.zeros(1), np.zeros((1, 0))
    whole = np.zeros(4, dtype=np.int64)
    cells = (np.zeros((1, 1), np.uint8), no_columns.astype(np.uint16), no_columns.astype(np.uint32), 1, 0, 0, 1)
    fitting = (*cells, whole, 1)
    arguments = (one, one, whole, one, 1, 1, 1.0, 0, 1, whole, whole)
    native.sum_over_rows(1, fitting, *arguments)
    with pytest.raises(ValueError, match="no such sums, problems or rows"):
        native.sum_over_rows(9, fitting, *arguments)
    with pytest.raises(ValueError, match="a table lies beyond the cells"):
        native.sum_over_rows(1, (*cells, whole + 5, 1), *arguments)
    with pytest.raises(ValueError, match="does not fit"):
        native.sum_over_rows(1, (*cells, whole, 9), *arguments)
    with pytest.raises(ValueError, match="does not fit"):
        native.axis_product(np.zeros((2, 3)), 3, 2, 1, 1, np.zeros(1), np.zeros(3))
    with pytest.raises(ValueError, match="does not fit"):
        native.dot_products(one, np.zeros(1, dtype=np.float32), 1, 1, 1, np.zeros(1))
    with pytest.raises(ValueError, match="no such pair"):
        native.two_loops(one, one, one, np.array([3]), 1, 1, one, 1, 1, 1, np.zeros(1))
    with pytest.raises(ValueError, match="1, 2 or 4 bytes"):
        native.add_similarity(one, 8, 1, 1, None, whole, one, whole, 1, one.copy())
    with pytest.raises(ValueError, match="does not fit"):
        native.add_similarity(np.zeros(2, np.uint8), 1, 2, 1, None, whole + 1, one, whole, 1, one.copy())
    for sizes, places in ((whole, whole), (whole + 1, whole + 1)):
        with pytest.raises(ValueError, match="no such table or place"):
            native.add_similarity(np.zeros(1, np.uint8), 1, 1, 1, None, sizes, one, places, 1, one.copy())
    with pytest.raises(ValueError, match="no such columns or rows"):
        native.row_scores(fitting, one, one, 1, 0, 5, one.copy())
    with pytest.raises(ValueError, match="no such problems"):
        native.dot_products(one, one, 1, 0, 1, np.zeros(1))


@needs_c
def test_c_and_numpy_recode_columns_alike(monkeypatch):
    rng = np.random.default_rng(0)
    codes = np.asfortranarray(rng.integers(0, 5, (200, 3)).astype(np.uint8))
    maps = [rng.integers(0, 4, 5) for _ in range(3)]
    found = cells_module.recode(codes, maps, 2)
    monkeypatch.setattr(cells_module, "native", None)
    np.testing.assert_array_equal(found, cells_module.recode(codes, maps))
    np.testing.assert_array_equal(found, np.stack([own[codes[:, j]] for j, own in enumerate(maps)], axis=1))
