"""A fitted classifier, and rows if there are any, become one plain dict: all that the page shows."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from gnbayes._version import __version__
from gnbayes.encoding import Table, check_table, check_target, encode, label_indices
from gnbayes.estimator import GeneralizedNB
from gnbayes.reporting.evaluation import choose_steps, evaluate
from gnbayes.reporting.layout import draw_tree
from gnbayes.reporting.model_part import describe_importances, describe_model, fingerprint
from gnbayes.reporting.names import distinct, shown
from gnbayes.reporting.quality import inspect_columns
from gnbayes.reporting.scoring import Rows
from gnbayes.structure import class_information


def summarize(
    clf: GeneralizedNB, X: Any = None, y: Any = None, *, rows: Any = 0, title: str | None = None, pos_label: Any = None
) -> dict[str, Any]:
    """All that the page shows, as dicts, lists, text and numbers.

    Parameters
    ----------
    clf, X, y, rows, title, pos_label
        As in `report`.

    Returns
    -------
    summary : dict
        Nothing of X or y but counts and scores, except for the rows that are asked for.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.reporting.summarize import summarize
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> summary = summarize(GeneralizedNB(weighting="discriminative").fit(X, y), X, y)
    >>> summary["title"], summary["evaluation"]["how"], summary["evaluation"]["steps"]
    ('0, 1 or 2', 'cross-validation', [1, 2, 3, 4])
    """
    _check_classifier(clf)
    if X is None and y is not None:
        raise ValueError("y is given without X; give the table that it belongs to, or neither.")
    if X is None and not (isinstance(rows, Integral) and rows == 0):
        raise ValueError(f"rows={rows!r} asks for rows of X, but X is not given; give X, or leave rows out.")
    positive = _positive(clf.classes_, pos_label)
    table = None if X is None else check_table(clf, X, reset=False)
    codes = None if table is None else encode(table, clf.features_)
    labels = None if codes is None or y is None else label_indices(check_target(y, len(codes)), clf.classes_)
    model = describe_model(clf)
    names = [feature["name"] for feature in model["features"]]
    importances = describe_importances(clf)
    return {
        "title": _title(clf.classes_) if title is None else shown(title),
        "library": __version__,
        "fingerprint": fingerprint(model),
        "classes": distinct(clf.classes_.tolist()),
        "positive": positive,
        "facts": _facts(clf),
        "model": model,
        "importances": importances,
        "tree": draw_tree(names, model["mother"], [part["withMother"] for part in importances]),
        "steps": list(choose_steps(clf.n_features_, len(clf.classes_))),
        "evaluation": None if codes is None or labels is None else evaluate(clf, Rows(X, codes, labels), positive),
        "quality": inspect_columns(clf, codes),
        "rows": [] if table is None or codes is None else _included(clf, table, codes, labels, rows),
    }


def _check_classifier(clf: Any) -> None:
    if not isinstance(clf, GeneralizedNB):
        hint = "; pass its last step" if hasattr(clf, "steps") else ""
        raise TypeError(f"clf must be a fitted GeneralizedNB, got {type(clf).__name__} instead{hint}.")
    check_is_fitted(clf)


def _title(classes: NDArray[Any]) -> str:
    names = distinct(classes.tolist())
    names = names if len(names) <= 4 else [*names[:3], f"{len(names) - 3} others"]
    return ", ".join(names[:-1]) + " or " + names[-1]


def _positive(classes: NDArray[Any], pos_label: Any) -> int:
    if pos_label is None:
        return len(classes) - 1
    at = np.flatnonzero(classes == pos_label)
    if not len(at):
        raise ValueError(f"pos_label {pos_label!r} is not a class; the classes are {classes.tolist()}.")
    return int(at[0])


def _facts(clf: GeneralizedNB) -> dict[str, Any]:
    counts, order = clf.counts_, clf.feature_order_
    return {
        "rows": float(counts.n),
        "classRows": [float(count) for count in counts.classes],
        "hasOwnPrior": clf.class_prior is not None,
        "structure": clf.structure,
        "isWeighted": clf.model_.unknown_rule == "averaged",
        "smoothing": clf.smoothing,
        "alpha": clf.alpha_,
        "features": len(clf.features_),
        "used": len(order),
        "weight": clf.weight_,
        "naiveWeight": float(class_information(counts)[order].sum()),
    }


def _included(
    clf: GeneralizedNB, table: Table, codes: NDArray[Any], labels: NDArray[np.intp] | None, rows: Any
) -> list[dict[str, Any]]:
    """The rows that are asked for: numbers as they are, choices by their codes, None for missing, -1 for unseen."""
    columns = []
    positions = _positions(rows, len(codes))
    for j in clf.feature_order_.tolist():
        feature, column = clf.features_[j], codes[:, j]
        if feature.kind == "interval":
            numbers = table.columns[j][positions].astype(np.float64)
            columns.append([None if number != number else number for number in numbers.tolist()])
        else:
            known = {feature.missing_code: None, feature.unseen_code: -1}
            columns.append([known.get(code, code) for code in column[positions].tolist()])
    return [
        {
            "number": row + 1,
            "class": None if labels is None else int(labels[row]),
            "values": [column[at] for column in columns],
        }
        for at, row in enumerate(positions)
    ]


def _positions(rows: Any, n_rows: int) -> list[int]:
    """Positions of the rows that are asked for: so many from the start, or those that are listed."""
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
