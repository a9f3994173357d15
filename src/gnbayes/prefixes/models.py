"""The model of the first features of an order, equal to one fitted to their columns alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import count_pairs
from gnbayes.model import choose_strength, fit_tree_scores, read_monotonic
from gnbayes.pipeline import Counted, Learned, build
from gnbayes.prefixes.order import Ordered
from gnbayes.settings import Settings
from gnbayes.structure import Tree, weighed


def plain(settings: Settings) -> Settings:
    """Settings of the models that are scored for each number of features: the tree's terms, a single fit.

    Examples
    --------
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.prefixes import plain
    >>> from gnbayes.settings import Settings
    >>> parameters = GeneralizedNB().get_params()
    >>> del parameters["class_weight"]
    >>> settings = Settings(**parameters)
    >>> plain(settings).interactions, plain(settings).n_fits
    ('tree', 1)
    """
    return replace(settings, interactions="tree", n_fits=1)


def learn_first(settings: Settings, classes: NDArray[Any], ordered: Ordered, n: int) -> Learned:
    """The model of the first n features, for tables with all columns.

    Parameters
    ----------
    settings : Settings
    classes : ndarray of shape (k,)
    ordered : Ordered
    n : int

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.encoding import read_array
    >>> from gnbayes.pipeline import Batch
    >>> from gnbayes.prefixes import learn_first, order_features
    >>> from gnbayes.settings import Settings
    >>> X, y = load_iris(return_X_y=True)
    >>> batch = Batch(read_array(X), y, None)
    >>> parameters = GeneralizedNB(interactions="tree").get_params()
    >>> del parameters["class_weight"]
    >>> settings = Settings(**parameters)
    >>> ordered = order_features(settings, np.arange(3), batch)
    >>> len(learn_first(settings, np.arange(3), ordered, 2).tree.order)
    2
    """
    chosen = ordered.order[:n]
    signs = _signs(settings, classes, ordered, chosen)
    return _learn(replace(settings, monotonic_cst=signs), classes, ordered, ordered.tree(settings, chosen))


def score_first(
    settings: Settings, classes: NDArray[Any], ordered: Ordered, n: int, codes: NDArray[Any]
) -> NDArray[np.float64]:
    """Scores of rows by the model of the first n features, fitted to their columns alone, shape (number of rows, k).

    Parameters
    ----------
    settings : Settings
        The settings returned by `plain`.
    classes : ndarray of shape (k,)
    ordered : Ordered
    n : int
    codes : ndarray of shape (number of rows, d)
    """
    chosen = ordered.order[:n]
    used = np.asfortranarray(codes[:, np.sort(chosen)])
    alone, tree = ordered.alone(chosen), ordered.own_tree(settings, chosen)
    has_unknown = bool((used >= alone.rows.cardinalities).any())
    if has_unknown or settings.class_prior is not None or settings.monotonic_cst is not None:
        signs = _signs(settings, classes, ordered, chosen)
        own = replace(settings, monotonic_cst=None if signs is None else signs[np.sort(chosen)])
        return _learn(own, classes, alone, tree).model.scores(used, ordered.rows.n_threads)
    return fit_tree_scores(alone.features, tree, alone.rows).scores(used, ordered.rows.n_threads)[0]


def _signs(
    settings: Settings, classes: NDArray[Any], ordered: Ordered, chosen: NDArray[np.intp]
) -> NDArray[np.intp] | None:
    """`monotonic_cst` of all features, shape (d,), 0 for those that are not chosen; None where it is not given."""
    if settings.monotonic_cst is None:
        return None
    known = read_monotonic(settings.monotonic_cst, ordered.features, len(classes))
    signs = np.zeros(len(ordered.features), dtype=np.intp)
    for j in chosen.tolist():
        signs[j] = known.get(j, 0)
    return signs


def _learn(settings: Settings, classes: NDArray[Any], ordered: Ordered, tree: Tree) -> Learned:
    counts = count_pairs(ordered.values, ordered.counted, tree.edges)
    tree = weighed(tree, counts)
    alpha = settings.alpha
    if alpha == "auto":
        alpha = choose_strength(tree, counts, ordered.counted, settings.smoothing, settings.class_prior)
    counted = Counted(ordered.features, counts, tree, ordered.rows, ordered.counted)
    return build(settings, classes, counted, tree, float(alpha))
