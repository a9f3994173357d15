"""Probabilities of rows whose classes are known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions of a model, or of the models of a cross-validation, for rows whose classes are known.

    Parameters
    ----------
    proba : ndarray of shape (n, k)
    labels : ndarray of shape (n,)
        Index of the true class of each row.
    classes : ndarray of shape (k,)
    prior : ndarray of shape (n, k)
        Class shares in the training rows: the prediction that ignores the features.
    clusters : ndarray of shape (n,), optional
        Rows of the same cluster are not independent of each other.
    strata : ndarray of shape (n,), optional
        The model that scored each row, if there are several.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import Predictions
    >>> proba, labels = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]]), np.array([0, 0, 1, 1])
    >>> predictions = Predictions(proba, labels, np.array(["ill", "well"]), np.full((4, 2), 0.5))
    >>> predictions.predicted.tolist(), predictions.confusion.tolist()
    ([0, 0, 1, 0], [[2, 0], [1, 1]])
    """

    proba: NDArray[np.float64]
    labels: NDArray[np.intp]
    classes: NDArray[Any]
    prior: NDArray[np.float64]
    clusters: NDArray[np.intp] | None = None
    strata: NDArray[np.intp] | None = None

    @cached_property
    def predicted(self) -> NDArray[np.intp]:
        """Index of the most probable class, shape (n,)."""
        return np.argmax(self.proba, axis=1)

    @property
    def confusion(self) -> NDArray[np.intp]:
        """Rows by true and by predicted class, shape (k, k)."""
        k = len(self.classes)
        return np.bincount(self.labels * k + self.predicted, minlength=k * k).reshape(k, k)

    def take(self, rows: NDArray[Any]) -> Predictions:
        """The predictions for some rows, by position or mask."""
        return replace(
            self,
            proba=self.proba[rows],
            labels=self.labels[rows],
            prior=self.prior[rows],
            clusters=None if self.clusters is None else self.clusters[rows],
            strata=None if self.strata is None else self.strata[rows],
        )


def log_losses(proba: NDArray[np.float64], labels: NDArray[np.intp]) -> NDArray[np.float64]:
    """Log-loss of each row, shape (n,); probabilities are at least machine epsilon, as in scikit-learn.

    Parameters
    ----------
    proba : ndarray of shape (n, k)
    labels : ndarray of shape (n,)

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import log_losses
    >>> proba, labels = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]]), np.array([0, 0, 1, 1])
    >>> log_losses(proba, labels).round(2).tolist()
    [0.11, 0.22, 0.36, 0.92]
    """
    own = proba[np.arange(len(labels)), labels]
    return -np.log(np.clip(own, np.finfo(np.float64).eps, 1.0))


def brier_losses(proba: NDArray[np.float64], labels: NDArray[np.intp]) -> NDArray[np.float64]:
    """Brier score of each row, shape (n,): the squared error of the probabilities, summed over the classes.

    For two classes only one is counted, as in scikit-learn: the range is 0 to 1, and 0 to 2 for more classes.

    Parameters
    ----------
    proba : ndarray of shape (n, k)
    labels : ndarray of shape (n,)

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evaluation import brier_losses
    >>> proba, labels = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]]), np.array([0, 0, 1, 1])
    >>> brier_losses(proba, labels).round(2).tolist()
    [0.01, 0.04, 0.09, 0.36]
    """
    errors = proba.copy()
    errors[np.arange(len(labels)), labels] -= 1
    return (errors**2).sum(axis=1) / (2 if proba.shape[1] == 2 else 1)
