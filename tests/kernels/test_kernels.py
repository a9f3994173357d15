"""Kernels that encode and predict, against NumPy; and what chooses between the two."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from classifiers import counted
from hypothesis import given
from hypothesis import strategies as st

import gnbayes
from gnbayes.encoding import Feature, encode, read_array
from gnbayes.encoding._byte_columns import read_byte_columns
from gnbayes.encoding._encode import encode_values
from gnbayes.kernels import describe, native
from gnbayes.kernels.threads import beside, for_each, threads_of
from gnbayes.model import Term
from gnbayes.model.term import TermSum

needs_c = pytest.mark.skipif(native is None, reason="the C kernels are not in use")
LEVELS = ["portable", "avx2", "avx512-base", "avx512"]
KINDS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]


@needs_c
@given(
    seed=st.integers(0, 10**6),
    n=st.one_of(st.integers(1, 300), st.sampled_from([127, 128, 129, 3000])),
    d=st.sampled_from([1, 2, 15, 16, 17, 63, 64, 65, 130]),
    kind=st.sampled_from(KINDS),
    order=st.sampled_from(["C", "F", "rows", "columns"]),
    n_threads=st.sampled_from([1, 2]),
)
def test_small_whole_numbers_are_read_as_they_are(seed, n, d, kind, order, n_threads):
    rng = np.random.default_rng(seed)
    most = min(254, np.iinfo(kind).max if kind[0] in "iu" else 254)
    matrix = rng.integers(0, most + 1, (n, d)).astype(kind)
    odd = rng.random(d) < 0.3  # columns that are not small
    if kind[0] == "f":
        matrix[rng.random((n, d)) < 0.1] = np.nan
        matrix[rng.integers(0, n), odd] = rng.choice([0.5, -1.0, 255.0, 1e300 if kind == "float64" else 1e30])
    elif kind != "uint8" and kind != "int8":
        matrix[rng.integers(0, n), odd] = rng.choice([255, 256, 300, np.iinfo(kind).max])
    elif kind == "int8":
        matrix[rng.integers(0, n), odd] = -1
    else:
        matrix[rng.integers(0, n), odd] = 255
    laid = {"C": matrix, "F": np.asfortranarray(matrix), "rows": np.repeat(matrix, 2, axis=0)[::2]}
    given_matrix = laid.get(order, np.repeat(matrix, 2, axis=1)[:, ::2])
    in_bytes = read_byte_columns(given_matrix, n, n_threads)
    if in_bytes is None:
        assert odd.all()
        return
    np.testing.assert_array_equal(in_bytes.fits_byte, ~odd)
    for j in np.flatnonzero(~odd).tolist():
        missing = np.isnan(matrix[:, j].astype(float))
        expected = np.where(missing, 255, np.nan_to_num(matrix[:, j].astype(float))).astype(np.uint8)
        np.testing.assert_array_equal(in_bytes.values[:, j], expected)
        assert in_bytes.categories(j) == tuple(np.unique(matrix[~missing, j].astype(float)).tolist())
        assert in_bytes.has_missing(j) == missing.any()


@needs_c
@given(seed=st.integers(0, 10**6), n=st.integers(1, 1100), n_cuts=st.integers(0, 255))
def test_cuts_are_counted_as_by_searchsorted(seed, n, n_cuts):
    rng = np.random.default_rng(seed)
    values = rng.choice([-np.inf, np.inf, 0.0, -0.0, 1.0, np.nan, *rng.normal(size=5)], n)
    cuts = np.unique(rng.normal(size=n_cuts))
    out = np.empty(n, dtype=np.uint8)
    native.count_cuts(values, n, cuts, len(cuts), 99, out)
    expected = np.where(np.isnan(values), 99, np.searchsorted(cuts, values, side="right"))
    np.testing.assert_array_equal(out, expected)


def beside_each_other(rng, n_cuts):
    """Cuts, and values at them and next to them: as doubles, and where both are the same as floats."""
    scale, start = rng.choice([1e-310, 1e-40, 1.0, 1e30, 1e300]), rng.choice([0.0, 1.7e9])
    cuts = np.unique(start + scale * rng.choice([rng.normal(size=n_cuts), rng.integers(-9, 9, n_cuts)]))
    near = [cuts, np.nextafter(cuts, -np.inf), np.nextafter(cuts, np.inf), cuts.astype(np.float32), cuts * (1 - 1e-9)]
    return cuts, rng.permutation(np.concatenate([*near, start + scale * rng.normal(size=50), [np.nan, -0.0, 0.0]]))


@needs_c
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
@pytest.mark.parametrize("n_cuts", [0, 1, 2, 7, 15, 31, 32, 63, 64, 127, 128, 200, 255])
@pytest.mark.parametrize("level", LEVELS)
def test_values_at_cuts_and_beside_them(set_level, level, n_cuts):
    set_level(level)
    for seed in range(20):
        cuts, values = beside_each_other(np.random.default_rng(seed), n_cuts)
        out = np.empty(len(values), dtype=np.uint8)
        native.count_cuts(values, len(values), cuts, len(cuts), 99, out)
        reached = np.searchsorted(cuts, values, side="right")
        np.testing.assert_array_equal(out, np.where(np.isnan(values), 99, reached))


@needs_c
@pytest.mark.parametrize("n", [1, 7, 8, 31, 63, 64, 65, 130, 1030])
@pytest.mark.parametrize("code_kind", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("level", LEVELS)
def test_sums_of_terms_are_the_same_bits_for_all_instructions(set_level, level, code_kind, n):
    rng = np.random.default_rng(n)
    sizes = [1, 15, 16, 17, 30, 64, 255, 256]
    codes = np.asfortranarray(rng.integers(0, sizes, (n, len(sizes))).astype(code_kind))
    codes[0, 1] = 15  # not known, in a chunk of its own where others are known
    codes[n // 2, 4] = 200
    for n_columns in (1, 2, 3):
        terms = []
        for features in [(0,), (3,), (1,), (4,), (5,), (6,), (7,), (1, 2), (4, 5), (6, 7), (3, 0, 6), (2, 1, 4), (5,)]:
            coarse = [rng.integers(0, max(1, sizes[j] // rng.integers(1, 3)), sizes[j]) for j in features]
            shape = [axis.max() + 1 for axis in coarse]
            table = rng.normal(size=(*shape, n_columns))
            terms.append(Term(features, tuple(coarse), table, np.ones(shape)))
        total = TermSum(rng.normal(size=n_columns), tuple(terms))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("gnbayes.model.term.native", None)
            expected, expected_gaps = total.scores(codes)
        set_level(level)
        scores, has_gaps = total.scores(codes)
        np.testing.assert_array_equal(has_gaps, expected_gaps)
        np.testing.assert_array_equal(scores[~has_gaps], expected[~has_gaps])


@needs_c
@pytest.mark.parametrize("kind", ["int8", "uint16", "int64", "float32", "float64"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("level", LEVELS)
def test_cuts_of_a_matrix_are_counted_as_by_searchsorted(set_level, level, kind, order):
    rng = np.random.default_rng(0)
    matrix = np.array(rng.normal(scale=30, size=(1100, 9)).clip(0 if kind == "uint16" else -99, 99), kind, order=order)
    if matrix.dtype.kind == "f":
        matrix[rng.random(matrix.shape) < 0.1] = np.nan
    sizes = [0, 1, 7, 8, 63, 64, 200, 30, 40]
    features = [
        Feature(f"x{j}", "interval", edges=tuple(np.sort(rng.normal(scale=30, size=size)).tolist()))
        for j, size in enumerate(sizes)
    ]
    expected = np.stack([encode_values(matrix[:, j].astype(float), features[j]) for j in range(9)], axis=1)
    set_level(level)
    np.testing.assert_array_equal(encode(read_array(matrix), features), expected)


@needs_c
@pytest.mark.parametrize("columns", [range(20), [0, 2, 1, 3, 4, 5, 6, 7, 9, 11, 12, 13, 14, 15, 16, 17, 19]])
@pytest.mark.parametrize("level", LEVELS)
def test_columns_of_rows_are_read_together_as_on_their_own(set_level, level, columns):
    rng = np.random.default_rng(1)
    matrix, columns = rng.choice([np.nan, *rng.normal(size=300)], (541, 20)), np.array(columns)
    cuts = [np.sort(rng.choice(matrix[~np.isnan(matrix)], size)) for size in rng.integers(0, 70, len(columns))]
    starts, missing = np.cumsum([0, *map(len, cuts)]), np.full(len(columns), 99, dtype=np.uint8)
    out = np.zeros(matrix.shape, dtype=np.uint8, order="F")
    set_level(level)
    native.count_matrix_cuts(
        *(matrix, KINDS.index("float64"), 0, 541, columns, len(columns), starts),
        *(np.concatenate(cuts), missing, out),
    )
    for j, own in zip(columns, cuts, strict=True):
        reached = np.searchsorted(own, matrix[:, j], side="right")
        np.testing.assert_array_equal(out[:, j], np.where(np.isnan(matrix[:, j]), 99, reached))


@needs_c
def test_a_machine_has_all_levels_up_to_its_best():
    best = native.level()
    for place, name in enumerate(LEVELS):
        if place <= LEVELS.index(best):
            native.set_level(name)
            assert native.level() == name
        else:
            with pytest.raises(ValueError, match=f"no instructions named {name}"):
                native.set_level(name)
    native.set_level(best)


@needs_c
def test_the_kernels_refuse_cuts_of_no_column():
    matrix, out = np.zeros((2, 3)), np.zeros((2, 3), dtype=np.uint8)
    for column, n_cuts in ((3, 1), (0, 256)):
        with pytest.raises(ValueError, match="no such column, or too many cuts"):
            native.count_matrix_cuts(
                *(matrix, KINDS.index("float64"), 0, 2, np.array([column]), 1, np.array([0, n_cuts])),
                *(np.zeros(n_cuts), np.zeros(1, dtype=np.uint8), out),
            )


@given(seed=st.integers(0, 10**6), k=st.integers(2, 5), kind=st.sampled_from(["codes", "numbers", "many values"]))
def test_predictions_are_the_same_bits_by_both_paths(seed, k, kind):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 400 if kind == "many values" else 4, (200, 7)).astype(float)
    X = X + rng.normal(size=X.shape) if kind == "numbers" else X
    y = rng.integers(0, k, 200)
    holes = X.copy()
    holes[rng.random(X.shape) < 0.1] = np.nan
    categories = range(7) if kind == "many values" else "from_dtype"
    clf = counted(categorical_features=categories, n_jobs=int(rng.integers(1, 3))).fit(X, y)
    table = clf._codes(holes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gnbayes.model.joint.native", None)
        expected = clf.model_.log_joint(table)
    np.testing.assert_array_equal(clf.model_.log_joint(table, n_threads=2), expected)


def in_new_process(code, **variables):
    environment = {name: value for name, value in os.environ.items() if name != "GNBAYES_KERNELS"}
    return subprocess.run(
        [sys.executable, "-c", code], env={**environment, **variables}, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_variable_chooses_the_path():
    run = in_new_process("import gnbayes; print(gnbayes.kernels.describe())", GNBAYES_KERNELS="numpy")
    assert run.stdout.strip() == "NumPy (asked for by GNBAYES_KERNELS)"
    run = in_new_process("import gnbayes.kernels", GNBAYES_KERNELS="fortran")
    assert "GNBAYES_KERNELS must be 'c', 'numpy' or not set, got 'fortran' instead." in run.stderr


@pytest.mark.slow
def test_asking_for_kernels_that_were_not_built_is_an_error_with_a_way_out():
    code = "import sys; sys.modules['gnbayes.kernels._native'] = None; import gnbayes.kernels as k; print(k.describe())"
    assert "the C kernels were not built" in in_new_process(code).stdout
    run = in_new_process(code, GNBAYES_KERNELS="c")
    assert "with a C compiler, install it again with --no-cache-dir; or unset GNBAYES_KERNELS." in run.stderr


@pytest.mark.slow
def test_kernels_of_another_version_are_not_used():
    code = (
        "import sys, types; sys.modules['gnbayes.kernels._native'] = types.ModuleType('_native'); "
        "import gnbayes.kernels as k; print(k.describe())"
    )
    run = in_new_process(code)
    assert run.stdout.strip() == "NumPy (the C kernels are of another version; install gnbayes again)"


@needs_c
def test_the_kernels_refuse_arrays_that_do_not_fit():
    with pytest.raises(ValueError, match="does not fit"):
        native.count_cuts(np.zeros(3), 4, np.zeros(0), 0, 0, np.zeros(4, dtype=np.uint8))
    with pytest.raises(ValueError, match="does not fit"):
        native.count_cuts(np.zeros(3), 3, np.zeros(0), 0, 0, np.zeros(3, dtype=np.int64))
    with pytest.raises(ValueError, match="too many cuts"):
        native.count_cuts(np.zeros(3), 3, np.zeros(256), 256, 0, np.zeros(3, dtype=np.uint8))
    with pytest.raises(ValueError, match="no instructions named mmx"):
        native.set_level("mmx")
    frozen = np.zeros(3, dtype=np.uint8)
    frozen.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        native.count_cuts(np.zeros(3), 3, np.zeros(0), 0, 0, frozen)


def test_versions_name_the_kernels(capsys):
    gnbayes.show_versions()
    shown = capsys.readouterr().out
    assert f"kernels       {describe()}" in shown
    assert f"gnbayes       {gnbayes.__version__}" in shown


def test_numbers_that_do_not_lie_at_even_addresses_are_read_all_the_same():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (60, 5)), rng.integers(0, 2, 60)
    odd = np.frombuffer(b"x" + X.tobytes(), dtype=np.int64, offset=1).reshape(X.shape)
    assert counted().fit(odd, y).weight_ == counted().fit(X, y).weight_


def test_threads():
    assert threads_of(None) == 1
    assert threads_of(3) == 3
    assert threads_of(-1) == (os.cpu_count() or 1)
    with pytest.raises(ValueError, match="n_jobs must not be 0"):
        threads_of(0)


@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_work_in_threads_may_have_work_in_threads(n_threads):
    seen = np.zeros((40, 30), dtype=int)

    def fill(i):
        for_each(lambda j: seen.__setitem__((i, j), 1), range(30), n_threads)

    for_each(fill, range(40), n_threads)
    assert seen.all()


@pytest.mark.parametrize("n_threads", [1, 2])
def test_errors_in_threads_are_raised(n_threads):
    def fail(_):
        raise ValueError("no such item")

    with pytest.raises(ValueError, match="no such item"):
        for_each(fail, range(50), n_threads)
    with pytest.raises(ValueError, match="no such item"):
        beside(lambda: fail(0), n_threads)()


@pytest.mark.parametrize("n_threads", [1, 2])
def test_work_beside_other_work(n_threads):
    results = [beside(lambda number=number: number**2, n_threads) for number in range(20)]
    assert [result() for result in results] == [number**2 for number in range(20)]


@pytest.mark.once
def test_every_kernel_lets_go_of_the_interpreter():
    """Each function of the module that works on arrays does its work between the two macros that release the lock."""
    folder = Path(__file__).parents[2] / "src/gnbayes/kernels"  # an installed package has no C files
    text = "".join(
        (folder / name).read_text(encoding="utf-8") for name in ("module.c", "fitting.c", "team_functions.c")
    )
    bodies = dict(re.findall(r"^(?:static )?PyObject \*(py_\w+)\([^)]*\) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL))
    named = re.findall(r'\{"\w+", (py_\w+), METH', text)
    at_once = {"py_level", "py_set_level", "py_n_tiles", "py_new_team", "py_end_team"}
    assert len(named) > 20
    assert [name for name in named if "Py_BEGIN_ALLOW_THREADS" not in bodies[name]] == sorted(at_once, key=named.index)
