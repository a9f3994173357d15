"""An overview plot of a fitted classifier."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gnbayes.effect import Effect
from gnbayes.plot.axes import NEGATIVE, check_classifier, get_grid, label, plain
from gnbayes.plot.effect import EffectDisplay

# Terms in the list of importances, for each row of effects beside it.
_TERMS_OF_ROW = 8
# More effects than this are drawn small.
_MOST_LARGE = 4


class OverviewDisplay:
    """The most important terms, and the effects of the first of them on the log-odds.

    Parameters
    ----------
    names : sequence of str
        Names of the terms, the most important first.
    shares : ndarray of shape (number of terms,)
        Share of each term in the total importance.
    effects : sequence of Effect
        Effects of one to three features each.

    Attributes
    ----------
    axes_ : list of matplotlib Axes
        The list of terms, then one for each effect.
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> display = GeneralizedNB().fit(X, y == 2).plot()
    >>> len(display.effects)
    4
    """

    def __init__(self, names: list[str], shares: NDArray[np.float64], effects: list[Effect]) -> None:
        self.names, self.shares, self.effects = names, shares, effects

    @classmethod
    def from_estimator(cls, estimator: Any, *, label: Any = None, n_effects: int | None = 4) -> Self:
        """Plot an overview of a fitted `GeneralizedNB`.

        Parameters
        ----------
        estimator : GeneralizedNB
        label : optional
            The class whose log-odds are shown; by default the second of two classes, or the most frequent of more.
        n_effects : int or None, default=4
            Number of effects, the most important first. None: all, which is the whole model.
        """
        clf = check_classifier(estimator)
        if n_effects is not None and (not isinstance(n_effects, Integral) or n_effects < 1):
            raise ValueError(f"n_effects must be a whole number from 1 on, or None for all effects, got {n_effects!r}.")
        terms = clf.terms_
        if label is None and len(clf.classes_) > 2:
            label = clf.classes_[int(np.argmax(clf.joint_.log_prior))]
        names = [" x ".join(clf.features_[j].name for j in term.features) for term in terms]
        importances = np.array([term.importance for term in terms])
        effects = [clf.effect(term.features, label) for term in terms[:n_effects]]
        return cls(names, importances / (importances.sum() or 1.0), effects).plot()

    def plot(self) -> Self:
        """Plot on a new figure."""
        self.figure_, self.axes_ = get_grid(len(self.effects))
        self._draw_terms(self.axes_[0])
        is_compact = len(self.effects) > _MOST_LARGE
        for effect, ax in zip(self.effects, self.axes_[1:], strict=True):
            EffectDisplay(effect).plot(ax, compact=is_compact)
        if is_compact:
            self.figure_.suptitle(f"Log-odds of {label(str(self.effects[0].label))}", fontsize=10)
        return self

    def _draw_terms(self, ax: Any) -> None:
        n = min(len(self.names), ax.get_gridspec().nrows * _TERMS_OF_ROW)
        ax.barh(np.arange(n), 100 * self.shares[:n], height=0.6, color=NEGATIVE)
        ax.set_yticks(np.arange(n), [label(name) for name in self.names[:n]], fontsize=8)
        ax.set_ylim(n - 0.4, -0.6)
        ax.set_xlabel("percent of the importance")
        ax.set_title(f"The first {n} of {len(self.names)} terms" if n < len(self.names) else "Terms", fontsize=10)
        plain(ax)
