"""gnbayes features: the bins and categories that sites agree on before they count."""

from __future__ import annotations

import argparse
from typing import Any

from gnbayes.cli.failure import CommandError
from gnbayes.cli.messages import note
from gnbayes.cli.options import add_columns, add_reading, classifier_of, positive, source_of, verbosity
from gnbayes.cli.output import check_output, print_json
from gnbayes.cli.streams import Stream, files_of, is_large
from gnbayes.encoding import DISCRETIZERS
from gnbayes.scale import TableSummary, limits_for, merge_summaries, summarize_batches
from gnbayes.sites import load_summary, propose_features, save_features, save_summary, with_middles

# Parameters that matter only later, when the model is learned from counts.
_LEARNING: dict[str, Any] = {
    "structure": "nb",
    "smoothing": "additive",
    "alpha": 1.0,
    "weighting": None,
    "information": "corrected",
    "n_features": None,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_reading(parser, is_optional=True)
    add_columns(parser)
    parser.add_argument("--bins", default="quantile", choices=list(DISCRETIZERS), help="how to bin numbers")
    parser.add_argument("--n-bins", type=positive, metavar="N", help="bins per column (default: 5)")
    parser.add_argument(
        "--weighted",
        action="store_true",
        help="for gnbayes rounds: fine bins for columns and coarse ones for pairs, as many as the rows allow",
    )
    parser.add_argument(
        "--middles",
        action="store_true",
        help="represent bins by their midpoints instead of the means of their numbers, which noise does not protect",
    )
    parser.add_argument(
        "--merge", nargs="+", default=[], metavar="SUMMARY", help="summaries of sites, instead of a table"
    )
    parser.add_argument(
        "--summary", metavar="FILE", help="write a summary of the table, to be merged with those of others"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="Features file to write, such as features.json")


def run(arguments: argparse.Namespace) -> None:
    """Summarize, or merge summaries, and write the requested files."""
    if bool(arguments.table) == bool(arguments.merge):
        raise CommandError("give either a table, or summaries of sites with --merge.")
    if not (arguments.output or arguments.summary):
        raise CommandError("say what to write: the Features with -o FILE, or a summary with --summary FILE.")
    for path in (arguments.output, arguments.summary):
        check_output(path)
    summary = merge_summaries(map(load_summary, arguments.merge)) if arguments.merge else _summary(arguments)
    told: dict[str, Any] = {"rows": summary.n_rows, "summary": arguments.summary, "output": arguments.output}
    if arguments.summary:
        save_summary(summary, arguments.summary)
        note(f"summary of {summary.n_rows} rows written to {arguments.summary}")
    if arguments.output:
        features = propose_features(summary, arguments.target, _classifier(arguments, list(summary.names)))
        features = with_middles(features) if arguments.middles else features
        save_features(features, arguments.output)
        told |= {"features": len(features.features), "classes": len(features.classes)}
        told["fingerprint"] = features.fingerprint
        note(f"written to {arguments.output}")
    if arguments.json:
        print_json(told)
    elif arguments.output:
        print(f"{told['features']} features, {told['classes']} classes\nfingerprint {told['fingerprint']}")


def _summary(arguments: argparse.Namespace) -> TableSummary:
    limits = limits_for(_classifier(arguments, None))
    if is_large(arguments.table):
        files = files_of(source_of(arguments), arguments.target, arguments.drop)
        return summarize_batches(
            files.dataset,
            files.target,
            limits,
            columns=files.columns,
            row_filter=files.row_filter,
            verbose=verbosity(),
        )
    stream = Stream(source_of(arguments), arguments.target, tuple(dict.fromkeys(arguments.drop)))
    return summarize_batches(stream, arguments.target, limits)


def _classifier(arguments: argparse.Namespace, columns: list[str] | None) -> Any:
    """The classifier whose binning is used; without columns, one that only specifies the rule."""
    parameters = {**vars(arguments), **_LEARNING}
    if arguments.n_bins is None:
        parameters["n_bins"] = "auto" if arguments.weighted else 5
    if arguments.weighted:
        parameters["weighting"] = "discriminative"
    if columns is None:
        parameters |= {"edges": [], "category": [], "drop": [], "text": [], "number": []}
    return classifier_of(argparse.Namespace(**parameters), columns or [])
