"""Accuracy and calibration of GeneralizedNB and its rivals on many tables; one process, one thread.

Adds one row to a CSV for each table, split and classifier, and leaves out what is there already with the same
settings: it can be stopped and started again at any time. Progress goes to standard error; where ours was run, its
log-loss beside that of the strongest rivals goes to standard output.
"""

import argparse
import dataclasses
import sys
import time
import warnings
from pathlib import Path

from arguments import RESULTS, parse_arguments
from environment import ROOT, enter_environment

if __name__ == "__main__":
    enter_environment(parse_arguments().src)

import experiment
import results
from comparison import comparison
from registry import CLASSIFIERS, OURS, Classifier
from roles import DEVELOPMENT, SUITE, WIDE_AND_LARGE


def main() -> None:
    """Run what is missing, then compare ours with the stored rivals."""
    arguments = parse_arguments()
    warnings.simplefilter("ignore")
    chosen = [_with_arguments(CLASSIFIERS[name], arguments) for name in arguments.classifier]
    ours = [classifier for classifier in chosen if classifier.kind == OURS]
    rivals = _available([classifier for classifier in chosen if classifier.kind != OURS])
    package = (arguments.src or ROOT / "src") / "gnbayes"
    steps = experiment.plan(_tables_of_ours(arguments) if ours else [], ours, arguments.splits, package)
    steps += experiment.plan(arguments.tables, rivals, arguments.splits, package)
    _run(steps, arguments.output, arguments.limit)
    if arguments.output == RESULTS:
        results.tidy(RESULTS, (*SUITE, *WIDE_AND_LARGE))
    keys = {step.key for step in steps if step.classifier.kind == OURS}
    if keys:
        found = [row for row in results.read(arguments.output) if results.key(row) in keys]
        print(comparison(found, results.read(RESULTS)))


def _run(steps: list[experiment.Step], output: Path, limit: float) -> None:
    """Run the steps that have no result yet; what ended with an error is tried again.

    A classifier that exceeds the limit on one split of a table is not tried on the others.
    """
    rows = results.read(output)
    done = {results.key(row) for row in rows if results.stands(row, limit)}
    exceeded = {(row["table"], row["settings"]) for row in rows if results.exceeds(row, limit)}
    to_do = [step for step in steps if step.key not in done]
    start = time.monotonic()
    for number, step in enumerate(to_do, 1):
        known = (step.table, step.settings) in exceeded
        row = experiment.row_of(step, results.exceeded(limit), {}) if known else experiment.run(step, limit)
        if results.exceeds(row, limit):
            exceeded.add((step.table, step.settings))
        results.append(output, row)
        _show(f"[{number}/{len(to_do)}, {time.monotonic() - start:.0f} s]", row)


def _show(counter: str, row: results.Row) -> None:
    done = row["status"] == results.DONE
    shown = f"log-loss {row['log_loss']:.4f}, fit {row['fit_seconds']:.2f} s" if done else row["status"]
    print(f"{counter} {row['table']} {row['split']} {row['classifier']}: {shown}", file=sys.stderr, flush=True)


def _with_arguments(classifier: Classifier, arguments: argparse.Namespace) -> Classifier:
    if classifier.kind != OURS:
        return classifier
    return dataclasses.replace(classifier, arguments=classifier.arguments | arguments.arguments)


def _tables_of_ours(arguments: argparse.Namespace) -> list[str]:
    """The tables on which ours may run: without `--confirm`, nobody sees how it does on confirmation tables."""
    if arguments.confirm:
        return arguments.tables
    left_out = [name for name in arguments.tables if name not in DEVELOPMENT]
    if left_out:
        print(f"ours is not run on confirmation tables: {', '.join(left_out)}", file=sys.stderr, flush=True)
    return [name for name in arguments.tables if name in DEVELOPMENT]


def _available(classifiers: list[Classifier]) -> list[Classifier]:
    """Those that can run here; of the others the reason is printed."""
    reasons = {classifier.name: experiment.reason_to_skip(classifier) for classifier in classifiers}
    for name, reason in reasons.items():
        if reason:
            print(f"without {name}: {reason}", file=sys.stderr, flush=True)
    return [classifier for classifier in classifiers if not reasons[classifier.name]]


if __name__ == "__main__":
    main()
