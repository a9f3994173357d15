"""Held-out rows scored by models of the first 1, 2, ... features, all learned from the other rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counted_tree import MOST_FEATURES
from gnbayes.encoding import encode
from gnbayes.model import build_joint
from gnbayes.pipeline import Batch, Rows, learn, order_of_prefixes
from gnbayes.prefixes.evidence import HeldOut, surplus
from gnbayes.prefixes.folds import Fold
from gnbayes.prefixes.models import plain, score_first
from gnbayes.prefixes.order import MOST_CANDIDATES, order_features
from gnbayes.progress import Progress, silent
from gnbayes.settings import Settings

# All numbers up to this one; from there on, each is about a tenth larger than the one before.
_ALL_UP_TO, _GROWTH = 30, 1.1
# Share of the work taken up by the search, for the progress line.
_SEARCH_SHARE = 0.4


@dataclass(frozen=True, eq=False)
class PathScores:
    """Predictions of models of the first features for held-out rows.

    Parameters
    ----------
    numbers : ndarray of shape (m,)
        Numbers of features.
    order : ndarray of shape (d,)
        Features in the order in which they joined.
    scores : list of ndarray of shape (n, k)
        Scores for each number of features; probabilities are their softmax. Minus infinity for a class that does not
        occur in the training rows.
    labels : ndarray of shape (n,)
    weights : ndarray of shape (n,)
        For scores: without the factors of `class_weight`.
    groups : ndarray of shape (n,), optional

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.encoding import read_array
    >>> from gnbayes.pipeline import Batch
    >>> from gnbayes.prefixes import counted_path_scores, own_folds
    >>> from gnbayes.settings import Settings
    >>> X, y = load_iris(return_X_y=True)
    >>> batch = Batch(read_array(X), y, None)
    >>> parameters = GeneralizedNB(weighting=None).get_params()
    >>> del parameters["class_weight"]
    >>> settings = Settings(**parameters)
    >>> found = counted_path_scores(settings, np.arange(3), own_folds(batch, 3)[0])
    >>> found.order.shape, found.losses.shape[1]
    ((4,), 4)
    """

    numbers: NDArray[np.intp]
    order: NDArray[np.intp]
    scores: list[NDArray[np.float64]]
    labels: NDArray[np.intp]
    weights: NDArray[np.float64]
    groups: NDArray[np.intp] | None

    @property
    def losses(self) -> NDArray[np.float64]:
        """Log-loss of each row with each number of features, shape (n, m); probabilities are at least machine
        epsilon.
        """
        index, floor = np.arange(len(self.labels)), np.log(np.finfo(np.float64).eps)
        own = [scores[index, self.labels] - np.logaddexp.reduce(scores, axis=1) for scores in self.scores]
        return -np.maximum(np.stack(own, axis=1), floor)

    def held_out(self, shares: NDArray[np.float64]) -> HeldOut:
        """The same rows as evidence of what has been learned, given the class shares of all held-out rows."""
        told_apart = [surplus(_softmax(scores), self.labels, shares) for scores in self.scores]
        return HeldOut(self.losses, np.stack(told_apart, axis=1), self.labels, self.weights, self.groups)


def choose_numbers(n_columns: int) -> NDArray[np.intp]:
    """The numbers of features to try: all of them for few columns, increasingly sparse ones for many.

    With more than 300 columns, the search keeps 300; the only larger number is that of all columns, at most 2,000.

    Examples
    --------
    >>> from gnbayes.prefixes import choose_numbers
    >>> choose_numbers(50)[28:].tolist()
    [29, 30, 33, 37, 41, 46, 50]
    >>> choose_numbers(5000)[-2:].tolist()
    [300, 2000]
    """
    most = min(n_columns, MOST_CANDIDATES)
    numbers = list(range(1, min(most, _ALL_UP_TO) + 1))
    while numbers[-1] < most:
        numbers.append(min(most, int(np.ceil(numbers[-1] * _GROWTH))))
    if n_columns > most:
        numbers.append(min(n_columns, MOST_FEATURES))
    return np.array(numbers, dtype=np.intp)


def path_scores(
    settings: Settings,
    classes: NDArray[Any],
    fold: Fold,
    *,
    numbers: NDArray[np.intp] | None = None,
    costs: NDArray[np.float64] | None = None,
    by_tree: bool = False,
    progress: Progress = silent,
) -> PathScores:
    """Learn the order from the rows of a fold, fit models of its first features, and score the held-out rows.

    Parameters
    ----------
    settings : Settings
    classes : ndarray of shape (k,)
    fold : Fold
    numbers : ndarray of shape (m,), optional
        Numbers of features, increasing; by default those of `choose_numbers`.
    costs, by_tree
        As in `order_features`.
    progress : callable

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.encoding import read_array
    >>> from gnbayes.pipeline import Batch
    >>> from gnbayes.prefixes import own_folds, path_scores
    >>> from gnbayes.settings import Settings
    >>> X, y = load_iris(return_X_y=True)
    >>> batch = Batch(read_array(X), y, None)
    >>> parameters = GeneralizedNB(interactions="tree").get_params()
    >>> del parameters["class_weight"]
    >>> settings = Settings(**parameters)
    >>> found = path_scores(settings, np.arange(3), own_folds(batch, 3)[0], numbers=np.array([1, 2]))
    >>> found.numbers.tolist(), len(found.scores)
    ([1, 2], 2)
    """
    settings = replace(plain(settings), verbose=0)
    known = np.flatnonzero(np.bincount(fold.train.labels, minlength=len(classes)))
    train = replace(fold.train, labels=np.searchsorted(known, fold.train.labels))
    own = classes[known]

    def search(share: float) -> None:
        progress(_SEARCH_SHARE * share)

    n_steps = None if numbers is None else int(numbers[-1])
    numbers = choose_numbers(train.table.n_columns) if numbers is None else numbers
    options: dict[str, Any] = {"n_steps": n_steps, "costs": costs, "by_tree": by_tree, "progress": search}
    ordered = order_features(settings, own, train, **options)
    codes = encode(fold.test.table, ordered.features)
    scores = []
    for n in numbers.tolist():
        scores.append(for_all_classes(score_first(settings, own, ordered, n, codes), known, len(classes)))
        progress(_SEARCH_SHARE + (1 - _SEARCH_SHARE) * n / numbers[-1])
    weights = _score_weights(fold.test)
    return PathScores(numbers, ordered.order, scores, fold.test.labels, weights, fold.test.groups)


def counted_path_scores(
    settings: Settings, classes: NDArray[Any], fold: Fold, *, progress: Progress = silent
) -> PathScores:
    """The same for a counted model: one tree and its tables give the scores for all numbers of features at once.

    Parameters
    ----------
    settings : Settings
    classes : ndarray of shape (k,)
    fold : Fold
    progress : callable

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.encoding import read_array
    >>> from gnbayes.pipeline import Batch
    >>> from gnbayes.prefixes import counted_path_scores, own_folds
    >>> from gnbayes.settings import Settings
    >>> X, y = load_iris(return_X_y=True)
    >>> batch = Batch(read_array(X), y, None)
    >>> parameters = GeneralizedNB(weighting=None).get_params()
    >>> del parameters["class_weight"]
    >>> settings = Settings(**parameters)
    >>> found = counted_path_scores(settings, np.arange(3), own_folds(batch, 3)[0])
    >>> found.numbers.tolist(), found.scores[0].shape[1]
    ([1, 2, 3, 4], 3)
    """
    settings = replace(settings, n_features=None, verbose=0)
    known = np.flatnonzero(np.bincount(fold.train.labels, minlength=len(classes)))
    train = replace(fold.train, labels=np.searchsorted(known, fold.train.labels))
    learned = learn(settings, classes[known], Rows(train))
    tree = order_of_prefixes(settings, learned.tree, learned.counts)
    smoothing = (settings.smoothing, learned.alpha, settings.class_prior, learned.pooling)
    joint = build_joint(tree, learned.counts, *smoothing)
    prefixes = joint.prefixes(encode(fold.test.table, learned.features))
    scores = [for_all_classes(own, known, len(classes)) for own in prefixes]
    progress(1.0)
    weights = _score_weights(fold.test)
    numbers = np.arange(1, len(scores) + 1)
    return PathScores(numbers, tree.order, scores, fold.test.labels, weights, fold.test.groups)


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None]))


def _score_weights(batch: Batch) -> NDArray[np.float64]:
    weights = batch.score_weights
    return np.ones(len(batch.labels)) if weights is None else weights


def for_all_classes(scores: NDArray[np.float64], known: NDArray[np.intp], n_classes: int) -> NDArray[np.float64]:
    """Scores of all classes, shape (n, k): minus infinity for those that are not known.

    Parameters
    ----------
    scores : ndarray of shape (n, number of known classes)
    known : ndarray
        Which classes they are of.
    n_classes : int

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.prefixes import for_all_classes
    >>> for_all_classes(np.array([[1.0, 2.0]]), np.array([0, 2]), 3).tolist()
    [[1.0, -inf, 2.0]]
    """
    full = np.full((len(scores), n_classes), -np.inf)
    full[:, known] = scores
    return full
