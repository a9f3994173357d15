"""The objective agrees with a literal twin, and its optimum with scikit-learn's logistic regression."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from twins import weighted_objective

from gnbayes.kernels import native
from gnbayes.model.fitting import solver
from gnbayes.model.fitting.dual import DualSolver, make_solver, project_rows, row_similarity, table_scores
from gnbayes.model.fitting.layout import make_layout
from gnbayes.model.fitting.objective import Objective
from gnbayes.model.fitting.solver import Solver
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.sums import FittingRows


def specs_of(first_penalty):
    """Three features, two of their pairs, the second smooth."""
    fine, coarse = np.arange(6), np.array([0, 0, 1, 1, 1, 2])
    return [
        TermSpec((0,), (fine,), first_penalty, (True,)),
        TermSpec((1,), (np.arange(3),), "free", (False,)),
        TermSpec((2,), (np.arange(2),), "free", (False,)),
        TermSpec((0, 1), (coarse, np.arange(3)), "free", (True, False)),
        TermSpec((1, 2), (np.arange(3), np.arange(2)), "free" if first_penalty == "free" else "surface", (False,) * 2),
    ]


def problem(n_classes, n=60, *, first_penalty="walk"):
    """Rows with weights."""
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(0, [6, 3, 2], (n, 3))
    labels = (codes[:, 0] + codes[:, 1] * codes[:, 2] + rng.integers(0, 2, n)) % n_classes
    layout, cells = make_layout(specs_of(first_penalty), codes)
    return Objective(layout, FittingRows(cells, labels, rng.integers(1, 4, n).astype(float), n_classes))


def unknowns(objective, n_problems=1, seed=0):
    return np.random.default_rng(seed).normal(size=objective.zeros(n_problems).shape) / 3


def basis_of(objective):
    """Cells by unknowns, found by expanding one unknown at a time."""
    p = len(objective.size) - 1
    return objective.layout.expand(np.eye(p)[:, :, None])[:, :, 0]


def cells_of(objective):
    """Cells of the rows, counted through all tables."""
    cells = objective.rows.cells
    return np.concatenate([part.astype(int) for part in cells.columns], axis=1) + cells.starts


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_value_by_hand(n_classes):
    objective = problem(n_classes)
    rows, ridge = objective.rows, np.random.default_rng(1).random(len(objective.size))
    x, row_weights = unknowns(objective, 2), np.stack([rows.weights, np.arange(60.0) % 2], axis=1)
    value, _ = objective.value_and_gradient(x, row_weights, ridge)
    for b in range(2):
        both = np.concatenate([-x[:, b] / 2, x[:, b] / 2], axis=1) if n_classes == 2 else x[:, b]
        base = np.append(-objective.base / 2, objective.base / 2) if n_classes == 2 else objective.base
        # The ridge on two columns of half the size is half of that on their difference.
        of_both = ridge / objective.ridge_share
        of_rows = (cells_of(objective), rows.labels, row_weights[:, b])
        expected = weighted_objective(both, *of_rows, basis_of(objective), base, of_both)
        assert value[b] == pytest.approx(expected, rel=1e-12)
        assert objective.losses(x, row_weights)[b] == pytest.approx(
            weighted_objective(both, *of_rows, basis_of(objective), base, 0 * of_both), rel=1e-12
        )


@pytest.mark.parametrize("n_classes", [2, 3])
def test_gradient_by_differences(n_classes):
    objective = problem(n_classes)
    ridge = np.linspace(0.1, 2, len(objective.size))
    x, row_weights = unknowns(objective), objective.rows.weights[:, None]
    gradient = objective.value_and_gradient(x, row_weights, ridge)[1]
    step = 1e-6
    for index in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[index] += step
        behind[index] -= step
        values = [objective.value_and_gradient(at, row_weights, ridge)[0][0] for at in (ahead, behind)]
        assert gradient[index] == pytest.approx((values[0] - values[1]) / (2 * step), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_curvature_by_differences_of_the_gradient(n_classes):
    objective = problem(n_classes)
    x, row_weights = unknowns(objective), objective.rows.weights[:, None]
    curvature = objective.update_curvature(x)
    no_ridge = np.zeros(len(objective.size))
    step = 1e-6
    for i, q in np.ndindex(curvature.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[i + 1, 0, q] += step
        behind[i + 1, 0, q] -= step
        gradients = [objective.value_and_gradient(at, row_weights, no_ridge)[1][i + 1, 0, q] for at in (ahead, behind)]
        assert curvature[i, q] == pytest.approx((gradients[0] - gradients[1]) / (2 * step), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_optimum_is_that_of_logistic_regression(n_classes):
    """Plain ridge on one-hot cells: with equal penalties and no smooth tables it is scikit-learn's model."""
    objective = problem(n_classes, first_penalty="free")
    rows, layout = objective.rows, objective.layout
    objective.base = np.zeros(rows.n_columns)
    solver = Solver(objective, tolerance=1e-14)
    x = solver.solve(objective.zeros(), rows.weights[:, None], np.full(layout.n_tables, 0.7), 500)
    hot = np.zeros((60, rows.cells.n_cells))
    np.put_along_axis(hot, cells_of(objective), 1.0, axis=1)
    scores = x[0, 0] + hot @ x[1:, 0]
    # The ridge on the intercept is 2: a column as large as makes 0.7 the same.
    hot = np.concatenate([np.full((60, 1), np.sqrt(0.7 / 2)), hot], axis=1)
    rival = LogisticRegression(C=1 / (0.35 if n_classes == 2 else 0.7), fit_intercept=False, tol=1e-10, max_iter=5000)
    rival.fit(hot, rows.labels, rows.weights)
    expected = rival.predict_log_proba(hot)
    expected = expected - expected[:, :1] if n_classes == 2 else expected - expected.mean(axis=1, keepdims=True)
    found = scores if n_classes == 2 else scores - scores.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected[:, -rows.n_columns :], atol=1e-5)


