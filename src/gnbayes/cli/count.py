"""gnbayes count: the counts of a site, to be merged with those of other sites."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from gnbayes.cli.failure import CommandError
from gnbayes.cli.messages import note
from gnbayes.cli.models import class_type, column_types
from gnbayes.cli.options import add_reading, epsilon, positive, source_of
from gnbayes.cli.output import check_output, print_json
from gnbayes.cli.streams import stream_of
from gnbayes.sites import (
    Persons,
    SiteCounts,
    SiteFeatures,
    begin_ledger,
    count_site,
    load_features,
    load_ledger,
    load_tree,
    release,
    release_id,
    reveals,
    save_counts,
    suppress,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_reading(parser)
    parser.add_argument("--features", required=True, metavar="FILE", help="Features file, the same at all sites")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="counts file to write, such as a.counts")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--no-pairs", action="store_true", help="only single columns, for naive Bayes")
    what.add_argument(
        "--survey", action="store_true", help="the first of two steps: columns, and which pairs depend on each other"
    )
    what.add_argument("--tree", metavar="FILE", help="the second step: what this tree file asks for")
    parser.add_argument("--suppress", type=positive, metavar="N", help="write cells of fewer than N rows as 0")
    parser.add_argument(
        "--epsilon", type=epsilon, metavar="E", help="add noise for E-differential privacy; needs --ledger"
    )
    parser.add_argument("--ledger", metavar="FILE", help="what this site has spent so far; kept at the site")
    parser.add_argument(
        "--budget", type=epsilon, metavar="E", help="begin the ledger: the most that all releases together may spend"
    )
    parser.add_argument(
        "--person", metavar="COLUMN", help="protect persons: the column that identifies the person of each row"
    )
    parser.add_argument(
        "--rows-per-person", type=positive, metavar="N", help="number of rows per person to count (default: the first)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Count, print what the file reveals, and write it."""
    _check(arguments)
    features = load_features(arguments.features)
    persons = _persons(arguments, features)
    if arguments.epsilon is not None:
        _prepare_ledger(arguments, persons)
    counts = _count(arguments, features, persons)
    if arguments.suppress is not None:
        counts = suppress(counts, arguments.suppress)
    told: dict[str, Any] = {"output": arguments.output}
    if arguments.epsilon is not None:
        counts = release(counts, arguments.epsilon, arguments.ledger)
        told["budget_left"] = float(load_ledger(arguments.ledger).left)
        note(f"{told['budget_left']:g} of the budget is left")
    save_counts(counts, arguments.output)
    told |= {"release": release_id(counts), "reveals": reveals(counts)}
    if arguments.json:
        print_json(told)
    else:
        print(told["reveals"])
    note(f"release {told['release'].removeprefix('sha256:')[:12]} written to {arguments.output}")


def _check(arguments: argparse.Namespace) -> None:
    if arguments.suppress is not None and arguments.epsilon is not None:
        raise CommandError("--suppress and --epsilon cannot be combined; noise also protects small cells.")
    if arguments.suppress == 1:
        raise CommandError("--suppress must be a whole number from 2, got 1; cells of fewer than 1 row are empty.")
    if arguments.survey and arguments.epsilon is None:
        raise CommandError("--survey needs --epsilon; without noise, count all pairs in one step.")
    if arguments.epsilon is not None and arguments.ledger is None:
        raise CommandError("--epsilon needs --ledger FILE, in which the site records what it has spent so far.")
    if arguments.epsilon is None and (arguments.ledger or arguments.budget):
        raise CommandError("--ledger and --budget need --epsilon; without noise nothing is protected.")
    if arguments.rows_per_person is not None and arguments.person is None:
        raise CommandError("--rows-per-person needs --person COLUMN, which identifies the person of each row.")
    for path in (arguments.output, arguments.ledger):
        check_output(path)


def _prepare_ledger(arguments: argparse.Namespace, persons: Persons | None) -> None:
    """Start the ledger if a budget is given, and check that enough is left before anything is counted."""
    if arguments.budget is not None:
        begin_ledger(arguments.ledger, arguments.budget, persons)
    elif not Path(arguments.ledger).exists():
        raise CommandError(f"there is no ledger {arguments.ledger!r}; begin it with --budget E, the most to be spent.")
    load_ledger(arguments.ledger).check(arguments.epsilon, persons)


def _persons(arguments: argparse.Namespace, features: SiteFeatures) -> Persons | None:
    if arguments.person is None:
        return None
    if arguments.person in (*features.names, features.target):
        raise CommandError(
            f"--person {arguments.person!r} is one of the model's columns; make the Features without it, with "
            "gnbayes features --drop."
        )
    return Persons(arguments.person, arguments.rows_per_person or 1)


def _count(arguments: argparse.Namespace, features: SiteFeatures, persons: Persons | None) -> SiteCounts:
    """Read the columns of the features and the one that identifies persons, and count the rows."""
    kind, columns = class_type(features.classes), features.names
    types = column_types(features.features) | ({} if kind is None else {features.target: kind})
    if persons is not None:
        types[persons.column] = "text"
        columns = (*columns, persons.column)
    batches = stream_of(source_of(arguments, types), features.target, columns)
    return count_site(features, batches, _what(arguments), persons=persons)


def _what(arguments: argparse.Namespace) -> Any:
    if arguments.tree is not None:
        return load_tree(arguments.tree)
    return "columns" if arguments.no_pairs else "survey" if arguments.survey else "pairs"
