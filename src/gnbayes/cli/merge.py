"""gnbayes merge: a model from the counts of sites."""

from __future__ import annotations

import argparse

from gnbayes.cli.messages import note
from gnbayes.cli.options import positive
from gnbayes.cli.output import check_output, print_json
from gnbayes.cli.summary import describe_model, text_of
from gnbayes.estimator import GeneralizedNB
from gnbayes.files import save
from gnbayes.model import SMOOTHINGS
from gnbayes.sites import fit_sites, load_counts
from gnbayes.structure import STRUCTURES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("counts", nargs="+", help="counts files of sites, made with the same Features")
    parser.add_argument("-o", "--output", metavar="FILE", help="model file to write, such as model.gnb.json")
    parser.add_argument("--structure", default="gnb-o", choices=list(STRUCTURES), help="of the tree (default: gnb-o)")
    parser.add_argument("--smoothing", default="additive", choices=list(SMOOTHINGS), help="(default: additive)")
    parser.add_argument("--alpha", type=float, default=1.0, metavar="A", help="how much smoothing (default: 1)")
    parser.add_argument("--n-features", type=positive, metavar="N", help="use the first N features")


def run(arguments: argparse.Namespace) -> None:
    """Merge, save, and say what was learned."""
    check_output(arguments.output)
    sites = [load_counts(path) for path in arguments.counts]
    clf = GeneralizedNB(
        arguments.structure,
        smoothing=arguments.smoothing,
        alpha=arguments.alpha,
        weighting=None,
        n_features=arguments.n_features,
    )
    fit_sites(clf, sites)
    if arguments.output:
        save(clf, arguments.output)
    told = {"sites": len(sites), "model": describe_model(clf), "output": arguments.output}
    told["no_score"] = "none: counts have no rows to hold out; evaluate the model on rows of each site"
    if arguments.json:
        print_json(told)
    else:
        print(text_of(told, arguments.output, None))
    if arguments.output:
        note(f"written to {arguments.output}")
