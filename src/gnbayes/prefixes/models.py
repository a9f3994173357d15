"""The model of the first features of an order, equal to one fitted to their columns alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from gnbayes.counting import count_pairs
from gnbayes.model import choose_strength
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
    return _learn(settings, classes, ordered, ordered.tree(settings, ordered.order[:n]))


def learn_first_alone(settings: Settings, classes: NDArray[Any], ordered: Ordered, n: int) -> Learned:
    """The same model for tables with only the columns of the first n features, in the order of the table."""
    chosen = ordered.order[:n]
    return _learn(settings, classes, ordered.alone(chosen), ordered.own_tree(settings, chosen))


def _learn(settings: Settings, classes: NDArray[Any], ordered: Ordered, tree: Tree) -> Learned:
    counts = count_pairs(ordered.values, ordered.counted, tree.edges)
    tree = weighed(tree, counts)
    alpha = settings.alpha
    if alpha == "auto":
        alpha = choose_strength(tree, counts, ordered.counted, settings.smoothing, settings.class_prior)
    counted = Counted(ordered.features, counts, tree, ordered.rows, ordered.counted)
    return build(settings, classes, counted, tree, float(alpha))
