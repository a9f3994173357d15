"""Export as one Python module without dependencies."""

from __future__ import annotations

from math import prod
from os import PathLike
from pathlib import Path
from typing import Any

from gnbayes._version import __version__
from gnbayes.files.plain_model import PlainColumn, PlainModel, PlainTerm, plain_model

_FUNCTIONS = '''

def predict_proba(row):
    """Probability of each class, in the order of CLASSES; None if a value is unknown to the model.

    A row is a mapping from column names to values. None, NaN and omitted names mean that a value is missing.
    """
    codes = [_code(column, row.get(column[0])) for column in COLUMNS]
    if None in codes:
        return None
    scores = list(INTERCEPT)
    for columns, offsets, table in TERMS:
        cell = sum(own[codes[at]] for at, own in zip(columns, offsets))
        for label, score in enumerate(table[cell]):
            scores[label] += score
    largest = max(scores)
    shares = [exp(score - largest) for score in scores]
    total = sum(shares)
    return [share / total for share in shares]


def predict(row):
    """The most probable class; None if a value is unknown to the model."""
    proba = predict_proba(row)
    return None if proba is None else CLASSES[proba.index(max(proba))]


def _code(column, value):
    """Code of a value; None if it is unknown."""
    name, kind, values, missing = column
    if value is None or value != value:
        return missing
    if isinstance(value, str) != (kind == "text"):
        raise TypeError(f"column {name!r} must be {'text' if kind == 'text' else 'a number'}, got {value!r} instead.")
    if kind == "text":
        return values.index(value) if value in values else None
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"column {name!r} must be a finite number, got {value!r} instead.")
    if kind == "interval":
        return bisect_right(values, value)
    return next((code for code, (low, high) in enumerate(values) if low <= value <= high), None)
'''


def to_python(clf: Any, path: str | PathLike[str] | None = None) -> str:
    """A fitted classifier as a Python module without dependencies, with the same probabilities as `predict_proba`.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted, with ``smoothing="additive"`` or ``"backoff"``, or with `weighting`.
    path : str or path-like, optional
        File to write the module to, in UTF-8.

    Returns
    -------
    text : str
        The source of the module. It has ``CLASSES`` and two functions of one row, a mapping from column names to
        values: ``predict_proba(row)``, a list in the order of the classes, and ``predict(row)``.

    Notes
    -----
    None, NaN and an omitted name represent a missing value. If the column had no missing values in training, or if a
    value was never seen in training, the value is unknown: `GeneralizedNB` averages over its possible values, and the
    module returns None.

    Examples
    --------
    >>> from gnbayes import GeneralizedNB, to_python
    >>> rows = [[34, "no"], [71, "yes"], [58, "yes"], [45, "no"], [29, "no"]]
    >>> clf = GeneralizedNB(n_bins=2, weighting=None).fit(rows, ["well", "ill", "ill", "well", "well"])
    >>> module = {}
    >>> exec(to_python(clf), module)
    >>> module["predict"]({"x0": 65, "x1": "yes"})
    'ill'
    >>> [round(share, 3) for share in module["predict_proba"]({"x0": 65, "x1": "yes"})]
    [0.738, 0.262]
    >>> module["predict_proba"]({"x0": 65}) is None
    True
    """
    text = _module_text(plain_model(clf, "to_python"))
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    return text


def _module_text(model: PlainModel) -> str:
    lines = [
        f'"""A classifier fitted by gnbayes {__version__}, as plain Python without dependencies."""',
        "",
        "from bisect import bisect_right",
        "from math import exp",
        "",
        f"CLASSES = {list(model.classes)!r}",
        "",
        '# Name, kind, values and code of a missing value. Values: the edges of an "interval", the range of each',
        '# "number", or the texts.',
        *_listed("COLUMNS", [_column_text(column) for column in model.columns]),
        "",
        f"INTERCEPT = {model.intercept.tolist()!r}",
        "",
        "# Columns, the offset of each of their codes in the table, and for every cell of the table what it adds to",
        "# the scores of the classes.",
        *_listed("TERMS", [_term_text(term) for term in model.terms]),
    ]
    return "\n".join(lines) + "\n" + _FUNCTIONS


def _listed(name: str, items: list[str]) -> list[str]:
    return [f"{name} = [", *(f"    {item}," for item in items), "]"]


def _column_text(column: PlainColumn) -> str:
    values = {"interval": column.edges, "number": column.ranges, "text": column.categories}[column.kind]
    return repr((column.name, column.kind, list(values), column.missing))


def _term_text(term: PlainTerm) -> str:
    sizes = term.table.shape[:-1]
    steps = [prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
    offsets = [[at * step for at in own] for own, step in zip(term.positions, steps, strict=True)]
    return repr((list(term.columns), offsets, term.table.reshape(-1, term.table.shape[-1]).tolist()))
