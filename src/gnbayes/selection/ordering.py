"""The order of the features, learned from all rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.estimator import GeneralizedNB
from gnbayes.pipeline import Rows, order_of_prefixes
from gnbayes.prefixes import order_features
from gnbayes.progress import Progress, progress_line
from gnbayes.selection.task import Request, Task, make_task


@dataclass(frozen=True, eq=False)
class FeatureOrder:
    """Features in the order in which they are added.

    Parameters
    ----------
    order : ndarray of shape (d,)
    shares : ndarray of shape (d,), optional
        What each step adds to the weight of the tree, if the order is that of the tree.
    """

    order: NDArray[np.intp]
    shares: NDArray[np.float64] | None


def feature_order(estimator: GeneralizedNB, X: Any, y: Any, **request: Any) -> FeatureOrder:
    """The order learned from all rows, of which ``n_features=n`` uses the first n features.

    Parameters
    ----------
    estimator, X, y
        As in `selection_curve`.
    **request
        `sample_weight`, `groups`, `order` and `costs`, as in `selection_curve`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.selection import feature_order
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> feature_order(GeneralizedNB(weighting=None), X, y).order.tolist()
    [3, 2, 0, 1]
    """
    task = make_task(estimator, X, y, Request(**request))
    return order_of_all_rows(task, progress_line("ordering features", estimator.verbose))


def order_of_all_rows(task: Task, progress: Progress) -> FeatureOrder:
    """The order learned from all rows."""
    if task.is_weighted and not task.by_tree:
        options: dict[str, Any] = {"costs": task.search_costs, "progress": progress}
        return FeatureOrder(order_features(task.settings, task.classes, task.batch, **options).order, None)
    settings = task.settings
    counted = Rows(task.batch).count(settings, task.classes)
    assert counted.tree is not None
    tree = order_of_prefixes(settings, counted.tree, counted.counts)
    progress(1.0)
    return FeatureOrder(tree.order, tree.gain)