def test_two_classes_have_the_same_optimum_in_one_column_and_in_two():
    one = problem(2)
    rows = one.rows
    # A third class that never comes has a score of its own; a very low base takes it out of the sums.
    two = Objective(one.layout, FittingRows(rows.cells, rows.labels, rows.weights, 3))
    two.base = np.append(np.append(-one.base / 2, one.base / 2), -1e3)
    penalties = np.linspace(0.5, 2, one.layout.n_tables)
    found = [Solver(o, tolerance=1e-15).solve(o.zeros(), rows.weights[:, None], penalties, 2000) for o in (one, two)]
    np.testing.assert_allclose(found[1][:, 0], found[0][:, 0] * [-0.5, 0.5, 0], atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_one_unknown_for_each_row_gives_the_same_solution(n_classes):
    objective = problem(n_classes, n=12)
    penalties, weights = np.linspace(0.5, 2, objective.layout.n_tables), objective.rows.weights
    start, row_weights = objective.zeros(2), np.stack([weights, np.ones(12)], axis=1)
    direct, dual = (Solver(objective, tolerance=1e-15), DualSolver(objective, objective.rows, tolerance=1e-15))
    for times in (0.3, 0.1):
        expected = direct.solve(start, row_weights, times * penalties, 1000)
        np.testing.assert_allclose(dual.solve(start, row_weights, times * penalties, 1000), expected, atol=1e-5)
        # From the solution it stays there.
        np.testing.assert_allclose(dual.solve(expected, row_weights, times * penalties, 1000), expected, atol=1e-5)
    # Families by themselves, and then all tables.
    for other in (penalties * np.where(objective.layout.families == 1, 5.0, 0.5), penalties[::-1].copy()):
        expected = direct.solve(start, row_weights, other, 1000)
        np.testing.assert_allclose(dual.solve(start, row_weights, other, 1000), expected, atol=1e-5)


def test_similarity_of_rows_by_hand():
    objective = problem(2, n=30)
    penalties = np.linspace(0.5, 2, objective.layout.n_tables)
    hot = np.zeros((30, objective.rows.cells.n_cells))
    np.put_along_axis(hot, cells_of(objective), 1.0, axis=1)
    columns = hot @ basis_of(objective)
    family_of = np.arange(objective.layout.n_tables) % 2
    found = row_similarity(objective.layout, objective.rows.cells, penalties, family_of)
    for family in range(2):
        kept = np.where(family_of == family, 1 / penalties, 0.0)[objective.layout.table_of]
        np.testing.assert_allclose(found[family], columns * kept @ columns.T, atol=1e-12)


def test_the_other_way_round():
    objective, rng = problem(3, n=30), np.random.default_rng(0)
    x, values = unknowns(objective, 2), rng.normal(size=(30, 2, 3))
    scores, back = (
        table_scores(objective.layout, objective.rows, x),
        project_rows(objective.layout, objective.rows, values),
    )
    np.testing.assert_allclose((scores * values).sum(axis=0), (x[1:] * back).sum(axis=0), atol=1e-11)


def test_rows_have_unknowns_only_where_there_are_very_many_others(monkeypatch):
    objective = problem(2)
    assert type(make_solver(objective)) is Solver
    monkeypatch.setattr("gnbayes.model.fitting.dual._WIDE", 0.1)
    assert type(make_solver(objective)) is DualSolver
    monkeypatch.setattr("gnbayes.model.fitting.dual._MOST_CELLS", 3)
    assert type(make_solver(objective)) is Solver


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_problems_that_are_solved_apart_have_the_same_bits(monkeypatch, n_classes, n_threads):
    objective = problem(n_classes)
    rows = objective.rows
    weights = rows.weights[:, None] * np.random.default_rng(0).integers(0, 2, (len(rows), 3))
    penalties = np.full(objective.layout.n_tables, 0.5)
    expected = Solver(objective).solve(unknowns(objective, 3), weights, penalties, 20)
    monkeypatch.setattr(solver, "_MOST_CELLS", 0)
    monkeypatch.setattr(solver, "limit_threads", lambda n_threads, _: n_threads)
    in_threads = Objective(objective.layout, replace(rows, n_threads=n_threads))
    found = Solver(in_threads).solve(unknowns(objective, 3), weights, penalties, 20)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_threads", [2, 3, 5])
def test_threads_that_share_rows_give_the_same_bits(monkeypatch, n_classes, n_threads):
    monkeypatch.setattr("gnbayes.kernels.threads._LEAST_VALUES", 0)
    objective = problem(n_classes, 5000)
    x, penalties = unknowns(objective, 2), np.full(objective.layout.n_tables, 0.7)
    weights = np.stack([objective.rows.weights, np.arange(5000.0) % 3], axis=1)
    expected = Solver(objective).solve(x, weights, penalties, 20)
    shared = Objective(objective.layout, replace(objective.rows, n_threads=n_threads))
    for _ in range(20):
        np.testing.assert_array_equal(Solver(shared).solve(x, weights, penalties, 20), expected)


@pytest.mark.skipif(native is None, reason="teams share the rows of a kernel")
def test_teams_with_more_members_than_parts_and_those_that_are_over():
    team = native.new_team(1000)
    native.end_team(team)
    for _ in range(3):
        native.follow(team)  # returns at once
    with pytest.raises(ValueError, match="no such team"):
        native.new_team(-1)
    with pytest.raises(ValueError, match="PyCapsule"):
        native.follow(None)
