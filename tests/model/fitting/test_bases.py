import numpy as np
import pytest

from gnbayes.model.fitting.bases import axis_bases, line_basis, random_walk_basis, wave_basis
from gnbayes.model.fitting.specs import TermSpec

# No kernel is called.
pytestmark = pytest.mark.once


def test_waves_are_orthogonal_and_leave_the_level_alone():
    basis = random_walk_basis(7)
    products = basis.T @ basis
    np.testing.assert_allclose(products, np.diag(7 / np.arange(1, 7) ** 2), atol=1e-12)
    np.testing.assert_allclose(basis.sum(axis=0), 0, atol=1e-12)


def test_waves_are_eigenvectors_of_the_penalty_on_neighbours():
    differences = np.diff(np.eye(6), axis=0)
    penalty = differences.T @ differences
    for wave in random_walk_basis(6).T:
        bent = penalty @ wave
        np.testing.assert_allclose(bent, wave * (bent @ wave) / (wave @ wave), atol=1e-12)


def test_missing_has_a_column_of_its_own():
    basis = random_walk_basis(3, has_missing=True)
    assert basis[3].tolist() == [0, 0, 1]
    assert basis[:3, 2].tolist() == [0, 0, 0]
    assert wave_basis(2, has_missing=True)[:, 0].tolist() == [1, 1, 0]


def test_a_line_has_equal_steps_and_mean_0():
    basis = line_basis(50, has_missing=True)
    np.testing.assert_allclose(np.diff(basis[:50, 0], 2), 0, atol=1e-12)
    assert basis[:50, 0].mean() == pytest.approx(0, abs=1e-12)
    assert basis[:50, 0].var() == pytest.approx(1, abs=1e-3)
    assert basis[50].tolist() == [0, 1]
    assert basis[:50, 1].tolist() == [0] * 50


@pytest.mark.parametrize("n_values", [1, 2, 5])
def test_waves_with_a_constant_make_every_table(n_values):
    assert np.linalg.matrix_rank(wave_basis(n_values, has_missing=True)) == n_values + 1


def test_a_surface_has_a_basis_along_each_axis():
    spec = TermSpec((0, 1), (np.arange(4), np.arange(3)), "surface", (False, True))
    first, second = axis_bases(spec.penalty, spec.n_ordered, spec.has_missing)
    np.testing.assert_array_equal(first, wave_basis(4))
    np.testing.assert_array_equal(second, wave_basis(2, has_missing=True))
