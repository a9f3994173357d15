"""Dask and Spark with one and two workers against one process, on the same Parquet files; prints a Markdown table.

Usage: engines.py [--rows ROWS] [--ways fit batches dask spark]. Every way fits twice in a process of its own: the first
fit starts workers and compiles, the next is what each further one takes, in seconds and CPU seconds of all processes.
All ways must give the same weight, to the last bit. GNBAYES_DATA names the folder that holds kddcup99; without it that
table is left out.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil

from gnbayes import GeneralizedNB
from gnbayes.scale import fit_batches, fit_dask, fit_spark

Fit = Callable[[GeneralizedNB], GeneralizedNB]
FILES = 8
WAYS = {"fit": [1], "batches": [1], "dask": [1, 2], "spark": [1, 2]}
NAMES = {"fit": "pandas and `fit`", "batches": "`fit_batches`", "dask": "`fit_dask`", "spark": "`fit_spark`"}


def main() -> None:
    """Write the tables, and measure every way on each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000, help="rows of the synthetic table")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--one", nargs=3, metavar=("WAY", "WORKERS", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        way, workers, folder = arguments.one
        print(json.dumps(measure(way, int(workers), folder)))
        return
    print("| table | way | workers | first fit | next fit | rows/s | CPU |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, make in {"kddcup99": kddcup99, "synthetic": lambda: synthetic(arguments.rows)}.items():
        if name == "kddcup99" and "GNBAYES_DATA" not in os.environ:
            continue
        with tempfile.TemporaryDirectory() as folder:
            n_rows, n_columns = write_parts(make(), folder)
            print_rows(f"{name}, {n_rows} x {n_columns}", n_rows, arguments.ways, folder)


def print_rows(table: str, n_rows: int, ways: list[str], folder: str) -> None:
    """Measure the ways on one table, each in a process of its own, and print them."""
    weights = set()
    for way in ways:
        for workers in WAYS[way]:
            command = [sys.executable, __file__, "--one", way, str(workers), folder]
            environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
            run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
            found = json.loads(run.stdout.splitlines()[-1])
            first, following = found["seconds"]
            times = f"{first:.1f} s | {following:.1f} s | {n_rows / following:,.0f} | {found['cpu']:.1f} s"
            print(f"| {table} | {NAMES[way]} | {workers} | {times} |", flush=True)
            weights.add(found["weight"])
    if len(weights) > 1:
        raise ArithmeticError(f"the ways give different weights: {weights}")


def measure(way: str, workers: int, folder: str) -> dict[str, Any]:
    """Seconds of two fits, CPU seconds of the second one, and the weight of the model."""
    ways = {"fit": one_fit, "batches": batches, "dask": dask_cluster, "spark": spark_session}
    with ways[way](folder, workers) as fit:
        seconds = []
        for _ in range(2):
            start, cpu_before = time.perf_counter(), cpu_seconds()
            clf = fit(GeneralizedNB("gnb-o", n_bins=5, weighting=None))
            seconds.append(time.perf_counter() - start)
        return {"seconds": seconds, "cpu": cpu_seconds() - cpu_before, "weight": clf.weight_.hex()}


def cpu_seconds() -> float:
    """CPU time of this process and of all that it started, workers and Java."""
    process = psutil.Process()
    times = [each.cpu_times() for each in [process, *process.children(recursive=True)]]
    return sum(each.user + each.system for each in times)


@contextmanager
def one_fit(folder: str, _: int) -> Iterator[Fit]:
    """All rows in memory."""

    def fit(clf: GeneralizedNB) -> GeneralizedNB:
        table = pd.read_parquet(folder)
        return clf.fit(table.drop(columns="target"), table["target"])

    yield fit


@contextmanager
def batches(folder: str, _: int) -> Iterator[Fit]:
    """Batch by batch in one process."""
    yield lambda clf: fit_batches(clf, folder, "target")


@contextmanager
def dask_cluster(folder: str, workers: int) -> Iterator[Fit]:
    """Worker processes of one thread."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster):
        yield lambda clf: fit_dask(clf, dd.read_parquet(folder, split_row_groups=False), "target")


@contextmanager
def spark_session(folder: str, workers: int) -> Iterator[Fit]:
    """Threads of one Java process, each with Python processes of its own."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(f"local[{workers}]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.ui.showConsoleProgress", "false")
    session = builder.getOrCreate()
    yield lambda clf: fit_spark(clf, session.read.parquet(folder), "target")
    session.stop()


def write_parts(table: pd.DataFrame, folder: str) -> tuple[int, int]:
    """Write a table as Parquet files of equal size; its numbers of rows and features."""
    cuts = np.linspace(0, len(table), FILES + 1).astype(int)
    for number, (start, stop) in enumerate(pairwise(cuts.tolist())):
        table.iloc[start:stop].to_parquet(Path(folder) / f"part-{number}.parquet", index=False)
    return len(table), table.shape[1] - 1


def kddcup99() -> pd.DataFrame:
    """Connections of a network, by kind of attack."""
    suite = Path(os.environ["GNBAYES_DATA"]) / "suite"
    facts = json.loads((suite / "schema.json").read_text())["kddcup99"]
    types = {**dict.fromkeys(facts["continuous"], float), **dict.fromkeys(facts["categorical"], str), "target": str}
    return pd.read_csv(suite / facts["file"], keep_default_na=False, na_values=[""], dtype=types)


def synthetic(n_rows: int) -> pd.DataFrame:
    """Ten columns of numbers with one decimal and ten of text, which hang on the class and on each other; some gaps."""
    rng = np.random.default_rng(0)
    target = rng.integers(0, 2, n_rows)
    base = rng.normal(size=n_rows) + target
    table: dict[str, Any] = {}
    for j in range(10):
        numbers = (50 + 10 * (base + rng.normal(size=n_rows))).round(1)
        table[f"number {j}"] = np.where(rng.random(n_rows) < 0.02, np.nan, numbers)
        table[f"text {j}"] = np.array(list("abcdefgh"))[((base > j / 5) + rng.integers(0, 7, n_rows)).clip(0, 7)]
    return pd.DataFrame({**table, "target": target})


if __name__ == "__main__":
    main()
