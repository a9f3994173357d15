"""gnbayes evaluate: how good a model is on rows whose classes are known."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from gnbayes.cli.failure import CommandError, no_such
from gnbayes.cli.known_rows import KnownRows, read_known_rows
from gnbayes.cli.messages import note
from gnbayes.cli.models import class_named, load_model
from gnbayes.cli.options import add_reading
from gnbayes.cli.output import print_json
from gnbayes.cli.score_text import group_lines, score_lines
from gnbayes.encoding import check_table, encode
from gnbayes.estimator import GeneralizedNB
from gnbayes.evaluation import Predictions, group_codes, score, score_groups
from gnbayes.reporting.scoring import seen_rows

NOT_STATED = "valid only for rows not used in training"
STATED = "for rows not used in training, as stated by --new-rows"
SEEN = "of the training rows themselves and so too optimistic"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")
    add_reading(parser)
    parser.add_argument("--target", metavar="COLUMN", help="the column of the table with the true classes")
    parser.add_argument("--positive", metavar="CLASS", help="the positive class of two (default: the last)")
    parser.add_argument("--by", metavar="COLUMN", help="also show scores for each value of this column")
    parser.add_argument(
        "--group",
        metavar="COLUMN",
        help="rows with the same value belong together, such as those of one patient: intervals allow for it",
    )
    parser.add_argument("--new-rows", action="store_true", help="state that no row of the table was used in training")


def run(arguments: argparse.Namespace) -> None:
    """Print the scores."""
    model = load_model(arguments.model)
    rows = read_known_rows(arguments, model)
    if rows.y is None:
        raise CommandError("the table has no classes to compare with; name their column with --target.")
    positive = _positive(model, arguments.positive)
    predictions = _predictions(model, rows, arguments.group)
    scores = score(predictions, positive)
    by = None if arguments.by is None else score_groups(predictions, _values(rows, arguments.by), positive)
    validity = _validity(model, rows, predictions, new_rows=arguments.new_rows)
    if arguments.json:
        groups = {} if by is None else {"by": arguments.by, "groups": {name: one.to_dict() for name, one in by.items()}}
        print_json({"validity": validity, "target": rows.target} | scores.to_dict() | groups)
        return
    lines = score_lines(scores, validity)
    if by is not None:
        lines += ["", *group_lines(by, arguments.by, validity)]
    print("\n".join(lines))


def _validity(model: GeneralizedNB, rows: KnownRows, predictions: Predictions, *, new_rows: bool) -> str:
    """For which rows the scores are valid; a table with exactly the counts of the training rows is taken for them."""
    codes = encode(check_table(model, rows.X, reset=False), model.features_)
    if seen_rows(model, codes, predictions.labels).all():
        note("this is the training table, which says little about new rows; gnbayes report cross-validates it")
        return SEEN
    return STATED if new_rows else NOT_STATED


def _predictions(model: GeneralizedNB, rows: KnownRows, group: str | None) -> Predictions:
    shares = model.counts_.classes / model.counts_.n
    labels = np.searchsorted(model.classes_, np.asarray(rows.y, dtype=model.classes_.dtype))
    return Predictions(
        model.predict_proba(rows.X),
        labels,
        model.classes_,
        np.tile(shares, (len(labels), 1)),
        None if group is None else group_codes(_values(rows, group)),
    )


def _values(rows: KnownRows, name: str) -> list[Any]:
    if name not in rows.table.column_names:
        raise no_such("column", name, rows.table.column_names)
    return list(rows.table[name].to_pylist())


def _positive(model: GeneralizedNB, text: str | None) -> int | None:
    if text is None:
        return None
    if len(model.classes_) != 2:
        raise CommandError(f"--positive is for two classes; the model has {len(model.classes_)}.")
    return model.classes_.tolist().index(class_named(model, text))
