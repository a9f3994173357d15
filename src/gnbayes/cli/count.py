"""gnbayes count: the counts of a site, to be merged with those of others."""

from __future__ import annotations

import argparse
import math

from gnbayes.cli.failure import CommandError
from gnbayes.cli.messages import note
from gnbayes.cli.models import class_type, column_types
from gnbayes.cli.options import add_reading, positive, source_of
from gnbayes.cli.output import check_output, print_json
from gnbayes.cli.streams import stream_of
from gnbayes.sites import add_noise, count_site, load_features, save_counts, suppress
from gnbayes.sites.counts_file import reveals

# More has no effect on the noise, which is 0 long before.
_LEAST_EPSILON, _MOST_EPSILON = 1e-6, 1e6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_reading(parser)
    parser.add_argument("--features", required=True, metavar="FILE", help="Features file, the same at all sites")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="counts file to write, such as a.counts")
    parser.add_argument("--no-pairs", action="store_true", help="single columns alone, for naive Bayes")
    parser.add_argument("--suppress", type=positive, metavar="N", help="write cells of fewer than N rows as 0")
    parser.add_argument(
        "--epsilon", type=_epsilon, metavar="E", help="add noise for E-differential privacy of single rows"
    )


def run(arguments: argparse.Namespace) -> None:
    """Count, say what the file reveals, and write it."""
    if arguments.suppress is not None and arguments.epsilon is not None:
        raise CommandError("--suppress and --epsilon do not go together; noise protects small cells, too.")
    check_output(arguments.output)
    features = load_features(arguments.features)
    kind = class_type(features.classes)
    types = column_types(features.features) | ({} if kind is None else {features.target: kind})
    batches = stream_of(source_of(arguments, types), features.target, features.names)
    counts = count_site(features, batches, pairs=not arguments.no_pairs)
    if arguments.suppress is not None:
        counts = suppress(counts, arguments.suppress)
    if arguments.epsilon is not None:
        counts = add_noise(counts, arguments.epsilon)
    save_counts(counts, arguments.output)
    if arguments.json:
        print_json({"output": arguments.output, "reveals": reveals(counts)})
    else:
        print(reveals(counts))
    note(f"written to {arguments.output}")


def _epsilon(text: str) -> str:
    """A number within bounds, as it was written: noise is drawn with its exact value."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not _LEAST_EPSILON <= number <= _MOST_EPSILON:
        raise argparse.ArgumentTypeError(f"must be a number from 1e-6 to 1e6, got {text!r}")
    return text
