"""The paper's ten figures: scores on test rows against the number of features."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gnbayes.plot import SelectionCurveDisplay
from gnbayes.plot.axes import get_axes
from gnbayes.reproduction.protocol import Measured
from gnbayes.reproduction.published import TABLES


def draw(measured: Measured, ax: Any = None) -> SelectionCurveDisplay:
    """Plot the mean scores over the splits, with their standard errors.

    Parameters
    ----------
    measured : Measured
    ax : matplotlib Axes, optional

    Returns
    -------
    display : SelectionCurveDisplay
    """
    ax = get_axes(ax, (7.5, 4.8))
    ax.set_title(f"{measured.model} on {measured.data}, mean of {len(measured.n_features())} splits")
    return SelectionCurveDisplay.from_curve(measured.curve, scoring=list(TABLES), ax=ax)


def save_figures(measured: Iterable[Measured], folder: Path) -> list[Path]:
    """Write one PNG for GNB-A and one for GNB-O on each data set, in the paper's protocol as the program has it.

    Parameters
    ----------
    measured : iterable of Measured
    folder : Path

    Returns
    -------
    paths : list of Path
    """
    paths = []
    for one in measured:
        if one.protocol == "paper" and one.reading == "program" and one.structure in ("gnb-a", "gnb-o"):
            figure = draw(one).figure_
            paths.append(folder / f"{one.data}-{one.structure}.png")
            figure.savefig(paths[-1], dpi=120)
            _close(figure)
    return paths


def _close(figure: Any) -> None:
    """Close a figure, which pyplot would otherwise keep forever."""
    import matplotlib.pyplot as plt

    plt.close(figure)
