"""Explanations, effects and the other views of what a fitted model has learned."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from importlib import import_module
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from gnbayes.effect import Effect, effect_of
from gnbayes.encoding import check_table
from gnbayes.explanation import Explanation, term_name
from gnbayes.fitted._prediction import PredictingModel
from gnbayes.fitted._unknown import listed
from gnbayes.kernels import threads_of
from gnbayes.model import Joint, Term, feature_importances
from gnbayes.notebook import model_html
from gnbayes.scorer import Scorer
from gnbayes.structure import class_gain


class FittedModel(PredictingModel):
    """Predictions, explanations, effects and samples of a classifier that has a `Model`."""

    def explain(self, X: Any, *, unknown: Any = None) -> Explanation:
        """Decompose predictions into the contribution of each term to the score of each class.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        unknown : sequence of columns, or array of bool of shape (n, d), optional
            As in `predict_proba`.

        Returns
        -------
        explanation : Explanation
            Its contributions sum to `decision_function`.
        """
        check_is_fitted(self)
        table = check_table(self, X, reset=False, n_threads=threads_of(self.n_jobs))
        codes = self._codes_of(table, unknown)
        model = self.model_
        parts = model.parts(codes)
        reader = copy(self)._background_codes  # of the classifier in its current state
        return Explanation(self.classes_, self.features_, model.terms, codes, table.columns, parts, reader)

    def _background_codes(self, X: Any) -> NDArray[Any]:
        """Codes of the background rows of Shapley values."""
        if self.model_.unknown_rule == "dropped":
            raise ValueError(
                "shap_values needs scores that are sums of tables, and smoothing='paper' and 'repair' give others; fit "
                "again with smoothing='additive' or 'backoff'."
            )
        codes = self._codes(X)
        is_known = np.all([term.is_known(codes) for term in self.model_.terms], axis=0)
        if not is_known.all():
            raise ValueError(
                f"background must have rows in which all features are known, and {(~is_known).sum()} of its "
                f"{len(codes)} rows have unknown ones; leave them out."
            )
        return codes

    def scorer(self) -> Scorer:
        """An object that predicts for single rows of raw values in microseconds, without tables.

        Returns
        -------
        scorer : Scorer
            Gives the probabilities of `predict_proba`, and does not change when the classifier is fitted again.
        """
        check_is_fitted(self)
        return Scorer(self.features_, self.classes_, self.model_)

    def effect(self, features: Any, label: Any = None) -> Effect:
        """The effect of a feature on the log-odds of a class, or of a pair or triple beyond its parts.

        Parameters
        ----------
        features : str, int, or tuple or list of one to three of them
            Names or positions of columns.
        label : optional
            The class; the second of two by default.

        Returns
        -------
        effect : Effect
        """
        check_is_fitted(self)
        wanted = features if isinstance(features, (tuple, list)) else (features,)
        if not wanted:
            raise ValueError(f"features must be a column or a tuple of one to three of them, got {features!r} instead.")
        positions = [self._position(name) for name in wanted]
        for term in self.model_.effects:
            if sorted(term.features) == sorted(positions):
                return effect_of(term, self.features_, self.classes_, self._class(label))
        names = " and ".join(repr(self.features_[j].name) for j in positions)
        raise ValueError(f"the model has no term of {names}; {self._terms_with(positions)}.")

    def plot(self, label: Any = None, *, n_effects: int | None = 4) -> Any:
        """Plot the most important terms and the effects of the first of them; needs matplotlib.

        Parameters
        ----------
        label : optional
            The class whose log-odds are shown; by default the second of two classes, or the most frequent of more.
        n_effects : int or None, default=4
            Number of effects, the most important first. None: all, which is the whole model.

        Returns
        -------
        display : OverviewDisplay
        """
        check_is_fitted(self)
        # Pictures know classifiers, and not the other way round.
        return import_module("gnbayes.plot").OverviewDisplay.from_estimator(self, label=label, n_effects=n_effects)

    def _model_html(self) -> str:
        if not self.__sklearn_is_fitted__():
            return ""
        return model_html(self.model_, self.terms_, getattr(self, "evaluation_", None))

    @property
    def terms_(self) -> list[Term]:
        """The terms of the model, purified, the most important first: single features, and pairs beyond them."""
        check_is_fitted(self)
        return sorted(self.model_.effects, key=lambda term: -term.importance)

    @property
    def joint_(self) -> Joint:
        """The joint distribution of features and class along the tree."""
        check_is_fitted(self)
        return self.model_.joint

    @property
    def n_features_(self) -> int:
        """Number of features used."""
        check_is_fitted(self)
        return len(self.tree_.order)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean absolute contribution of each feature to the log-odds over the training rows, shape (d,); sum 1."""
        check_is_fitted(self)
        return feature_importances(self.model_.effects, len(self.features_))

    @property
    def class_gain_(self) -> NDArray[np.float64]:
        """Information of each feature about the class given its parent, I(Xj; Y | X_mother), in nats, shape (d,)."""
        check_is_fitted(self)
        information = np.zeros(self.tree_.n_features)
        information[self.tree_.order] = class_gain(self.counts_, self.tree_.mother)[self.tree_.order]
        return information

    @property
    def feature_order_(self) -> NDArray[np.intp]:
        """Features used: in the order in which they were chosen if `n_features` is given, otherwise in c-ordering."""
        check_is_fitted(self)
        return np.asarray(self.tree_.order if self.tree_.chosen is None else self.tree_.chosen)

    @property
    def weight_(self) -> float:
        """Weight of the approximation in nats."""
        check_is_fitted(self)
        return float(self.tree_.weight)

    def _position(self, name: Any) -> int:
        if isinstance(name, Integral) and not isinstance(name, bool) and 0 <= int(name) < len(self.features_):
            return int(name)
        for j, feature in enumerate(self.features_):
            if feature.name == name:
                return j
        raise ValueError(f"there is no feature {name!r}; the features are {listed(f.name for f in self.features_)}.")

    def _class(self, label: Any) -> int:
        if label is None and len(self.classes_) == 2:
            return 1
        at = np.flatnonzero(self.classes_ == label) if label is not None else np.zeros(0)
        if not len(at):
            came = "label is needed with more than two classes" if label is None else f"{label!r} is not a class"
            raise ValueError(f"{came}; the classes are {listed(self.classes_.tolist())}.")
        return int(at[0])

    def _terms_with(self, positions: Sequence[int]) -> str:
        near = [
            term_name(self.features_, term)
            for term in self.terms_
            if len(positions) > 1 and len(term.features) > 1 and set(term.features) & set(positions)
        ]
        return f"those of several features with one of these are {listed(near)}" if near else "see terms_"
