"""Further uses of the joint distribution: which question to ask next, and how unusual a row is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.model.completion import Completion, Draws
from gnbayes.model.model import Array, Model, softmax
from gnbayes.model.term import TermSum


def question_values(model: Model, codes: NDArray[Any]) -> Array:
    """Expected change of the probabilities when each unknown feature becomes known, shape (n, d).

    Parameters
    ----------
    model : Model
        Its joint distribution must not have zeros.
    codes : ndarray of shape (n, d)
        Codes from the number of values of a feature on are unknown.

    Notes
    -----
    It is the sum over the values v of a feature of P(x_j = v | known) times half the sum over classes of
    |P(y | known, x_j = v) - P(y | known)|; for two classes this is the expected absolute change of the risk. It is
    exact for counted models. For weighted models it is computed from the completions over which predictions are
    averaged. If these are not all combinations, each value has few completions, and their mean varies by chance alone:
    the changes are therefore multiplied by the square root of the share of their variance that exceeds chance, by
    analysis of variance.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model import question_values
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> codes = clf._codes(X[:2], [2, 3])
    >>> question_values(clf.model_, codes).shape
    (2, 4)
    """
    completion = completion_of(model)
    out = np.zeros(codes.shape)
    for row, own in enumerate(codes):
        unknown = _unknown(model, own)
        if not len(unknown):
            continue
        if model.unknown_rule == "averaged":
            draws = completion.draw(own)
            proba = softmax(completion.total.scores(draws.codes)[0])
            out[row, unknown] = [_change(draws, proba, _groups(model, draws, j)) for j in unknown.tolist()]
        else:
            out[row, unknown] = [_counted_change(model, own, j) for j in unknown.tolist()]
    return out


def unusualness(model: Model, codes: NDArray[Any]) -> Array:
    """Number of standard deviations by which log P(known features) is below its mean, shape (n,); 0 without any.

    Mean and standard deviation are those of rows from the joint distribution with the same features known: 512 fixed
    rows, or all combinations of values if there are fewer.

    Parameters
    ----------
    model : Model
        Its joint distribution must not have zeros.
    codes : ndarray of shape (n, d)
        Codes from the number of values of a feature on are unknown.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model import unusualness
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> unusualness(clf.model_, clf._codes(X[:5])).shape
    (5,)
    """
    sizes = np.array([len(own) for own in model.maps])
    reference = completion_of(model).draw(sizes)
    out = np.zeros(len(codes))
    is_unknown = codes >= sizes
    patterns, which = np.unique(is_unknown, axis=0, return_inverse=True)
    evidence = model.log_evidence(codes)
    for at, pattern in enumerate(patterns):
        rows = np.flatnonzero(which.ravel() == at)
        usual = usual_evidence(model, reference, pattern)
        out[rows] = (usual.mean - evidence[rows]) / usual.deviation if usual.deviation > 0 else 0.0
    return out


@dataclass(frozen=True)
class Usual:
    """Mean and standard deviation of log P(x) over rows from the joint distribution."""

    mean: float
    deviation: float


# Smaller deviations are rounding errors.
_LEAST_DEVIATION = 1e-9


def usual_evidence(model: Model, reference: Draws, is_unknown: NDArray[np.bool_]) -> Usual:
    """The usual value of log P(x) if some features are unknown."""
    sizes = np.array([len(own) for own in model.maps], dtype=np.uint32)
    evidence = model.log_evidence(np.where(is_unknown, sizes, reference.codes))
    weights = reference.weights / reference.weights.sum()
    mean = float(weights @ evidence)
    deviation = float(np.sqrt(weights @ (evidence - mean) ** 2))
    return Usual(mean, deviation if deviation > _LEAST_DEVIATION else 0.0)


def completion_of(model: Model) -> Completion:
    """The object that completes rows.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.model import completion_of
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GeneralizedNB(interactions="tree").fit(X, y)
    >>> unseen = np.array([len(own) for own in clf.model_.maps])
    >>> round(float(completion_of(clf.model_).draw(unseen).weights.sum()), 9)
    1.0
    """
    return Completion(model.joint, model.maps, model.within, TermSum(model.intercept, model.terms))


def _unknown(model: Model, codes: NDArray[Any]) -> NDArray[np.intp]:
    """Features that are used and unknown."""
    order = model.tree.order
    return np.asarray(np.sort(order[[codes[j] >= len(model.maps[j]) for j in order.tolist()]]))


def _groups(model: Model, draws: Draws, j: int) -> NDArray[np.intp]:
    """The value of feature j in each completion; in the codes of the joint distribution if there are few
    completions.
    """
    codes = draws.codes[:, j].astype(np.intp)
    return codes if draws.is_exact else np.asarray(model.maps[j][codes])


def _change(draws: Draws, proba: Array, groups: NDArray[np.intp]) -> float:
    """Mean absolute change of the probabilities when the group of a completion becomes known."""
    weights = draws.weights / draws.weights.sum()
    share = np.bincount(groups, weights)
    is_there = share > 0
    sums = np.stack([np.bincount(groups, weights * own) for own in proba.T], axis=1)
    means = sums[is_there] / share[is_there, None]
    overall = weights @ proba
    away = means - overall
    change = float(share[is_there] @ np.abs(away).sum(axis=1)) / 2
    if draws.is_exact:
        return change
    between = float(share[is_there] @ (away**2).sum(axis=1))
    within = float(weights @ ((proba - overall) ** 2).sum(axis=1)) - between
    n, n_groups = len(proba), int(is_there.sum())
    if between <= 0 or n == n_groups:
        return 0.0
    chance = (n_groups - 1) * within / (n - n_groups)
    return change * float(np.sqrt(max(0.0, 1 - chance / between)))


def _counted_change(model: Model, codes: NDArray[Any], j: int) -> float:
    """The same without completions: from the joint distribution, with each of the values in turn."""
    size = len(model.maps[j])
    rows = np.repeat(codes[None].astype(np.uint32), size + 1, axis=0)
    rows[:size, j] = np.arange(size)
    log_joint = model.log_joint(rows)
    evidence = np.logaddexp.reduce(log_joint, axis=1)
    proba = np.exp(log_joint - evidence[:, None])
    share = np.exp(evidence[:size] - evidence[size])
    return float(share @ np.abs(proba[:size] - proba[size]).sum(axis=1)) / 2
