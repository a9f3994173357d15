"""Axes to draw on; matplotlib is imported here and nowhere else, and only when something is drawn."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from gnbayes.estimator import GeneralizedNB

POSITIVE, NEGATIVE, NEUTRAL = "#b2452f", "#2f6fb2", "#8a8f98"


_LONGEST = 60


def label(text: Any) -> str:
    """Text for a plot: long lines are shortened, and $, which would start math mode, is escaped."""
    lines = [line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…" for line in str(text).split("\n")]
    return "\n".join(lines).replace("$", r"\$")


def check_classifier(estimator: Any) -> GeneralizedNB:
    """The estimator, if it is a fitted GeneralizedNB."""
    if not isinstance(estimator, GeneralizedNB):
        hint = "; pass its last step" if hasattr(estimator, "steps") else ""
        raise TypeError(f"estimator must be a fitted GeneralizedNB, got {type(estimator).__name__} instead{hint}.")
    check_is_fitted(estimator)
    return estimator


def legend_above(ax: Any) -> None:
    """A legend that does not cover the plot."""
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, frameon=False, fontsize=8)


def get_axes(ax: Any = None, size: tuple[float, float] = (7.0, 4.5)) -> Any:
    """The given axes, or those of a new figure of a size in inches."""
    plt = _pyplot()
    if ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    return ax


def get_grid(n: int) -> tuple[Any, list[Any]]:
    """A new figure with one tall picture on the left, and n small ones in columns beside it."""
    n_columns = 2 if n <= 4 else 4 if n <= 32 else 6
    n_rows = max(2, -(-n // n_columns))
    figure = _pyplot().figure(figsize=(5.0 + 4.0 * n_columns, 3.2 * n_rows), layout="constrained")
    grid = figure.add_gridspec(n_rows, 1 + n_columns, width_ratios=[1.2, *[1.0] * n_columns])
    places = [grid[at // n_columns, 1 + at % n_columns] for at in range(n)]
    return figure, [figure.add_subplot(place) for place in (grid[:, 0], *places)]


def picture_formats() -> list[str]:
    """Endings of the files that plots can be saved to, such as "png"."""
    return sorted(_pyplot().FigureCanvasBase.get_supported_filetypes())


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib; install it with: pip install 'gnbayes[plot]'") from error
    return plt


def plain(ax: Any) -> None:
    """Remove the frame, and add light grid lines."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="both", color="#e3e5e8", linewidth=0.8)
    ax.set_axisbelow(True)
