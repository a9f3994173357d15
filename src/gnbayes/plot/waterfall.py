"""The explanation of one row."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gnbayes.explanation import UNKNOWN, Explanation, factor_text, toward_text
from gnbayes.plot.axes import NEGATIVE, NEUTRAL, POSITIVE, check_classifier, get_axes, label, plain


class ExplanationDisplay:
    """A waterfall plot: from the base, term by term, to the log-odds of two classes in one row.

    Parameters
    ----------
    steps : sequence of str
        Lines from top to bottom, the base first.
    log_odds : ndarray of shape (number of steps,)
        Contribution of each step.
    classes : tuple of str
        The class favored by log-odds above 0, and the other one.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, ExplanationDisplay
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = GeneralizedNB(weighting=None).fit(X, y)
    >>> display = ExplanationDisplay.from_estimator(clf, X, row=100, n=2)
    >>> display.figure_.savefig("explanation.png")  # doctest: +SKIP
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
        """Plot one row of an explanation.

        Parameters
        ----------
        explanation : Explanation
        row : int, default=0
        n : int, default=12
            Number of terms with their own line; the others share one.
        positive, negative : optional
            The two classes; see `Explanation.against`.
        ax : matplotlib Axes, optional
        """
        first, second = explanation.against(row, positive, negative)
        odds = explanation.log_odds(row, positive, negative)
        ranked = explanation.top(len(explanation.terms), row, positive, negative).tolist()
        shown, rest = ranked[:n], ranked[n:]
        steps = ["base"] + [explanation.words(row, term).replace(", given", "\n  given") for term in shown]
        values = [odds.base, *odds.terms[shown]]
        if rest:
            steps.append(f"{len(rest)} other terms")
            with np.errstate(invalid="ignore"):  # impossible for each of the classes, so for both
                values.append(odds.terms[rest].sum())
        if explanation.has_unknown(row):
            steps.append(UNKNOWN)
            values.append(odds.unknown)
        names = str(explanation.classes[first]), str(explanation.classes[second])
        return cls(steps, np.array(values), names).plot(ax)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, row: int = 0, *, n: int = 12, ax: Any = None) -> Self:
        """Explain one row of X with a fitted `GeneralizedNB` and plot it.

        Parameters
        ----------
        estimator : GeneralizedNB
        X : array-like or data frame of shape (n, d)
        row : int, default=0
        n : int, default=12
        ax : matplotlib Axes, optional
        """
        return cls.from_explanation(check_classifier(estimator).explain(X), row, n=n, ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Plot.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        """
        n = len(self.steps)
        ax = get_axes(ax, (8.5, 0.34 * n + 1.3))
        finite = np.where(np.isfinite(self.log_odds), self.log_odds, 0.0)
        ends = np.cumsum(finite)
        lines = np.arange(n)
        colors = [NEUTRAL, *(POSITIVE if value > 0 else NEGATIVE for value in self.log_odds[1:])]
        ax.barh(lines, finite, left=ends - finite, color=colors, height=0.66)
        for line, (start, end, value) in enumerate(zip(ends - finite, ends, self.log_odds, strict=True)):
            ax.annotate(
                label(toward_text(value, *self.classes)) if not np.isfinite(value) else factor_text(value),
                (max(start, end), line),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
        ax.axvline(0, color="#444", lw=0.8)
        is_possible = np.isfinite(self.log_odds).all()
        if is_possible:
            ax.axvline(ends[-1], color="#444", lw=0.8, ls=":")
        ax.set_yticks(lines, [label(step) for step in self.steps], fontsize=8)
        ax.set_ylim(n - 0.4, -0.6)
        low, high = min(0.0, *ends, *(ends - finite)), max(0.0, *ends, *(ends - finite))
        room = (high - low) or 1.0
        ax.set_xlim(low - 0.05 * room, high + (0.16 if is_possible else 0.5) * room)
        first, second = (label(name) for name in self.classes)
        ax.set_xlabel(f"log-odds, to the right for {first}, to the left for {second}")
        with np.errstate(invalid="ignore"):
            outcome = toward_text(self.log_odds.sum(), first, second)
        ax.set_title(f"{first} against {second}: odds {outcome}" if is_possible else outcome, fontsize=10)
        plain(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self
