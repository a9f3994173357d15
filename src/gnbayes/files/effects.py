"""All effects of a fitted classifier as a CSV table."""

from __future__ import annotations

import csv
import io
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from gnbayes.documents import escape_formula
from gnbayes.effect import Effect, effect_of
from gnbayes.files.format import check_classifier
from gnbayes.model import MOST_FEATURES

_COLUMNS = (
    "class", "term", "feature", "value", "feature_2", "value_2", "feature_3", "value_3",
    "log_odds", "odds_factor", "share_of_rows", "importance",
)  # fmt: skip


def to_effects(clf: Any, path: str | PathLike[str] | None = None, *, escape_formulas: bool = False) -> str:
    """All effects of a fitted classifier as CSV: one line per class, term and value, or combination of values.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    path : str or path-like, optional
        File to write the text to, in UTF-8.
    escape_formulas : bool, default=False
        Put an apostrophe before names that a spreadsheet would run as formulas: those that begin with = + - @.

    Returns
    -------
    text : str
        Terms by importance. For two classes only the second one; the log-odds of the first one are the same with the
        opposite sign.

    Examples
    --------
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.files import to_effects
    >>> clf = GeneralizedNB("nb", weighting=None).fit([["yes"], ["no"], ["no"], ["no"]], ["ill", "ill", "well", "well"])
    >>> for line in to_effects(clf).splitlines():
    ...     print(line[:24])
    class,term,feature,value
    well,x0,x0,no,,,,,0.2746
    well,x0,x0,yes,,,,,-0.82
    """
    check_classifier(clf)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_COLUMNS)
    positions = [1] if len(clf.classes_) == 2 else range(len(clf.classes_))
    for position in positions:
        for term in clf.terms_:
            lines = _lines(effect_of(term, clf.features_, clf.classes_, position))
            writer.writerows([[escape_formula(cell) for cell in line] for line in lines] if escape_formulas else lines)
    text = stream.getvalue()
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    return text


def _lines(effect: Effect) -> list[list[Any]]:
    lines = []
    for cell in np.ndindex(effect.log_odds.shape):
        values = [text for axis, at in zip(effect.axes, cell, strict=True) for text in (axis.name, axis.labels[at])]
        values += [""] * (2 * MOST_FEATURES - len(values))
        numbers = [float(array[cell]) for array in (effect.log_odds, effect.odds_factor, effect.shares)]
        lines.append([effect.label, effect.name, *values, *numbers, effect.importance])
    return lines
