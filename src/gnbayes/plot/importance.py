"""Two measures of feature importance."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gnbayes.plot.axes import NEGATIVE, POSITIVE, check_classifier, get_axes, label, legend_above, plain


class ImportanceDisplay:
    """Share of each feature in the contributions to the log-odds, next to its information about the class.

    Parameters
    ----------
    names : sequence of str
    importance : ndarray of shape (d,)
        `feature_importances_`: share of the mean absolute contribution to the log-odds.
    class_share : ndarray of shape (d,)
        `class_gain_` divided by its sum: information about the class given the parent.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, ImportanceDisplay
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = GeneralizedNB(weighting=None).fit(X, y)
    >>> display = ImportanceDisplay.from_estimator(clf)
    >>> display.names[0]
    'petal width (cm)'
    """

    def __init__(self, names: list[str], importance: NDArray[np.float64], class_share: NDArray[np.float64]) -> None:
        self.names, self.importance, self.class_share = names, importance, class_share

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> Self:
        """Plot the importances of a fitted `GeneralizedNB`, the most important feature first.

        Parameters
        ----------
        estimator : GeneralizedNB
        ax : matplotlib Axes, optional
        """
        estimator = check_classifier(estimator)
        used = estimator.feature_order_
        order = used[np.argsort(-estimator.feature_importances_[used], kind="stable")]
        told = estimator.class_gain_[order]
        names = [estimator.features_[j].name for j in order]
        return cls(names, estimator.feature_importances_[order], told / (told.sum() or 1.0)).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Plot.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        """
        n = len(self.names)
        ax = get_axes(ax, (6.5, 0.3 * n + 1.2))
        lines = np.arange(n)
        ax.barh(lines - 0.19, 100 * self.importance, height=0.36, color=NEGATIVE, label="contribution to the log-odds")
        ax.barh(lines + 0.19, 100 * self.class_share, height=0.36, color=POSITIVE, label="information given the parent")
        ax.set_yticks(lines, [label(name) for name in self.names], fontsize=8)
        ax.set_ylim(n - 0.4, -0.6)
        ax.set_xlabel("percent")
        plain(ax)
        legend_above(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self
