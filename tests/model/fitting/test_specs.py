import numpy as np
import pytest

from gnbayes.model.fitting.specs import TermSpec


def test_cells_are_counted_in_c_order():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, [5, 9, 4], (60, 3)).astype(np.uint8)
    maps = (np.array([0, 0, 1, 2, 2]), np.arange(9), np.array([1, 0, 1, 0]))
    spec = TermSpec((0, 1, 2), maps, "free", (False,) * 3)
    assert spec.shape == (3, 9, 2)
    along = tuple(codes_along[codes[:, j]] for j, codes_along in enumerate(maps))
    np.testing.assert_array_equal(spec.cells(codes), np.ravel_multi_index(along, spec.shape))
    assert spec.cells(codes).dtype == np.uint8


@pytest.mark.parametrize(("n_values", "kind"), [(256, np.uint8), (257, np.uint16), (70_000, np.uint32)])
def test_cells_take_as_few_bytes_as_they_need(n_values, kind):
    spec = TermSpec((0,), (np.arange(n_values),), "free", (False,))
    cells = spec.cells(np.array([[0], [n_values - 1]], dtype=np.uint32))
    assert cells.dtype == kind
    assert cells.tolist() == [0, n_values - 1]


def test_a_walk_along_two_values_is_free():
    assert TermSpec((0,), (np.arange(3),), "walk", (True,)).is_free
    assert not TermSpec((0,), (np.arange(3),), "walk", (False,)).is_free
    assert TermSpec((0,), (np.arange(3),), "line", (True,)).is_free
    assert not TermSpec((0,), (np.arange(3),), "line", (False,)).is_free


@pytest.mark.parametrize("features", [(), (0, 1, 2, 3)])
def test_a_term_has_one_to_three_features(features):
    with pytest.raises(ValueError, match=f"1 to 3 features with one map and one has_missing each, got {len(features)}"):
        TermSpec(features, (np.arange(2),) * len(features), "free", (False,) * len(features))


def test_penalties_have_names():
    with pytest.raises(
        ValueError, match=r"penalty must be one of walk, line, free, surface, .* got 'ridge' for 1 features"
    ):
        TermSpec((0,), (np.arange(2),), "ridge", (False,))
    with pytest.raises(ValueError, match="'walk' and 'line' are for one feature, got 'walk' for 2 features"):
        TermSpec((0, 1), (np.arange(3),) * 2, "walk", (False, False))
