"""The C path counts the same as the NumPy path, number for number, with whatever instructions and threads."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnbayes.counting import CodedRows, c_path, count, count_values, numpy_path
from gnbayes.kernels import native
from gnbayes.structure import Information, InformationByRow, gnb_a, gnb_o, information, information_of_rows, tan

pytestmark = pytest.mark.skipif(native is None, reason="the C kernels are not in use")
LEVELS = ["portable", "avx2", "avx512-base", "avx512"]


@pytest.fixture(params=LEVELS)
def level(request):
    before = native.level()
    try:
        native.set_level(request.param)
    except ValueError as error:
        pytest.skip(str(error))
    yield request.param
    native.set_level(before)


def random_rows(seed, n, cardinalities, k, weights=None, n_threads=1):
    """Rows with empty classes and constant columns among them."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, k, n) if seed % 3 else np.minimum(rng.geometric(0.5, n) - 1, k - 1)
    dtype = np.min_scalar_type(max(cardinalities))
    codes = np.stack([rng.integers(0, v, n) for v in cardinalities], axis=1).astype(dtype)
    drawn = {"whole": rng.integers(1, 4, n), "any": rng.exponential(1, n)}.get(weights)
    if drawn is not None:
        drawn = np.ldexp(np.rint(np.ldexp(drawn.astype(float), 20)), -20)
    return CodedRows(np.asfortranarray(codes), labels, np.array(cardinalities), k, drawn, n_threads)


@st.composite
def rows_of_all_shapes(draw):
    most = draw(st.sampled_from([2, 5, 33, 300]))
    cardinalities = draw(st.lists(st.integers(1, most), min_size=1, max_size=20))
    n = draw(st.one_of(st.integers(0, 300), st.sampled_from([63, 64, 65, 127, 128, 129, 4096, 5000])))
    return random_rows(
        draw(st.integers(0, 10**6)),
        *(n, cardinalities, draw(st.integers(1, 30))),
        weights=draw(st.sampled_from([None, None, "whole", "any"])),
        n_threads=draw(st.sampled_from([1, 2, 3])),
    )


@given(rows=rows_of_all_shapes())
@pytest.mark.parametrize("instructions", LEVELS)
@pytest.mark.slow
def test_all_counts_are_those_of_numpy(rows, instructions):
    before = native.level()
    try:
        native.set_level(instructions)
    except ValueError as error:
        pytest.skip(str(error))
    try:
        assert_same_counts(rows)
    finally:
        native.set_level(before)


def assert_same_counts(rows):
    for ours, theirs in zip(c_path.count_values(rows), numpy_path.count_values(rows), strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)
    d = rows.n_features
    pairs = np.array([(i, j) for i in range(d) for j in range(i + 1, d)], dtype=np.intp).reshape(-1, 2)[:40]
    np.testing.assert_array_equal(c_path.count_pairs(rows, pairs), numpy_path.count_pairs(rows, pairs))
    if rows.n_classes * rows.cardinalities.sum() ** 2 < 10_000_000:  # more of them takes a second, and the same way
        ours, theirs = c_path.all_cells(rows), numpy_path.all_cells(rows)
        feature = np.repeat(np.arange(d), rows.cardinalities)
        is_above = feature[:, None] < feature
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours[:, is_above], theirs[:, is_above])


@given(rows=rows_of_all_shapes())
def test_information_is_the_same_bits_by_every_way(rows):
    if rows.n_rows == 0:
        return
    values = count_values(rows)
    by_rows = information_of_rows(rows, values)
    by_row = InformationByRow(rows, values)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gnbayes.structure._information.path", numpy_path)
        patch.setattr("gnbayes.structure._information.native", None)
        by_numpy = information_of_rows(rows, values)
        row_by_numpy = InformationByRow(rows, values).rows(np.arange(1))
        kept_by_numpy = information(count(rows)) if rows.cardinalities.sum() < 1000 else by_numpy
    same = np.testing.assert_array_equal if rows.are_whole else np.testing.assert_allclose
    tolerance = {} if rows.are_whole else {"atol": 1e-12}
    same(by_rows.given_class, by_numpy.given_class, **tolerance)
    same(by_row.rows(np.arange(rows.n_features)), by_numpy.given_class, **tolerance)
    same(row_by_numpy[0], by_numpy.given_class[0], **tolerance)
    same(kept_by_numpy.given_class, by_numpy.given_class, **tolerance)
    if rows.cardinalities.sum() < 1000:
        same(information(count(rows)).given_class, by_numpy.given_class, **tolerance)


@pytest.mark.parametrize("n", [200, 450, 900, 20_000])
def test_small_and_large_counts_give_the_same_bits_with_all_instructions(n, level, monkeypatch):
    # Cells below and above 64, which the kernels look up in different ways; one, few and many of them.
    rows = random_rows(5, n, [2] * 3 + [3] * 9 + [5] * 9 + [9] * 3, 2)
    ours = information_of_rows(rows).given_class
    monkeypatch.setattr("gnbayes.structure._information.path", numpy_path)
    np.testing.assert_array_equal(ours, information_of_rows(rows).given_class)


@pytest.mark.parametrize("structure", [gnb_a, gnb_o, tan])
def test_trees_from_rows_on_demand_are_those_from_the_matrix(structure, level):
    rows = random_rows(11, 400, [3] * 40 + [5] * 30 + [2] * 20 + [50] * 2, 3)
    whole, by_row = structure(information_of_rows(rows)), structure(InformationByRow(rows, count_values(rows)))
    for name in ("mother", "order", "gain"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(by_row, name))


@pytest.mark.parametrize("structure", [gnb_a, gnb_o, tan])
@pytest.mark.parametrize("d", [3, 30, 64])
def test_trees_of_numpy_are_those_of_c(structure, d, level, monkeypatch):
    rng = np.random.default_rng(0)
    half = np.triu(rng.integers(0, 4, (d, d)) / 8.0, 1)  # many ties
    info = Information(rng.integers(0, 3, d) / 4.0, half + half.T)
    ours = structure(info)
    monkeypatch.setattr("gnbayes.structure._growth.native", None)
    theirs = structure(info)
    for name in ("mother", "order", "gain"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_threads_do_not_change_the_counts(n_threads):
    rows = random_rows(1, 3000, [5] * 70 + [40] * 3, 2)
    one, many = count(rows), count(replace(rows, n_threads=n_threads))
    np.testing.assert_array_equal(one.cells, many.cells)
    np.testing.assert_array_equal(one.singles, many.singles)
