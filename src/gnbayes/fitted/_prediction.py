"""Predictions of a fitted model, and what else its probabilities say about rows."""

from __future__ import annotations

from numbers import Integral, Real
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from gnbayes.base import BaseBayesInBatches, decision_values, log_probabilities, probabilities
from gnbayes.counting import Counts
from gnbayes.encoding import Table, check_table, check_target, label_indices
from gnbayes.fitted._unknown import mask_of
from gnbayes.kernels import threads_of
from gnbayes.model import Model, question_values, unusualness
from gnbayes.structure import Tree


class PredictingModel(BaseBayesInBatches):
    """Predictions and samples of a classifier that has a `Model`."""

    tree_: Tree
    counts_: Counts
    model_: Model
    alpha_: float
    pooling_: NDArray[np.float64] | None
    smoothing: Any

    def predict(self, X: Any, *, unknown: Any = None) -> NDArray[Any]:
        """The most probable class of each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        unknown : sequence of columns, or array of bool of shape (n, d), optional
            As in `predict_proba`.

        Returns
        -------
        y : ndarray of shape (n,)
        """
        return self._most_probable(self._scores(self._codes(X, unknown)))

    def predict_proba(self, X: Any, *, unknown: Any = None) -> NDArray[np.float64]:
        """Probability of each class.

        If features are unknown, it is the mean over their possible values given the known features, under the joint
        distribution `joint_`: over all combinations if these are few, otherwise over 512 fixed completions.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
            A missing value is a category of its own if the column had missing values in training; otherwise it is
            unknown, as is a value never seen in training.
        unknown : sequence of columns, or array of bool of shape (n, d), optional
            Columns, by name or position, or single values to treat as unknown, whatever X contains there.

        Returns
        -------
        proba : ndarray of shape (n, k)
            Columns in the order of `classes_`.
        """
        return probabilities(self._scores(self._codes(X, unknown)))

    def predict_interval(self, X: Any, level: float = 0.9, *, unknown: Any = None) -> NDArray[np.float64]:
        """Confidence limits of the probability of each class, with respect to the choice of training rows.

        They show how precisely the training rows determine the prediction, not how certain the class is: the mean
        prediction of models fitted to other samples of the same size lies between them with about the given
        probability. The log-odds of a class are assumed to be normally distributed; their standard error comes from the
        spread of the fits or, with a single fit, from the curvature of the penalized log-loss.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        level : float, default=0.9
            Above 0 and below 1.
        unknown : sequence of columns, or array of bool of shape (n, d), optional
            As in `predict_proba`. The limits are those of the mean over the possible values of the unknown features.
            They do not show how far the probability could move once these are known, which is a wider range.

        Returns
        -------
        limits : ndarray of shape (n, k, 2)
            The lower and the upper limit of each class, in the order of `classes_`.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from gnbayes import GeneralizedNB
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> clf = GeneralizedNB(n_fits=1).fit(X, y)
        >>> lower, upper = clf.predict_interval(X[:1])[0, 1]
        >>> bool(lower < clf.predict_proba(X[:1])[0, 1] < upper)
        True
        """
        if not isinstance(level, Real) or not 0 < float(level) < 1:
            raise ValueError(f"level must be a number above 0 and below 1, got {level!r} instead.")
        codes = self._codes(X, unknown)
        spread = self.model_.score_spread(codes)
        if spread is None:
            raise ValueError(
                "predict_interval needs the spread of the terms, which this model does not have: it was counted, or "
                "its file is of an earlier version; fit with weighting='discriminative'."
            )
        proba = probabilities(self._scores(codes))
        with np.errstate(divide="ignore"):
            odds = np.log(proba) - np.log1p(-np.minimum(proba, 1.0))
        width = NormalDist().inv_cdf((1 + float(level)) / 2) * spread
        with np.errstate(over="ignore"):
            return np.stack([1 / (1 + np.exp(-(odds - width))), 1 / (1 + np.exp(-(odds + width)))], axis=-1)

    def predict_log_proba(self, X: Any, *, unknown: Any = None) -> NDArray[np.float64]:
        """Log-probability of each class; parameters as in `predict_proba`.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        unknown : sequence of columns, or array of bool of shape (n, d), optional

        Returns
        -------
        log_proba : ndarray of shape (n, k)
        """
        return log_probabilities(self._scores(self._codes(X, unknown)))

    def decision_function(self, X: Any, *, unknown: Any = None) -> NDArray[np.float64]:
        """Scores, which explanations decompose; probabilities are the softmax of the scores.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        unknown : sequence of columns, or array of bool of shape (n, d), optional
            As in `predict_proba`.

        Returns
        -------
        scores : ndarray of shape (n,) or (n, k)
            For two classes the log-odds of the second one, otherwise the score of each class.
        """
        return decision_values(self._scores(self._codes(X, unknown)))

    def predict_joint_log_proba(self, X: Any, *, unknown: Any = None) -> NDArray[np.float64]:
        """Log P(x, y) = log P(x) + log P(y | x) of each row and class, for the known features of the row.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        unknown : sequence of columns, or array of bool of shape (n, d), optional
            As in `predict_proba`.

        Returns
        -------
        log_joint : ndarray of shape (n, k)
            Its logsumexp over the classes is `score_samples`.
        """
        codes = self._codes(X, unknown)
        return np.asarray(self.model_.log_joint(codes, threads_of(self.n_jobs)))

    def score_samples(self, X: Any, *, unknown: Any = None) -> NDArray[np.float64]:
        """Log P(x) of each row under the joint distribution `joint_`: the lower, the more unusual.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        unknown : sequence of columns, or array of bool of shape (n, d), optional
            As in `predict_proba`.

        Returns
        -------
        log_evidence : ndarray of shape (n,)
            Logarithm of a probability, that of the bins and categories of the known values of the row; not a density.
        """
        codes = self._codes(X, unknown)
        return self.model_.log_evidence(codes, threads_of(self.n_jobs))

    def unusualness(self, X: Any, *, unknown: Any = None) -> NDArray[np.float64]:
        """Number of standard deviations by which `score_samples` is below its mean: the higher, the more unusual.

        Mean and standard deviation are those of rows drawn from the joint distribution `joint_`, with the same features
        known, so rows with many unknown features can be compared with complete ones.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        unknown : sequence of columns, or array of bool of shape (n, d), optional
            As in `predict_proba`.

        Returns
        -------
        unusualness : ndarray of shape (n,)
            0 if nothing is known. To judge how rare a value is, compare it with the quantiles over the training rows.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from gnbayes import GeneralizedNB
        >>> X, y = load_iris(return_X_y=True)
        >>> clf = GeneralizedNB().fit(X, y)
        >>> flower, chimera = [5.1, 3.5, 1.4, 0.2], [5.1, 3.5, 6.4, 0.2]
        >>> usual, strange = clf.unusualness([flower, chimera])
        >>> bool(strange > usual + 1)
        True
        """
        codes = self._codes(X, unknown)
        self._check_summable("unusualness")
        return unusualness(self.model_, codes)

    def question_values(self, X: Any, *, unknown: Any = None) -> NDArray[np.float64]:
        """Expected change of the probabilities if each unknown feature became known; ask next for the largest.

        It is the expected absolute change of the probability of the second of two classes; with more classes, half the
        sum over the classes. See the notes of `gnbayes.model.question_values`.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        unknown : sequence of columns, or array of bool of shape (n, d), optional
            As in `predict_proba`.

        Returns
        -------
        values : ndarray of shape (n, d)
            0 for features that are known or not used.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from gnbayes import GeneralizedNB
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> clf = GeneralizedNB().fit(X, y)
        >>> values = clf.question_values(X[:1], unknown=list(X))
        >>> X.columns[values[0].argmax()]
        'petal width (cm)'
        """
        codes = self._codes(X, unknown)
        self._check_summable("question_values")
        return question_values(self.model_, codes)

    def log_likelihood(self, X: Any, y: Any) -> float:
        """Log-likelihood of rows and their classes, log P(x, y), summed over the rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        y : array-like of shape (n,)

        Returns
        -------
        log_likelihood : float
        """
        log_joint = self.predict_joint_log_proba(X)
        labels = label_indices(check_target(y, len(log_joint)), self.classes_)
        return float(log_joint[np.arange(len(labels)), labels].sum())

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[NDArray[Any], NDArray[Any]]:
        """Draw samples: features from the joint distribution `joint_`, the class from P(y | x).

        Parameters
        ----------
        n_samples : int, default=1
        random_state : int, RandomState or None, default=None

        Returns
        -------
        X : ndarray of shape (n_samples, d)
            A bin is represented by the mean of its training values; object dtype if a column is not numeric.
        y : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        if not isinstance(n_samples, Integral) or n_samples < 1:
            raise ValueError(f"n_samples must be a whole number of at least 1, got {n_samples!r} instead.")
        rng = np.random.default_rng(check_random_state(random_state).randint(2**31 - 1))
        codes, labels = self.model_.sample(int(n_samples), rng)
        columns = [feature.decode(codes[:, j]) for j, feature in enumerate(self.features_)]
        return np.stack(columns, axis=1), self.classes_[labels]

    @property
    def _used(self) -> NDArray[np.intp]:
        return np.asarray(self.tree_.order)

    def _scores(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        return self.model_.scores(codes, threads_of(self.n_jobs))

    def _codes(self, X: Any, unknown: Any = None) -> NDArray[Any]:
        check_is_fitted(self)
        return self._codes_of(check_table(self, X, reset=False, n_threads=threads_of(self.n_jobs)), unknown)

    def _codes_of(self, table: Table, unknown: Any) -> NDArray[Any]:
        encoder = self.model_.encoder
        codes = encoder.encode(table)
        self._warn_of_unseen(codes, encoder)
        if unknown is None:
            return codes
        return np.asfortranarray(np.where(mask_of(unknown, table), encoder.unseen_codes, codes).astype(codes.dtype))

    def _check_summable(self, name: str) -> None:
        if self.model_.unknown_rule == "dropped":
            raise ValueError(
                f"{name} needs probabilities that unknown features can be summed out of, which smoothing="
                f"{self.smoothing!r} does not give; use smoothing='additive' or weighting='discriminative'."
            )
