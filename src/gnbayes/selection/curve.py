"""Scores by number of features, and how stable the choice of features is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, Literal

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from gnbayes._html import html_table
from gnbayes.prefixes import Means

# A choice is unstable if its features are chosen, on average, in a smaller share of the splits.
_STEADY = 0.7


def is_steady(shares: Sequence[float], n_columns: int) -> bool:
    """Whether splits agree on a choice of features.

    On average, its features must be chosen in at least 70 % of the splits, and in a share that is at least as close to
    100 % as to what a random choice would give: of ten columns, eight at random are chosen in 80 % of the splits.

    Parameters
    ----------
    shares : sequence of n floats
        Share of the splits in which each of the features is chosen.
    n_columns : int
        Number of columns that they are chosen from.

    Examples
    --------
    >>> from gnbayes.selection import is_steady
    >>> is_steady([1.0, 0.8, 0.6], 30), is_steady([1.0, 0.8, 0.6], 5)
    (True, True)
    >>> is_steady([1.0, 0.8, 0.6], 4)
    False
    """
    by_chance = len(shares) / n_columns
    # The last bits of the mean do not matter.
    return float(np.mean(shares)) >= max(_STEADY, (1 + by_chance) / 2) - 1e-12


@dataclass(frozen=True, eq=False)
class SelectionCurve:
    """Scores of models that use the first n features of an order, by n.

    Parameters
    ----------
    n_features : ndarray of shape (m,)
        Numbers of features: every number at first, then with increasing steps.
    scores : dict of {str: ndarray of shape (n_splits, m)}
        By scikit-learn scorer name, the larger the better; one split for leave-one-out and for a validation set.
    errors : dict of {str: ndarray of shape (m,)}
        Standard errors of the mean scores: over the rows for scores that are means over rows (accuracy and log-loss),
        over the splits for others. Those of leave-one-out are used to choose a number, but not shown.
    order : tuple of str
        Names of the features in the order learned from all rows: the first n are those of ``n_features=n``.
    paired_errors : dict of {str: ndarray of shape (m,)}
        Standard errors of the difference from the best number.
    orders : tuple of tuple of str
        The order in each split, learned without its held-out rows.
    costs : ndarray of shape (m,), optional
        Total cost of the first n features, averaged over the splits.
    final : dict of {str: ndarray of shape (n_splits,)}
        Scores of the estimator with its own parameters and all features, on the same splits. Models on the curve have
        only the pairs of the tree and are fitted once (``interactions="tree", n_fits=1``). Empty if there are more than
        2,000 columns, and for leave-one-out and validation sets.
    n_looked_at : int, optional
        Number of columns that the search considered, the most informative ones in each split, if not all.
    is_leave_one_out : bool, default=False
        Whether every row was scored by the model of all other rows, with bins and tree that were learned from all
        rows. The errors do not include this effect, so they are not confidence intervals.
    errors_to_all : dict of {str: ndarray of shape (m,)}
        Standard errors of the difference from the last number, all features, if the search did not consider all
        columns and all features have clearly learned something; "auto" then uses fewer features only if they are
        clearly better still.
    has_learned : bool, default=True
        Whether there is evidence that models have learned anything: the best number has a lower log-loss than the
        class shares, and both its models and the average over all numbers give rows of a class more probability of it
        than other rows, by three standard errors; or its log-loss is lower by two standard errors. Otherwise "auto" and
        "few" use the fewest features.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, selection_curve
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> curve = selection_curve(GeneralizedNB(weighting=None), X, y, cv=5, scoring=["accuracy"])
    >>> curve.n_features.tolist(), curve.scores["accuracy"].shape
    ([1, 2, 3, 4], (5, 4))
    """

    n_features: NDArray[np.intp]
    scores: dict[str, NDArray[np.float64]]
    errors: dict[str, NDArray[np.float64]]
    order: tuple[str, ...]
    paired_errors: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    orders: tuple[tuple[str, ...], ...] = ()
    costs: NDArray[np.float64] | None = None
    n_looked_at: int | None = None
    final: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    is_leave_one_out: bool = False
    errors_to_all: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    has_learned: bool = True

    @property
    def shown_errors(self) -> dict[str, NDArray[np.float64]]:
        """Standard errors that may be shown with the scores: none for leave-one-out."""
        return {} if self.is_leave_one_out else self.errors

    def mean(self, scoring: str) -> NDArray[np.float64]:
        """Mean score over the splits, shape (m,)."""
        return np.asarray(self._of(scoring).mean(axis=0))

    def best(self, scoring: str) -> int:
        """The number of features with the best mean score; the smallest one if there are several."""
        return int(self.n_features[np.nanargmax(self.mean(scoring))])

    def one_standard_error(self, scoring: str) -> int:
        """The smallest number of features whose mean score is within one standard error of the best: "few".

        The smallest of all if there is no evidence that anything has been learned, as in pure noise.
        """
        return self._chosen(scoring, "few")

    def within_noise(self, scoring: str) -> int:
        """The smallest number of features within one standard error of the difference from the best: "auto".

        With more than 300 columns, it must also be better than all features by 2.5 standard errors of that difference;
        otherwise all are used, unless there is no evidence that they have learned anything. The smallest of all if
        there is no evidence for any number of features, as in pure noise.
        """
        return self._chosen(scoring, "auto")

    def stability(self, n_features: int) -> dict[str, float]:
        """Share of the splits in which each feature is among the first `n_features`, the most frequent first.

        Parameters
        ----------
        n_features : int

        Returns
        -------
        shares : dict of {str: float}
            All features that are among the first in any split.
        """
        self._check_number(n_features)
        counted: dict[str, int] = {}
        for order in self.orders:
            for name in order[:n_features]:
                counted[name] = counted.get(name, 0) + 1
        place = {name: at for at, name in enumerate(self.order)}
        ranked = sorted(counted, key=lambda name: (-counted[name], place.get(name, len(place))))
        return {name: counted[name] / len(self.orders) for name in ranked}

    def is_stable(self, n_features: int) -> bool:
        """Whether the splits agree on the first features, as `is_steady` defines it."""
        shares = self.stability(n_features)
        return is_steady([shares.get(name, 0.0) for name in self.order[:n_features]], len(self.order))

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """One row per number of features: mean scores, and their standard errors if known."""
        columns: dict[str, Any] = {"n_features": self.n_features}
        if self.order:
            columns["feature"] = [self.order[n - 1] for n in self.n_features.tolist()]
        if self.costs is not None:
            columns["cost"] = self.costs
        for name in self.scores:
            columns[name] = self.mean(name)
            if name in self.shown_errors:
                columns[f"{name}_error"] = self.shown_errors[name]
        return nw.from_dict(columns, backend=backend).to_native()

    def __repr__(self) -> str:
        names = ", ".join(self.scores)
        return f"SelectionCurve of {self.n_features[0]} to {self.n_features[-1]} features: {names}"

    def _repr_html_(self) -> str:
        lines = []
        for name in self.scores:
            mean = self.mean(name)
            if not np.isnan(mean).all():
                lines.append([name, str(self.best(name)), f"{np.nanmax(mean):.4f}", f"{mean[-1]:.4f}"])
        return html_table(repr(self), ["score", "best number of features", "its score", "score with all"], lines)

    def _chosen(self, scoring: str, rule: str) -> int:
        mean = self.mean(scoring)
        if scoring not in self.errors:
            raise ValueError(
                f"{scoring!r} has no standard error here; use cross-validation (cv=5), or 'accuracy' or 'neg_log_loss'."
            )
        paired = self.paired_errors.get(scoring, np.zeros_like(mean))
        means = Means(-mean, self.errors[scoring], paired, self.errors_to_all.get(scoring), self.has_learned)
        return int(self.n_features[means.at(rule)])

    def _check_number(self, n_features: int) -> None:
        is_whole = isinstance(n_features, Integral) and not isinstance(n_features, bool)
        if not is_whole or not 1 <= n_features <= len(self.order):
            raise ValueError(
                f"n_features must be a whole number from 1 to {len(self.order)}, got {n_features!r} instead."
            )

    def _of(self, scoring: str) -> NDArray[np.float64]:
        if scoring not in self.scores:
            raise ValueError(f"{scoring!r} is not on this curve; it has {', '.join(self.scores)}.")
        return self.scores[scoring]
