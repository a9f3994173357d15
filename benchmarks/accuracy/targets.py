"""The targets that GeneralizedNB's default has set itself on the suite, each checked on a summary."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats
from summary import Summary

_ACCURACY_ROOM = 0.003
_LEVEL = 0.05
_SHARE_OF_EBM, _SHARE_OF_LIGHTGBM = 0.70, 0.55
_TIMES_FASTER_THAN_EBM = 10


@dataclass(frozen=True)
class Target:
    """What is to be reached, whether it is, and the numbers: ours and the one to beat."""

    text: str
    reached: bool
    ours: float
    other: float
    name: str


def check(summary: Summary, ours: str) -> Iterator[Target]:
    """All targets whose rivals are in the summary."""
    others = [name for name in summary.classifiers if name != ours]
    loss, seconds = summary.means["log_loss"], summary.means["fit_seconds"]
    yield _least("best mean rank by log-loss", summary.ranks("log_loss").mean(), ours, others)
    yield _least("best mean rank by Brier score", summary.ranks("brier").mean(), ours, others)
    yield _accurate(summary.means["accuracy"].mean(), ours, others)
    yield _calibrated(summary.means["ece"], ours, others)
    if "CatBoost" in others:
        yield _least("mean log-loss below CatBoost's", loss.mean(), ours, ["CatBoost"])
        yield _least("median fit at most CatBoost's (s)", seconds.median(), ours, ["CatBoost"])
    if "LightGBM" in others:
        yield _better(loss, ours, "LightGBM", _SHARE_OF_LIGHTGBM)
    if "EBM" in others:
        yield _better(loss, ours, "EBM", _SHARE_OF_EBM)
        faster = float(seconds["EBM"].median() / seconds[ours].median())
        text = "times faster than EBM, at the median"
        yield Target(text, faster >= _TIMES_FASTER_THAN_EBM, faster, _TIMES_FASTER_THAN_EBM, "target")


def _least(text: str, numbers: pd.Series, ours: str, others: list[str]) -> Target:
    best = str(numbers[others].idxmin())
    return Target(text, bool(numbers[ours] < numbers[best]), numbers[ours], numbers[best], best)


def _accurate(numbers: pd.Series, ours: str, others: list[str]) -> Target:
    best = str(numbers[others].idxmax())
    reached = bool(numbers[ours] >= numbers[best] - _ACCURACY_ROOM)
    return Target(f"mean accuracy within {_ACCURACY_ROOM} of the best", reached, numbers[ours], numbers[best], best)


def _calibrated(errors: pd.DataFrame, ours: str, others: list[str]) -> Target:
    """Wilcoxon's signed-rank test against each rival, one-sided; not corrected for their number, which is stricter."""
    p_values = {name: _larger(errors[ours] - errors[name]) for name in others}
    worst = min(p_values, key=lambda name: p_values[name])
    text = "calibration error not significantly larger than any rival's (least p-value)"
    return Target(text, p_values[worst] >= _LEVEL, p_values[worst], _LEVEL, worst)


def _larger(differences: pd.Series) -> float:
    """p-value of the alternative that differences are above 0."""
    if np.allclose(differences, 0):
        return 1.0
    return float(stats.wilcoxon(differences, alternative="greater").pvalue)


def _better(losses: pd.DataFrame, ours: str, other: str, share: float) -> Target:
    found = float((losses[ours] < losses[other]).mean())
    return Target(f"share of tables with a smaller log-loss than {other}", found >= share, found, share, "target")
