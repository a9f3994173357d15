"""Options shared by several verbs, and what they mean."""

from __future__ import annotations

import argparse
import math
import sys
from typing import Any

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.reading import MISSING, Source
from gnbayes.cli.terminal import is_terminal
from gnbayes.encoding import DISCRETIZERS
from gnbayes.estimator import GeneralizedNB
from gnbayes.model import SMOOTHINGS
from gnbayes.settings import RULES
from gnbayes.structure import INFORMATIONS, STRUCTURES

_SIGNS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";"}
# Larger values have no effect: the noise is already 0.
_LEAST_EPSILON, _MOST_EPSILON = 1e-6, 1e6
_MOST_ALPHA = 1e100


def add_reading(parser: argparse.ArgumentParser, *, is_optional: bool = False) -> None:
    """Options for reading a table."""
    group = parser.add_argument_group("reading a table", "Everything is detected automatically; options override it.")
    parser.add_argument(
        "table",
        nargs="?" if is_optional else None,
        help="CSV, Parquet, Feather, Excel, JSON lines, SQLite or DuckDB file, or - for standard input; text may be "
        "compressed",
    )
    group.add_argument("--encoding", metavar="NAME", help="encoding of a text file, such as latin-1")
    group.add_argument("--separator", type=_sign, metavar="SIGN", help="separator of a text file: , ; tab |")
    group.add_argument("--decimal", type=_sign, metavar="SIGN", help="decimal sign of a text file: . or ,")
    group.add_argument(
        "--header", action=argparse.BooleanOptionalAction, help="whether the first line names the columns"
    )
    group.add_argument("--sheet", metavar="NAME", help="sheet of an Excel file (default: the first)")
    group.add_argument("--query", metavar="SQL", help="rows of a SQLite or DuckDB file")
    group.add_argument(
        "--missing", action="append", metavar="TEXT", help=f"text of a missing value (default: {_tokens()})"
    )


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Options that describe columns."""
    group = parser.add_argument_group("columns", "All but --target can be given several times.")
    group.add_argument("--target", required=True, metavar="COLUMN", help="the column to predict")
    group.add_argument("--drop", action="append", default=[], metavar="COLUMN", help="ignore a column")
    group.add_argument(
        "--category", action="append", default=[], metavar="COLUMN", help="treat a column of numbers as categories"
    )
    group.add_argument("--text", action="append", default=[], metavar="COLUMN", help="read a column as text")
    group.add_argument("--number", action="append", default=[], metavar="COLUMN", help="read a column as numbers")
    group.add_argument(
        "--edges", action="append", default=[], metavar="COLUMN=CUTS", help="bin edges, such as age=40,60"
    )


def add_group(parser: argparse.ArgumentParser) -> None:
    """The option for rows that belong together."""
    parser.add_argument(
        "--group",
        metavar="COLUMN",
        help="rows with the same value belong together, such as those of one patient: folds keep them together, and "
        "the model does not use the column",
    )


def add_learning(parser: argparse.ArgumentParser, *, shows_n_features: bool = True) -> None:
    """Options of the classifier; one that a verb refuses is not shown in its help."""
    group = parser.add_argument_group("learning")
    group.add_argument(
        "--structure", default="gnb-o", choices=list(STRUCTURES), help="how the tree is learned (default: gnb-o)"
    )
    group.add_argument(
        "--bins", default="quantile", choices=list(DISCRETIZERS), help="how to bin numbers (default: quantile)"
    )
    group.add_argument("--n-bins", type=_bins, default="auto", metavar="N", help="bins per column (default: auto)")
    group.add_argument(
        "--interactions",
        action="append",
        metavar="WHICH",
        help="tables of several features: 'auto', 'tree', a number of further pairs, or columns such as age,dose, also "
        "several times (default: auto)",
    )
    group.add_argument(
        "--n-fits", type=_fits, default="auto", metavar="N", help="take the mean of N fits (default: auto)"
    )
    group.add_argument(
        "--weighting",
        default="discriminative",
        choices=["discriminative", "none"],
        help="fit the tables to predict the class, or 'none' for counted probabilities (default: discriminative)",
    )
    group.add_argument(
        "--information",
        default="corrected",
        choices=list(INFORMATIONS),
        help="the information that chooses the tree (default: corrected)",
    )
    group.add_argument(
        "--smoothing",
        default="additive",
        choices=list(SMOOTHINGS),
        help="smoothing of counted probabilities (default: additive)",
    )
    group.add_argument(
        "--alpha",
        type=_smoothing_amount_or_auto,
        default=1.0,
        metavar="A",
        help="how much smoothing, or 'auto' (default: 1)",
    )
    group.add_argument(
        "--n-features",
        type=_number_of_features,
        metavar="N",
        help="use the N features that add most, 'auto' for the fewest within noise of the best number, or 'few' for "
        "the fewest within one standard error of it"
        if shows_n_features
        else argparse.SUPPRESS,
    )


def add_unknown(parser: argparse.ArgumentParser) -> None:
    """Declare the option that names unknown columns."""
    parser.add_argument(
        "--unknown",
        action="append",
        metavar="COLUMN",
        help="treat a column as unknown, and average over its possible values",
    )


def source_of(
    arguments: argparse.Namespace,
    types: dict[str, str] | None = None,
    columns: tuple[str, ...] | None = None,
    as_text: tuple[str, ...] = (),
) -> Source:
    """The table that the arguments name."""
    given = dict.fromkeys(getattr(arguments, "text", []), "text")
    given |= dict.fromkeys(getattr(arguments, "number", []), "number")
    return Source(
        arguments.table,
        MISSING if arguments.missing is None else tuple(_given(text) for text in arguments.missing),
        {**(types or {}), **given},
        columns,
        as_text,
        arguments.encoding,
        arguments.separator,
        arguments.decimal,
        arguments.header,
        arguments.sheet,
        arguments.query,
    )


def classifier_of(arguments: argparse.Namespace, columns: list[str]) -> GeneralizedNB:
    """The classifier that the arguments describe, not fitted."""
    edges = dict(_edges(text, columns) for text in arguments.edges)
    for name in (*arguments.category, *arguments.text, *arguments.number):
        if name not in (*columns, *arguments.drop, arguments.target):
            raise no_such("column", name, columns)
    if edges and arguments.bins != "quantile":
        raise CommandError("--edges needs --bins quantile: the columns without edges are cut at quantiles.")
    if isinstance(arguments.n_features, int) and arguments.n_features > len(columns):
        raise CommandError(f"--n-features is {arguments.n_features}, but the table has {len(columns)} features.")
    return GeneralizedNB(
        arguments.structure,
        discretizer=edges or arguments.bins,
        n_bins=arguments.n_bins,
        **_further(arguments, columns),
        smoothing=arguments.smoothing,
        alpha=arguments.alpha,
        weighting=None if arguments.weighting == "none" else arguments.weighting,
        information=arguments.information,
        n_features=arguments.n_features,
        categorical_features=[name for name in arguments.category if name in columns] or "from_dtype",
        verbose=verbosity(),
    )


def _further(arguments: argparse.Namespace, columns: list[str]) -> dict[str, Any]:
    """Options for verbs that see all rows."""
    if "interactions" not in arguments:
        return {}
    return {
        "interactions": _interactions(arguments.interactions or ["auto"], columns),
        "n_fits": arguments.n_fits,
    }


def _interactions(texts: list[str], columns: list[str]) -> str | int | list[tuple[str, ...]]:
    """The parameter of the classifier: a word, a number, or tuples of columns."""
    if len(texts) == 1 and (texts[0] in ("auto", "tree") or _is_digits(texts[0])):
        return int(texts[0]) if _is_digits(texts[0]) else texts[0]
    terms = [tuple(text.split(",")) for text in texts]
    for name in (name for term in terms for name in term):
        if name not in columns:
            raise no_such("column", name, columns)
    return terms


def verbosity() -> int:
    """Whether to show progress: only in a terminal."""
    return int(is_terminal(sys.stderr))


def positive(text: str) -> int:
    """An integer of at least 1."""
    return _whole(text, 1)


def whole(text: str) -> int:
    """An integer of at least 0."""
    return _whole(text, 0)


def epsilon(text: str) -> str:
    """A number within bounds, kept as text: noise is drawn with its exact value."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not _LEAST_EPSILON <= number <= _MOST_EPSILON:
        raise argparse.ArgumentTypeError(f"must be a number from 1e-6 to 1e6, got {text!r}")
    return text


