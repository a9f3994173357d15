"""gnbayes merge: a model, or the tree of a second step, from the counts of sites."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from gnbayes.cli.failure import CommandError
from gnbayes.cli.fit import summary
from gnbayes.cli.options import positive
from gnbayes.estimator import GeneralizedNB
from gnbayes.files import save
from gnbayes.learning import STRUCTURES
from gnbayes.sites import SiteCounts, choose_tree, fit_sites, load_counts, save_tree

HELP = "learn a model from the counts of sites and write it to a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("counts", nargs="+", help="counts files of sites, made with the same Features")
    parser.add_argument("-o", "--output", metavar="FILE", help="model file to write, such as model.gnb.json")
    parser.add_argument("--structure", default="gnb-o", choices=list(STRUCTURES))
    parser.add_argument("--smoothing", default="additive", choices=["additive", "backoff", "paper"])
    parser.add_argument("--alpha", type=float, default=1.0, help="strength of smoothing (default: 1)")
    parser.add_argument("--n-features", type=positive, metavar="N", help="use the first N features")
    parser.add_argument(
        "--write-tree", metavar="FILE", help="no model, but the tree that sites count in a second step, from surveys"
    )
    parser.add_argument(
        "--epsilon", metavar="E", help="what each site spends in that step (default: as much as in the survey)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Merge, say what was learned, and save."""
    if arguments.epsilon is not None and arguments.write_tree is None:
        raise CommandError("--epsilon goes with --write-tree; a model is learned from what was spent already.")
    if arguments.write_tree is not None and arguments.output is not None:
        raise CommandError("choose one: a model with -o FILE, or the tree of a second step with --write-tree FILE.")
    sites = [load_counts(path) for path in arguments.counts]
    if arguments.write_tree is not None:
        _write_tree(sites, arguments.epsilon, arguments.write_tree)
        return
    clf = GeneralizedNB(
        arguments.structure,
        smoothing=arguments.smoothing,
        alpha=arguments.alpha,
        weighting=None,
        n_features=arguments.n_features,
    )
    fit_sites(clf, sites)
    print(summary(clf, None, None, with_score=False))
    print(clf.site_report_)
    if arguments.output:
        save(clf, arguments.output)
        print(f"written to {arguments.output}", file=sys.stderr)


def _write_tree(sites: Sequence[SiteCounts], epsilon: str | None, path: str) -> None:
    tree = choose_tree(sites, epsilon)
    features = sites[0].features
    save_tree(tree, features, path)
    for table in tree.tables:
        print(" and ".join(features.names[j] for j in table) or "classes")
    print(f"{len(tree.tables)} tables to be counted written to {path}", file=sys.stderr)
