"""Classes instead of risks: accuracy, confusion matrix, and the log-loss of all classes together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.evidence.estimate import Estimate, mean_of, share_of_rows


@dataclass(frozen=True, eq=False)
class Classification:
    """The result of predicting the most probable class of every row.

    Parameters
    ----------
    confusion : ndarray of shape (k, k)
        Rows by true and by predicted class.
    accuracy : Estimate
        Share of rows whose class is the predicted one.
    balanced_accuracy : float, optional
        Mean over the classes of the share of their rows that are predicted correctly.
    commonest : int
        The most frequent class.
    commonest_share : float
        Accuracy of always predicting it.
    log_loss : Estimate
        Mean of -log of the probability of the true class, in nats.
    prior_log_loss : float
        Log-loss of predicting the class shares for every row.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence import classify
    >>> found = classify(np.array([[0.9, 0.1], [0.4, 0.6], [0.8, 0.2], [0.7, 0.3]]), np.array([0, 1, 1, 0]))
    >>> found.accuracy.value, found.balanced_accuracy, round(found.log_loss.value, 3)
    (0.75, 0.75, 0.646)
    """

    confusion: NDArray[np.intp]
    accuracy: Estimate
    balanced_accuracy: float | None
    commonest: int
    commonest_share: float
    log_loss: Estimate
    prior_log_loss: float


def classify(
    proba: NDArray[np.float64], labels: NDArray[np.intp], clusters: NDArray[np.intp] | None = None
) -> Classification:
    """Classes from probabilities.

    Parameters
    ----------
    proba : ndarray of shape (n, k)
    labels : ndarray of shape (n,)
        Index of the true class of each row.
    clusters : ndarray of shape (n,), optional
        Rows of the same number are not independent of each other: intervals allow for it.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.evidence import classify
    >>> found = classify(np.array([[0.9, 0.1], [0.4, 0.6], [0.8, 0.2]]), np.array([0, 1, 1]))
    >>> found.confusion.tolist()
    [[1, 0], [1, 1]]
    """
    n, k = proba.shape
    predicted = np.argmax(proba, axis=1)
    confusion = np.bincount(labels * k + predicted, minlength=k * k).reshape(k, k)
    support, right = confusion.sum(axis=1), np.diag(confusion)
    epsilon = np.finfo(np.float64).eps
    losses = -np.log(np.clip(proba[np.arange(n), labels], epsilon, 1 - epsilon))
    has_rows = support > 0
    shares = support[has_rows] / n
    return Classification(
        confusion,
        share_of_rows(predicted == labels, clusters),
        float((right[has_rows] / support[has_rows]).mean()),
        int(np.argmax(support)),
        float(support.max() / n),
        mean_of(losses, clusters, 0.0),
        float(-(shares * np.log(shares)).sum()),
    )
