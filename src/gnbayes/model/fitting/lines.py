"""Straight lines instead of curves: logistic regression on the codes of the features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gnbayes.counting import CodedRows
from gnbayes.model.fitting.dual import make_solver
from gnbayes.model.fitting.families import choose_one_multiplier
from gnbayes.model.fitting.layout import make_layout
from gnbayes.model.fitting.learn import FittedTables, tables_of_unknowns
from gnbayes.model.fitting.objective import Array, Objective
from gnbayes.model.fitting.rows import DistinctRows
from gnbayes.model.fitting.specs import TermSpec
from gnbayes.model.fitting.sums import FittingRows


def line_terms(specs: Sequence[TermSpec]) -> list[TermSpec]:
    """The terms of single features, with a straight line for each random walk; none if there is no random walk.

    Parameters
    ----------
    specs : sequence of TermSpec

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.model.fitting import TermSpec, line_terms
    >>> walk = TermSpec((0,), (np.arange(9),), "walk", (False,))
    >>> color = TermSpec((1,), (np.arange(3),), "free", (False,))
    >>> [spec.penalty for spec in line_terms([walk, color])], line_terms([color])
    (['line', 'free'], [])
    """
    singles = [spec for spec in specs if len(spec.features) == 1]
    if all(spec.is_free for spec in singles):
        return []
    return [spec if spec.is_free else replace(spec, penalty="line") for spec in singles]


def learn_lines(
    specs: Sequence[TermSpec], rows: CodedRows, some: DistinctRows, held_out: Array
) -> tuple[FittedTables, Array]:
    """Fit terms with one ridge penalty for all of them, chosen on held-out rows.

    Parameters
    ----------
    specs : sequence of TermSpec
        As from `line_terms`.
    rows : CodedRows
    some : DistinctRows
        The rows to fit to.
    held_out : ndarray of shape (n, f)
        Held-out weight of each of them in each fold.

    Returns
    -------
    fitted : FittedTables
        Fitted to all of these rows.
    scores : ndarray of shape (n, f, c)
        Scores of the rows by the tables that were fitted without the held-out rows of a fold.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model.fitting import TermSpec, find_training_rows, learn_lines
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 9, (300, 1)).astype(np.uint8)
    >>> rows = CodedRows(codes, (codes[:, 0] + rng.normal(0, 2, 300) > 4).astype(np.intp), np.array([9]), 2)
    >>> some = find_training_rows([0], rows).distinct
    >>> line = [TermSpec((0,), (np.arange(9),), "line", (False,))]
    >>> fitted, scores = learn_lines(line, rows, some, some.fold_weights(3))
    >>> steps = np.diff(fitted.tables[0][:, 1])
    >>> bool(np.allclose(steps, steps[0]) and steps[0] > 0.3)
    True
    """
    layout, cells = make_layout(specs, rows.codes, some.index, rows.n_threads)
    fitting_rows = FittingRows(cells, some.labels, some.weights, rows.n_classes, rows.n_threads)
    objective = Objective(layout, fitting_rows)
    best, scored = choose_one_multiplier(make_solver(objective), some, held_out)
    return tables_of_unknowns(layout, objective, best.x[:, 0]), scored.scores
