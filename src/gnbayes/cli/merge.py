"""gnbayes merge: a model from the counts of sites."""

from __future__ import annotations

import argparse
import sys

from gnbayes.cli.fit import summary
from gnbayes.cli.options import positive
from gnbayes.estimator import GeneralizedNB
from gnbayes.files import save
from gnbayes.scale import fit_sites, load_counts
from gnbayes.structure import STRUCTURES

HELP = "learn a model from the counts of sites and write it to a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("counts", nargs="+", help="counts files of sites, made with the same Features")
    parser.add_argument("-o", "--output", metavar="FILE", help="model file to write, such as model.gnb.json")
    parser.add_argument("--structure", default="gnb-o", choices=list(STRUCTURES))
    parser.add_argument("--smoothing", default="additive", choices=["additive", "backoff", "paper"])
    parser.add_argument("--alpha", type=float, default=1.0, help="strength of smoothing (default: 1)")
    parser.add_argument("--n-features", type=positive, metavar="N", help="use the first N features")


def run(arguments: argparse.Namespace) -> None:
    """Merge, say what was learned, and save."""
    sites = [load_counts(path) for path in arguments.counts]
    clf = GeneralizedNB(
        arguments.structure,
        smoothing=arguments.smoothing,
        alpha=arguments.alpha,
        weighting=None,
        n_features=arguments.n_features,
    )
    fit_sites(clf, sites)
    print(summary(clf, None, None, with_score=False))
    if arguments.output:
        save(clf, arguments.output)
        print(f"written to {arguments.output}", file=sys.stderr)
