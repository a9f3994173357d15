import numpy as np

from gnbayes.model.fitting.bases import random_walk_basis, wave_basis
from gnbayes.model.fitting.cells import compact_cells
from gnbayes.model.fitting.layout import make_layout
from gnbayes.model.fitting.specs import TermSpec

EDGE = TermSpec((0, 1), (np.array([0, 0, 1, 1]), np.arange(3)), "free", (False, True), family=1)
WALK = TermSpec((0,), (np.arange(4),), "walk", (False,))
SURFACE = TermSpec((0, 2), (np.arange(4), np.arange(2)), "surface", (False, False), family=2)
OTHER_WALK = TermSpec((3,), (np.arange(4),), "walk", (False,))
CODES = np.array([[3, 2, 0, 1], [1, 0, 1, 1]], dtype=np.uint8)


def dense_basis(layout):
    """Cells of all unknowns by hand, from the specs as they stand."""
    blocks = []
    for spec, kept in zip(layout.specs, layout.kept, strict=True):
        if spec.is_free:
            blocks.append(np.eye(int(np.prod(spec.shape)) if kept is None else len(kept)))
        elif spec.penalty == "walk":
            blocks.append(random_walk_basis(spec.shape[0]))
        else:
            blocks.append(np.kron(*(wave_basis(size) for size in spec.shape)))
    out = np.zeros((sum(map(len, blocks)), sum(block.shape[1] for block in blocks)))
    row = column = 0
    for block in blocks:
        out[row : row + len(block), column : column + block.shape[1]] = block
        row, column = row + len(block), column + block.shape[1]
    return out


def test_tables_with_the_same_basis_stand_together_and_free_ones_last():
    layout, cells = make_layout([EDGE, WALK, SURFACE, OTHER_WALK], CODES)
    assert layout.places.tolist() == [2, 1, 3, 0]
    assert [group.n_tables for group in layout.groups] == [1, 2]
    assert layout.n_unknowns.tolist() == [8, 3, 3, 2]
    assert layout.families.tolist() == [2, 0, 0, 1]
    assert np.bincount(layout.table_of).tolist() == [8, 3, 3, 2]
    # Only two cells of the edge have rows, and are numbered anew.
    assert layout.kept[3].tolist() == [0, 5]
    assert cells.columns[0].tolist() == [[6, 3, 1, 1], [3, 1, 1, 0]]
    assert cells.starts.tolist() == [0, 8, 12, 16]
    assert cells.n_cells == 18


def test_unknowns_become_cells_and_cells_become_unknowns():
    layout, _ = make_layout([EDGE, WALK, SURFACE, OTHER_WALK], CODES)
    basis, rng = dense_basis(layout), np.random.default_rng(0)
    z, sums = rng.normal(size=(basis.shape[1], 2, 3)), rng.normal(size=(basis.shape[0], 2, 3))
    np.testing.assert_allclose(layout.expand(z), np.tensordot(basis, z, 1), atol=1e-12)
    np.testing.assert_allclose(layout.project(sums), np.tensordot(basis.T, sums, 1), atol=1e-12)
    np.testing.assert_allclose(layout.project_squares(sums), np.tensordot(basis.T**2, sums, 1), atol=1e-12)


def test_tables_come_back_in_the_order_of_the_terms():
    layout, cells = make_layout([EDGE, WALK, SURFACE, OTHER_WALK], CODES)
    tables = layout.tables(np.arange(1.0, cells.n_cells + 1)[:, None])
    assert [table.shape for table in tables] == [(2, 3, 1), (4, 1), (4, 2, 1), (4, 1)]
    assert tables[0].ravel().tolist() == [17, 0, 0, 0, 0, 18]
    assert tables[1].ravel().tolist() == [9, 10, 11, 12]
    assert tables[2].ravel().tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_cells_of_some_rows():
    layout, cells = make_layout([EDGE, WALK], CODES, np.array([1, 1, 0]))
    assert cells.columns[0].tolist() == [[1, 0], [1, 0], [3, 1]]
    everything, _ = make_layout([EDGE, WALK], CODES)
    assert layout.sizes == everything.sizes


def test_threads_find_the_same_cells(monkeypatch):
    monkeypatch.setattr("gnbayes.kernels.threads._LEAST_VALUES", 0)
    (layout, cells), (same, same_cells) = (make_layout([EDGE, WALK, SURFACE], CODES, None, n) for n in (1, 2))
    assert [kept if kept is None else kept.tolist() for kept in same.kept] == [None, None, [0, 5]]
    assert same.places.tolist() == layout.places.tolist()
    np.testing.assert_array_equal(same_cells.columns[0], cells.columns[0])


def test_cells_in_some_tables():
    layout, cells = make_layout([EDGE, WALK, SURFACE], CODES)
    table_of = cells.table_of_columns(layout.sizes)
    assert sorted(table_of.tolist()) == [0, 1, 2]
    for table in range(3):
        some = cells.of_columns(table_of == table)
        assert some.starts.tolist() == [sum(layout.sizes[:table])]
        np.testing.assert_array_equal(
            np.concatenate(some.columns, axis=1)[:, 0],
            np.concatenate(cells.columns, axis=1)[:, table_of == table][:, 0],
        )


def test_cells_of_many_sizes():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, [4, 300, 70_000], (50, 3)).astype(np.uint32)
    codes[:2, 2] = 0, 69_999
    specs = [
        TermSpec((2,), (np.arange(70_000),), "surface", (False,)),
        TermSpec((1,), (np.arange(300),), "walk", (False,)),
        TermSpec((0,), (np.arange(4),), "walk", (False,)),
    ]
    # No basis is made, which would be too large. Only cells are looked at.
    columns = [spec.cells(codes) for spec in specs]
    cells = compact_cells(columns, [70_000, 300, 4], 50)
    assert [part.shape[1] for part in cells.columns] == [1, 1, 1]
    assert cells.starts.tolist() == [70_300, 70_000, 0]
    for part, column in zip(cells.columns, columns[::-1], strict=True):
        np.testing.assert_array_equal(part[:, 0], column)
