"""gnbayes predict: classes and probabilities for every row, batch by batch."""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TextIO

from gnbayes.cli.options import add_reading, column_types, load_model, source_of
from gnbayes.cli.tables import Source, is_text, read_batches
from gnbayes.documents import complete_file
from gnbayes.estimator import GeneralizedNB

HELP = "write the class and the probabilities of every row of a table"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")
    add_reading(parser)
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="CSV to write, also .gz (default: -)")
    parser.add_argument("--keep", action="append", default=[], metavar="COLUMN", help="copy a column to the output")


def run(arguments: argparse.Namespace) -> None:
    """Predict batch by batch, in constant memory."""
    model = load_model(arguments.model)
    with _output(arguments.output) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*arguments.keep, "prediction", *(f"probability of {label}" for label in model.classes_)])
        rows = _RowCount()
        for batch in read_batches(model_source(arguments, model, arguments.keep)):
            writer.writerows(_rows(model, batch, arguments.keep))
            rows.add(batch.num_rows)
        rows.end()


def model_source(arguments: argparse.Namespace, model: GeneralizedNB, keep: Sequence[str] = ()) -> Source:
    """The columns that a model needs, and those to be kept, as they stand in a text file."""
    types = column_types(model.features_)
    kept = {name: "text" for name in keep if name not in types and is_text(arguments.table)}
    return source_of(arguments, {**kept, **types}, tuple(dict.fromkeys([*types, *keep])))


class _RowCount:
    """How many rows are done, on standard error, for work of more than two seconds."""

    def __init__(self) -> None:
        self._n, self._start, self._shown = 0, time.monotonic(), False

    def add(self, n: int) -> None:
        """Count rows, and show them."""
        self._n += n
        if time.monotonic() - self._start > 2:
            print(f"\r{self._n} rows", end="", file=sys.stderr, flush=True)
            self._shown = True

    def end(self) -> None:
        """End the line."""
        if self._shown:
            print(file=sys.stderr)


def model_columns(model: GeneralizedNB, batch: Any) -> Any:
    """The columns of a batch that a model needs, in its order."""
    import pyarrow as pa

    names = [feature.name for feature in model.features_]
    return pa.Table.from_batches([batch]).select(names)


def _rows(model: GeneralizedNB, batch: Any, keep: list[str]) -> Iterator[list[Any]]:
    if not batch.num_rows:
        return
    table = model_columns(model, batch)
    kept = [batch.column(name).to_pylist() for name in keep]
    if not hasattr(model, "feature_names_in_"):
        table = table.to_pandas().to_numpy()
    proba = model.predict_proba(table)
    labels = model.classes_[proba.argmax(axis=1)].tolist()
    for at, (label, row) in enumerate(zip(labels, proba.tolist(), strict=True)):
        yield [*(_plain(column[at]) for column in kept), label, *row]


def _plain(value: Any) -> Any:
    """Whole numbers without a point, as they most likely came."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _packed(raw: Any, path: str) -> Any:
    return gzip.GzipFile(fileobj=raw, mode="wb") if path.endswith(".gz") else nullcontext(raw)


@contextmanager
def _output(path: str) -> Iterator[TextIO]:
    """Where to write: a file comes to its place only when it is complete."""
    if path == "-":
        yield sys.stdout
        return
    with complete_file(Path(path)) as raw, _packed(raw, path) as packed:
        yield (file := io.TextIOWrapper(packed, encoding="utf-8", newline=""))
        file.flush()
        file.detach()
