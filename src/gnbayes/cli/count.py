"""gnbayes count: the counts of a site, to be merged with those of others."""

from __future__ import annotations

import argparse
import sys

from gnbayes.cli.failure import CommandError
from gnbayes.cli.options import add_reading, column_types, positive, source_of
from gnbayes.cli.streams import stream_of
from gnbayes.sites import SiteFeatures, add_noise, count_site, load_features, save_counts, suppress
from gnbayes.sites.counts_file import reveals

HELP = "count the rows of a site and write the counts to a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_reading(parser)
    parser.add_argument("--features", required=True, metavar="FILE", help="Features file, the same at all sites")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="counts file to write, such as a.counts")
    parser.add_argument("--no-pairs", action="store_true", help="single columns alone, for naive Bayes")
    parser.add_argument("--suppress", type=positive, metavar="N", help="write cells of fewer than N rows as 0")
    parser.add_argument("--epsilon", metavar="E", help="add noise for E-differential privacy of single rows")


def run(arguments: argparse.Namespace) -> None:
    """Count, say what the file reveals, and write it."""
    if arguments.suppress is not None and arguments.epsilon is not None:
        raise CommandError("--suppress and --epsilon do not go together; noise protects small cells, too.")
    features = load_features(arguments.features)
    types = {**column_types(features.features), **_target_type(features)}
    batches = stream_of(source_of(arguments, types), features.target, features.names)
    counts = count_site(features, batches, pairs=not arguments.no_pairs)
    if arguments.suppress is not None:
        counts = suppress(counts, arguments.suppress)
    if arguments.epsilon is not None:
        counts = add_noise(counts, arguments.epsilon)
    save_counts(counts, arguments.output)
    print(reveals(counts))
    print(f"written to {arguments.output}", file=sys.stderr)


def _target_type(features: SiteFeatures) -> dict[str, str]:
    """How to read the target: whole numbers are read as they are."""
    kind = features.classes.dtype.kind
    return {features.target: "text"} if kind in "OU" else {features.target: "bool"} if kind == "b" else {}
