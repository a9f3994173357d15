"""Summarize a fitted classifier, and rows if there are any, as one plain dict with everything that the page shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gnbayes._version import __version__
from gnbayes.estimator import GeneralizedNB
from gnbayes.progress import progress_line
from gnbayes.reporting.evaluation import Plan, describe_kept, evaluate
from gnbayes.reporting.fields import all_limits, describe_fields
from gnbayes.reporting.given import Given, read_given
from gnbayes.reporting.layout import draw_tree
from gnbayes.reporting.model_part import describe_importances, describe_model, fingerprint
from gnbayes.reporting.names import shown, shown_text
from gnbayes.reporting.parts import make_parts
from gnbayes.reporting.quality import inspect_columns
from gnbayes.reporting.subject import Subject, make_subject
from gnbayes.reporting.unusual import describe_unusual
from gnbayes.structure import class_information


def summarize(
    clf: GeneralizedNB,
    X: Any = None,
    y: Any = None,
    *,
    dictionary: Any = None,
    groups: Any = None,
    by: Any = None,
    bootstrap: int | None = None,
    rows: Any = 0,
    title: str | None = None,
    pos_label: Any = None,
    new_rows: bool = False,
    verbose: int = 0,
) -> dict[str, Any]:
    """Everything that the page shows, as dicts, lists, text and numbers.

    Parameters
    ----------
    clf, X, y, dictionary, groups, by, bootstrap, rows, title, pos_label, new_rows, verbose
        As in `report`.

    Returns
    -------
    summary : dict
        Contains only counts, scores and ranges of X and y, except for requested rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.reporting.summarize import summarize
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> summary = summarize(GeneralizedNB(weighting=None).fit(X, y), X, y, bootstrap=0)
    >>> summary["title"], summary["evaluation"]["folds"]
    ('target: 0, 1 or 2', 5)
    """
    _check_classifier(clf)
    _check_bootstrap(bootstrap)
    if X is None and not (isinstance(rows, Integral) and rows == 0):
        raise ValueError(f"rows={rows!r} asks for rows of X, but X is not given; give X, or leave rows out.")
    subject = make_subject(clf, dictionary, pos_label, _name_of(y))
    given = read_given(clf, X, y, groups)
    plan = _plan(clf, subject, given, by, bootstrap, verbose)
    included = [] if given is None else _included(clf, subject, given, rows)
    limits = all_limits(clf, subject, None if given is None else given.training)
    model, importances = describe_model(clf, subject), describe_importances(clf)
    names = [feature["name"] for feature in model["features"]]
    return {
        "title": subject.title if title is None else shown(title),
        "library": __version__,
        "fingerprint": fingerprint(model),
        "classes": subject.classes,
        "event": {"at": subject.event.at, "how": subject.event.how, "isRisk": subject.event.is_risk},
        "target": {"name": subject.target, "meaning": shown_text(subject.dictionary.target.meaning)},
        "page": {key: shown_text(text) for key, text in asdict(subject.dictionary.page).items()},
        "facts": _facts(clf, subject),
        "model": model,
        "fields": describe_fields(clf, subject, [part["importance"] for part in importances], limits),
        "importances": importances,
        "unusual": describe_unusual(clf, None if given is None else given.codes),
        "tree": draw_tree(names, model["mother"], [part["withMother"] for part in importances]),
        "evaluation": _evaluation(clf, given, plan, new_rows=new_rows),
        "quality": inspect_columns(clf, subject, given, limits),
        "rows": included,
    }


def _check_classifier(clf: Any) -> None:
    if not isinstance(clf, GeneralizedNB):
        hint = "; pass its last step" if hasattr(clf, "steps") else ""
        raise TypeError(f"clf must be a fitted GeneralizedNB, got {type(clf).__name__} instead{hint}.")
    check_is_fitted(clf)


def _check_bootstrap(bootstrap: Any) -> None:
    is_whole = isinstance(bootstrap, Integral) and not isinstance(bootstrap, bool)
    if bootstrap is not None and not (is_whole and (bootstrap == 0 or bootstrap >= 2)):
        raise ValueError(
            f"bootstrap must be a number of refits from 2, 0 for none, or None, got {bootstrap!r} instead."
        )


def _name_of(y: Any) -> str:
    name = getattr(y, "name", None)
    return name if isinstance(name, str) else ""


def _plan(
    clf: GeneralizedNB, subject: Subject, given: Given | None, by: Any, bootstrap: int | None, verbose: int
) -> Plan:
    event = subject.event.at
    if by is not None and (given is None or given.labels is None):
        raise ValueError("by needs rows whose classes are known; give X and y, or leave by out.")
    if by is not None and event is None:
        raise ValueError("by needs to know which class is the event; give pos_label, or event in the dictionary.")
    parts = [] if by is None or given is None else make_parts(clf, subject, given, by)
    is_binary = len(subject.classes) == 2 and event is not None
    classes = [event] if is_binary and event is not None else list(range(len(subject.classes)))
    return Plan(classes, event, parts, bootstrap, progress_line("bootstrap refits", verbose))


def _evaluation(clf: GeneralizedNB, given: Given | None, plan: Plan, *, new_rows: bool) -> dict[str, Any] | None:
    """The evaluation on the rows, or else the one stored with the model."""
    rows = None if given is None else given.rows
    if given is not None and rows is not None:
        return evaluate(clf, rows, given.is_seen, plan, new_rows=new_rows)
    return None if clf.evaluation_ is None else describe_kept(clf.evaluation_, plan)


def _facts(clf: GeneralizedNB, subject: Subject) -> dict[str, Any]:
    counts, order = clf.counts_, clf.tree_.order
    return {
        "rows": float(counts.n),
        "classRows": [float(count) for count in counts.classes],
        "hasOwnPrior": clf.class_prior is not None,
        "structure": clf.structure,
        "isWeighted": clf.model_.unknown_rule == "averaged",
        "isBoosted": clf.interactions != "tree",
        "smoothing": clf.smoothing,
        "alpha": clf.alpha_,
        "features": len(clf.features_),
        "used": len(order),
        "withGaps": [subject.names[j] for j in order.tolist() if clf.features_[j].has_missing],
        "weight": clf.weight_,
        "naiveWeight": float(class_information(counts)[order].sum()),
    }


def _included(clf: GeneralizedNB, subject: Subject, given: Given, rows: Any) -> list[dict[str, Any]]:
    """The requested rows: numbers unchanged, choices as codes, None for missing, -1 for unseen values."""
    columns: list[list[float | None]] = []
    positions = _positions(rows, len(given.codes))
    for j in clf.tree_.order.tolist():
        feature, column = clf.features_[j], given.codes[:, j]
        if not subject.columns[j].asked:
            columns.append([None] * len(positions))
        elif feature.kind == "interval":
            numbers = given.table.columns[j][positions].astype(np.float64)
            columns.append([None if number != number else number for number in numbers.tolist()])
        else:
            known = {feature.missing_code: None, feature.unseen_code: -1}
            columns.append([known.get(code, code) for code in column[positions].tolist()])
    return [
        {
            "number": row + 1,
            "class": None if given.labels is None else int(given.labels[row]),
            "values": [column[at] for column in columns],
        }
        for at, row in enumerate(positions)
    ]


def _positions(rows: Any, n_rows: int) -> list[int]:
    """Positions of the requested rows: the first ones, or those listed."""
    if isinstance(rows, Integral) and not isinstance(rows, bool):
        if rows < 0:
            raise ValueError(f"rows must be a number of rows from 0, or positions of rows, got {rows!r} instead.")
        return list(range(min(int(rows), n_rows)))
    if isinstance(rows, str | bytes | bool) or not isinstance(rows, Iterable):
        raise ValueError(f"rows must be a number of rows from 0, or positions of rows, got {rows!r} instead.")
    positions = list(rows)
    for position in positions:
        if not isinstance(position, Integral) or isinstance(position, bool) or not 0 <= int(position) < n_rows:
            raise ValueError(f"rows must be positions from 0 to {n_rows - 1}, the rows of X, got {position!r} instead.")
    return [int(position) for position in positions]
