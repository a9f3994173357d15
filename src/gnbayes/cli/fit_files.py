"""Fit on a folder, or on a file that is larger than memory: batch by batch."""

from __future__ import annotations

import argparse

import numpy as np

from gnbayes.cli.columns import check_types, kinds_of_schema
from gnbayes.cli.messages import note
from gnbayes.cli.options import classifier_of, source_of, verbosity
from gnbayes.cli.streams import TableFiles, files_of
from gnbayes.cli.summary import Described, describe_columns, describe_model, describe_score
from gnbayes.cli.training import Training, training_of
from gnbayes.estimator import GeneralizedNB
from gnbayes.evaluation import cross_validate
from gnbayes.evidence import Evaluation, aggregate
from gnbayes.progress import progress_line
from gnbayes.scale import fit_batches

# Number of rows of the sample that is scored by cross-validation.
SAMPLE_ROWS = 20_000


def fit_files(arguments: argparse.Namespace) -> tuple[GeneralizedNB, Described, Evaluation | None]:
    """Fit, and print a summary as for one table, except that the score is that of a sample."""
    group = [] if arguments.group is None else [arguments.group]
    files = files_of(source_of(arguments), arguments.target, [*arguments.drop, *group])
    check_types(files.schema)
    note(f"{arguments.table}: {files.words}")
    clf = _fit(files, arguments)
    n_rows, n_all = round(clf.counts_.n), files.count_rows()
    left_out = dict.fromkeys(arguments.drop, "--drop") | dict.fromkeys(group, "the groups")
    score, evaluation = ({}, None) if arguments.no_score else _score(clf, files, arguments)
    told = {
        "table": arguments.table,
        "left_out_rows": n_all - n_rows,
        "columns": describe_columns(kinds_of_schema(files.schema, arguments.category), left_out),
        "model": describe_model(clf),
        **score,
    }
    return clf, told, evaluation


def _fit(files: TableFiles, arguments: argparse.Namespace) -> GeneralizedNB:
    """Fit; if integers are followed by fractions, start again with all numbers as floats."""
    clf = classifier_of(arguments, list(files.columns))
    try:
        return _fit_once(clf, files, arguments)
    except ValueError as error:
        if not files.whole_numbers or "conversion error" not in str(error):
            raise
        return _fit_once(clf, files.with_fractions(), arguments)


def _fit_once(clf: GeneralizedNB, files: TableFiles, arguments: argparse.Namespace) -> GeneralizedNB:
    return fit_batches(
        clf,
        files.dataset,
        files.target,
        columns=files.columns,
        row_filter=files.row_filter,
        resume=arguments.resume,
        cache=arguments.cache,
    )


def _score(clf: GeneralizedNB, files: TableFiles, arguments: argparse.Namespace) -> tuple[Described, Evaluation | None]:
    n_rows = round(clf.counts_.n)
    rows = _sample(files, n_rows, arguments)
    found = cross_validate(clf, rows.X, rows.y, rows.groups, progress=progress_line("cross-validation", verbosity()))
    if found is None:
        return {"no_score": "none: there are too few rows, or groups, to hold any out"}, None
    return {"score": describe_score(found, n_rows, is_sample=rows.X.num_rows < n_rows)}, aggregate(found)


def _sample(files: TableFiles, n_rows: int, arguments: argparse.Namespace) -> Training:
    """A random sample of about as many rows as are scored; the same every time."""
    import pyarrow as pa

    rng, share = np.random.default_rng(0), min(1.0, SAMPLE_ROWS / n_rows)
    extra = [] if arguments.group is None else [arguments.group]
    parts = [batch.filter(pa.array(rng.random(batch.num_rows) < share)) for batch in files.scan(extra)]
    return training_of(pa.Table.from_batches(parts), files.target, [], arguments.group)
