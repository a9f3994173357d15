"""The critical-difference picture: mean ranks on a line, a bar over those that cannot be told apart."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray
from ranks import groups

_LINE = 0.32


def draw(names: list[str], mean_ranks: NDArray[np.float64], difference: float, ours: str, path: Path) -> None:
    """Write the picture; the ending of the path says of which kind."""
    from matplotlib.figure import Figure

    order = np.argsort(mean_ranks)
    bars = groups(mean_ranks, difference)
    left = (len(names) + 1) // 2
    below = 0.5 + 0.22 * len(bars)
    height = 1.5 + below + _LINE * left
    figure = Figure(figsize=(8, height / 2), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    low, high = int(np.floor(mean_ranks.min())), int(np.ceil(mean_ranks.max()))
    axes.set_xlim(low - 0.45 * (high - low), high + 0.45 * (high - low))
    axes.set_ylim(-below - _LINE * left, 1.5)
    _draw_axis(axes, low, high, difference)
    for row, (first, last) in enumerate(bars):
        y = -0.25 - 0.22 * row
        axes.plot([first - 0.03, last + 0.03], [y, y], color="0.3", linewidth=3, solid_capstyle="round")
    for place, rival in enumerate(order):
        on_left = place < left
        y = -below - _LINE * (place if on_left else len(names) - 1 - place)
        _draw_name(axes, names[rival], float(mean_ranks[rival]), y, low if on_left else high, on_left, ours)
    with mpl.rc_context({"svg.hashsalt": "gnbayes", "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _draw_axis(axes: Any, low: int, high: int, difference: float) -> None:
    axes.plot([low, high], [0, 0], color="black", linewidth=1)
    for rank in range(low, high + 1):
        axes.plot([rank, rank], [0, 0.12], color="black", linewidth=1)
        axes.text(rank, 0.2, str(rank), ha="center", va="bottom", fontsize=9)
    axes.plot([low, low + difference], [1.0, 1.0], color="black", linewidth=1.5, marker="|", markersize=7)
    text = f"critical difference {difference:.2f}"
    axes.text(low + difference / 2, 1.1, text, ha="center", va="bottom", fontsize=9)


def _draw_name(axes: Any, name: str, rank: float, y: float, end: float, on_left: bool, ours: str) -> None:
    color = "#c0392b" if name == ours else "0.15"
    axes.plot([rank, rank, end], [0, y, y], color=color, linewidth=0.9)
    text = f"{name}  {rank:.2f} " if on_left else f" {rank:.2f}  {name}"
    axes.text(end, y, text, ha="right" if on_left else "left", va="center", fontsize=9, color=color)
