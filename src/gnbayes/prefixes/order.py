"""The order in which features join a weighted model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, Counts, count_values
from gnbayes.encoding import Feature
from gnbayes.model import WEIGHTINGS, forward_steps, tree_terms
from gnbayes.model.fitting import single_terms
from gnbayes.pipeline import Batch, learn_codes
from gnbayes.progress import Progress, silent
from gnbayes.settings import Settings
from gnbayes.structure import (
    STRUCTURES,
    Information,
    Tree,
    choose_tree,
    class_information,
    corrected_class_information,
    information_of_rows,
    lead_with_more_informative,
)

# With more columns than this, the search considers only the most informative ones.
MOST_CANDIDATES = 300
# With more than this, it considers single features only; pairs would take most of the time.
_MOST_WITH_PAIRS = 100


@dataclass(frozen=True, eq=False)
class Ordered:
    """Encoded rows, and an order of their features.

    Parameters
    ----------
    features : list of Feature
    rows : CodedRows
        The rows in fine codes.
    counted : CodedRows
        The same rows in the codes used to count pairs.
    values : Counts
        Counts of the values of `counted`.
    candidates : ndarray of shape (m,)
        Features that the search considered, increasing; all of them, or the most informative ones if there are many.
    info : Information
        Information of the candidates.
    order : ndarray of shape (d,)
        All features, with the candidates first.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.encoding import read_array
    >>> from gnbayes.pipeline import Batch
    >>> from gnbayes.prefixes import order_features
    >>> from gnbayes.settings import Settings
    >>> X, y = load_iris(return_X_y=True)
    >>> batch = Batch(read_array(X), y, None)
    >>> parameters = GeneralizedNB(interactions="tree").get_params()
    >>> del parameters["class_weight"]
    >>> settings = Settings(**parameters)
    >>> ordered = order_features(settings, np.arange(3), batch)
    >>> len(ordered.features), ordered.candidates.tolist()
    (4, [0, 1, 2, 3])
    """

    features: list[Feature]
    rows: CodedRows
    counted: CodedRows
    values: Counts
    candidates: NDArray[np.intp]
    info: Information
    order: NDArray[np.intp]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the features, in this order."""
        return tuple(self.features[j].name for j in self.order.tolist())

    def tree(self, settings: Settings, chosen: NDArray[np.intp]) -> Tree:
        """The tree of some of the features, with positions among all features."""
        kept, own = np.sort(chosen), self.own_tree(settings, chosen)
        mother = np.full(len(self.features), -1, dtype=np.intp)
        mother[kept] = np.where(own.mother >= 0, kept[own.mother], -1)
        return Tree(mother, kept[own.order], own.gain, chosen)

    def own_tree(self, settings: Settings, chosen: NDArray[np.intp]) -> Tree:
        """The tree of some of the features, with positions among these, in the order of the table."""
        kept = np.sort(chosen)
        where = np.searchsorted(self.candidates, kept)
        is_known = len(self.candidates) > where.max() and np.array_equal(self.candidates[where], kept)
        info = _part(self.info, where) if is_known else _information(settings, take_features(self.counted, kept))
        return choose_tree(settings.structure, settings.information, info, _values_of(self.values, kept))

    def alone(self, chosen: NDArray[np.intp]) -> Ordered:
        """The same for some of the features."""
        kept = np.sort(chosen)
        return Ordered(
            [self.features[j] for j in kept.tolist()],
            take_features(self.rows, kept),
            take_features(self.counted, kept),
            _values_of(self.values, kept),
            self.candidates[:0],
            self.info,
            np.searchsorted(kept, chosen),
        )


def order_features(
    settings: Settings,
    classes: NDArray[Any],
    batch: Batch,
    *,
    n_steps: int | None = None,
    costs: NDArray[np.float64] | None = None,
    by_tree: bool = False,
    progress: Progress = silent,
) -> Ordered:
    """Learn codes from rows, and the order of the features.

    Parameters
    ----------
    settings : Settings
    classes : ndarray of shape (k,)
    batch : Batch
    n_steps : int, optional
        Stop after this many features.
    costs : ndarray of shape (d,), optional
        Price of each feature.
    by_tree : bool, default=False
        Take the c-ordering of the tree instead of forward steps.
    progress : callable

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.encoding import read_array
    >>> from gnbayes.pipeline import Batch
    >>> from gnbayes.prefixes import order_features
    >>> from gnbayes.settings import Settings
    >>> X, y = load_iris(return_X_y=True)
    >>> batch = Batch(read_array(X), y, None)
    >>> parameters = GeneralizedNB(interactions="tree").get_params()
    >>> del parameters["class_weight"]
    >>> settings = Settings(**parameters)
    >>> order_features(settings, np.arange(3), batch).order.shape
    (4,)
    """
    features, rows = learn_codes(settings, classes, batch)
    counted = WEIGHTINGS[settings.weighting].counted(features, rows)
    values = count_values(counted)
    gains = corrected_class_information(values)
    candidates = np.arange(rows.n_features)
    if rows.n_features > MOST_CANDIDATES and not by_tree:
        candidates = np.sort(np.argsort(-gains, kind="stable")[:MOST_CANDIDATES])
    info = _information(settings, take_features(counted, candidates))
    tree = choose_tree(settings.structure, settings.information, info, _values_of(values, candidates))
    if by_tree:
        order = lead_with_more_informative(tree, info.with_class).order
    else:
        terms = tree_terms if len(candidates) <= _MOST_WITH_PAIRS else single_terms
        specs = terms([features[j] for j in candidates.tolist()], tree)
        own_costs = None if costs is None else costs[candidates]
        found = forward_steps(specs, take_features(rows, candidates), n_steps, own_costs, progress)
        order = candidates[found.order]
    rest = np.setdiff1d(np.arange(rows.n_features), candidates)
    order = np.append(order, rest[np.argsort(-gains[rest], kind="stable")])
    return Ordered(features, rows, counted, values, candidates, info, order)


def take_features(rows: CodedRows, features: NDArray[np.intp]) -> CodedRows:
    """The same rows with some of the features."""
    if len(features) == rows.n_features:
        return rows
    return replace(rows, codes=np.asfortranarray(rows.codes[:, features]), cardinalities=rows.cardinalities[features])


def _information(settings: Settings, counted: CodedRows) -> Information:
    if not STRUCTURES[settings.structure].needs_pairs:
        return Information(class_information(count_values(counted)), np.broadcast_to(0.0, (counted.n_features,) * 2))
    return information_of_rows(counted)


def _part(info: Information, kept: NDArray[np.intp]) -> Information:
    return Information(info.with_class[kept], np.ascontiguousarray(info.given_class[np.ix_(kept, kept)]))


def _values_of(values: Counts, kept: NDArray[np.intp]) -> Counts:
    """Counts of values of some features."""
    singles = np.concatenate([values.single(j) for j in kept.tolist()])
    return replace(values, cardinalities=values.cardinalities[kept], singles=singles)
