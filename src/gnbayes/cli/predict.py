"""gnbayes predict: classes and probabilities for every row, batch by batch."""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

from gnbayes.cli.models import load_model, model_columns, model_source, say_detected
from gnbayes.cli.options import add_reading, add_unknown, verbosity
from gnbayes.cli.output import check_output, json_text
from gnbayes.cli.reading import Opened, open_table
from gnbayes.documents import complete_file, escape_formula
from gnbayes.estimator import GeneralizedNB
from gnbayes.progress import progress_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")
    add_reading(parser)
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="CSV to write, also .gz (default: -)")
    parser.add_argument("--keep", action="append", default=[], metavar="COLUMN", help="copy a column to the output")
    add_unknown(parser)
    parser.add_argument(
        "--escape-formulas",
        action="store_true",
        help="put ' before cells that a spreadsheet would run as formulas: text that begins with = + - @",
    )


def run(arguments: argparse.Namespace) -> None:
    """Predict batch by batch, in constant memory; nothing is written before the first batch is predicted."""
    if arguments.output != "-":
        check_output(arguments.output)
    model = load_model(arguments.model)
    source = model_source(arguments, model, arguments.keep)
    with open_table(source) as opened:
        say_detected(source, opened)
        parts = _predicted(model, opened, arguments)
        first = list(islice(parts, 1))
        with _output(arguments.output) as file:
            if arguments.json:
                _write_json(file, chain(first, parts), model, arguments.keep)
            else:
                _write_csv(file, chain(first, parts), model, arguments)


@dataclass(frozen=True)
class _Part:
    """Results of a batch: copied cells by column, predicted classes, and probabilities."""

    kept: list[list[Any]]
    labels: list[Any]
    proba: list[list[float]]


def _predicted(model: GeneralizedNB, opened: Opened, arguments: argparse.Namespace) -> Iterator[_Part]:
    n, show = 0, progress_line("predicting", verbosity())
    for batch in opened.batches:
        if not batch.num_rows:
            continue
        proba = model.predict_proba(model_columns(model, batch), unknown=arguments.unknown)
        labels = model.classes_[proba.argmax(axis=1)].tolist()
        yield _Part([batch.column(name).to_pylist() for name in arguments.keep], labels, proba.tolist())
        n += batch.num_rows
        share = opened.share(n)
        if share is not None:
            show(min(share, 0.99))
    show(1.0)


def _write_csv(file: TextIO, parts: Iterable[_Part], model: GeneralizedNB, arguments: argparse.Namespace) -> None:
    writer = csv.writer(file, lineterminator="\n")

    def cell(value: Any) -> Any:
        return escape_formula(_plain(value)) if arguments.escape_formulas else _plain(value)

    header = [*arguments.keep, "prediction", *(f"probability of {label}" for label in model.classes_)]
    writer.writerow([cell(name) for name in header])
    for part in parts:
        for at, (label, row) in enumerate(zip(part.labels, part.proba, strict=True)):
            writer.writerow([*(cell(column[at]) for column in part.kept), cell(label), *row])


def _write_json(file: TextIO, parts: Iterable[_Part], model: GeneralizedNB, keep: list[str]) -> None:
    """One JSON object per line."""
    names = [str(label) for label in model.classes_.tolist()]
    for part in parts:
        for at, (label, row) in enumerate(zip(part.labels, part.proba, strict=True)):
            kept = {name: _plain(column[at]) for name, column in zip(keep, part.kept, strict=True)}
            told = {"prediction": label, "probability": dict(zip(names, row, strict=True))}
            file.write(json_text({"kept": kept, **told} if keep else told) + "\n")


def _plain(value: Any) -> Any:
    """Integers without a decimal point, as they were most likely written."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _packed(raw: Any, path: str) -> Any:
    return gzip.GzipFile(fileobj=raw, mode="wb") if path.endswith(".gz") else nullcontext(raw)


@contextmanager
def _output(path: str) -> Iterator[TextIO]:
    """Where to write: a file is moved into place only when it is complete."""
    if path == "-":
        yield sys.stdout
        return
    with complete_file(Path(path)) as raw, _packed(raw, path) as packed:
        yield (file := io.TextIOWrapper(packed, encoding="utf-8", newline=""))
        file.flush()
        file.detach()
