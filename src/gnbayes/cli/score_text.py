"""Scores as readable lines."""

from __future__ import annotations

import sys

from gnbayes.cli.summary import estimate_text
from gnbayes.cli.terminal import paint
from gnbayes.evaluation import Calibration, Scores

MOST_GROUPS, MOST_CLASSES = 20, 10
_FEW_ROWS = 30


def score_lines(scores: Scores, validity: str) -> list[str]:
    """Scores, calibration and confusion matrix.

    Parameters
    ----------
    scores : Scores
    validity : str
        For which rows the scores are valid; shown above them.
    """
    lines = [
        _bold(f"Scores of {scores.n_rows} rows with 95 % intervals, {validity}"),
        f"accuracy    {estimate_text(scores.accuracy)}; most frequent class of training {scores.prior_accuracy:.3f}",
        f"log-loss    {estimate_text(scores.log_loss)}; prior alone {scores.prior_log_loss:.3f}, "
        f"better by {estimate_text(scores.gain)}",
        f"Brier score {estimate_text(scores.brier)}; prior alone {scores.prior_brier:.3f}",
    ]
    names = list(scores.calibration)
    for name in names[:MOST_CLASSES]:
        lines += ["", *_class_lines(name, scores)]
    if len(names) > MOST_CLASSES:
        lines += ["", f"and {len(names) - MOST_CLASSES} more classes (--json)"]
    return [*lines, "", *confusion_lines(scores)]


def group_lines(groups: dict[str, Scores], column: str, validity: str) -> list[str]:
    """One line per group, the largest group first."""
    shown = dict(list(groups.items())[:MOST_GROUPS])
    width = max(len(column), *(len(name) for name in shown))
    lines = [_bold(f"By {column}, {validity}"), f"{column:{width}}   rows  accuracy                log-loss (prior)"]
    for name, one in shown.items():
        few = "  few rows" if one.n_rows < _FEW_ROWS else ""
        lines.append(
            f"{name:{width}} {one.n_rows:6}  {estimate_text(one.accuracy):22}  "
            f"{one.log_loss.value:.3f} ({one.prior_log_loss:.3f}){_area_text(one)}{few}"
        )
    more = len(groups) - len(shown)
    return [*lines, f"and {more} smaller groups (--json)"] if more else lines


def confusion_lines(scores: Scores) -> list[str]:
    """Rows by true and predicted class, with the recall of each class."""
    k = len(scores.classes)
    if k > MOST_CLASSES:
        return [f"The confusion matrix of {k} classes is in --json."]
    width = max(6, *(len(name) for name in scores.classes))
    head = "  ".join(f"{name:>{width}}" for name in scores.classes)
    lines = [_bold("Rows by true class (down) and predicted class (across)"), f"{'':{width}}  {head}  recall"]
    for name, row in zip(scores.classes, scores.confusion.tolist(), strict=True):
        cells = "  ".join(f"{count:{width}}" for count in row)
        recall = estimate_text(scores.recall[name]) if name in scores.recall else "no rows"
        lines.append(f"{name:{width}}  {cells}  {recall}")
    return lines


def _class_lines(name: str, scores: Scores) -> list[str]:
    lines = [_bold(f"Probability of {name}")]
    if name in scores.auroc:
        lines.append(f"AUROC       {estimate_text(scores.auroc[name])}")
    return lines + _calibration_lines(scores.calibration[name])


def _calibration_lines(found: Calibration) -> list[str]:
    lines = [f"calibration error (ECE) {found.ece:.3f}; by chance alone {found.ece_if_calibrated:.3f}"]
    if found.intercept is not None:
        lines.append(
            f"calibration intercept {estimate_text(found.intercept, 2)}; 0 is best, < 0: probabilities too high"
        )
    if found.slope is not None:
        lines.append(
            f"calibration slope     {estimate_text(found.slope, 2)}; 1 is best, < 1: probabilities too extreme"
        )
    return lines


def _area_text(one: Scores) -> str:
    return f"  AUROC {estimate_text(next(iter(one.auroc.values())))}" if len(one.auroc) == 1 else ""


def _bold(text: str) -> str:
    return paint(text, "bold", sys.stdout)
