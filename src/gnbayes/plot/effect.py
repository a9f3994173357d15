"""The effect of a feature on the log-odds, or of a pair or triple beyond its features."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gnbayes.effect import Effect, EffectAxis
from gnbayes.plot.axes import NEGATIVE, NEUTRAL, POSITIVE, check_classifier, get_axes, label, plain

# Values with labels of their own along an axis; of more, some are left out.
_MOST_LABELS, _FEW_LABELS = 16, 4
# Sizes of pictures of one, two and three features.
_SIZES = {1: (6.5, 3.8), 2: (6.5, 4.4), 3: (9.0, 6.0)}


class EffectDisplay:
    """An effect: a step curve or bars with the distribution of the feature below, or a heat map for a pair.

    A triple has a heat map for each value of one of its features, the one with the fewest values.

    Parameters
    ----------
    effect : Effect

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, EffectDisplay
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = GeneralizedNB(weighting=None).fit(X, y)
    >>> display = EffectDisplay.from_estimator(clf, "petal width (cm)", label=2)
    >>> display.ax_.get_title()
    'petal width (cm): log-odds of 2'
    """

    def __init__(self, effect: Effect) -> None:
        self.effect = effect

    @classmethod
    def from_estimator(cls, estimator: Any, features: Any, *, label: Any = None, ax: Any = None) -> Self:
        """Plot an effect of a fitted `GeneralizedNB`.

        Parameters
        ----------
        estimator : GeneralizedNB
        features : str, int, or tuple of two or three of them
            As in `GeneralizedNB.effect`.
        label : optional
            The class; the second of two by default.
        ax : matplotlib Axes, optional
        """
        return cls(check_classifier(estimator).effect(features, label)).plot(ax)

    def plot(self, ax: Any = None, *, compact: bool = False) -> Self:
        """Plot.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        compact : bool, default=False
            Fewer and shorter labels, for many pictures on one page.
        """
        self._most_labels = _FEW_LABELS if compact else _MOST_LABELS
        axes = self.effect.axes
        ax = get_axes(ax, _SIZES[len(axes)])
        if len(axes) == 3:
            self._draw_triple(ax)
        elif len(axes) == 2:
            self._draw_pair(ax)
        elif axes[0].edges is None:
            self._draw_categories(ax)
        else:
            self._draw_curve(ax, axes[0])
        if compact:
            _make_compact(ax, [label(axis.name) for axis in axes])
        else:
            ax.set_title(f"{label(self.effect.name)}: log-odds of {label(str(self.effect.label))}", fontsize=10)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_curve(self, ax: Any, axis: EffectAxis) -> None:
        edges = _outer_edges(axis.edges or ())
        n = len(edges) - 1
        ax.stairs(self.effect.log_odds[:n], edges, baseline=None, color=POSITIVE, lw=1.8)
        if self.effect.spread is not None:
            low, high = (self.effect.log_odds[:n] + sign * 1.645 * self.effect.spread[:n] for sign in (-1, 1))
            ax.stairs(high, edges, baseline=low, fill=True, color=POSITIVE, alpha=0.18)
        if axis.has_missing:
            at = edges[-1] + 0.06 * (edges[-1] - edges[0])
            ax.plot([at], self.effect.log_odds[n:], "D", color=NEUTRAL, ms=5)
            ax.annotate("missing", (at, self.effect.log_odds[n]), xytext=(0, 6), textcoords="offset points", fontsize=8)
        self._finish(ax, axis)
        widths = np.diff(edges)
        self._draw_rows(ax, edges[:-1] + widths / 2, self.effect.shares[:n] / widths, widths)

    def _draw_categories(self, ax: Any) -> None:
        axis, places = self.effect.axes[0], np.arange(len(self.effect.log_odds))
        colors = [POSITIVE if value > 0 else NEGATIVE for value in self.effect.log_odds]
        ax.bar(places, self.effect.log_odds, width=0.6, color=colors)
        self._finish(ax, axis)
        _set_labels(ax, axis, self._most_labels)
        self._draw_rows(ax, places.astype(np.float64), self.effect.shares, np.full(len(places), 0.6))

    def _draw_pair(self, ax: Any) -> None:
        image = self._draw_heat(ax, self.effect.log_odds, self.effect.shares)
        for axis, is_vertical in zip(self.effect.axes, (False, True), strict=True):
            _set_labels(ax, axis, self._most_labels, is_vertical=is_vertical)
        ax.set_xlabel(label(self.effect.axes[0].name))
        ax.set_ylabel(label(self.effect.axes[1].name))
        ax.figure.colorbar(image, ax=ax, label="log-odds beyond both features; gray: no training rows")

    def _draw_triple(self, ax: Any) -> None:
        """A heat map for each value of the feature with the fewest, side by side."""
        axes = self.effect.axes
        sliced = min(range(3), key=lambda at: len(axes[at].labels))
        first, second = (axes[at] for at in range(3) if at != sliced)
        values, shares = np.moveaxis(self.effect.log_odds, sliced, 0), np.moveaxis(self.effect.shares, sliced, 0)
        n_rows = 1 if len(values) <= 3 else 2 if len(values) <= 8 else 3
        n_columns = -(-len(values) // n_rows)
        ax.set_axis_off()
        for at, text in enumerate(axes[sliced].labels):
            row, column = divmod(at, n_columns)
            place = [column / n_columns, 1 - (row + 0.92) / n_rows, 0.86 / n_columns, 0.72 / n_rows]
            small = ax.inset_axes(place)
            image = self._draw_heat(small, values[at], shares[at])
            small.set_title(label(text), fontsize=8)
            small.set_xticks([])
            small.set_yticks([])
            small.set_xlabel(label(first.name) if row == n_rows - 1 else "", fontsize=8)
            small.set_ylabel(label(second.name) if column == 0 else "", fontsize=8)
        ax.figure.colorbar(image, ax=ax, label="log-odds beyond the features and pairs")

    def _draw_heat(self, ax: Any, values: NDArray[np.float64], shares: NDArray[np.float64]) -> Any:
        """A heat map, gray where there are no training rows; the scale is that of the whole effect."""
        limit = float(np.abs(self.effect.log_odds).max()) or 1.0
        ax.set_facecolor("#e6e6e6")
        shown = np.ma.masked_where(shares <= 0, values)
        return ax.imshow(shown.T, origin="lower", cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto")

    def _finish(self, ax: Any, axis: EffectAxis) -> None:
        ax.axhline(0, color="#444", lw=0.8)
        ax.set_xlabel(label(axis.name))
        ax.set_ylabel("log-odds")
        plain(ax)

    def _draw_rows(
        self, ax: Any, places: NDArray[np.float64], heights: NDArray[np.float64], widths: NDArray[np.float64]
    ) -> None:
        """The distribution of the training rows, in the lowest fifth of the plot."""
        below = ax.twinx()
        below.bar(places, heights, width=widths, color=NEUTRAL, alpha=0.35, lw=0)
        below.set_ylim(0, 5 * (float(heights.max()) or 1.0))
        below.set_yticks([])
        below.spines[:].set_visible(False)
        low, high = ax.get_ylim()
        ax.set_ylim(low - 0.25 * (high - low), high)
        ax.set_zorder(below.get_zorder() + 1)
        ax.patch.set_visible(False)


def _outer_edges(edges: tuple[float, ...]) -> NDArray[np.float64]:
    """Edges with ends: the open bins at both ends get the median width."""
    if not edges:
        return np.array([0.0, 1.0])
    width = float(np.median(np.diff(edges))) if len(edges) > 1 else abs(edges[0]) or 1.0
    return np.array([edges[0] - width, *edges, edges[-1] + width])


def _make_compact(ax: Any, names: list[str]) -> None:
    """A title of one line per feature, small labels, no words beside scales."""
    ax.set_title(" x\n".join(names), fontsize=8)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_tick_params(labelsize=6)
        axis.label.set_fontsize(7)
    for image in (own for part in (ax, *ax.child_axes) for own in part.images):
        if image.colorbar is not None:
            image.colorbar.set_label("")
            image.colorbar.ax.tick_params(labelsize=6)
    for small in ax.child_axes:
        small.title.set_fontsize(6)
        small.xaxis.label.set_fontsize(6)
        small.yaxis.label.set_fontsize(6)


def _set_labels(ax: Any, axis: EffectAxis, most: int, *, is_vertical: bool = False) -> None:
    step = -(-len(axis.labels) // most)
    places = np.arange(0, len(axis.labels), step)
    texts = [label(axis.labels[at]) for at in places.tolist()]
    if is_vertical:
        ax.set_yticks(places, texts, fontsize=8)
    else:
        ax.set_xticks(places, texts, fontsize=8, rotation=30, ha="right")
