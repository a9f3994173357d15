"""gnbayes fit: learn a model from a table."""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.options import add_columns, add_learning, add_reading, classifier_of, source_of
from gnbayes.cli.streams import files_of, is_large
from gnbayes.cli.tables import read_table
from gnbayes.estimator import GeneralizedNB
from gnbayes.files import save
from gnbayes.model import REPAIRING
from gnbayes.scale import fit_batches
from gnbayes.selection import selection_curve
from gnbayes.structure import class_information

HELP = "learn a model from a table and write it to a file"
# Folds of the cross-validated score, and rows up to which it is computed.
_FOLDS, _MOST_CROSS_VALIDATED = 5, 20_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_reading(parser)
    add_columns(parser)
    add_learning(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="model file to write, such as heart.gnb.json")
    parser.add_argument(
        "--resume", metavar="FILE", help="read files in batches, and keep the state of the first pass here"
    )
    parser.add_argument("--no-score", action="store_true", help="leave the score out of the summary")


def run(arguments: argparse.Namespace) -> None:
    """Fit, say what was learned, and save."""
    if arguments.output and (Path(arguments.output).is_dir() or not Path(arguments.output).parent.is_dir()):
        raise CommandError(f"{arguments.output!r} cannot be written: it is a folder, or its folder does not exist.")
    if is_large(arguments.table) or arguments.resume:
        _fit_files(arguments)
        return
    X, y = features_and_target(arguments)
    print(describe_columns(X, arguments), file=sys.stderr)
    clf = classifier_of(arguments, X.column_names).fit(X, y)
    if arguments.output:
        save(clf, arguments.output)
    print(summary(clf, X, y, with_score=not arguments.no_score))
    if arguments.output:
        print(f"written to {arguments.output}", file=sys.stderr)


def _fit_files(arguments: argparse.Namespace) -> None:
    """The same for a folder or a large file: batch by batch, and without a score, which needs all rows."""
    files = files_of(source_of(arguments), arguments.target, arguments.drop)
    clf = classifier_of(arguments, list(files.columns))
    fit_batches(
        clf, files.dataset, files.target, columns=files.columns, row_filter=files.row_filter, resume=arguments.resume
    )
    if arguments.output:
        save(clf, arguments.output)
    print(summary(clf, None, None, with_score=False))
    if arguments.output:
        print(f"written to {arguments.output}", file=sys.stderr)


def features_and_target(arguments: argparse.Namespace) -> tuple[Any, Any]:
    """The table without the target and dropped columns, and the target; rows without a target are left out."""
    table = read_table(source_of(arguments))
    if arguments.target not in table.column_names:
        raise no_such("column", arguments.target, table.column_names)
    for name in arguments.drop:
        if name not in table.column_names:
            raise no_such("column", name, table.column_names)
    if arguments.target in arguments.drop:
        raise CommandError(f"column {arguments.target!r} is the target and cannot be dropped.")
    values = table[arguments.target].to_pylist()
    has_target = [value is not None and value == value for value in values]
    if not all(has_target):
        print(f"{has_target.count(False)} rows without {arguments.target!r} are left out", file=sys.stderr)
        table = table.filter(has_target)
    y = classes_of(arguments.target, [value for value in values if value is not None and value == value])
    X = table.drop_columns(list(dict.fromkeys([arguments.target, *arguments.drop])))
    if not X.num_columns:
        raise CommandError("there is no column left to learn from.")
    return X, y


def classes_of(name: str, values: list[Any]) -> Any:
    """The target as an array of text, true and false, or whole numbers."""
    if not values:
        raise CommandError(f"column {name!r} has no values; is it the right target?")
    if not all(isinstance(value, str | int | float) for value in values):
        kind = type(values[0]).__name__
        raise CommandError(
            f"column {name!r} holds values of type {kind}; a target needs classes: text or whole numbers."
        )
    y = np.array(values)
    if y.dtype.kind == "f":
        if not (y == np.rint(y)).all():
            raise CommandError(f"column {name!r} holds fractions; a target needs classes. Is it the right column?")
        y = y.astype(np.int64)
    return y


def describe_columns(X: Any, arguments: argparse.Namespace) -> str:
    """What the columns were taken for, and how to say otherwise."""
    import pyarrow.types as pt

    numbers: list[str] = []
    categories: list[str] = []
    lines: list[str] = []
    for name in X.column_names:
        kind = X.schema.field(name).type
        is_number = (pt.is_integer(kind) or pt.is_floating(kind)) and name not in arguments.category
        (numbers if is_number else categories).append(name)
        n_distinct = len(X[name].unique()) if not pt.is_floating(kind) else 0
        if n_distinct > 20 and n_distinct > 0.9 * X.num_rows:
            lines.append(f"  {name!r} has {n_distinct} different values in {X.num_rows} rows; an identifier? (--drop)")
    for label, names, option in (("numbers", numbers, "--category"), ("categories", categories, "--number")):
        if names:
            lines.insert(0, f"  {label}: {', '.join(names)}  (otherwise: {option} COLUMN)")
    return "\n".join([f"{X.num_rows} rows, {X.num_columns} columns", *lines])


def summary(clf: GeneralizedNB, X: Any, y: Any, *, with_score: bool) -> str:
    """What was learned, in a few lines."""
    names = [feature.name for feature in clf.features_]
    shares = clf.counts_.classes / clf.counts_.n
    order = clf.feature_order_
    naive = class_information(clf.counts_).sum()
    lines = [
        f"rows      {clf.counts_.n:.0f}",
        "classes   " + ", ".join(f"{label} {share:.1%}" for label, share in zip(clf.classes_, shares, strict=True)),
        f"structure {clf.structure}, {len(order)} of {len(names)} features"
        + (f", weighting {clf.weighting}" if clf.weighting else ""),
        f"weight    {clf.weight_:.3f} nats (naive Bayes: {naive:.3f})",
    ]
    if len(order) > 1 and clf.structure != "nb":
        lines.append(f"first     {names[order[0]]} + {names[order[1]]}")
    lines.append("order     " + ", ".join(names[j] for j in order))
    score = _score(clf, X, y) if with_score else ""
    return "\n".join([*lines, f"score     {score}"] if score else lines)


def _score(clf: GeneralizedNB, X: Any, y: Any) -> str:
    """Accuracy and log-loss on rows that were not learned from; nothing where that cannot be had quickly."""
    if clf.weighting is None and clf.smoothing not in REPAIRING:
        curve = selection_curve(clf, X, y, scoring=["accuracy", "neg_log_loss"])
        accuracy, loss = (curve.mean(score)[clf.n_features_ - 1] for score in curve.scores)
        return f"accuracy {accuracy:.3f}, log-loss {-loss:.3f} (leave-one-out; tree and intervals fixed)"
    n_folds = min(_FOLDS, int(np.unique(y, return_counts=True)[1].min()))
    if n_folds < 2 or X.num_rows > _MOST_CROSS_VALIDATED:
        return ""
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* never seen in training", UserWarning)
        quiet = clone(clf).set_params(verbose=0)
        proba = cross_val_predict(quiet, X, y, cv=folds, method="predict_proba")
    accuracy = (clf.classes_[proba.argmax(axis=1)] == y).mean()
    loss = log_loss(y, proba, labels=clf.classes_)
    return f"accuracy {accuracy:.3f}, log-loss {loss:.3f} ({n_folds}-fold cross-validation)"
