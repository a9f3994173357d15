"""The weight as a function of the number of features."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gnbayes.plot.axes import NEUTRAL, POSITIVE, check_classifier, get_axes, label, legend_above, plain


class WeightDisplay:
    """Cumulative weight over the features in their order: the paper's plot for the first stage of selection.

    Parameters
    ----------
    names : sequence of str
        Features in order.
    gain : ndarray of shape (d,)
        Contribution of each feature, in nats.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, WeightDisplay
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = GeneralizedNB(weighting=None).fit(X, y)
    >>> display = WeightDisplay.from_estimator(clf)
    >>> bool(abs(display.gain.sum() - clf.weight_) < 1e-12)
    True
    """

    def __init__(self, names: list[str], gain: NDArray[np.float64]) -> None:
        self.names, self.gain = names, gain

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> Self:
        """Plot the weight of a fitted `GeneralizedNB`.

        Parameters
        ----------
        estimator : GeneralizedNB
        ax : matplotlib Axes, optional
        """
        estimator = check_classifier(estimator)
        names = [estimator.features_[j].name for j in estimator.tree_.order]
        return cls(names, estimator.tree_.gain).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Plot.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        """
        n = len(self.names)
        ax = get_axes(ax, (6.5, 0.24 * n + 1.2))
        lines = np.arange(n)
        reached = np.cumsum(self.gain)
        ax.barh(lines, self.gain, left=reached - self.gain, color=POSITIVE, height=0.7, label="this feature")
        ax.barh(lines, reached - self.gain, color=NEUTRAL, alpha=0.25, height=0.7, label="all before it")
        ax.set_yticks(lines, [label(name) for name in self.names], fontsize=8)
        ax.set_ylim(n - 0.4, -0.6)
        ax.set_xlabel("weight (nats)")
        plain(ax)
        legend_above(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self
