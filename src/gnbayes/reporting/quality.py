"""Data quality: missing, constant, duplicate and unseen values of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.estimator import GeneralizedNB
from gnbayes.reporting.given import Given
from gnbayes.reporting.limits import Limits, judge
from gnbayes.reporting.subject import Subject


def inspect_columns(
    clf: GeneralizedNB, subject: Subject, given: Given | None, limits: dict[int, Limits]
) -> dict[str, Any]:
    """Findings by column, of the training rows, and of the rows that are given, if any.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    subject : Subject
        Names of columns.
    given : Given, optional
    limits : dict of int to Limits
        Limits of the numeric columns.

    Returns
    -------
    quality : dict
        ``columns``: one dict for each column with a finding, in the order of the table, with ``name``, ``isUsed``,
        ``missing`` (training), ``missingHere``, ``unseenHere`` and ``impossibleHere`` (the rows given, None without
        any), ``isEmpty``, ``isConstant`` and ``sameAs``, the name of the parent if its values correspond one to one in
        every training row. ``checked`` is the number of columns; naive Bayes, which has no parents, finds no
        ``sameAs``.
    """
    codes = None if given is None else given.codes
    used = set(clf.tree_.order.tolist())
    names = subject.names
    columns = []
    for j, feature in enumerate(clf.features_):
        single = clf.counts_.single(j).sum(axis=1)
        n_known = len(single) - feature.has_missing
        twin = _twin(clf, j)
        found = {
            "name": names[j],
            "isUsed": j in used,
            "missing": _plain(single[n_known:].sum()),
            "missingHere": None if codes is None else int((codes[:, j] == feature.missing_code).sum()),
            "unseenHere": None if codes is None else int((codes[:, j] == feature.unseen_code).sum()),
            "impossibleHere": None if given is None else _impossible(given.table.columns[j], limits.get(j)),
            "isEmpty": not single[:n_known].any(),
            "isConstant": int((single > 0).sum()) < 2,
            "sameAs": None if twin is None else names[twin],
        }
        if any(
            found[key] for key in ("missing", "missingHere", "unseenHere", "impossibleHere", "isConstant", "sameAs")
        ):
            columns.append(found)
    return {
        "columns": columns,
        "checked": len(clf.features_),
        "rows": _plain(clf.counts_.n),
        "rowsHere": None if codes is None else len(codes),
    }


def _impossible(values: NDArray[Any], limits: Limits | None) -> int:
    """Number of impossible values."""
    if limits is None or (limits.lowest is None and limits.highest is None):
        return 0
    return sum(judge(limits, value) == "impossible" for value in np.asarray(values, dtype=np.float64).tolist())


def _twin(clf: GeneralizedNB, j: int) -> int | None:
    """The parent, if its values and those of the feature correspond one to one in all training rows."""
    mother = int(clf.tree_.mother[j])
    if mother < 0:
        return None
    occurs = np.asarray(clf.counts_.pair(mother, j)).sum(axis=2) > 0
    is_one_to_one = (occurs.sum(axis=0) <= 1).all() and (occurs.sum(axis=1) <= 1).all()
    return mother if is_one_to_one and occurs.sum() > 1 else None


def _plain(count: Any) -> float | int:
    """Integers as such; the counts of weighted rows are floats."""
    number = float(count)
    return int(number) if number.is_integer() else round(number, 6)
