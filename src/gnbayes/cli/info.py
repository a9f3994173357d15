"""gnbayes info: versions, for bug reports."""

from __future__ import annotations

import argparse

from gnbayes.cli.output import print_json
from gnbayes.versions import show_versions, versions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""


def run(arguments: argparse.Namespace) -> None:
    """Print one line per package."""
    if arguments.json:
        print_json(versions())
    else:
        show_versions()
