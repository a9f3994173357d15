"""The command `gnbayes`.

Exit codes: 0 when all went well, 1 for something in the data or the files that the message explains, 2 for a wrong
call, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from gnbayes._version import __version__
from gnbayes.cli import (
    count,
    dictionary,
    explain,
    export,
    features,
    fit,
    info,
    inspect,
    merge,
    paper,
    predict,
    report,
    select,
)
from gnbayes.cli.failure import FAILED, INTERRUPTED, OK, CommandError

VERBS: dict[str, Any] = {
    "fit": fit,
    "predict": predict,
    "explain": explain,
    "select": select,
    "inspect": inspect,
    "export": export,
    "report": report,
    "dictionary": dictionary,
    "features": features,
    "count": count,
    "merge": merge,
    "paper": paper,
    "info": info,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    parsed = _parser().parse_args(arguments)
    warnings.showwarning = _show_warning
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a letter shows its number
            stream.reconfigure(errors="backslashreplace")
    try:
        parsed.run(parsed)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return INTERRUPTED
    except (CommandError, ValueError, TypeError, ImportError, OSError, NotImplementedError, csv.Error) as error:
        # The library's own errors are sentences already.
        print(f"gnbayes: {error}", file=sys.stderr)
        return FAILED
    return OK


def run() -> None:
    """The console script: run the command, and end the process with its exit code at once.

    Threads of pyarrow may still be reading ahead, and would abort an interpreter that waits for them.
    """
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gnbayes",
        description="Generalized Naive Bayes: from a table to a model to a decision.",
        epilog="Exit codes: 0 all went well, 1 something in the data or files (the message says what), 2 wrong call.",
    )
    parser.add_argument("--version", action="version", version=f"gnbayes {__version__}")
    verbs = parser.add_subparsers(title="verbs", required=True, metavar="VERB")
    for name, verb in VERBS.items():
        part = verbs.add_parser(name, help=verb.HELP, description=verb.HELP[0].upper() + verb.HELP[1:] + ".")
        verb.add_arguments(part)
        part.set_defaults(run=verb.run)
    return parser


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    print(f"gnbayes: warning: {message}", file=sys.stderr)
