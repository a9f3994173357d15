"""What scikit-learn's MultinomialNB gives on the averages of the intervals: a guess at the paper's naive Bayes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import MultinomialNB

from gnbayes.reproduction.prepare import Prepared, as_averages
from gnbayes.reproduction.protocol import SCORES, draw_splits
from gnbayes.selection.scores import Prediction, make_score


def multinomial_scores(
    prepared: Prepared, repeats: int = 100, seed: int = 0, positive: int = 1
) -> dict[str, NDArray[np.float64]] | None:
    """Scores of MultinomialNB on the splits of `paper_protocol`.

    MultinomialNB takes values for counts of words. That is not what the averages of intervals are: no baseline, but a
    way to understand the paper's numbers.

    Parameters
    ----------
    prepared : Prepared
    repeats : int, default=100
    seed : int, default=0
    positive : {0, 1}, default=1
        The class that precision, recall and F1 are of.

    Returns
    -------
    scores : dict of {str: ndarray of shape (repeats,)} or None
        None for a table with negative values, which MultinomialNB refuses.

    Examples
    --------
    >>> from gnbayes.datasets import load_wdbc
    >>> from gnbayes.reproduction.multinomial import multinomial_scores
    >>> from gnbayes.reproduction.prepare import as_numbers
    >>> scores = multinomial_scores(as_numbers(load_wdbc()), repeats=3)
    >>> scores["accuracy"].shape
    (3,)
    """
    rows = as_averages(prepared)
    if rows.X.min() < 0:
        return None
    makers = {name: make_score(name, 2) for name in SCORES}
    scores: dict[str, list[float]] = {name: [] for name in SCORES}
    for train, test in draw_splits(rows, repeats, seed):
        clf = MultinomialNB().fit(rows.X[train], rows.y[train])
        prediction = Prediction(clf.predict_joint_log_proba(rows.X[test]), rows.y[test], clf.classes_, positive)
        for name, score in makers.items():
            scores[name].append(score(prediction))
    return {name: np.array(values) for name, values in scores.items()}
