"""The arguments of `run.py`. Standard library only: they are read before the environment is entered."""

import argparse
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from environment import ROOT
from registry import CLASSIFIERS, DEFAULT, RIVALS
from roles import ROLES, SUITE, named

FOLDER = ROOT / "benchmarks" / "accuracy"
RESULTS = FOLDER / "results.csv"
# Not committed: what variants of ours under development have reached.
VARIANTS = FOLDER / "results" / "variants.csv"
SPLITS = (1, 2, 3, 4, 5)


def parse_arguments(words: list[str] | None = None) -> argparse.Namespace:
    """The arguments, checked; `output` and `splits` are filled in."""
    parser = argparse.ArgumentParser(description="Accuracy and calibration of ours and its rivals on many tables.")
    add = parser.add_argument
    usual = ",".join((DEFAULT, *RIVALS))
    add("--tables", type=table_names, default=list(SUITE), help=f"names, or of {', '.join(ROLES)} (default: SUITE)")
    add("--classifier", type=_names(CLASSIFIERS), default=usual, help="one or more (default: %(default)s)")
    add("--splits", type=_splits, default=SPLITS, help="of 1 to 5 (default: all)")
    add("--limit", type=float, default=600.0, help="processor seconds for one fit and its predictions (default: 600)")
    add("--confirm", action="store_true", help="also run ours on confirmation tables, which is done once a release")
    add(
        "--src",
        type=_source,
        help="a folder that holds gnbayes: measure that instead, results are not kept in the repo",
    )
    add("--arguments", type=json.loads, default={}, help='JSON of constructor arguments of ours, {"n_bins": 5}')
    add("--output", type=Path, help=f"the CSV (default: {RESULTS.name}, and results/{VARIANTS.name} with --src)")
    arguments = parser.parse_args(words)
    variant = arguments.src or arguments.arguments
    arguments.output = arguments.output or (VARIANTS if variant else RESULTS)
    return arguments


def table_names(text: str) -> list[str]:
    """Names of tables from words that commas or spaces part."""
    try:
        return named(text.replace(",", " ").split())
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _splits(text: str) -> tuple[int, ...]:
    chosen = tuple(int(word) for word in text.split(","))
    if not set(chosen) <= set(SPLITS):
        raise argparse.ArgumentTypeError(f"splits are 1 to 5, got {text}")
    return chosen


def _source(text: str) -> Path:
    for folder in (Path(text), Path(text) / "src"):
        if (folder / "gnbayes" / "__init__.py").is_file():
            return folder.resolve()
    raise argparse.ArgumentTypeError(f"there is no gnbayes/__init__.py in {text} or {text}/src")


def _names(known: Iterable[str]) -> Callable[[str], list[str]]:
    def parse(text: str) -> list[Any]:
        names = text.split(",")
        unknown = set(names) - set(known)
        if unknown:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
        return names

    return parse
