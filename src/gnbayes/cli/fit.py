"""gnbayes fit: learn a model from a table."""

from __future__ import annotations

import argparse
import warnings

from gnbayes.cli.columns import look_at_columns
from gnbayes.cli.fit_files import fit_files
from gnbayes.cli.messages import note
from gnbayes.cli.options import add_columns, add_group, add_learning, add_reading, classifier_of, verbosity
from gnbayes.cli.output import check_output, print_json
from gnbayes.cli.streams import is_large
from gnbayes.cli.summary import Described, describe_columns, describe_model, describe_score, text_of
from gnbayes.cli.training import Training, read_training
from gnbayes.estimator import GeneralizedNB
from gnbayes.evaluation import cross_validate
from gnbayes.evidence import Evaluation, aggregate
from gnbayes.files import save
from gnbayes.progress import progress_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_reading(parser)
    add_columns(parser)
    add_learning(parser)
    add_group(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="model file to write, such as heart.gnb.json")
    parser.add_argument(
        "--resume", metavar="FILE", help="read files in batches, and record progress here, to continue after a crash"
    )
    parser.add_argument(
        "--cache",
        metavar="FOLDER",
        help="where the codes of the rows of files are kept while weights are learned, one or two bytes per value "
        "(default: beside --resume, or the folder for temporary files)",
    )
    parser.add_argument(
        "--no-score",
        action="store_true",
        help="skip the cross-validation, which takes most of the time and whose scores are stored in the model file",
    )


def run(arguments: argparse.Namespace) -> None:
    """Fit, save, and print a summary."""
    check_output(arguments.output)
    in_batches = is_large(arguments.table) or (arguments.resume, arguments.cache) != (None, None)
    clf, told, evaluation = fit_files(arguments) if in_batches else _fit_table(arguments)
    if arguments.output:
        save(clf, arguments.output, evaluation=evaluation)
    told |= {"output": arguments.output}
    if arguments.json:
        print_json(told)
    else:
        print(text_of(told, arguments.output, arguments.table, arguments.group))
    if arguments.output:
        note(f"written to {arguments.output}")


def _fit_table(arguments: argparse.Namespace) -> tuple[GeneralizedNB, Described, Evaluation | None]:
    rows = read_training(arguments)
    kinds = look_at_columns(rows.X, arguments.category, arguments.text)
    for sentence in kinds.warnings():
        warnings.warn(sentence, stacklevel=1)
    clf = classifier_of(arguments, rows.X.column_names).fit(rows.X, rows.y, groups=rows.groups)
    score, evaluation = _score(clf, rows, arguments)
    told = {
        "table": arguments.table,
        "left_out_rows": rows.n_left_out,
        "columns": describe_columns(kinds, left_out_columns(arguments)),
        "model": describe_model(clf),
        **score,
    }
    return clf, told, evaluation


def left_out_columns(arguments: argparse.Namespace) -> dict[str, str]:
    """Columns that are not used, and why."""
    group = {} if arguments.group is None else {arguments.group: "the groups"}
    return dict.fromkeys(arguments.drop, "--drop") | group


def _score(clf: GeneralizedNB, rows: Training, arguments: argparse.Namespace) -> tuple[Described, Evaluation | None]:
    """The score on held-out rows, or why there is none, and the part of it that is stored in the model file."""
    if arguments.no_score:
        return {}, None
    progress = progress_line("cross-validation", verbosity())
    found = cross_validate(clf, rows.X, rows.y, rows.groups, progress=progress)
    if found is None:
        return {"no_score": "none: there are too few rows, or groups, to hold any out"}, None
    return {"score": describe_score(found, rows.X.num_rows)}, aggregate(found)
