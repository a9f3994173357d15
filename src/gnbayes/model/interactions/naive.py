"""Naive Bayes as tables of single features: log-probabilities of their values given the class, by counting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows
from gnbayes.encoding import Feature
from gnbayes.model.boosting import base_scores
from gnbayes.model.fitting import DistinctRows, FittedTables, TermSpec

Array = NDArray[np.float64]
# Added to every count of a value, so that none is impossible.
_ALPHA = 1.0


def naive_terms(features: Sequence[Feature], used: Sequence[int]) -> list[TermSpec]:
    """One term for each of the used features, by coarse codes.

    Parameters
    ----------
    features : sequence of Feature
    used : sequence of int

    Examples
    --------
    >>> from gnbayes.encoding import Feature
    >>> from gnbayes.model.interactions.naive import naive_terms
    >>> age = Feature("age", "interval", edges=(20.0, 40.0, 60.0), coarse=(0, 0, 1, 1))
    >>> [spec.shape for spec in naive_terms([age], [0])]
    [(2,)]
    """
    return [TermSpec((j,), (features[j].coarse_codes,), "free", (features[j].has_missing,)) for j in used]


def count_naive(
    specs: Sequence[TermSpec], rows: CodedRows, some: DistinctRows, held_out: Array
) -> tuple[FittedTables, Array]:
    """Log-probabilities of values given the class, with add-one smoothing, and the scores of rows.

    Parameters
    ----------
    specs : sequence of TermSpec
        As from `naive_terms`.
    rows : CodedRows
    some : DistinctRows
        The rows to count.
    held_out : ndarray of shape (n, f)
        Held-out weight of each of them in each fold.

    Returns
    -------
    tables : FittedTables
        From the counts of all of these rows.
    scores : ndarray of shape (n, f, c)
        Scores of the rows by the counts without the held-out rows of a fold.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.model.fitting import TermSpec, find_training_rows
    >>> from gnbayes.model.interactions.naive import count_naive
    >>> rows = CodedRows(np.array([[0], [0], [0], [1]]), np.array([0, 0, 1, 1]), np.array([2]), 2)
    >>> some = find_training_rows([0], rows).distinct
    >>> spec = TermSpec((0,), (np.arange(2),), "free", (False,))
    >>> counted, scores = count_naive([spec], rows, some, some.fold_weights(2))
    >>> np.exp(counted.tables[0]).round(2).tolist(), scores.shape
    ([[0.75, 0.5], [0.25, 0.5]], (3, 2, 1))
    """
    k, labels = rows.n_classes, some.labels
    # The last problem has all rows.
    problems = [*(some.weights[:, None] - held_out).T, some.weights]
    codes = rows.codes[some.index]
    base = base_scores(some, k)
    scores, tables = np.tile(base, (len(some), len(problems) - 1, 1)), []
    for spec in specs:
        cells = spec.cells(codes).astype(np.intp)
        counts = np.stack([np.bincount(cells * k + labels, own, spec.n_cells * k) for own in problems])
        logs = counts.reshape(len(problems), spec.n_cells, k) + _ALPHA
        logs = np.log(logs / logs.sum(axis=1, keepdims=True))
        tables.append(logs[-1])
        scores += _columns(logs[:-1, cells].transpose(1, 0, 2))
    intercept = base if k > 2 else np.append(-base, base) / 2
    return FittedTables(intercept, tuple(tables)), scores


def _columns(logs: Array) -> Array:
    """Columns of scores from log-probabilities of all classes: for two classes, their difference."""
    return logs[..., 1:] - logs[..., :1] if logs.shape[-1] == 2 else logs - logs.mean(axis=-1, keepdims=True)
