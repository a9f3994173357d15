"""gnbayes info: versions, for a report of a problem."""

from __future__ import annotations

import argparse

from gnbayes.versions import show_versions

HELP = "show the versions of gnbayes and of what it uses"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""


def run(_: argparse.Namespace) -> None:
    """Print one line a package."""
    show_versions()
