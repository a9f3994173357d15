"""Few rounds come near to the lowest point, which a solver that sees all rows finds."""

import numpy as np
import pytest
from round_tables import mixed_frame
from sklearn.datasets import load_breast_cancer

from gnbayes import GeneralizedNB
from gnbayes.counting import CodedRows
from gnbayes.encoding import encode, read_frame
from gnbayes.model import count_nested, tree_terms
from gnbayes.model.fitting.objective import Objective
from gnbayes.model.fitting.solver import INTERCEPT_RIDGE, Solver
from gnbayes.model.fitting.sums import FittingRows, Kind, sum_over_rows
from gnbayes.sites.rounds.descent import Descent, Seen
from gnbayes.sites.rounds.synthetic import SyntheticRows, draw_rows
from gnbayes.sites.rounds.tables import all_cells


def problem(frame, target):
    """Synthetic rows, and the objective of the rows themselves with the same start."""
    X, y = frame.drop(columns=target), frame[target]
    clf = GeneralizedNB(interactions="tree").fit(X, y)
    codes, labels = encode(read_frame(X), clf.features_), np.searchsorted(clf.classes_, y.to_numpy())
    sizes = np.array([feature.cardinality for feature in clf.features_])
    rows = CodedRows(codes, labels, sizes, len(clf.classes_))
    layout = all_cells(tree_terms(clf.features_, clf.tree_))
    nested = count_nested(clf.features_, clf.tree_, rows)
    drawn = draw_rows(clf.features_, clf.tree_, nested, len(layout.table_of))
    synthetic = SyntheticRows(layout, *drawn, len(clf.classes_), float(len(frame)))
    objective = Objective(
        layout, FittingRows(layout.cells_of(codes), rows.labels, np.ones(len(frame)), len(clf.classes_))
    )
    objective.base = synthetic.objective.base
    return synthetic, objective


def seen_by(objective, x):
    """What all rows say at a point."""
    weights = np.ones((len(objective.rows), 1))
    losses, gradient = objective.value_and_gradient(x, weights, np.zeros(len(x)))
    tables, base = objective.layout.expand(x[1:]), x[0] + objective.base
    sums = sum_over_rows(Kind.CURVATURE, objective.rows, weights, tables, base)
    curvature = np.concatenate([sums.total[None], objective.layout.project_squares(sums.cells)])
    return Seen(x, losses, np.zeros(1), gradient, curvature)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("frame", "target", "penalty"),
    [
        (mixed_frame(300), "y", 1.0),
        (mixed_frame(300), "y", 20.0),
        (load_breast_cancer(as_frame=True).frame, "target", 20.0),
    ],
)
def test_eight_rounds_come_near_to_the_lowest_point(frame, target, penalty):
    synthetic, objective = problem(frame, target)
    penalties = np.full(objective.layout.n_tables, penalty)
    ridge = np.append(INTERCEPT_RIDGE, np.full(len(objective.size) - 1, penalty)) * objective.ridge_share
    descent = Descent(synthetic, np.ones(1), seen_by(objective, objective.zeros()))
    for _ in range(8):
        descent.tell(seen_by(objective, descent.next_point(ridge[:, None])), ridge[:, None])
    ones = np.ones((len(frame), 1))
    lowest = Solver(objective, tolerance=1e-10).solve(objective.zeros(), ones, penalties, 2000)
    start, reached, least = (
        objective.value_and_gradient(x, ones, ridge)[0][0] for x in (objective.zeros(), descent.best.x, lowest)
    )
    assert least - 1e-6 <= reached < least + 0.01 * (start - least)


def test_a_step_that_goes_too_far_is_not_taken():
    synthetic, objective = problem(mixed_frame(300), "y")
    ridge = np.full((len(objective.size), 1), 0.5)
    first = seen_by(objective, objective.zeros())
    descent = Descent(synthetic, np.ones(1), first)
    far = np.full_like(first.x, 3.0)
    far[::2] = -3.0
    descent.tell(seen_by(objective, far), ridge)
    assert np.array_equal(descent.best.x, first.x)
    descent.tell(seen_by(objective, descent.next_point(ridge)), ridge)
    assert descent.best.losses < first.losses
