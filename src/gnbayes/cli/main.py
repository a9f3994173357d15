"""The command `gnbayes`.

Exit codes: 0 when all went well, also for a call without arguments, which prints the help; 1 for something in the data
or the files that the message explains; 2 for wrong arguments; 130 when interrupted.
"""

from __future__ import annotations

import csv
import io
import os
import signal
import sys
from collections.abc import Sequence

from gnbayes.cli.failure import FAILED, INTERRUPTED, OK, CommandError
from gnbayes.cli.messages import shown_warnings
from gnbayes.cli.parser import parse
from gnbayes.cli.terminal import paint


def main(words: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # characters that the terminal cannot show are escaped
            stream.reconfigure(errors="backslashreplace")
    try:
        arguments = parse(sys.argv[1:] if words is None else words)
        if arguments is not None:
            with shown_warnings():
                arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return INTERRUPTED
    except MemoryError:
        return _failed("there is not enough memory for this table; drop columns, or use fewer rows.")
    except (CommandError, ValueError, TypeError, ImportError, OSError, NotImplementedError, csv.Error) as error:
        return _failed(_sentence(error))
    return OK


def run() -> None:
    """The console script: run the command, and end the process with its exit code at once.

    Threads of pyarrow may still be reading ahead, and would abort an interpreter that waits for them.
    """
    # Ended by another program as by Ctrl-C: large temporary files are removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _sentence(error: Exception) -> str:
    """The library's own errors are sentences already; those of the operating system are not."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        if isinstance(error, FileNotFoundError):
            return f"there is no file {str(error.filename)!r}."
        return f"{str(error.filename)!r} cannot be opened: {error.strerror.lower()}."
    return str(error)


def _failed(sentence: str) -> int:
    print(f"{paint('gnbayes:', 'red', sys.stderr)} {sentence}", file=sys.stderr)
    return FAILED
