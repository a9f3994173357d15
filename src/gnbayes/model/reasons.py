"""Scores by feature instead of by term, from the share of the class on: the reasons that a page gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.model import Array, Model


@dataclass(frozen=True, eq=False)
class Reasons:
    """Scores of rows taken apart by feature: ``start + contributions.sum(axis=1) + unknown``.

    Parameters
    ----------
    start : ndarray of shape (k,)
        Log prior of the classes: the answer where nothing is known.
    contributions : ndarray of shape (n, d, k)
        What each feature adds; 0 where it is unknown.
    unknown : ndarray of shape (n, k)
        What averaging over unknown features adds; 0 where nothing is known, and where everything is.
    """

    start: Array
    contributions: Array
    unknown: Array


def reasons_by_feature(model: Model, codes: NDArray[Any]) -> Reasons:
    """What each feature adds to the scores of rows.

    A term of several features is shared evenly among them, as in `feature_importances`; of a counted model, what a
    feature adds given its mother is its own. The intercept of a weighted model is the mean score of the training rows,
    and not the log prior: what lies between the two is shared among the features by their importance.

    Parameters
    ----------
    model : Model
    codes : ndarray of shape (n, d)
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
