"""Create a fitted classifier from counts of rows stored elsewhere, or from a file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.base import all_or_nothing
from gnbayes.counting import Counts, RowSource
from gnbayes.encoding import Feature
from gnbayes.estimator import GeneralizedNB
from gnbayes.pipeline import Counted, Learned, learn
from gnbayes.settings import Settings
from gnbayes.structure import Tree, weighed


def settings_of(clf: GeneralizedNB, classes: NDArray[Any], n_columns: int) -> Settings:
    """The checked parameters of a classifier that learns from counts."""
    clf._validate_params()
    if clf.class_weight is not None:
        raise ValueError(
            f"class_weight must be None when a model is learned from counts, got {clf.class_weight!r} instead; fit on "
            "rows, or specify the class frequencies with class_prior."
        )
    return clf._settings(classes, n_columns, in_batches=True)


def fit_counts(
    clf: GeneralizedNB,
    features: list[Feature],
    classes: NDArray[Any],
    counts: Counts,
    tree: Tree | None = None,
    rows: RowSource | None = None,
    *,
    has_names: bool = True,
) -> GeneralizedNB:
    """Fit a classifier to counts of rows that are stored elsewhere.

    Parameters
    ----------
    clf : GeneralizedNB
    features : list of Feature
    classes : ndarray of shape (k,)
    counts, tree, rows
        As in `Counted`.
    has_names : bool
        Whether the features have names of their own, for `feature_names_in_`.
    """
    settings = settings_of(clf, classes, len(features))
    with all_or_nothing(clf):
        known = None if tree is None else weighed(tree, counts)
        learned = learn(settings, classes, Counted(features, counts, known, rows))
        return set_fitted(clf, classes, learned, has_names=has_names)


def set_fitted(clf: GeneralizedNB, classes: NDArray[Any], learned: Learned, *, has_names: bool) -> GeneralizedNB:
    """Set the fitted attributes of a classifier from what was learned from counts or read from a file."""
    clf._set(learned)
    clf.classes_, clf.n_features_in_ = classes, len(learned.features)
    clf.__dict__.pop("feature_names_in_", None)
    if has_names:
        clf.feature_names_in_ = np.array([feature.name for feature in learned.features], dtype=object)
    return clf
