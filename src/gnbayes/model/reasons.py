"""Scores by feature instead of by term, starting from the class share: the reasons shown on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.model import Array, Model


@dataclass(frozen=True, eq=False)
class Reasons:
    """Scores of rows, decomposed by feature: ``start + contributions.sum(axis=1) + unknown``.

    Parameters
    ----------
    start : ndarray of shape (k,)
        Log prior of the classes: the scores if nothing is known.
    contributions : ndarray of shape (n, d, k)
        Contribution of each feature; 0 if it is unknown.
    unknown : ndarray of shape (n, k)
        Contribution of averaging over unknown features; 0 if nothing is known, or everything.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model import reasons_by_feature
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> reasons = reasons_by_feature(clf.model_, clf._codes(X[:5]))
    >>> reasons.start.shape, reasons.contributions.shape
    ((3,), (5, 4, 3))
    """

    start: Array
    contributions: Array
    unknown: Array


def reasons_by_feature(model: Model, codes: NDArray[Any]) -> Reasons:
    """Contribution of each feature to the scores of rows.

    A term of several features is divided evenly among them, as in `feature_importances`; in a counted model, the
    contribution of a feature given its parent is its own. The intercept of a weighted model is the mean score of the
    training rows, not the log prior: the difference is divided among the features according to their importance.

    Parameters
    ----------
    model : Model
    codes : ndarray of shape (n, d)

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model import reasons_by_feature
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> codes = clf._codes(X[:5])
    >>> reasons = reasons_by_feature(clf.model_, codes)
    >>> total = reasons.start + reasons.contributions.sum(axis=1) + reasons.unknown
    >>> scores = clf.model_.scores(codes)
    >>> bool(np.allclose(total - total[:, :1], scores - scores[:, :1]))
    True
    """
    parts = model.parts(codes)
    n, d, k = len(codes), len(model.features), len(model.classes)
    contributions = np.zeros((n, d, k))
    for at, term in enumerate(model.terms):
        takers = term.features[-1:] if term.is_conditional else term.features
        for j in takers:
            contributions[:, j] += parts.contributions[:, at] / len(takers)
    start = model.joint.log_prior
    is_possible = np.isfinite(start) & np.isfinite(parts.base)
    beyond = np.where(is_possible, np.where(is_possible, parts.base, 0.0) - np.where(is_possible, start, 0.0), 0.0)
    sizes = np.array([len(own) for own in model.maps])
    share = np.where(codes < sizes, model.anchor.importances, 0.0)
    left = model.anchor.importances.sum() - share.sum(axis=1)
    return Reasons(start, contributions + share[:, :, None] * beyond, parts.unknown + left[:, None] * beyond)
