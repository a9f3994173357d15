"""Instructions that the kernels execute on small fixed inputs, counted by valgrind: no noise, so a regression shows.

Usage: .venv-bench/bin/python benchmarks/kernels/instructions.py [--levels portable,avx2]

Counting is on only inside the kernels, the functions `py_*` of the C module with all they call. AVX-512 cannot be
counted: valgrind has no such instructions. Compilers differ, so compare counts of one machine. Prints a Markdown table.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from gnbayes import GeneralizedNB
from gnbayes.counting import CodedRows, count_values
from gnbayes.kernels import native
from gnbayes.structure import InformationByRow, information_of_rows

N_ROWS, N_COLUMNS = 2000, 40
_LINE = re.compile(r"^\s*([\d,]+) \([^)]*\)\s+\S*:py_(\w+) \[\S*_native\S*\]$")
_NOT_KERNELS = {"level", "set_level", "n_tiles"}


def main() -> None:
    """Count at every level asked for and print the table."""
    arguments = _parse_arguments()
    if arguments.work is not None:
        work(arguments.work)
        return
    if shutil.which("valgrind") is None:
        raise SystemExit("There is no valgrind (Debian: apt-get install valgrind).")
    levels = arguments.levels.split(",")
    counts = [_count(level) for level in levels]
    print(f"| kernel | {' | '.join(levels)} |", f"| --- |{' ---: |' * len(levels)}", sep="\n")
    for kernel in sorted(set().union(*counts)):
        print(f"| {kernel} | {' | '.join(f'{count.get(kernel, 0):,}' for count in counts)} |")


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Instructions of the kernels, counted by valgrind.")
    parser.add_argument("--levels", default="portable,avx2", help="kinds of instructions (default: %(default)s)")
    parser.add_argument("--work", metavar="LEVEL", help="do the work that is counted; what valgrind runs")
    return parser.parse_args()


def work(level: str) -> None:
    """Call every kernel, on 2000 rows of 40 columns."""
    if native is None:
        raise SystemExit("The C kernels were not built.")
    native.set_level(level)
    rng = np.random.default_rng(0)
    few, many = (rng.integers(0, n_values, (N_ROWS, N_COLUMNS)) for n_values in (5, 50))
    y = rng.integers(0, 2, N_ROWS)
    GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(few, y).predict_proba(few)
    # Codes with gaps, numbers to be cut, weights.
    GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(2 * few[:, :8], y)
    numbers = rng.random((N_ROWS, 8))
    GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(numbers, y).predict_proba(numbers)
    GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(few[:, :8], y, sample_weight=rng.random(N_ROWS))
    for codes in (few, many[:, :8]):
        rows = CodedRows(codes, y, codes.max(axis=0) + 1, 2)
        information_of_rows(rows)
        InformationByRow(rows, count_values(rows)).row(0)


def _count(level: str) -> dict[str, int]:
    """Instructions by kernel."""
    print(f"counting {level}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "callgrind.out")
        how = ("--tool=callgrind", "--collect-atstart=no", "--toggle-collect=py_*", f"--callgrind-out-file={out}")
        command = ("valgrind", *how, sys.executable, __file__, "--work", level)
        subprocess.run(command, check=True, capture_output=True)
        annotate = ("callgrind_annotate", "--inclusive=yes", "--threshold=100", "--auto=no", str(out))
        output = subprocess.run(annotate, check=True, capture_output=True, text=True).stdout
    found = (_LINE.match(line) for line in output.splitlines())
    return {line[2]: int(line[1].replace(",", "")) for line in found if line and line[2] not in _NOT_KERNELS}


if __name__ == "__main__":
    main()
