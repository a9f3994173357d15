"""The targets that GeneralizedNB's default has set itself on the suite, each checked on a summary."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd
from registry import BLACK_BOX, NETWORK, RIVALS, TRANSPARENT
from summary import Summary

_FAST = "HistGradientBoosting"
_FASTER_SHARE = 0.9
_ACCURACY_ROOM = 0.01


@dataclass(frozen=True)
class Target:
    """What is to be reached, whether it is, and the numbers: ours and the one to beat."""

    text: str
    reached: bool
    ours: float
    other: float
    name: str


def check(summary: Summary, ours: str) -> Iterator[Target]:
    """All targets, as far as their rivals are in the summary."""
    rivals = {name: RIVALS[name].kind for name in summary.means["log_loss"] if name != ours}
    networks = [name for name, kind in rivals.items() if kind == NETWORK]
    transparent = [name for name, kind in rivals.items() if kind in (NETWORK, TRANSPARENT)]
    black_boxes = [name for name, kind in rivals.items() if kind == BLACK_BOX]
    linear = [name for name in rivals if name == "LogisticRegression"]

    ranks, brier = summary.ranks("log_loss").mean(), summary.means["brier"].mean()
    error, accuracy = summary.means["ece"].median(), summary.means["accuracy"].mean()
    yield from _least("best mean rank by log-loss", ranks, ours, list(rivals))
    yield from _least("best mean Brier score among the transparent", brier, ours, transparent)
    yield from _accurate("mean accuracy at least that of logistic regression", accuracy, ours, linear)
    yield from _accurate("mean accuracy at least that of every Bayesian network", accuracy, ours, networks)
    yield from _accurate("mean accuracy within 0.01 of the best black box", accuracy, ours, black_boxes, _ACCURACY_ROOM)
    yield from _least("median calibration error below that of every rival", error, ours, list(rivals))
    if _FAST in rivals:
        seconds = summary.means["fit_seconds"]
        share = float((seconds[ours] < seconds[_FAST]).mean())
        text = f"share of tables where it is fitted faster than {_FAST}"
        yield Target(text, share >= _FASTER_SHARE, share, _FASTER_SHARE, "target")


def _least(text: str, numbers: pd.Series, ours: str, others: list[str]) -> Iterator[Target]:
    if others:
        best = numbers[others].idxmin()
        yield Target(text, bool(numbers[ours] < numbers[best]), numbers[ours], numbers[best], best)


def _accurate(text: str, numbers: pd.Series, ours: str, others: list[str], room: float = 0.0) -> Iterator[Target]:
    if others:
        best = numbers[others].idxmax()
        yield Target(text, bool(numbers[ours] >= numbers[best] - room), numbers[ours], numbers[best], best)
