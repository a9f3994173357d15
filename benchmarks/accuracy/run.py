"""Accuracy and calibration of GeneralizedNB and its rivals on many tables; one process, one thread.

Adds one row to a CSV for each table, split and rival, and leaves out what is there already: it can be stopped and
started again at any time. Progress goes to standard error.
"""

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

from environment import ROOT, enter_environment

if __name__ == "__main__":
    enter_environment()

import experiment
import results
from datasets import SIZES, Entry, catalogue
from limited import TIME_LIMIT
from registry import OURS, RIVALS, Rival

RESULTS = ROOT / "benchmarks" / "accuracy" / "results" / "results.csv"


def main() -> None:
    """Go through tables, rivals and splits."""
    arguments = _parse_arguments()
    warnings.simplefilter("ignore")
    rows = [row for row in results.read(arguments.output) if _keep(row, arguments.again)]
    results.write(arguments.output, rows)
    rivals = [RIVALS[name] for name in RIVALS if name in arguments.rivals]
    done = {results.key(row) for row in rows}
    steps = experiment.plan(_entries(arguments), _available(rivals), arguments.repeats, done)
    progress = Progress(steps)
    for step in steps:
        for row in experiment.run(step, arguments.limit):
            results.append(arguments.output, row)
            progress.show(step, row)


def _keep(row: results.Row, again: list[str]) -> bool:
    """Whether a result stands; what ended with an error is tried again."""
    return row["status"] in (results.DONE, TIME_LIMIT) and row["rival"] not in again


class Progress:
    """A line for each result, with the time that is left by the pace of each rival so far."""

    def __init__(self, steps: list[experiment.Step]) -> None:
        self._total = sum(len(step.splits) for step in steps)
        self._number = 0
        self._last = time.monotonic()
        self._to_do: dict[str, float] = {}
        self._done: dict[str, float] = {}
        self._seconds: dict[str, float] = {}
        for step in steps:
            self._to_do[step.rival.name] = self._to_do.get(step.rival.name, 0.0) + len(step.splits) * _work(step.entry)

    def show(self, step: experiment.Step, row: results.Row) -> None:
        """Take note of a result and print it."""
        now, name = time.monotonic(), step.rival.name
        self._number += 1
        self._to_do[name] -= _work(step.entry)
        self._done[name] = self._done.get(name, 0.0) + _work(step.entry)
        self._seconds[name] = self._seconds.get(name, 0.0) + now - self._last
        self._last = now
        done = row["status"] == results.DONE
        shown = f"log-loss {row['log_loss']:.4f}, fit {row['fit_seconds']:.2f} s" if done else row["status"]
        counter = f"[{self._number}/{self._total}]"
        left = f"{self._seconds_left() / 60:.0f} min left"
        print(f"{counter} {row['table']} {row['split']} {name}: {shown}; {left}", file=sys.stderr, flush=True)

    def _seconds_left(self) -> float:
        overall = sum(self._seconds.values()) / sum(self._done.values())
        pace = {name: self._seconds[name] / self._done[name] for name in self._done}
        return sum(work * pace.get(name, overall) for name, work in self._to_do.items())


def _work(entry: Entry) -> float:
    # A fit has a price of its own, whatever the size of the table.
    return entry.rows * entry.columns + 10_000.0


def _entries(arguments: argparse.Namespace) -> list[Entry]:
    entries = catalogue()
    if arguments.tables:
        unknown = set(arguments.tables) - {entry.name for entry in entries}
        if unknown:
            raise SystemExit(f"no such tables: {', '.join(sorted(unknown))}")
        entries = [entry for entry in entries if entry.name in arguments.tables]
    else:
        entries = [entry for entry in entries if entry.size in arguments.sizes]
    return [e for e in entries if e.rows <= arguments.max_rows and e.columns <= arguments.max_columns]


def _available(rivals: list[Rival]) -> list[Rival]:
    """Those that can run here; of the others the reason is printed."""
    reasons = {rival.name: experiment.reason_to_skip(rival) for rival in rivals}
    for name, reason in reasons.items():
        if reason:
            print(f"without {name}: {reason}", file=sys.stderr, flush=True)
    return [rival for rival in rivals if not reasons[rival.name]]


def _parse_arguments() -> argparse.Namespace:
    usual = ",".join(name for name, rival in RIVALS.items() if rival.kind != OURS or name == "gnbayes:default")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--sizes", type=_names(SIZES), default="small,medium", help=f"of {', '.join(SIZES)} (default: %(default)s)")
    add("--tables", type=lambda text: text.split(","), help="these, of whatever size")
    add("--max-rows", type=float, default=float("inf"), help="leave larger tables out")
    add("--max-columns", type=float, default=float("inf"), help="leave wider tables out")
    add("--rivals", type=_names(RIVALS), default=usual, help="(default: %(default)s)")
    add("--again", type=_names(RIVALS), default=[], help="forget the results of these rivals first")
    add("--repeats", type=int, default=5, help="splits of each table (default: 5)")
    add("--limit", type=float, default=120.0, help="processor seconds for one fit and its predictions (default: 120)")
    add("--output", type=Path, default=RESULTS, help="the CSV, one run at a time (default: %(default)s)")
    return parser.parse_args()


def _names(known: Iterable[str]) -> Callable[[str], list[str]]:
    def parse(text: str) -> list[str]:
        names = text.split(",")
        unknown = set(names) - set(known)
        if unknown:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
        return names

    return parse


if __name__ == "__main__":
    main()
