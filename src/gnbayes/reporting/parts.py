"""Subgroups of the rows that are evaluated separately, such as by sex or age."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import value_text
from gnbayes.estimator import GeneralizedNB
from gnbayes.reporting.evaluation import Parts
from gnbayes.reporting.given import Given
from gnbayes.reporting.names import distinct, shown
from gnbayes.reporting.strings import PAGE
from gnbayes.reporting.subject import Subject, value_names

# Numbers with more distinct values are divided into three groups of about the same size.
_MOST_NUMBERS = 6
_MOST_PARTS = 20


def make_parts(clf: GeneralizedNB, subject: Subject, given: Given, by: Any) -> list[Parts]:
    """The requested subgroups.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    subject : Subject
    given : Given
    by : str, sequence of str or mapping
        Columns of the table, or values for each row by name; None in their place for a column of the table.
    """
    asked: Mapping[str, Any] = by if isinstance(by, Mapping) else dict.fromkeys([by] if isinstance(by, str) else by)
    return [_parts(clf, subject, given, name, values) for name, values in asked.items()]


def _parts(clf: GeneralizedNB, subject: Subject, given: Given, name: str, values: Any) -> Parts:
    if values is not None:
        return _cut(shown(name), _listed(name, values, len(given.codes)), "")
    names = [feature.name for feature in clf.features_]
    if name not in names:
        near = difflib.get_close_matches(str(name), names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "give its values as a mapping: by={name: values}."
        raise ValueError(f"by: there is no column {name!r} in the model; {hint}")
    j = names.index(name)
    feature, column, label = clf.features_[j], subject.columns[j], subject.names[j]
    named = value_names(feature, column)
    if named is not None:
        codes = given.codes[:, j].astype(np.intp)
        codes[codes > feature.missing_code] = -1
        return _checked(Parts(label, codes, [*named, PAGE["parts.missing"]]), name)
    return _cut(label, np.asarray(given.table.columns[j]), shown(column.unit) if column.unit else "")


def _listed(name: str, values: Any, n_rows: int) -> NDArray[Any]:
    found = np.asarray(values)
    if found.shape != (n_rows,):
        raise ValueError(f"by: {name!r} must be one value per row of X, {n_rows}, got the shape {found.shape} instead.")
    known = [value for value in found.tolist() if value is not None]
    are_numbers = all(isinstance(value, Real) and not isinstance(value, bool) for value in known)
    return found.astype(np.float64) if found.dtype == object and known and are_numbers else found


def _cut(name: str, values: NDArray[Any], unit: str) -> Parts:
    """Numbers in three groups by rank; few distinct numbers, and everything else, by value."""
    if values.dtype.kind in "iuf":
        numbers = values.astype(np.float64)
        is_known = np.isfinite(numbers)
        if len(np.unique(numbers[is_known])) > _MOST_NUMBERS:
            return _thirds(name, numbers, is_known, unit)
        texts = [value_text(value) if known else None for value, known in zip(numbers.tolist(), is_known, strict=True)]
    else:
        texts = [None if value is None or value != value else value_text(value) for value in values.tolist()]
    kinds = sorted({text for text in texts if text is not None}, key=_number_first)
    position = {text: at for at, text in enumerate(kinds)}
    codes = np.array([len(kinds) if text is None else position[text] for text in texts], dtype=np.intp)
    return _checked(Parts(name, codes, [*distinct(kinds), PAGE["parts.missing"]]), name)


def _thirds(name: str, numbers: NDArray[np.float64], is_known: NDArray[np.bool_], unit: str) -> Parts:
    cuts = np.unique([_short(cut) for cut in np.quantile(numbers[is_known], (1 / 3, 2 / 3)).tolist()])
    codes = np.where(is_known, np.searchsorted(cuts, numbers, side="right"), len(cuts) + 1).astype(np.intp)
    texts = [value_text(cut) + (f" {unit}" if unit else "") for cut in cuts.tolist()]
    middle = [PAGE["parts.between"].format(low=value_text(cuts[0]), high=texts[1])] if len(cuts) > 1 else []
    ends = PAGE["parts.below"].format(high=texts[0]), PAGE["parts.from"].format(low=texts[-1])
    return Parts(name, codes, [ends[0], *middle, ends[1], PAGE["parts.missing"]])


def _short(cut: float) -> float:
    return float(f"{cut:.3g}")


def _checked(parts: Parts, name: str) -> Parts:
    n_parts = len(np.unique(parts.codes))
    if n_parts > _MOST_PARTS:
        raise ValueError(f"by: {name!r} has {n_parts} different values; choose a column with at most {_MOST_PARTS}.")
    return parts


def _number_first(text: str) -> tuple[bool, float, str]:
    try:
        return False, float(text), text
    except ValueError:
        return True, 0.0, text
