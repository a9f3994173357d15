"""How often each feature is among the first."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from gnbayes.plot.axes import NEGATIVE, NEUTRAL, get_axes, label, plain
from gnbayes.selection import SelectionCurve

_MOST_LINES = 30


class StabilityDisplay:
    """Share of the splits in which each feature is among the first n; features chosen with all rows are colored.

    Parameters
    ----------
    curve : SelectionCurve
    n_features : int
        The number n.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, StabilityDisplay, selection_curve
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> curve = selection_curve(GeneralizedNB(weighting=None), X, y, cv=5, scoring=["neg_log_loss"])
    >>> display = StabilityDisplay.from_curve(curve, n_features=2)
    >>> display.figure_.savefig("stability.png")  # doctest: +SKIP
    """

    def __init__(self, curve: SelectionCurve, n_features: int) -> None:
        self.curve, self.n_features = curve, n_features

    @classmethod
    def from_curve(cls, curve: SelectionCurve, *, n_features: int | None = None, ax: Any = None) -> Self:
        """Plot the stability of a selection.

        Parameters
        ----------
        curve : SelectionCurve
        n_features : int, optional
            By default the number that "auto" selects by the last score.
        ax : matplotlib Axes, optional
        """
        number = curve.within_noise(list(curve.scores)[-1]) if n_features is None else n_features
        return cls(curve, number).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Plot.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        """
        is_own, chosen = ax is None, self.curve.order[: self.n_features]
        shares = self.curve.stability(self.n_features)
        # Features that are chosen with all rows, but in no split, have no bar, and this should be seen.
        shares |= {name: 0.0 for name in chosen if name not in shares}
        which = "first" if self.n_features == 1 else f"among the first {self.n_features}"
        names = list(shares)[:_MOST_LINES]
        ax = get_axes(ax, (6.5, 0.3 * len(names) + 1.5))
        lines = np.arange(len(names))
        colors = [NEGATIVE if name in chosen else NEUTRAL for name in names]
        bars = ax.barh(lines, [100 * shares[name] for name in names], height=0.7, color=colors)
        ax.set_yticks(lines, [label(name) for name in names], fontsize=8)
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.set_xlim(0, 100)
        ax.set_xlabel(f"percent of the splits in which it is {which}")
        verdict = "stable" if self.curve.is_stable(self.n_features) else "unstable: other rows, other features"
        ax.set_title(verdict, loc="right", fontsize=9)
        if len(shares) > len(names):
            ax.set_title(f"{len(names)} of {len(shares)} features", loc="left", fontsize=9)
        kinds = {NEGATIVE: "chosen with all rows", NEUTRAL: "chosen in some splits only"}
        shown = [color for color in kinds if color in colors]
        handles = [bars[colors.index(color)] for color in shown]
        if is_own:
            where: dict[str, Any] = {"loc": "outside lower center", "ncols": 2, "frameon": False, "fontsize": 8}
            ax.figure.legend(handles, [kinds[color] for color in shown], **where)
        plain(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self
