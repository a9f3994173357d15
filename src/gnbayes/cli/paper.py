"""gnbayes paper: the paper's experiment, reproduced."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from gnbayes.cli.messages import warn
from gnbayes.cli.options import verbosity
from gnbayes.cli.output import print_json
from gnbayes.progress import progress_line
from gnbayes.reproduction import rerun_paper


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--repeats", type=int, default=5, help="splits of the paper's protocol (default: 5, as in the paper)"
    )
    parser.add_argument("--honest-repeats", type=int, default=100, help="splits of the honest protocol (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the splits (default: 0)")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="write the page, a CSV of all numbers and the figures")


def run(arguments: argparse.Namespace) -> None:
    """Run both protocols, and print the page."""
    again = rerun_paper(
        arguments.repeats,
        arguments.honest_repeats,
        seed=arguments.seed,
        output=arguments.output,
        progress=progress_line("rerunning the paper", verbosity()),
    )
    for name, reason in again.missing.items():
        warn(f"{name} is left out: {reason}")
    if arguments.json:
        print_json({"missing": again.missing, "rows": [asdict(row) for row in again.rows]})
    else:
        print(again.markdown(), end="")
