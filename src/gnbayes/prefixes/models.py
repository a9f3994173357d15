"""The model of the first features of an order; the same as one that is fitted to their columns alone."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from gnbayes.counting import count_pairs
from gnbayes.model import WEIGHTINGS, Evidence, choose_strength
from gnbayes.pipeline import Learned, Settings
from gnbayes.prefixes.order import Ordered
from gnbayes.progress import Progress, silent
from gnbayes.structure import Tree, weighed


def learn_first(
    settings: Settings, classes: NDArray[Any], ordered: Ordered, n: int, progress: Progress = silent
) -> Learned:
    """The model of the first n features.

    Parameters
    ----------
    settings : Settings
    classes : ndarray of shape (k,)
    ordered : Ordered
    n : int
    progress : callable
    """
    return _learn(settings, classes, ordered, ordered.tree(settings, ordered.order[:n]), progress)


def learn_first_alone(settings: Settings, classes: NDArray[Any], ordered: Ordered, n: int) -> Learned:
    """The same model of the columns of the first n features, in the order of the table, without the other columns."""
    chosen = ordered.order[:n]
    return _learn(settings, classes, ordered.alone(chosen), ordered.own_tree(settings, chosen), silent)


def _learn(settings: Settings, classes: NDArray[Any], ordered: Ordered, tree: Tree, progress: Progress) -> Learned:
    counts = count_pairs(ordered.values, ordered.counted, tree.edges)
    tree = weighed(tree, counts)
    alpha = settings.alpha
    if alpha == "auto":
        alpha = choose_strength(tree, counts, ordered.counted, settings.smoothing, settings.class_prior)
    how = (settings.smoothing, float(alpha), settings.class_prior)
    evidence = Evidence(ordered.features, classes, tree, counts, ordered.rows, *how)
    model = WEIGHTINGS[settings.weighting].build(evidence, progress)
    return Learned(ordered.features, counts, tree, model, float(alpha))
