"""Export as an SQL query, for predictions inside a database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes._version import __version__
from gnbayes.files.plain_model import PlainColumn, PlainModel, PlainTerm, plain_model

# SQL parsers limit the depth of expressions; this many parts are summed on one level.
_PARTS_OF_SUM = 100
# The default of its SQLITE_MAX_COLUMN.
_COLUMNS_OF_SQLITE = 2000
_LARGEST = "1.7976931348623157E308"


@dataclass(frozen=True)
class Dialect:
    """How one SQL dialect writes names, values and functions.

    Parameters
    ----------
    quote : str
        Quotation mark around names; doubled inside a name.
    text : callable
        A text as a literal.
    number : str
        A column as a number, with ``{}`` for the column.
    no_number : str
        Condition: a value that is not NULL is not a usable number.
    missing : str
        Condition: a number is missing.
    greatest : str
        Function that returns the largest of its arguments.
    materialized : str
        Keyword that prevents a common table expression from being computed more than once.
    entry : str, optional
        The entry of a list, with ``{}`` for its numbers and for the position, from 0; NULL at NULL. Without it,
        tables are nested cases, one for each cell.
    """

    quote: str
    text: Callable[[str], str]
    number: str
    no_number: str
    missing: str
    greatest: str
    materialized: str
    entry: str = ""

    def name(self, name: str) -> str:
        """A name as an identifier."""
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote

    def value(self, value: Any) -> str:
        """A text, truth value or number as a literal."""
        if isinstance(value, str):
            return self.text(value)
        return str(value).upper() if isinstance(value, bool) else _number(float(value), is_short=True)


def _doubled(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _with_backslashes(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_BEYOND = f"NOT {{0}} BETWEEN -{_LARGEST} AND {_LARGEST}"
DIALECTS: dict[str, Dialect] = {
    "duckdb": Dialect(
        '"',
        _doubled,
        "CAST({} AS DOUBLE)",
        _BEYOND,
        "({0} IS NULL OR isnan({0}))",
        "greatest",
        "",
        # Thousands of cases, or of numbers outside a text, would take seconds of planning.
        "CAST('[{}]' AS DOUBLE[])[1 + {}]",
    ),
    "sqlite": Dialect(
        '"',
        _doubled,
        "{}",
        f"typeof({{0}}) NOT IN ('integer', 'real') OR {_BEYOND}",
        "{} IS NULL",
        "max",
        "MATERIALIZED ",
    ),
    "spark": Dialect(
        "`", _with_backslashes, "CAST({} AS DOUBLE)", _BEYOND, "({0} IS NULL OR isnan({0}))", "greatest", ""
    ),
}


def to_sql(
    clf: Any,
    path: str | PathLike[str] | None = None,
    *,
    dialect: str,
    table: str = "data",
    keep: Sequence[str] = (),
) -> str:
    """A fitted classifier as an SQL query with the same probabilities as `predict_proba`.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted, with ``smoothing="additive"`` or ``"backoff"``, or with `weighting`.
    path : str or path-like, optional
        File to write the query to, in UTF-8.
    dialect : {"duckdb", "sqlite", "spark"}
    table : str, default="data"
        The source of the rows, in SQL: ``patients``, ``ward.patients``, or any expression that can follow FROM. It must
        contain the columns that the classifier uses.
    keep : sequence of str, default=()
        Additional columns for the result, such as the key of the rows: SQL does not guarantee an order.

    Returns
    -------
    text : str
        One SELECT without a semicolon. Its columns are those of `keep`, ``prediction``, and ``probability of`` each
        class.

    Notes
    -----
    NULL and NaN represent a missing value. If the column had no missing values in training, or if a value was never
    seen in training, the value is unknown: `GeneralizedNB` averages over its possible values, and the query returns
    NULL for prediction and probabilities. The same holds for infinite numbers. Every column used takes one or two
    columns of intermediate results, of which SQLite allows 2000; more are an error here. So are columns whose names
    differ only in case, which databases take for one. With hundreds of columns, planning the query takes much longer
    than running it on a few rows. SQLite needs its mathematical functions, which are
    included by default since 3.35.

    Examples
    --------
    >>> import sqlite3
    >>> from gnbayes import GeneralizedNB, to_sql
    >>> rows = [[34, "no"], [71, "yes"], [58, "yes"], [45, "no"], [29, "no"]]
    >>> clf = GeneralizedNB(n_bins=2, weighting=None).fit(rows, ["well", "ill", "ill", "well", "well"])
    >>> database = sqlite3.connect(":memory:")
    >>> _ = database.execute("CREATE TABLE patients (id, x0, x1)")
    >>> _ = database.execute("INSERT INTO patients VALUES (7, 65, 'yes'), (8, 30, 'perhaps')")
    >>> query = to_sql(clf, dialect="sqlite", table="patients", keep=["id"])
    >>> for number, prediction, ill, well in database.execute(query + " ORDER BY id"):
    ...     print(number, prediction, ill if ill is None else round(ill, 3))
    7 ill 0.738
    8 None None
    >>> database.close()
    """
    if dialect not in DIALECTS:
        raise ValueError(f"dialect must be one of {', '.join(map(repr, DIALECTS))}, got {dialect!r} instead.")
    query = _Query(plain_model(clf, "to_sql"), DIALECTS[dialect], tuple(keep))
    _check_names(query)
    if dialect == "sqlite":
        _check_number(query)
    text = query.text(table)
    if path is not None:
        Path(path).write_text(text + "\n", encoding="utf-8", newline="\n")
    return text


class _Query:
    """Queries on queries: codes, positions in tables, scores against one class, the largest score, exponentials."""

    def __init__(self, model: PlainModel, dialect: Dialect, keep: tuple[str, ...]) -> None:
        self.model, self.dialect, self.keep = model, dialect, keep
        # A class with prior 0 cannot be the reference class.
        self.reference = int(np.argmax(model.intercept))
        self.others = [label for label in range(len(model.classes)) if label != self.reference]
        wanted = {pair for term in model.terms for pair in zip(term.columns, term.positions, strict=True)}
        self.axes = {pair: f"gnbayes_p{at}" for at, pair in enumerate(sorted(wanted))}

    def text(self, table: str) -> str:
        """The whole query."""
        codes = [(self._code(column), f"gnbayes_c{at}") for at, column in enumerate(self.model.columns)]
        places = [(_position(f"gnbayes_c{at}", own), name) for (at, own), name in self.axes.items()]
        scores = [(self._score(label), f"gnbayes_s{label}") for label in self.others]
        known = [f"gnbayes_s{label}" for label in self.others]
        # In some dialects, the largest value ignores NULL.
        found = f"{self.dialect.greatest}(0.0E0, {', '.join(known)})"
        largest = [(f"CASE WHEN {known[0]} IS NOT NULL THEN {found} END", "gnbayes_m")]
        shares = [(f"exp({self._own(label)} - gnbayes_m)", f"gnbayes_e{label}") for label in self._labels]
        again = [(name, name) for name in [*known, "gnbayes_m"]]
        steps = [
            self._step("gnbayes_coded", codes, f"{table} AS gnbayes_rows", "gnbayes_rows."),
            self._step("gnbayes_placed", places, "gnbayes_coded"),
            self._step("gnbayes_scored", scores, "gnbayes_placed"),
            self._step("gnbayes_ranked", [*again[:-1], *largest], "gnbayes_scored"),
            self._step("gnbayes_shared", [*again, *shares], "gnbayes_ranked"),
        ]
        head = f"-- Probabilities of a classifier fitted by gnbayes {__version__}.\n"
        return head + "WITH " + ",\n".join(steps) + "\n" + self._last()

    @property
    def _labels(self) -> range:
        return range(len(self.model.classes))

    def _own(self, label: int) -> str:
        return "0.0E0" if label == self.reference else f"gnbayes_s{label}"

    def _step(self, name: str, columns: Sequence[tuple[str, str]], source: str, prefix: str = "") -> str:
        kept = [f"{prefix}{self.dialect.name(column)}" for column in self.keep]
        # A column that keeps its name is written only once.
        written = [value if value == own else f"{value} AS {own}" for value, own in columns]
        return (
            f"{name} AS {self.dialect.materialized}(SELECT\n  " + ",\n  ".join([*kept, *written]) + f"\nFROM {source})"
        )

    def _last(self) -> str:
        names = [self.dialect.name(f"probability of {label}") for label in self.model.classes]
        total = _sum([f"gnbayes_e{label}" for label in self._labels])
        cases = [
            f"WHEN {self._own(label)} = gnbayes_m THEN {self.dialect.value(self.model.classes[label])}"
            for label in self._labels
        ]
        columns = [
            *(self.dialect.name(column) for column in self.keep),
            f"CASE {' '.join(cases)} END AS prediction",
            *(f"gnbayes_e{label} / {total} AS {name}" for label, name in zip(self._labels, names, strict=True)),
        ]
        return "SELECT\n  " + ",\n  ".join(columns) + "\nFROM gnbayes_shared"

    def _code(self, column: PlainColumn) -> str:
        raw = f"gnbayes_rows.{self.dialect.name(column.name)}"
        missing = "NULL" if column.missing is None else str(column.missing)
        if column.kind == "text":
            cases = [
                f"WHEN {raw} = {self.dialect.text(text)} THEN {code}" for code, text in enumerate(column.categories)
            ]
            return f"CASE WHEN {raw} IS NULL THEN {missing} {' '.join(cases)} END"
        number = self.dialect.number.format(raw)
        head = f"CASE WHEN {self.dialect.missing.format(number)} THEN {missing} "
        head += f"WHEN {self.dialect.no_number.format(number)} THEN NULL"
        if column.kind == "interval":
            cases = [f"WHEN {number} < {_number(edge)} THEN {code}" for code, edge in enumerate(column.edges)]
            return f"{head} {' '.join(cases)} ELSE {len(column.edges)} END"
        cases = [
            f"WHEN {number} BETWEEN {_number(low)} AND {_number(high)} THEN {code}"
            for code, (low, high) in enumerate(column.ranges)
        ]
        return f"{head} {' '.join(cases)} END"

    def _score(self, label: int) -> str:
        """The score of a class minus that of the reference class; NULL if a code is NULL."""
        start = self.model.intercept[label] - self.model.intercept[self.reference]
        parts = [_number(float(start)), *(self._part(term, label) for term in self.model.terms)]
        while len(parts) > _PARTS_OF_SUM:
            parts = [_sum(parts[at : at + _PARTS_OF_SUM]) for at in range(0, len(parts), _PARTS_OF_SUM)]
        return _sum(parts)

    def _part(self, term: PlainTerm, label: int) -> str:
        names = [self.axes[pair] for pair in zip(term.columns, term.positions, strict=True)]
        table = term.table[..., label] - term.table[..., self.reference]
        if not names or not self.dialect.entry:
            return _looked_up(names, table)
        steps = [prod(table.shape[axis + 1 :]) for axis in range(len(names))]
        place = " + ".join(name if step == 1 else f"{step} * {name}" for name, step in zip(names, steps, strict=True))
        return self.dialect.entry.format(", ".join(map(_number, table.ravel().tolist())), place)


def _check_names(query: _Query) -> None:
    """Raise an error for names that a database would take for one another: the answers would be wrong."""
    names = [column.name for column in query.model.columns]
    by_lower: dict[str, str] = {}
    for name in dict.fromkeys([*names, *query.keep]):
        other = by_lower.setdefault(name.lower(), name)
        if other != name:
            raise ValueError(
                f"columns {other!r} and {name!r} differ only in case, and databases take them for one; rename one of "
                "them and fit again."
            )
    ours = next((name for name in query.keep if name.lower().startswith("gnbayes_")), None)
    if ours is not None:
        raise ValueError(f"keep names {ours!r}, and names with 'gnbayes_' are used in the query; rename the column.")


def _check_number(query: _Query) -> None:
    n = len(query.keep) + max(len(query.model.columns), len(query.axes))
    if n > _COLUMNS_OF_SQLITE:
        raise ValueError(
            f"the query needs {n} columns of intermediate results, and SQLite allows {_COLUMNS_OF_SQLITE}; fit with "
            "fewer columns (n_features), or use to_python or another dialect."
        )


def _position(code: str, own: tuple[int, ...]) -> str:
    """The position along an axis of a table, by the code."""
    if own == tuple(range(len(own))):
        return code
    return f"CASE {code} " + " ".join(f"WHEN {at} THEN {place}" for at, place in enumerate(own)) + " END"


def _looked_up(names: list[str], table: NDArray[np.float64]) -> str:
    """The entry of a table at given positions; there is no ELSE, so NULL stays NULL."""
    if not names:
        return _number(float(table))
    cases = " ".join(f"WHEN {at} THEN {_looked_up(names[1:], part)}" for at, part in enumerate(table))
    return f"CASE {names[0]} {cases} END"


def _sum(parts: list[str]) -> str:
    return "(" + " + ".join(parts) + ")"


def _number(number: float, *, is_short: bool = False) -> str:
    """A number as a float64 literal: without an exponent, some dialects read it as a decimal."""
    if is_short and number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    text = repr(number)
    return text if "e" in text else text + "E0"
