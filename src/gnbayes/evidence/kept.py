"""An evaluation that can be stored with a model: scores and curves, but no rows and no small counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.evaluation import CrossValidated, Predictions, cross_validate
from gnbayes.evidence.assessment import Evidence, assess
from gnbayes.evidence.classification import Classification, classify
from gnbayes.evidence.decisions import Decisions
from gnbayes.evidence.discrimination import RocCurve
from gnbayes.evidence.distribution import Distribution
from gnbayes.evidence.estimate import NOT_KNOWN, Risks

# Counts of fewer rows are not kept.
FEWEST_ROWS = 5
# Bin edges of risks: closer together toward both ends, where the risks of a rare event lie.
_TAIL = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04)
CUTS = np.array([*_TAIL, *(at / 20 for at in range(1, 20)), *(round(1 - at, 3) for at in reversed(_TAIL))])
# In a confusion matrix: a count that is not kept.
HIDDEN = -1


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Scores and curves of a model on held-out rows, without the rows.

    Counts of one to four rows are merged with others, or hidden. This does not guarantee privacy: a score of a few rows
    still depends on each of them.

    Parameters
    ----------
    n_rows : int
        Held-out rows that were scored.
    n_folds : int
        Number of folds.
    n_fits : int
        Number of folds that were held out in turn; may be less than `n_folds` to save time.
    has_groups : bool
        Whether rows of a group stayed together.
    classification : Classification
        Hidden counts of its confusion matrix are -1; with any, the balanced accuracy is None.
    assessed : tuple of Evidence
        One per class: its probability, against all other classes. Curves have at most 50 points, and the distribution
        at most 34 cells, of no row or at least five rows of either outcome.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.evidence import evaluate
    >>> X, y = load_iris(return_X_y=True)
    >>> kept = evaluate(GeneralizedNB("nb", weighting=None).fit(X, y), X, y)
    >>> kept.n_rows, kept.n_folds, len(kept.assessed)
    (150, 5, 3)
    """

    n_rows: int
    n_folds: int
    n_fits: int
    has_groups: bool
    classification: Classification
    assessed: tuple[Evidence, ...]


def evaluate(clf: Any, X: Any, y: Any, groups: Any = None) -> Evaluation:
    """Cross-validate a classifier, and keep scores and curves but no rows.

    Bins, tree, weights and the number of features are all learned without the held-out rows.

    Parameters
    ----------
    clf : classifier
        Not changed; it need not be fitted.
    X : array-like or data frame of shape (n, d)
    y : array-like of shape (n,)
    groups : array-like of shape (n,), optional
        Rows of the same group are held out together.

    Returns
    -------
    evaluation : Evaluation
        Pass it to `gnbayes.save`, so that a page can be made from the model file alone.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.datasets import load_breast_cancer
    >>> from gnbayes import GeneralizedNB, load, save
    >>> from gnbayes.evidence import evaluate
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = GeneralizedNB("nb", weighting=None).fit(X, y)
    >>> found = evaluate(clf, X, y)
    >>> found.n_rows, found.n_folds, found.assessed[1].auroc.value > 0.95
    (569, 5, True)
    >>> path = tempfile.mkdtemp() + "/cancer.gnb.json"
    >>> save(clf, path, evaluation=found)
    >>> load(path).evaluation_.n_rows
    569
    """
    X = X if hasattr(X, "shape") else np.asarray(X)
    found = cross_validate(clf, X, np.asarray(y), groups)
    if found is None:
        raise ValueError("X has too few rows, or too few groups, to hold any out; evaluate needs at least two.")
    return aggregate(found)


def aggregate(found: CrossValidated) -> Evaluation:
    """The part of a cross-validation that is kept.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.evaluation import cross_validate
    >>> from gnbayes.evidence import aggregate
    >>> found = cross_validate(GeneralizedNB("nb", weighting=None), *load_iris(return_X_y=True))
    >>> aggregate(found).n_rows
    150
    """
    predictions = found.predictions
    return Evaluation(
        len(predictions.labels),
        found.n_folds,
        found.n_fits,
        predictions.clusters is not None,
        _classification(predictions),
        tuple(_assessed(predictions, y) for y in range(len(predictions.classes))),
    )


def hide_small_counts(confusion: NDArray[np.intp]) -> NDArray[np.intp]:
    """Hide counts of one to four rows, and enough others that the hidden ones cannot be derived from sums.

    The number of rows of each class and the accuracy are known: so within a row at least two counts with a sum of at
    least five are hidden, and either none or all of the diagonal.

    Parameters
    ----------
    confusion : ndarray of shape (k, k)

    Returns
    -------
    hidden : ndarray of shape (k, k)
        The same with -1 for hidden counts.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence.kept import hide_small_counts
    >>> hide_small_counts(np.array([[50, 7, 0], [1, 30, 9], [0, 6, 20]])).tolist()
    [[50, 7, 0], [-1, 30, -1], [0, 6, 20]]
    """
    is_hidden = (confusion > 0) & (confusion < FEWEST_ROWS)
    before = -1
    while is_hidden.sum() != before:
        before = is_hidden.sum()
        for own, hidden in zip(confusion, is_hidden, strict=True):
            _hide_more(own, hidden)
        if np.diag(is_hidden).any():
            np.fill_diagonal(is_hidden, True)
    return np.where(is_hidden, HIDDEN, confusion)