def _bins(text: str) -> int | str:
    return _number_or_auto(text, 2)


def _fits(text: str) -> int | str:
    return _number_or_auto(text, 1)


def _number_or_auto(text: str, least: int) -> int | str:
    if text != "auto" and (not _is_digits(text) or int(text) < least):
        raise argparse.ArgumentTypeError(f"must be a whole number from {least}, or 'auto', got {text!r}")
    return text if text == "auto" else int(text)


def _whole(text: str, least: int) -> int:
    if not _is_digits(text) or int(text) < least:
        raise argparse.ArgumentTypeError(f"must be a whole number from {least}, got {text!r}")
    return int(text)


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def smoothing_amount(text: str) -> float:
    """A number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number <= _MOST_ALPHA:
        raise argparse.ArgumentTypeError(f"must be a number above 0 and at most 1e100, got {text!r}")
    return number


def _smoothing_amount_or_auto(text: str) -> float | str:
    return text if text == "auto" else smoothing_amount(text)


def _number_of_features(text: str) -> int | str:
    if text not in RULES and (not _is_digits(text) or int(text) < 1):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, 'auto' or 'few', got {text!r}")
    return text if text in RULES else int(text)


def _given(text: str | list[str]) -> str:
    """The text of an option; before Python 3.12, "--" arrives as an empty list."""
    return text if isinstance(text, str) else "--"


def _sign(text: str) -> str:
    sign = _SIGNS.get(text, text)
    if len(sign) != 1:
        raise argparse.ArgumentTypeError(f"must be a single character, or 'tab', got {text!r}")
    return sign


def _edges(text: str, columns: list[str]) -> tuple[str, list[float]]:
    name, sign, cuts = text.rpartition("=")
    if not sign:
        raise CommandError(f"--edges {text!r} must be a column and numbers, such as age=40,60.")
    if name not in columns:
        raise no_such("column", name or text, columns)
    try:
        return name, [float(cut) for cut in cuts.split(",")]
    except ValueError:
        raise CommandError(f"--edges {text!r} must be a column and numbers, such as age=40,60.") from None


def _tokens() -> str:
    return " ".join(repr(token) for token in MISSING)
