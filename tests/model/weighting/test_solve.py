"""The objective agrees with a literal twin, and its optimum with scikit-learn's logistic regression."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from twins import weighted_objective

from gnbayes.encoding import Feature
from gnbayes.model.weighting.layout import make_layout
from gnbayes.model.weighting.objective import Objective
from gnbayes.model.weighting.rows import LearningRows
from gnbayes.model.weighting.solve import DualSolver, Solver
from gnbayes.structure import Tree


def problem(n_classes, n=60, *, intervals=True):
    """Three features in a chain, rows with weights."""
    rng = np.random.default_rng(n_classes)
    kinds = (
        Feature("a", "interval", edges=(1.0, 2.0, 3.0, 4.0), has_missing=True, coarse=(0, 0, 1, 1, 1))
        if intervals
        else Feature("a", "category", categories=tuple("abcdef"), coarse=(0, 0, 1, 1, 1, 2)),
        Feature("b", "category", categories=tuple("abc")),
        Feature("c", "category", categories=tuple("ab")),
    )
    tree = Tree(np.array([-1, 0, 1]), np.array([0, 1, 2]), np.zeros(3))
    layout = make_layout(kinds, tree)
    codes = np.stack([rng.integers(0, kind.cardinality, n) for kind in kinds], axis=1)
    labels = (codes[:, 0] + codes[:, 1] * codes[:, 2] + rng.integers(0, 2, n)) % n_classes
    coarse = np.stack([kind.coarse_codes[codes[:, j]] for j, kind in enumerate(kinds)], axis=1)
    rows = LearningRows(layout.cells(codes, coarse), labels, rng.integers(1, 4, n).astype(float), True)
    return Objective(layout, rows, n_classes)


def unknowns(objective, n_problems=1, seed=0):
    shape = (n_problems, objective.n_unknowns + 1, objective.n_columns)
    return np.random.default_rng(seed).normal(size=shape) / 3


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_value_by_hand(n_classes):
    objective = problem(n_classes)
    ridge = np.random.default_rng(1).random(objective.n_unknowns + 1)
    x, row_weights = unknowns(objective, 2), np.stack([objective.rows.weights, np.arange(60.0) % 3], axis=1)
    value, _ = Solver(objective).value_and_gradient(x, row_weights, ridge)
    basis = objective.layout.basis.toarray()
    for b in range(2):
        both = np.concatenate([-x[b] / 2, x[b] / 2], axis=1) if n_classes == 2 else x[b]
        base = np.append(-objective.base / 2, objective.base / 2) if n_classes == 2 else objective.base
        # The ridge on two columns of half the size is half of that on their difference.
        expected = weighted_objective(
            both,
            objective.rows.cells,
            objective.rows.labels,
            row_weights[:, b],
            basis,
            base,
            ridge / objective.ridge_share,
        )
        assert value[b] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_gradient_by_differences(n_classes):
    objective = problem(n_classes)
    solver, ridge = Solver(objective), np.linspace(0.1, 2, objective.n_unknowns + 1)
    x, row_weights = unknowns(objective), objective.rows.weights[:, None]
    gradient = solver.value_and_gradient(x, row_weights, ridge)[1]
    step = 1e-6
    for index in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[index] += step
        behind[index] -= step
        values = [solver.value_and_gradient(at, row_weights, ridge)[0][0] for at in (ahead, behind)]
        assert gradient[index] == pytest.approx((values[0] - values[1]) / (2 * step), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("solver_type", [Solver, DualSolver])
def test_the_optimum_is_that_of_logistic_regression(n_classes, solver_type):
    """Plain ridge on one-hot cells: with equal strengths and no intervals it is scikit-learn's model."""
    objective = problem(n_classes, intervals=False)
    rows, layout = objective.rows, objective.layout
    objective.base = np.zeros(objective.n_columns)
    solver = solver_type(objective, tolerance=1e-14)
    x = solver.solve(0 * unknowns(objective), rows.weights[:, None], np.full(layout.n_tables, 1.0), 0.7, 500)
    # The ridge on the intercept is 0.02: a column as large as makes 0.7 the same.
    hot = np.concatenate([np.full((60, 1), np.sqrt(0.7 / 0.02)), layout.one_hot(rows.cells).toarray()], axis=1)
    rival = LogisticRegression(C=1 / (0.35 if n_classes == 2 else 0.7), fit_intercept=False, tol=1e-10, max_iter=5000)
    rival.fit(hot, rows.labels, rows.weights)
    proba, _ = objective.probabilities(objective.scores(x))
    np.testing.assert_allclose(proba[:, 0], rival.predict_proba(hot)[:, -objective.n_columns :], atol=2e-6)


def test_two_classes_have_the_same_optimum_in_one_column_and_in_two():
    one, two = problem(2), problem(2)
    two.n_columns, two.ridge_share, two.n_classes = 2, 1.0, 3
    two._is_own = np.eye(2)[two.rows.labels][:, None]
    two.base = np.append(-one.base / 2, one.base / 2)
    strengths = np.linspace(0.5, 2, one.layout.n_tables)
    found = [
        Solver(o, tolerance=1e-15).solve(0 * unknowns(o), o.rows.weights[:, None], strengths, 1.0, 2000)
        for o in (one, two)
    ]
    np.testing.assert_allclose(found[1][0], found[0][0] * [-0.5, 0.5], atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_one_number_a_row_gives_the_same_solution(n_classes):
    objective = problem(n_classes, n=12)
    strengths = np.linspace(0.5, 2, objective.layout.n_tables)
    start, weights = 0 * unknowns(objective, 2), np.stack([objective.rows.weights, np.ones(12)], axis=1)
    direct, dual = (
        kind(objective, tolerance=1e-14).solve(start, weights, strengths, 0.3, 500) for kind in (Solver, DualSolver)
    )
    np.testing.assert_allclose(dual, direct, atol=1e-5)
    again = DualSolver(objective, tolerance=1e-14).solve(direct, weights, strengths, 0.3, 500)
    np.testing.assert_allclose(again, direct, atol=1e-5)
