"""Select features, for any estimator that follows in a pipeline."""

from __future__ import annotations

from contextlib import suppress
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from gnbayes._sklearn import DocumentedMixin, Interval, StrOptions, fit_context
from gnbayes.base import all_or_nothing
from gnbayes.encoding import check_table, take_columns
from gnbayes.estimator import GeneralizedNB
from gnbayes.selection.curve import SelectionCurve
from gnbayes.selection.ordering import feature_order
from gnbayes.selection.scoring import selection_curve
from gnbayes.selection.splits import TooFewRowsError


class GNBSelector(DocumentedMixin, SelectorMixin, BaseEstimator):
    """Select the features that `GeneralizedNB` uses with the same `n_features`.

    Parameters
    ----------
    estimator : GeneralizedNB, optional
        The classifier that orders the features, ``GeneralizedNB()`` by default. With `weighting`, the feature that
        improves the log-loss of held-out rows most comes first; without it, the order is the c-ordering of the tree.
    n_features : int, float, "best", "auto", "few" or "one-se", default="best"
        A number of features; for the order of the tree, a share of the weight of the tree, above 0 and at most 1, that
        the selected features reach together; "best": the number with the best score; "auto": the smallest number within
        noise of it; "few" (or "one-se", its older name): the smallest number within one standard error of it. See
        `SelectionCurve`.
    scoring : str, default="neg_log_loss"
        scikit-learn scorer name, by which a number is chosen.
    cv : optional
        As in `selection_curve`, except for "prefit"; used to choose a number.
    pos_label : optional
        The positive class of two, for scores that have one; the second by default.
    order : {"auto", "tree"}, default="auto"
        As in `selection_curve`.
    costs : mapping or sequence, optional
        As in `selection_curve`.

    Attributes
    ----------
    n_features_ : int
        Number of features kept.
    order_ : ndarray of shape (d,)
        All features in their order.
    curve_ : SelectionCurve or None
        The curve that the number was chosen from.
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
    ['worst texture', 'worst perimeter', 'worst concave points']
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [GeneralizedNB, None],
        "n_features": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, 1, closed="right"),
            StrOptions({"best", "auto", "few", "one-se"}),
        ],
        "scoring": [str],
        "cv": ["cv_object", StrOptions({"loo"}), None],
        "pos_label": "no_validation",
        "order": [StrOptions({"auto", "tree"})],
        "costs": "no_validation",
    }

    curve_: SelectionCurve | None

    def __init__(
        self,
        estimator: GeneralizedNB | None = None,
        *,
        n_features: Any = "best",
        scoring: str = "neg_log_loss",
        cv: Any = None,
        pos_label: Any = None,
        order: str = "auto",
        costs: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_features = n_features
        self.scoring = scoring
        self.cv = cv
        self.pos_label = pos_label
        self.order = order
        self.costs = costs

    @fit_context
    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Learn the order, and how many features to select.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,), optional
        groups : array-like of shape (n,), optional
            Rows of the same group are held out together, as in `selection_curve`.

        Returns
        -------
        self : GNBSelector
        """
        with all_or_nothing(self):
            table = check_table(self, X, reset=True)
            estimator = GeneralizedNB() if self.estimator is None else self.estimator
            self._check_number(estimator, table.n_columns)
            self.curve_ = None
            path = {"sample_weight": sample_weight, "groups": groups, "order": self.order, "costs": self.costs}
            if isinstance(self.n_features, str) and table.n_columns > 1:
                options = {"cv": self.cv, "scoring": self.scoring, "pos_label": self.pos_label}
                # Without rows to hold out all features are kept, as by the classifier.
                with suppress(TooFewRowsError):
                    self.curve_ = selection_curve(estimator, X, y, **options, **path)
            joined = feature_order(estimator, X, y, **path)
            self.order_, self.n_features_ = joined.order, self._choose(joined.shares)
        return self

    def transform(self, X: Any) -> Any:
        """Select the chosen columns, unchanged.

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

    def _check_number(self, estimator: GeneralizedNB, n_columns: int) -> None:
        """Refuse a number that does not fit, before any work is done."""
        n = self.n_features
        if isinstance(n, bool):
            raise ValueError(
                f"n_features must be a number of features, a share or a rule such as 'few', got {n} instead."
            )
        if isinstance(n, Integral):
            if int(n) > n_columns:
                raise ValueError(f"n_features is {n}, but X has only {n_columns} columns.")
        elif isinstance(n, Real) and self.order != "tree" and estimator.weighting is not None:
            raise ValueError(
                f"n_features={n!r} is a share of the tree's weight, and this order is not the tree's; use "
                "order='tree', a number of features or a rule such as 'few'."
            )

    def _choose(self, shares: NDArray[np.float64] | None) -> int:
        if isinstance(self.n_features, Integral):
            return int(self.n_features)
        if isinstance(self.n_features, str) and self.curve_ is None:
            return self.n_features_in_
        if self.curve_ is None:
            assert shares is not None
            reached = np.cumsum(shares)
            # The last few bits of the sum do not matter.
            return int(np.argmax(reached >= self.n_features * reached[-1] * (1 - 1e-12))) + 1
        curve = self.curve_
        rules = {"best": curve.best, "auto": curve.within_noise}
        return rules.get(self.n_features, curve.one_standard_error)(self.scoring)

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
