"""gnbayes paper: the paper's experiment, run again."""

from __future__ import annotations

import argparse
import sys

from gnbayes.progress import progress_line
from gnbayes.reproduction import rerun_paper

HELP = "run the paper's experiment again, beside an honest one"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--repeats", type=int, default=5, help="splits of the paper's protocol (default: 5, as there)")
    parser.add_argument("--honest-repeats", type=int, default=100, help="splits of the honest protocol (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="of the splits (default: 0)")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="write the page, a CSV of all numbers and the figures")


def run(arguments: argparse.Namespace) -> None:
    """Run the text's reading, the program's and the honest protocol, and print the page."""
    again = rerun_paper(
        arguments.repeats,
        arguments.honest_repeats,
        seed=arguments.seed,
        output=arguments.output,
        progress=progress_line("rerunning the paper", 1),
    )
    for name, reason in again.missing.items():
        print(f"gnbayes: {name} is left out: {reason}", file=sys.stderr)
    print(again.markdown(), end="")
