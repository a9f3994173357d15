"""The explanation of one row."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gnbayes.explanation import Explanation
from gnbayes.plot.axes import NEGATIVE, NEUTRAL, POSITIVE, get_axes, plain


class ExplanationDisplay:
    """A waterfall: from the base, feature by feature, to the log-odds of two classes in one row.

    Parameters
    ----------
    steps : sequence of str
        Lines from top to bottom, the base first.
    log_odds : ndarray of shape (number of steps,)
        What each adds.
    classes : tuple of str
        The class that log-odds above 0 speak for, and the other one.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, steps: list[str], log_odds: NDArray[np.float64], classes: tuple[str, str]) -> None:
        self.steps, self.log_odds, self.classes = steps, log_odds, classes

    @classmethod
    def from_explanation(
        cls,
        explanation: Explanation,
        row: int = 0,
        *,
        n: int = 12,
        positive: Any = None,
        negative: Any = None,
        ax: Any = None,
    ) -> Self:
        """Draw one row of an explanation.

        Parameters
        ----------
        explanation : Explanation
        row : int, default=0
        n : int, default=12
            Features with a line of their own; the others share one.
        positive, negative : optional
            The two classes; see `Explanation.against`.
        ax : matplotlib Axes, optional
        """
        first, second = explanation.against(row, positive, negative)
        base, added = explanation.log_odds(row, positive, negative)
        shown = explanation.top(n, row, positive, negative).tolist()
        rest = [j for j in explanation.tree.order.tolist() if j not in shown]
        steps = ["base"] + [_words(explanation, row, j) for j in shown]
        values = [base, *added[shown]]
        if rest:
            steps.append(f"{len(rest)} other features")
            values.append(added[rest].sum())
        names = str(explanation.classes[first]), str(explanation.classes[second])
        return cls(steps, np.array(values), names).plot(ax)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, row: int = 0, *, n: int = 12, ax: Any = None) -> Self:
        """Explain one row of X by a fitted `GeneralizedNB` and draw it.

        Parameters
        ----------
        estimator : GeneralizedNB
        X : array-like or data frame of shape (n, d)
        row : int, default=0
        n : int, default=12
        ax : matplotlib Axes, optional
        """
        return cls.from_explanation(estimator.explain(X), row, n=n, ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        """
        n = len(self.steps)
        ax = get_axes(ax, (8.5, 0.34 * n + 1.3))
        finite = np.nan_to_num(self.log_odds, nan=0.0, posinf=40.0, neginf=-40.0)
        ends = np.cumsum(finite)
        lines = np.arange(n)
        colors = [NEUTRAL, *(POSITIVE if value > 0 else NEGATIVE for value in self.log_odds[1:])]
        ax.barh(lines, finite, left=ends - finite, color=colors, height=0.66)
        for line, (start, end, value) in enumerate(zip(ends - finite, ends, self.log_odds, strict=True)):
            ax.annotate(
                f"x {np.exp(value):.3g}",
                (max(start, end), line),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
        ax.axvline(0, color="#444", lw=0.8)
        ax.axvline(ends[-1], color="#444", lw=0.8, ls=":")
        ax.set_yticks(lines, self.steps, fontsize=8)
        ax.set_ylim(n - 0.4, -0.6)
        low, high = min(0.0, *ends, *(ends - finite)), max(0.0, *ends, *(ends - finite))
        ax.set_xlim(low - 0.05 * (high - low), high + 0.16 * (high - low))
        ax.set_xlabel(f"log-odds, to the right for {self.classes[0]}, to the left for {self.classes[1]}")
        ax.set_title(
            f"{self.classes[0]} against {self.classes[1]}: odds x {np.exp(self.log_odds.sum()):.3g}", fontsize=10
        )
        plain(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _words(explanation: Explanation, row: int, feature: int) -> str:
    given = explanation.given(row, feature)
    return explanation.value(row, feature) + (f"\n  given {given}" if given else "")
