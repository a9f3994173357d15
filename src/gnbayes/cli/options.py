"""Options that several verbs share."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.tables import Source
from gnbayes.encoding import DISCRETIZERS, Feature
from gnbayes.estimator import GeneralizedNB
from gnbayes.files import ModelFileError, load
from gnbayes.scale.files import MISSING
from gnbayes.structure import STRUCTURES


def add_reading(parser: argparse.ArgumentParser, *, is_optional: bool = False) -> None:
    """Options for reading a table."""
    parser.add_argument(
        "table",
        nargs="?" if is_optional else None,
        help="CSV or TSV file, also gzipped; Parquet or Feather file; - for CSV on standard input",
    )
    parser.add_argument(
        "--missing", action="append", metavar="TEXT", help=f"a cell that is missing (default: {_tokens()})"
    )
    parser.add_argument("--encoding", default="utf-8", help="of a text file (default: utf-8)")
    parser.add_argument("--separator", metavar="SIGN", help="between the cells of a text file, such as ';'")
    parser.add_argument("--decimal", default=".", metavar="SIGN", help="decimal point of a text file (default: .)")


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Options that override what is guessed of columns."""
    parser.add_argument("--target", required=True, metavar="COLUMN", help="the column to predict")
    parser.add_argument("--drop", action="append", default=[], metavar="COLUMN", help="leave a column out")
    parser.add_argument("--category", action="append", default=[], metavar="COLUMN", help="numbers that are categories")
    parser.add_argument("--text", action="append", default=[], metavar="COLUMN", help="read a column as text")
    parser.add_argument("--number", action="append", default=[], metavar="COLUMN", help="read a column as numbers")
    parser.add_argument(
        "--edges", action="append", default=[], metavar="COLUMN=CUTS", help="cut here, such as age=40,60"
    )


def add_learning(parser: argparse.ArgumentParser) -> None:
    """Options of the classifier."""
    structures = "; ".join(f"{name}: {structure.description}" for name, structure in STRUCTURES.items())
    parser.add_argument("--structure", default="gnb-o", choices=list(STRUCTURES), help=f"which tree; {structures}")
    parser.add_argument("--bins", default="quantile", choices=list(DISCRETIZERS), help=bins_help())
    parser.add_argument(
        "--n-bins", type=_number_or_auto, default="auto", metavar="N", help="intervals a column (default: auto)"
    )
    parser.add_argument("--smoothing", default="additive", choices=["additive", "backoff", "paper"])
    parser.add_argument(
        "--alpha", type=_strength, default=1.0, metavar="A", help="strength of smoothing, or 'auto' (default: 1)"
    )
    parser.add_argument(
        "--weighting",
        default="discriminative",
        choices=["discriminative", "none"],
        help="learn the tables for the class, or 'none' for counted probabilities (default: discriminative)",
    )
    parser.add_argument("--n-features", type=_number_or_auto, metavar="N", help="use the first N features, or 'auto'")


def bins_help() -> str:
    """What the names of discretizers mean."""
    return "how numbers are cut; " + "; ".join(f"{name}: {choice.description}" for name, choice in DISCRETIZERS.items())


def source_of(
    arguments: argparse.Namespace, types: dict[str, str] | None = None, columns: tuple[str, ...] | None = None
) -> Source:
    """The table that the arguments name."""
    for option in ("separator", "decimal"):
        sign = getattr(arguments, option)
        if sign is not None and len(sign) != 1:
            raise CommandError(f"--{option} must be one sign, got {sign!r}.")
    missing = MISSING if arguments.missing is None else tuple(arguments.missing)
    given = dict.fromkeys(getattr(arguments, "text", []), "text")
    given |= dict.fromkeys(getattr(arguments, "number", []), "number")
    return Source(
        arguments.table,
        missing,
        arguments.encoding,
        {**(types or {}), **given},
        columns,
        arguments.separator,
        arguments.decimal,
    )


def classifier_of(arguments: argparse.Namespace, columns: list[str]) -> GeneralizedNB:
    """The classifier that the arguments describe, not fitted."""
    edges = dict(_edges(text, columns) for text in arguments.edges)
    for name in (*arguments.category, *arguments.drop, *arguments.text, *arguments.number):
        if name not in (*columns, *arguments.drop, arguments.target):
            raise no_such("column", name, columns)
    if edges and arguments.bins != "quantile":
        raise CommandError("--edges goes with --bins quantile: the columns without edges are cut at quantiles.")
    return GeneralizedNB(
        arguments.structure,
        discretizer=edges or arguments.bins,
        n_bins=arguments.n_bins,
        smoothing=arguments.smoothing,
        alpha=arguments.alpha,
        weighting=None if arguments.weighting == "none" else arguments.weighting,
        n_features=arguments.n_features,
        categorical_features=arguments.category or "from_dtype",
        verbose=1,
    )


def load_model(path: str) -> GeneralizedNB:
    """Read a model file, or fail in a sentence."""
    try:
        return load(path)
    except FileNotFoundError:
        raise CommandError(f"there is no file {path!r}.") from None
    except (ModelFileError, OSError) as error:
        raise CommandError(str(error)) from None


def column_types(features: Iterable[Feature]) -> dict[str, str]:
    """How to read the columns of a table for the features of a model."""
    kinds = {}
    for feature in features:
        if feature.is_text or not feature.n_values:
            kinds[feature.name] = "text"
        else:
            kinds[feature.name] = "bool" if isinstance((*feature.categories, 0.0)[0], bool) else "number"
    return kinds


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


def _number_or_auto(text: str) -> int | str:
    if text != "auto" and not text.isdigit():
        raise argparse.ArgumentTypeError(f"must be a number or 'auto', got {text!r}")
    return text if text == "auto" else int(text)


def _strength(text: str) -> float | str:
    try:
        return text if text == "auto" else float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number or 'auto', got {text!r}") from None


def positive(text: str) -> int:
    """A whole number from 1."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, got {text!r}")
    return int(text)


def _tokens() -> str:
    return " ".join(repr(token) for token in MISSING)
