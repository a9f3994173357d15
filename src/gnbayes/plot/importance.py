"""Two answers to the question which features matter."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gnbayes.plot.axes import NEGATIVE, POSITIVE, check_classifier, get_axes, label, legend_above, plain


class ImportanceDisplay:
    """Share of each feature in the weight, beside its share in what is told of the class beyond mothers.

    Parameters
    ----------
    names : sequence of str
    weight_share : ndarray of shape (d,)
        `feature_importances_`: how much the model would lose of its fit to the data.
    class_share : ndarray of shape (d,)
        `class_gain_` over its sum: how much new the feature tells of the class.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, names: list[str], weight_share: NDArray[np.float64], class_share: NDArray[np.float64]) -> None:
        self.names, self.weight_share, self.class_share = names, weight_share, class_share

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> Self:
        """Draw the importances of a fitted `GeneralizedNB`, features in their order.

        Parameters
        ----------
        estimator : GeneralizedNB
        ax : matplotlib Axes, optional
        """
        estimator = check_classifier(estimator)
        order = estimator.feature_order_
        told = estimator.class_gain_[order]
        names = [estimator.features_[j].name for j in order]
        return cls(names, estimator.feature_importances_[order], told / (told.sum() or 1.0)).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        """
        n = len(self.names)
        ax = get_axes(ax, (6.5, 0.3 * n + 1.2))
        lines = np.arange(n)
        ax.barh(lines - 0.19, 100 * self.weight_share, height=0.36, color=NEGATIVE, label="share of the weight")
        ax.barh(
            lines + 0.19, 100 * self.class_share, height=0.36, color=POSITIVE, label="share of what is new of the class"
        )
        ax.set_yticks(lines, [label(name) for name in self.names], fontsize=8)
        ax.set_ylim(n - 0.4, -0.6)
        ax.set_xlabel("percent")
        plain(ax)
        legend_above(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self
