"""Scores over the number of features."""

from __future__ import annotations

from itertools import product
from typing import Any, Self

import numpy as np

from gnbayes.plot.axes import get_axes, plain
from gnbayes.selection import SelectionCurve, selection_curve

# With more features, the first few would be a narrow strip on a linear axis.
_MOST_ON_LINEAR_AXIS = 100
_COLORS = ("#2f6fb2", "#b2452f", "#3a8f5c", "#8a5bb0", "#c38b1f", "#4aa3a8", "#7a6a58")


class SelectionCurveDisplay:
    """Mean scores by number of features, with standard errors and an optional marked number of features.

    Log-loss has its own axis on the right; lower is better. With costs, the horizontal axis is the total cost. Diamonds
    are scores of the classifier as it is, with all features: the curve is of models with the pairs of the tree, fitted
    once.

    Parameters
    ----------
    curve : SelectionCurve
    chosen : int, optional
        Number of features to mark.

    Attributes
    ----------
    ax_ : matplotlib Axes
    loss_ax_ : matplotlib Axes or None
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, SelectionCurveDisplay, selection_curve
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> curve = selection_curve(GeneralizedNB(weighting=None), X, y, cv=5, scoring=["neg_log_loss"])
    >>> display = SelectionCurveDisplay.from_curve(curve)
    >>> display.figure_.savefig("curve.png")  # doctest: +SKIP
    """

    def __init__(self, curve: SelectionCurve, chosen: int | None = None) -> None:
        self.curve, self.chosen = curve, chosen

    @classmethod
    def from_curve(
        cls, curve: SelectionCurve, *, chosen: int | None = None, scoring: Any = None, ax: Any = None
    ) -> Self:
        """Plot a curve.

        Parameters
        ----------
        curve : SelectionCurve
        chosen : int, optional
        scoring : sequence of str, optional
            Scores to plot; all by default.
        ax : matplotlib Axes, optional
        """
        return cls(curve, chosen).plot(ax, scoring=scoring)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        cv: Any = None,
        scoring: Any = None,
        pos_label: Any = None,
        ax: Any = None,
    ) -> Self:
        """Compute the curve of a `GeneralizedNB` and plot it, with the best number by the last score marked.

        Parameters
        ----------
        estimator : GeneralizedNB
        X : array-like or data frame of shape (n, d)
        y : array-like of shape (n,)
        cv, scoring, pos_label
            As in `selection_curve`.
        ax : matplotlib Axes, optional
        """
        curve = selection_curve(estimator, X, y, cv=cv, scoring=scoring, pos_label=pos_label)
        return cls(curve, curve.best(list(curve.scores)[-1])).plot(ax)

    def plot(self, ax: Any = None, *, scoring: Any = None) -> Self:
        """Plot.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        scoring : sequence of str, optional
        """
        is_own = ax is None
        names = _chosen_names(self.curve, scoring)
        if self.chosen is not None and self.chosen not in self.curve.n_features:
            most = self.curve.n_features[-1]
            raise ValueError(f"chosen must be a number of features up to {most} on the curve, got {self.chosen}.")
        ax = get_axes(ax, (7.5, 4.8))
        losses = [name for name in names if name.startswith("neg_")]
        gains = [name for name in names if name not in losses]
        looks = dict(zip(names, product(("-", "-."), _COLORS), strict=False))
        self.loss_ax_ = ax.twinx() if losses and gains else None
        for name in gains:
            self._line(ax, name, 1, looks[name][1], looks[name][0])
        for name in losses:
            self._line(self.loss_ax_ or ax, name, -1, looks[name][1], "--")
        self._number_axis(ax)
        loss_title = " / ".join(_words(name) for name in losses) + " (lower is better)"
        ax.set_ylabel("score" if gains else loss_title)
        plain(ax)
        if self.loss_ax_ is not None:
            self.loss_ax_.set_ylabel(loss_title)
            self.loss_ax_.spines["top"].set_visible(False)
        handles = self._explained(ax, names)
        if is_own:
            ax.figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=8)
        else:
            ax.legend(handles=handles, ncols=2, fontsize=7)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    @property
    def _x(self) -> Any:
        """Where the numbers of features are: at their total costs if these are known."""
        return self.curve.n_features if self.curve.costs is None else self.curve.costs

    def _number_axis(self, ax: Any) -> None:
        if self.curve.costs is not None:
            ax.set_xlabel("total cost of the features (mean over the splits)")
            return
        ax.set_xlabel("number of features")
        if self.curve.n_features[-1] > _MOST_ON_LINEAR_AXIS:
            ax.set_xscale("log")
            ax.xaxis.set_major_formatter("{x:.0f}")
        else:
            ax.xaxis.get_major_locator().set_params(integer=True)

    def _explained(self, ax: Any, names: list[str]) -> list[Any]:
        """Entries of the legend: scores first, then what diamonds, bands and the vertical line are."""
        scores = [line for part in (ax, self.loss_ax_) if part is not None for line in part.get_lines()]
        if any(name in self.curve.final for name in names):
            ax.plot([], [], "D", color="#444", ms=5, ls="", label="final model, all features")
        if any(name in self.curve.shown_errors for name in names):
            ax.plot([], [], color="#444", alpha=0.2, lw=7, label="± one standard error")
        if self.chosen is not None:
            at = self._x[np.asarray(self.curve.n_features) == self.chosen][0]
            number = f"{self.chosen} feature" + ("" if self.chosen == 1 else "s")
            ax.axvline(at, color="#444", lw=1, ls=":", label=number)
        lines = [*scores, *(line for line in ax.get_lines() if line not in scores)]
        return [line for line in lines if not line.get_label().startswith("_")]

    def _line(self, ax: Any, name: str, sign: int, color: str, style: str) -> None:
        x, mean = self._x, sign * self.curve.mean(name)
        ax.plot(x, mean, style, color=color, lw=1.6, marker="o" if len(x) < 15 else None, ms=3, label=_words(name))
        if name in self.curve.shown_errors:
            error = self.curve.shown_errors[name]
            ax.fill_between(x, mean - error, mean + error, color=color, alpha=0.13, lw=0)
        if name in self.curve.final:
            ax.plot([x[-1]], [sign * self.curve.final[name].mean()], "D", color=color, ms=5, label="_")
        if self.chosen is not None:
            at = np.asarray(self.curve.n_features) == self.chosen
            ax.plot(x[at], mean[at], "o", color=color, ms=6, label="_")


def _chosen_names(curve: SelectionCurve, scoring: Any) -> list[str]:
    if scoring is None:
        return list(curve.scores)
    names = [scoring] if isinstance(scoring, str) else list(scoring)
    for name in names:
        curve.mean(name)  # says which scores there are
    if not names:
        raise ValueError("scoring must name at least one score.")
    return names


def _words(name: str) -> str:
    """A scorer's name as a person would write it."""
    special = {"roc_auc": "ROC AUC", "f1": "F1", "neg_log_loss": "log-loss"}
    text = special.get(name, name.removeprefix("neg_").replace("_", " "))
    return text.replace("roc auc", "ROC AUC").replace("f1", "F1").replace("log loss", "log-loss")
