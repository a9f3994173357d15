"""Time and memory of GeneralizedNB against its peers, one process a measurement. Standard library only.

Prints a Markdown table; progress goes to standard error.
"""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from environment import describe_machine, ensure_environment, thread_variables
from keep import Kept
from report import BASE, OURS, OURS_2, PHASES, Result, format_seconds, markdown, median
from targets import target_tables

# CategoricalNB and ours are measured in turn, several times, so that their ratio is of the same minutes.
IN_TURN = (BASE, OURS, OURS_2)
RIVALS = (
    *(*IN_TURN, "gnbayes_gnb_numpy", "sklearn_hist_gradient_boosting", "lightgbm_trees"),
    *("weka_tan", "pyagrum_tan", "pgmpy_tan"),
)
SHAPES = "569x30,10000x30,100000x50,1000000x100,500x2000"
_MEASURE = Path(__file__).with_name("measure.py")
_NOT_RUN = "not run"
_SKIPPED = "skipped"


def main() -> None:
    """Measure all rivals on all shapes and print the tables."""
    arguments = _parse_arguments()
    python = ensure_environment()
    variables = thread_variables(arguments.threads)
    kept = Kept(arguments.keep)
    results: list[Result] = []
    for shape in arguments.shapes:
        for rivals in _groups(arguments.rivals):
            missing = [rival for rival in rivals if kept.find(shape, rival) is None]
            measured: dict[str, list[Result]] = {rival: [] for rival in missing}
            for _ in range(arguments.rounds if len(rivals) > 1 else 1):
                for rival in missing:
                    skipped = _skipped_phases(rival, shape, results)
                    measured[rival].append(_measure(python, rival, shape, arguments.limit, skipped, variables))
                    _show_progress(measured[rival][-1])
            for rival in missing:
                kept.add(median(measured[rival]))
            results += [kept.find(shape, rival) for rival in rivals]
    tables = (markdown(results), *_reasons(results), *target_tables(results))
    print(describe_machine(python, arguments.threads), *tables, sep="\n\n")


def _groups(rivals: list[str]) -> list[list[str]]:
    """Rivals that are measured in turn, and each of the others by itself."""
    in_turn = [rival for rival in rivals if rival in IN_TURN]
    return [in_turn, *([rival] for rival in rivals if rival not in IN_TURN)]


def _reasons(results: list[Result]) -> list[str]:
    """Why rivals were skipped, a line each."""
    lines = {f"{result.rival} was skipped: {result.reason}." for result in results if result.reason}
    return ["\n".join(sorted(lines))] if lines else []


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time and memory of GeneralizedNB against its peers.")
    parser.add_argument("--shapes", type=_parse_shapes, default=SHAPES, help="rows x columns (default: %(default)s)")
    parser.add_argument("--rivals", type=_parse_rivals, default=",".join(RIVALS), help="(default: %(default)s)")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds a phase may take (default: 120)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of CategoricalNB and ours, in turn (default: 3)")
    parser.add_argument("--keep", type=Path, help="file of results; what it has already is not measured again")
    parser.add_argument("--threads", type=int, help="threads of each measured process (default: as libraries choose)")
    return parser.parse_args()


def _parse_shapes(text: str) -> list[tuple[int, int]]:
    shapes = [tuple(map(int, shape.split("x"))) for shape in text.split(",")]
    if any(len(shape) != 2 or min(shape) < 1 for shape in shapes):
        raise ValueError(text)
    return [(n_rows, n_columns) for n_rows, n_columns in shapes]


def _parse_rivals(text: str) -> list[str]:
    names = text.split(",")
    unknown = set(names) - set(RIVALS)
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(RIVALS)}")
    return names


def _skipped_phases(rival: str, shape: tuple[int, int], results: list[Result]) -> list[str]:
    """Phases the rival did not end on a shape that is nowhere larger; without fit there is nothing to predict."""
    smaller = [r for r in results if r.rival == rival and r.shape[0] <= shape[0] and r.shape[1] <= shape[1]]
    given_up = {phase for result in smaller for phase, note in result.notes.items() if note not in ("-", _SKIPPED)}
    return list(PHASES) if "fit" in given_up else [phase for phase in PHASES if phase in given_up]


def _measure(
    python: Path, rival: str, shape: tuple[int, int], limit: float, skipped: list[str], variables: dict[str, str]
) -> Result:
    result = Result(shape, rival, notes=dict.fromkeys(skipped, _NOT_RUN))
    phases = [phase for phase in PHASES if phase not in skipped]
    if not phases:
        return result
    command = [str(python), str(_MEASURE), rival, *map(str, shape), str(limit), ",".join(phases)]
    return _read(result, phases, limit, *_run(command, variables))


def _run(command: list[str], variables: dict[str, str]) -> tuple[int, list[dict[str, Any]]]:
    """Return code and JSON lines of a process; helpers and files it leaves behind are removed with it."""
    # Output goes to a file, as helpers would keep a pipe open when the process itself is gone.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command,
            env={**variables, "TMPDIR": folder, "JOBLIB_TEMP_FOLDER": folder},
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait()
        finally:
            _end_group(process.pid)
        output.seek(0)
        return process.returncode, [json.loads(line) for line in output if line.startswith("{")]


def _end_group(group: int) -> None:
    """End what a process left behind; by SIGTERM, which spares joblib's tracker until it has cleaned up."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGTERM)


def _read(result: Result, phases: list[str], limit: float, return_code: int, lines: list[dict[str, Any]]) -> Result:
    """Result with the phases that ended, and why the next one did not."""
    done = {line["phase"]: line for line in lines if "phase" in line}
    notes = dict(result.notes)
    at_least: dict[str, float] = {}
    missing = [phase for phase in phases if phase not in done]
    if missing:
        notes |= dict.fromkeys(missing, "-") | {missing[0]: _note(limit, return_code, lines)}
        if return_code == -signal.SIGALRM:
            at_least[missing[0]] = limit
    seconds = {phase: line["seconds"] for phase, line in done.items()}
    last = lines[len(done) - 1] if done else {}
    reason = lines[-1]["message"] if _SKIPPED in notes.values() else ""
    return Result(result.shape, result.rival, seconds, notes, at_least, last.get("peak"), last.get("before"), reason)


def _note(limit: float, return_code: int, lines: list[dict[str, Any]]) -> str:
    if return_code == -signal.SIGALRM:
        return f"> {limit:g} s"
    if lines and "error" in lines[-1]:
        print(f"    {lines[-1]['error']}: {lines[-1]['message']}", file=sys.stderr)
        is_missing = lines[-1]["error"] in ("ImportError", "ModuleNotFoundError")
        return _SKIPPED if is_missing else str(lines[-1]["error"])
    return f"killed by {signal.Signals(-return_code).name}" if return_code < 0 else f"exit code {return_code}"


def _show_progress(result: Result) -> None:
    shown = {**{phase: format_seconds(seconds) for phase, seconds in result.seconds.items()}, **result.notes}
    phases = ", ".join(f"{phase} {shown[phase]}" for phase in PHASES)
    print(f"{result.shape[0]} x {result.shape[1]} {result.rival}: {phases}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
