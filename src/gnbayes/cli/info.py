"""gnbayes info: versions, for a report of a problem."""

from __future__ import annotations

import argparse
import platform
from importlib.metadata import PackageNotFoundError, version

HELP = "show the versions of gnbayes and of what it uses"
_PACKAGES = [
    *("gnbayes", "numpy", "scipy", "scikit-learn", "narwhals"),
    *("pandas", "polars", "pyarrow", "matplotlib", "jinja2", "onnx", "pooch"),
]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""


def run(_: argparse.Namespace) -> None:
    """Print one line a package."""
    print(f"python        {platform.python_version()} on {platform.system()} {platform.machine()}")
    for package in _PACKAGES:
        try:
            print(f"{package:13} {version(package)}")
        except PackageNotFoundError:
            print(f"{package:13} not installed")
