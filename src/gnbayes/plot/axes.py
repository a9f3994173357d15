"""Axes to draw on; matplotlib is imported here and nowhere else, and only when something is drawn."""

from __future__ import annotations

from typing import Any

POSITIVE, NEGATIVE, NEUTRAL = "#b2452f", "#2f6fb2", "#8a8f98"


def get_axes(ax: Any = None, size: tuple[float, float] = (7.0, 4.5)) -> Any:
    """The given axes, or those of a new figure of a size in inches."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("pictures need matplotlib; install it with: pip install 'gnbayes[plot]'") from error
    if ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    return ax


def plain(ax: Any) -> None:
    """Take the box off, and leave light lines to read values by."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="both", color="#e3e5e8", linewidth=0.8)
    ax.set_axisbelow(True)
