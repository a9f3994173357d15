"""Whether models have learned anything: evidence from held-out rows, before a number of features is chosen.

In pure noise, a model of all columns that is shrunk towards the class shares loses less than the model of the one
column that looks best, and would be chosen for that reason; so the class shares have to be beaten first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gnbayes.prefixes.number import standard_errors

Array = NDArray[np.float64]

# A model whose log-loss is lower than that of the class shares by this many standard errors has learned something.
_LOWER = 2.0
# So has one that gives rows of a class more probability of it than other rows, by this many. Rows of different folds
# are scored by models that share most of their rows, so that in noise the mean varies by more than its standard error.
_TOLD_APART = 3.0


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What the models of the first 1, 2, ... features say of the held-out rows of a split.

    Parameters
    ----------
    losses : ndarray of shape (n, m)
        Log-loss of each row with each number of features.
    surplus : ndarray of shape (n, m)
        What `surplus` gives for each number of features.
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,)
    groups : ndarray of shape (n,), optional
        Rows of the same number are not independent of each other.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.prefixes import HeldOut
    >>> of_one_number = HeldOut(np.full((4, 1), 0.3), np.full((4, 1), 0.2), np.array([0, 1, 0, 1]), np.ones(4))
    >>> of_one_number.losses.shape
    (4, 1)
    """

    losses: Array
    surplus: Array
    labels: NDArray[np.intp]
    weights: Array
    groups: NDArray[np.intp] | None = None


@dataclass(frozen=True)
class Evidence:
    """Whether models have learned anything.

    Parameters
    ----------
    of_any : bool
        Whether models of some number of features have: both the best of them and their average tell the classes apart,
        and the log-loss of the best is lower than that of the class shares; or it is lower by two standard errors.
    of_all : bool
        Whether the model of all features has: both it and the average tell the classes apart, and its log-loss is lower
        than that of the class shares.

    Examples
    --------
    >>> from gnbayes.prefixes import Evidence
    >>> Evidence(of_any=True, of_all=False).of_any
    True
    """

    of_any: bool
    of_all: bool


def surplus(proba: Array, labels: NDArray[np.intp], shares: Array) -> Array:
    """How much more probability of its class a row has than other rows, measured from the class shares; shape (n,).

    The sum over classes of the products of two differences from the class shares: that of the probability, and that of
    1 for the class of the row and 0 for others. If probabilities say nothing about classes, the mean over rows is 0.

    Parameters
    ----------
    proba : ndarray of shape (n, k)
    labels : ndarray of shape (n,)
    shares : ndarray of shape (k,)

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.prefixes.evidence import surplus
    >>> surplus(np.array([[0.9, 0.1], [0.9, 0.1]]), np.array([0, 1]), np.array([0.5, 0.5])).round(3).tolist()
    [0.4, -0.4]
    """
    is_class = np.eye(proba.shape[1])[labels]
    return np.asarray(((proba - shares) * (is_class - shares)).sum(axis=1))


def class_shares(labels: Sequence[NDArray[np.intp]], weights: Sequence[Array], n_classes: int) -> Array:
    """Weighted shares of the classes among the held-out rows of all splits, shape (n_classes,).

    Parameters
    ----------
    labels : sequence of ndarray
        One per split.
    weights : sequence of ndarray
    n_classes : int

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.prefixes import class_shares
    >>> class_shares([np.array([0, 1]), np.array([1, 1])], [np.ones(2), np.ones(2)], 2).tolist()
    [0.25, 0.75]
    """
    total = np.bincount(np.concatenate(labels), np.concatenate(weights), minlength=n_classes)
    return np.asarray(total / total.sum())


def evidence_of(splits: Sequence[HeldOut]) -> Evidence:
    """Whether models of some number of features, or of all, have learned anything.

    The best of many models tells the classes of noise apart by chance, and with few rows the log-loss of a model that
    has learned much may be hardly lower than that of the class shares, if the model is too certain. The average of all
    models is not the best of many, and how well classes are told apart does not depend much on certainty.

    Parameters
    ----------
    splits : sequence of HeldOut

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.prefixes import HeldOut, evidence_of
    >>> from gnbayes.prefixes.evidence import surplus
    >>> labels, shares = np.tile([0, 1, 0, 1, 1], 8), np.array([0.4, 0.6])
    >>> for proba in (0.2 + 0.6 * np.eye(2)[labels], np.tile(shares, (40, 1))):
    ...     losses = -np.log(proba[np.arange(40), labels])
    ...     told = HeldOut(losses[:, None], surplus(proba, labels, shares)[:, None], labels, np.ones(40))
    ...     print(evidence_of([told]))
    Evidence(of_any=True, of_all=True)
    Evidence(of_any=False, of_all=False)
    """
    losses, told_apart = (np.concatenate([getattr(part, name) for part in splits]) for name in ("losses", "surplus"))
    labels, weights = (np.concatenate([getattr(part, name) for part in splits]) for name in ("labels", "weights"))
    known = [part.groups for part in splits if part.groups is not None]
    groups = np.concatenate(known) if known else None
    mean, by_shares = np.average(losses, axis=0, weights=weights), _share_losses(labels, weights)
    is_lower, best = mean < np.average(by_shares, weights=weights) - 1e-12, int(np.argmin(mean))

    def has_learned(at: int) -> bool:
        return bool(is_lower[at]) and _is_above(told_apart[:, at], weights, groups, _TOLD_APART)

    on_average = _is_above(told_apart.mean(axis=1), weights, groups, _TOLD_APART)
    of_best = (on_average and has_learned(best)) or beats_shares(losses[:, best], labels, weights, groups)
    return Evidence(of_best, on_average and has_learned(-1))


def beats_shares(
    losses: Array, labels: NDArray[np.intp], weights: Array, groups: NDArray[np.intp] | None = None
) -> bool:
    """Whether the log-loss of held-out rows is lower than that of the class shares, by two standard errors.

    Parameters
    ----------
    losses : ndarray of shape (n,)
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,)
    groups : ndarray of shape (n,), optional

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.prefixes import beats_shares
    >>> labels = np.tile([0, 1], 20)
    >>> beats_shares(np.full(40, 0.3), labels, np.ones(40)), beats_shares(np.full(40, 0.7), labels, np.ones(40))
    (True, False)
    """
    return _is_above(_share_losses(labels, weights) - losses, weights, groups, _LOWER)


def _share_losses(labels: NDArray[np.intp], weights: Array) -> Array:
    """Log-loss of each row by the class shares, shape (n,)."""
    shares = np.bincount(labels, weights) / weights.sum()
    return np.asarray(-np.log(shares[labels]))


def _is_above(gains: Array, weights: Array, groups: NDArray[np.intp] | None, n_errors: float) -> bool:
    """Whether a mean over rows is above 0 by a number of standard errors; rounding alone does not count."""
    error = standard_errors(gains[:, None], weights, groups)[0]
    return bool(np.average(gains, weights=weights) > 1e-12 + n_errors * error)