def _hide_more(own: NDArray[np.intp], is_hidden: NDArray[np.bool_]) -> None:
    """Within a row, hide the smallest other counts until the hidden ones cannot be derived from the sum."""
    while is_hidden.any() and not is_hidden.all() and (is_hidden.sum() < 2 or own[is_hidden].sum() < FEWEST_ROWS):
        # Hiding an empty cell does not help, so these come last.
        size = np.where(own == 0, own.sum() + 1, own)
        is_hidden[np.argmin(np.where(is_hidden, own.sum() + 2, size))] = True


def merged_distribution(risks: Risks) -> Distribution:
    """Rows by risk and outcome, in cells with zero or at least five rows of each outcome; otherwise one cell.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence import Risks
    >>> from gnbayes.evidence.kept import merged_distribution
    >>> found = merged_distribution(Risks(np.repeat([0.88, 0.92, 0.997], 6), np.arange(18) >= 11))
    >>> found.edges[-6:].tolist(), found.events[-5:].tolist(), found.others[-5:].tolist()
    ([0.8, 0.85, 0.9, 0.998, 0.999, 1.0], [0, 0, 7, 0, 0], [0, 6, 5, 0, 0])
    """
    place = np.searchsorted(CUTS, risks.risk, side="right")
    events = np.bincount(place[risks.is_event], minlength=len(CUTS) + 1)
    others = np.bincount(place[~risks.is_event], minlength=len(CUTS) + 1)
    counts, ends = [np.zeros(2, dtype=np.intp)], []
    for at, cell in enumerate(np.stack([events, others], axis=1)):
        counts[-1] = counts[-1] + cell
        left = np.array([events[at + 1 :].sum(), others[at + 1 :].sum()])
        if at < len(CUTS) and _can_be_kept(counts[-1]) and _can_be_kept(left):
            ends.append(float(CUTS[at]))
            counts.append(np.zeros(2, dtype=np.intp))
    table = np.array(counts)
    return Distribution(np.array([0.0, *ends, 1.0]), table[:, 0], table[:, 1])


def _can_be_kept(cell: NDArray[np.intp]) -> bool:
    return bool(((cell == 0) | (cell >= FEWEST_ROWS)).all())


def decisions_of(distribution: Distribution) -> Decisions:
    """Decisions at those inner edges of a distribution that are whole percentages."""
    above_events, above_others = (_above(counts) for counts in (distribution.events, distribution.others))
    inner = distribution.edges[1:-1]
    kept = np.flatnonzero(np.abs(100 * inner - np.rint(100 * inner)) < 1e-9)
    n_events, n_others = int(distribution.events.sum()), int(distribution.others.sum())
    return Decisions(inner[kept], above_events[1:-1][kept], above_others[1:-1][kept], n_events, n_others)


def roc_of(distribution: Distribution) -> RocCurve | None:
    """The ROC curve at the edges of a distribution; None without inner edges, or unless both outcomes occur."""
    above_events, above_others = (_above(counts) for counts in (distribution.events, distribution.others))
    points = np.unique(np.stack([above_others, above_events], axis=1), axis=0)
    if len(points) < 3 or not points[-1].all():
        return None
    shares = points / points[-1]
    return RocCurve(shares[:, 0], shares[:, 1])


def _above(counts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Rows at or above each edge, shape (m + 1,)."""
    return np.append(np.cumsum(counts[::-1])[::-1], 0)


def _classification(predictions: Predictions) -> Classification:
    found = classify(predictions.proba, predictions.labels, predictions.clusters)
    confusion = hide_small_counts(found.confusion)
    return replace(
        found,
        confusion=confusion,
        # For two classes, the counts could be derived from it and the accuracy.
        balanced_accuracy=None if (confusion == HIDDEN).any() else found.balanced_accuracy,
    )


def _assessed(predictions: Predictions, y: int) -> Evidence:
    """The evidence for one class."""
    risk = np.clip(predictions.proba[:, y], 0.0, 1.0)
    risks = Risks(risk, predictions.labels == y, predictions.clusters, predictions.strata)
    found, distribution = assess(risks), merged_distribution(risks)
    return replace(
        found,
        auroc=NOT_KNOWN if risks.n_fewer < FEWEST_ROWS else found.auroc,
        roc=roc_of(distribution),
        decisions=decisions_of(distribution),
        distribution=distribution,
    )
