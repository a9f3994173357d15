"""What passes over the rows take on Dask and Spark, against reading them, and what that means for larger clusters.

Usage: passes.py [--rows ROWS] [--engines dask spark]. A default fit with two workers on Parquet files, each engine in a
process of its own. Work is in CPU seconds of all processes, so that other work on the machine hardly matters; what a
pass takes whatever the rows is measured by the clock, on a table of a few rows. The second table is computed from the
first: the work of all passes, divided by the cores, plus what the passes take whatever the rows.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from operator import add
from typing import Any

from engines import cpu_seconds, dask_cluster, spark_session, synthetic, write_parts

from gnbayes import GeneralizedNB

ENGINES = {"dask": dask_cluster, "spark": spark_session}
_FEW_ROWS = 4000
# Rows and cores of a machine for which the time is computed.
_LARGE, _CORES, _MACHINES = 1_000_000_000, 16, (10, 100)


def main() -> None:
    """Measure both engines on a small and a large table, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--one", nargs=2, metavar=("ENGINE", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(*arguments.one)))
        return
    print("| engine | rows | reading | features | counts | codes, first pass | passes | each | of reading | at least |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    found = {}
    for engine in arguments.engines:
        few, many = (_in_process(engine, rows) for rows in (_FEW_ROWS, arguments.rows))
        found[engine] = few, many
        cells = [f"{many[name]:.1f} s" for name in ("read", "features", "counts", "first")]
        each = f"{many['each']:.2f} s | {many['each'] / many['read']:.0%} | {few['clock']:.2f} s"
        print(f"| {engine} | {arguments.rows:,} | {' | '.join(cells)} | {many['passes']:.0f} | {each} |", flush=True)
    print(f"\n{_LARGE:,} rows of 20 columns, {_CORES} cores per machine:\n")
    print("| engine | machines | one pass | whole fit |\n| --- | ---: | ---: | ---: |")
    for engine, (few, many) in found.items():
        for machines in _MACHINES:
            one, whole = _estimate(few, many, arguments.rows, machines * _CORES)
            print(f"| {engine} | {machines} | {one:.1f} s | {whole / 60:.1f} min |")


def _estimate(few: dict[str, float], many: dict[str, float], rows: int, cores: int) -> tuple[float, float]:
    """Seconds of one pass over codes, and of the whole fit."""
    times = _LARGE / rows / cores
    one = (many["each"] - few["each"]) * times + few["clock"]
    once = sum((many[name] - few[name]) * times + few["clock"] for name in ("features", "counts", "first"))
    return one, once + (many["passes"] - 1) * one


def _in_process(engine: str, rows: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        write_parts(synthetic(rows), folder)
        command = [sys.executable, __file__, "--one", engine, folder]
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
        found: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
        return found


def measure(engine: str, folder: str) -> dict[str, float]:
    """CPU seconds of reading and of each step of a fit, the number of passes, and the clock of one."""
    steps: list[tuple[float, float]] = []
    rows_of_engine = _watched(engine, steps)
    with ENGINES[engine](folder, 2) as fit:
        fit(GeneralizedNB(weighting=None))  # starts workers
        rows = rows_of_engine[-1]
        steps.clear()
        rows.gather(_as_it_is, _n_rows, [None], add)
        fit(GeneralizedNB())
    (read, features, counts, first), passes = [cpu for _, cpu in steps[:4]], steps[4:]
    each, clock = (statistics.median(part[at] for part in passes) for at in (1, 0))
    names = {"read": read, "features": features, "counts": counts, "first": first}
    return {**names, "each": each, "clock": clock, "passes": len(passes) + 1}


def _watched(engine: str, steps: list[tuple[float, float]]) -> list[Any]:
    """Note the seconds and CPU seconds of every pass of an engine; the rows that passes go over, as they come."""
    from gnbayes.scale import dask, spark

    kind: Any = {"dask": dask._DaskRows, "spark": spark._SparkRows}[engine]
    gather, seen = kind.gather, []

    def timed(self: Any, *arguments: Any) -> Any:
        seen.append(self)
        start, cpu = time.perf_counter(), cpu_seconds()
        result = gather(self, *arguments)
        steps.append((time.perf_counter() - start, cpu_seconds() - cpu))
        return result

    kind.gather = timed
    return seen


def _as_it_is(rows: Any) -> Any:
    return rows


def _n_rows(rows: Any, _: None) -> int:
    return len(rows)


if __name__ == "__main__":
    main()
