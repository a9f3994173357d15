"""gnbayes export: a model for other tools."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gnbayes.cli.models import load_model
from gnbayes.cli.output import check_output, print_json
from gnbayes.files import to_bif, to_effects, to_onnx, to_xmlbif
from gnbayes.plot import TreeDisplay, to_dot


def _to_picture(model: Any, path: Path) -> None:
    TreeDisplay.from_estimator(model).figure_.savefig(path, dpi=150)


_WRITERS: dict[str, Callable[[Any, Path], object]] = {
    "bif": to_bif,
    "xmlbif": to_xmlbif,
    "onnx": to_onnx,
    "dot": lambda model, path: path.write_text(to_dot(model) + "\n", encoding="utf-8"),
    "effects": to_effects,
    "picture": _to_picture,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")
    parser.add_argument("--to", required=True, choices=list(_WRITERS), help="the format")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write")


def run(arguments: argparse.Namespace) -> None:
    """Write the file."""
    check_output(arguments.output)
    _WRITERS[arguments.to](load_model(arguments.model), Path(arguments.output))
    if arguments.json:
        print_json({"format": arguments.to, "output": arguments.output})
