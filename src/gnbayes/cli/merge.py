"""gnbayes merge: a model, or the tree of a second step, from the counts of sites."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from gnbayes.cli.failure import CommandError
from gnbayes.cli.messages import note
from gnbayes.cli.options import epsilon, positive, smoothing_amount
from gnbayes.cli.output import check_output, print_json
from gnbayes.cli.summary import describe_model, lines_text, text_of
from gnbayes.estimator import GeneralizedNB
from gnbayes.files import save
from gnbayes.model import SMOOTHINGS
from gnbayes.sites import SiteCounts, choose_tree, fit_sites, load_counts, save_tree
from gnbayes.structure import STRUCTURES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("counts", nargs="+", help="counts files of sites, made with the same Features")
    parser.add_argument("-o", "--output", metavar="FILE", help="model file to write, such as model.gnb.json")
    parser.add_argument(
        "--structure", default="gnb-o", choices=list(STRUCTURES), help="how the tree is learned (default: gnb-o)"
    )
    parser.add_argument("--smoothing", default="additive", choices=list(SMOOTHINGS), help="(default: additive)")
    parser.add_argument(
        "--alpha", type=smoothing_amount, default=1.0, metavar="A", help="how much smoothing (default: 1)"
    )
    parser.add_argument("--n-features", type=positive, metavar="N", help="use the first N features")
    parser.add_argument(
        "--write-tree",
        metavar="FILE",
        help="from surveys: instead of a model, write the tree that sites count in a second step",
    )
    parser.add_argument(
        "--epsilon",
        type=epsilon,
        metavar="E",
        help="epsilon that each site spends in that step (default: as much as in the survey)",
    )


def run(arguments: argparse.Namespace) -> None:
    """Merge, save, and print a summary."""
    if arguments.epsilon is not None and arguments.write_tree is None:
        raise CommandError("--epsilon needs --write-tree; a model only uses what has already been spent.")
    if arguments.write_tree is not None and arguments.output is not None:
        raise CommandError("choose one: a model with -o FILE, or the tree of a second step with --write-tree FILE.")
    for path in (arguments.output, arguments.write_tree):
        check_output(path)
    sites = [load_counts(path) for path in arguments.counts]
    if arguments.write_tree is None:
        _learn(arguments, sites)
    else:
        _write_tree(arguments, sites)


def _learn(arguments: argparse.Namespace, sites: Sequence[SiteCounts]) -> None:
    clf = GeneralizedNB(
        arguments.structure,
        smoothing=arguments.smoothing,
        alpha=arguments.alpha,
        weighting=None,
        n_features=arguments.n_features,
    )
    report = fit_sites(clf, sites).site_report_
    if arguments.output:
        save(clf, arguments.output)
    told: dict[str, Any] = {"merged": asdict(report), "model": describe_model(clf), "output": arguments.output}
    told["no_score"] = "none: counts have no rows to hold out; evaluate the model on rows of each site"
    if arguments.json:
        print_json(told)
    else:
        print(lines_text(report.lines))
        print(text_of(told, arguments.output, None))
    if arguments.output:
        note(f"written to {arguments.output}")


def _write_tree(arguments: argparse.Namespace, sites: Sequence[SiteCounts]) -> None:
    tree = choose_tree(sites, arguments.epsilon)
    features = sites[0].features
    save_tree(tree, features, arguments.write_tree)
    tables = [[features.names[j] for j in table] for table in tree.tables]
    if arguments.json:
        print_json({"output": arguments.write_tree, "tables": tables})
    else:
        for table in tables:
            print(" and ".join(table) or "classes")
    note(f"{len(tables)} tables to be counted written to {arguments.write_tree}")
