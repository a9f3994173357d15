"""The tree of parents, one feature per line."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gnbayes.plot.axes import check_classifier, get_axes, label
from gnbayes.structure import class_information

_LINE, _INDENT = 0.26, 0.30  # inches


class TreeDisplay:
    """The tree as an outline: each feature on its own line below its parent, so labels never overlap.

    The wider the line to the parent, the more information the two share given the class, I(Xj; Xm | Y). The darker the
    dot, the more informative the feature is about the class by itself, I(Xj; Y).

    Parameters
    ----------
    names : sequence of str
        Features from top to bottom.
    mother : sequence of int
        Line of each feature's parent; -1 for none.
    depth : sequence of int
        Steps from the root.
    edge_information : ndarray of shape (d,)
        I(Xj; X_mother | Y) in nats; 0 without a parent.
    class_information : ndarray of shape (d,)
        I(Xj; Y) in nats.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    labels_ : list of matplotlib Text

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, TreeDisplay
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> display = TreeDisplay.from_estimator(GeneralizedNB().fit(X, y))
    >>> display.figure_.savefig("tree.png")  # doctest: +SKIP
    """

    def __init__(
        self,
        names: list[str],
        mother: list[int],
        depth: list[int],
        edge_information: NDArray[np.float64],
        class_information: NDArray[np.float64],
    ) -> None:
        self.names, self.mother, self.depth = names, mother, depth
        self.edge_information, self.class_information = edge_information, class_information

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> Self:
        """Plot the tree of a fitted `GeneralizedNB`.

        Parameters
        ----------
        estimator : GeneralizedNB
        ax : matplotlib Axes, optional

        Returns
        -------
        display : TreeDisplay
        """
        tree = check_classifier(estimator).tree_
        lines, depth = _outline(tree.order.tolist(), tree.mother.tolist())
        line_of = {feature: line for line, feature in enumerate(lines)}
        alone = class_information(estimator.counts_)
        gain = dict(zip(tree.order.tolist(), tree.gain.tolist(), strict=True))
        edges = [gain[j] - alone[j] if tree.mother[j] >= 0 else 0.0 for j in lines]
        display = cls(
            [estimator.features_[j].name for j in lines],
            [line_of.get(int(tree.mother[j]), -1) for j in lines],
            depth,
            np.maximum(edges, 0.0),
            alone[lines],
        )
        return display.plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Plot.

        Parameters
        ----------
        ax : matplotlib Axes, optional

        Returns
        -------
        display : TreeDisplay
        """
        names = [label(name) for name in self.names]
        n, longest = len(names), max(len(name) for name in names)
        width = _INDENT * (max(self.depth) + 1) + 0.085 * longest + 1.6
        ax = get_axes(ax, (max(4.0, width), max(2.8, _LINE * n + 0.9)))
        lines = -np.arange(n)
        widest = self.edge_information.max(initial=0.0) or 1.0
        for line, mother in enumerate(self.mother):
            if mother >= 0:
                x, thickness = self.depth[mother], 0.8 + 4.2 * self.edge_information[line] / widest
                ax.plot([x, x, x + 1], [-mother, -line, -line], color="#b9bec6", lw=thickness, zorder=1)
        dots = ax.scatter(
            self.depth,
            lines,
            c=self.class_information,
            cmap="YlOrRd",
            vmin=0,
            vmax=self.class_information.max() or 1.0,
            s=52,
            edgecolor="#444",
            lw=0.6,
            zorder=2,
        )
        self.labels_ = [
            ax.annotate(name, (x, y), xytext=(8, 0), textcoords="offset points", va="center", fontsize=9, zorder=3)
            for name, x, y in zip(names, self.depth, lines, strict=True)
        ]
        ax.set_ylim(-n + 0.3, 0.7)
        ax.axis("off")
        ax.figure.colorbar(dots, ax=ax, shrink=min(1.0, 2.5 / (_LINE * n)), label="information about the class (nats)")
        self.ax_, self.figure_ = ax, ax.figure
        _make_room(ax, self.labels_, max(self.depth))
        return self


def _outline(order: list[int], mother: list[int]) -> tuple[list[int], list[int]]:
    """Features from top to bottom, each followed by its children in the order of the tree, and their depths."""
    daughters: dict[int, list[int]] = {}
    for feature in order:
        daughters.setdefault(mother[feature], []).append(feature)
    lines, depths = [], []
    waiting = [(feature, 0) for feature in reversed(daughters.get(-1, []))]
    while waiting:
        feature, depth = waiting.pop()
        lines.append(feature)
        depths.append(depth)
        waiting += [(daughter, depth + 1) for daughter in reversed(daughters.get(feature, []))]
    return lines, depths


def _make_room(ax: Any, labels: list[Any], deepest: int) -> None:
    """Widen the axis until the longest label fits."""
    right = deepest + 1.0
    for _ in range(4):
        ax.set_xlim(-0.5, right)
        ax.figure.canvas.draw()
        end = max(label.get_window_extent().x1 for label in labels)
        over = ax.transData.inverted().transform((end, 0))[0]
        if over <= right:
            break
        right = over + 0.1 * (over - deepest)
