"""Choose features, for any estimator that comes after."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from gnbayes._sklearn import DocumentedMixin, Interval, StrOptions, fit_context
from gnbayes.base import all_or_nothing
from gnbayes.encoding import check_table, take_columns
from gnbayes.estimator import GeneralizedNB
from gnbayes.selection.curve import selection_curve


class GNBSelector(DocumentedMixin, SelectorMixin, BaseEstimator):
    """Keep the first features of a Generalized Naive Bayes order.

    Parameters
    ----------
    estimator : GeneralizedNB, optional
        The classifier whose order is used; ``GeneralizedNB("gnb-a")`` by default, whose order is greedy. Fitted without
        `weighting`, as in `selection_curve`.
    n_features : int, float, "best" or "one-se", default="best"
        A number of features; a share of the weight that the kept features reach together, above 0 and at most 1; the
        number with the best score; or the smallest number within one standard error of the best score.
    scoring : str, default="neg_log_loss"
        scikit-learn scorer name, for the last two.
    cv : default="loo"
        As in `selection_curve`, for the last two; "prefit" makes no sense here.
    pos_label : optional
        The positive class of two, for scores that have one; the second by default.

    Attributes
    ----------
    estimator_ : GeneralizedNB
        Fitted with all features.
    n_features_ : int
        Number of features kept.
    order_ : ndarray of shape (d,)
        All features in their order.
    curve_ : SelectionCurve or None
        What the number was chosen on.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (d,)
        Only when X has column names that are all strings.

    See Also
    --------
    selection_curve : The scores for every number of features.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from gnbayes import GNBSelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> GNBSelector(n_features=3).fit(X, y).get_feature_names_out().tolist()
    ['mean radius', 'mean perimeter', 'mean area']
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [GeneralizedNB, None],
        "n_features": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, 1, closed="right"),
            StrOptions({"best", "one-se"}),
        ],
        "scoring": [str],
        "cv": ["cv_object", StrOptions({"loo"})],
        "pos_label": "no_validation",
    }

    def __init__(
        self,
        estimator: GeneralizedNB | None = None,
        *,
        n_features: Any = "best",
        scoring: str = "neg_log_loss",
        cv: Any = "loo",
        pos_label: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_features = n_features
        self.scoring = scoring
        self.cv = cv
        self.pos_label = pos_label

    @fit_context
    def fit(self, X: Any, y: Any) -> Self:
        """Learn the order, and how many features to keep.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        y : array-like of shape (n,)

        Returns
        -------
        self : GNBSelector
        """
        with all_or_nothing(self):
            n_columns = check_table(self, X, reset=True).n_columns
            is_bool, is_number = isinstance(self.n_features, bool), isinstance(self.n_features, Integral)
            if is_bool or (is_number and self.n_features > n_columns):
                raise ValueError(f"n_features is {self.n_features}, but X has only {n_columns} columns.")
            estimator = GeneralizedNB("gnb-a") if self.estimator is None else clone(self.estimator)
            self.estimator_ = estimator.set_params(n_features=None, weighting=None).fit(X, y)
            self.order_ = self.estimator_.feature_order_
            self.curve_ = None
            if isinstance(self.n_features, str):
                self.curve_ = selection_curve(
                    estimator, X, y, cv=self.cv, scoring=self.scoring, pos_label=self.pos_label
                )
            self.n_features_ = self._choose()
        return self

    def transform(self, X: Any) -> Any:
        """Keep the chosen columns, as they are.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)

        Returns
        -------
        X : array or data frame of shape (n, n_features_)
            A frame of the same kind for a frame, a sparse array for a sparse array.
        """
        check_is_fitted(self)
        check_table(self, X, reset=False)
        return take_columns(X, self.get_support(indices=True))

    def _choose(self) -> int:
        if isinstance(self.n_features, Integral):
            return int(self.n_features)
        if self.curve_ is None:
            reached = np.cumsum(self.estimator_.tree_.gain)
            # The last few bits of the sum do not matter.
            return int(np.argmax(reached >= self.n_features * reached[-1] * (1 - 1e-12))) + 1
        choose = self.curve_.best if self.n_features == "best" else self.curve_.one_standard_error
        return choose(self.scoring)

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        mask = np.zeros(len(self.order_), dtype=bool)
        mask[self.order_[: self.n_features_]] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags
