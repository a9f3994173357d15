import numpy as np

from gnbayes.encoding import Feature
from gnbayes.model.weighting.layout import make_layout, random_walk_basis
from gnbayes.structure import Tree


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


def test_tables_of_features_then_of_edges():
    features = [
        Feature("a", "interval", edges=(1.0, 2.0, 3.0), coarse=(0, 0, 1, 1)),
        Feature("b", "category", categories=("x", "y"), has_missing=True),
        Feature("c", "category", categories=("x", "y")),
    ]
    tree = Tree(np.array([-1, 0, -1]), np.array([0, 1]), np.array([0.5, 0.2]))
    layout = make_layout(features, tree)
    assert layout.shapes == ((4,), (3,), (2, 3))
    assert layout.basis.shape == (13, 3 + 3 + 6)
    assert np.bincount(layout.table_of).tolist() == [3, 3, 6]
    fine = np.array([[3, 2, 0], [1, 0, 1]], dtype=np.uint8)
    coarse = np.array([[1, 2, 0], [0, 0, 1]], dtype=np.uint8)
    assert layout.cells(fine, coarse).tolist() == [[3, 6, 12], [1, 4, 7]]
    values = np.arange(13.0)[:, None]
    assert (layout.one_hot(layout.cells(fine, coarse)) @ values).tolist() == [[21.0], [12.0]]
    assert [table.shape for table in layout.tables(values)] == [(4, 1), (3, 1), (2, 3, 1)]
    smaller, cells = layout.without_empty_cells(layout.cells(fine, coarse))
    assert smaller.basis.shape == (9, 8)
    assert np.bincount(smaller.table_of).tolist() == [3, 3, 2]
    assert cells.tolist() == [[3, 6, 8], [1, 4, 7]]
    assert smaller.tables(np.arange(9.0)[:, None])[2].ravel().tolist() == [7, 0, 0, 0, 0, 8]
