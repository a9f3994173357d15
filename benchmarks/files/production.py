"""Predictions in production: the time of single rows by `scorer`, and of tables by ONNX, SQL and plain Python.

Models are the default, of normal columns; every second column is text if the row says so. Times of single rows are the
median and the 99th percentile of 2,000 calls, once of complete rows, once with one column left out (the median of 20).
Tables: the seconds of each way, one thread each, and the largest difference from `predict_proba`. SQL includes planning
the query; it and plain Python have fewer rows.

Usage: production.py [--rows 100000] [--sql-rows 1000]
"""

import argparse
import sqlite3
import time
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
from numpy.typing import NDArray

from gnbayes import GeneralizedNB, to_onnx, to_python, to_sql

_SHAPES = ((30, 2, False), (30, 10, False), (30, 2, True), (200, 2, False))


def main() -> None:
    """Fit, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--sql-rows", type=int, default=1_000)
    arguments = parser.parse_args()
    print("| columns | classes | text | one row | 99 % | one column left out |")
    print("| ---: | ---: | --- | ---: | ---: | ---: |")
    for shape in _SHAPES:
        print(_single_rows(*shape), flush=True)
    print("\n| way | rows | seconds | difference |\n| --- | ---: | ---: | ---: |")
    clf, X = _fitted(30, 2, False, arguments.rows)
    expected = clf.predict_proba(X)
    ways: dict[str, Callable[[Any, pd.DataFrame], Callable[[], Any]]]
    ways = {"predict_proba": _own, "ONNX": _onnx, "plain Python": _python, "DuckDB": _duckdb, "SQLite": _sqlite}
    for name, way in ways.items():
        n = len(X) if name in ("predict_proba", "ONNX") else arguments.sql_rows
        run, start = way(clf, X[:n]), time.perf_counter()
        found, seconds = run(), time.perf_counter() - start
        print(f"| {name} | {n:,} | {seconds:.2f} | {np.abs(np.asarray(found) - expected[:n]).max():.0e} |", flush=True)


def _single_rows(n_columns: int, n_classes: int, has_text: bool) -> str:
    clf, X = _fitted(n_columns, n_classes, has_text)
    scorer, rows = clf.scorer(), X[:100].to_dict("records")
    times = 1e6 * np.array([_seconds(lambda row=row: scorer.predict_proba(row)) for row in rows * 20])
    partial = [{name: value for name, value in row.items() if name != "c4"} for row in rows[:20]]
    lacking = 1e3 * np.median([_seconds(lambda row=row: scorer.predict_proba(row)) for row in partial])
    cells = [str(n_columns), str(n_classes), "half" if has_text else "none", f"{np.median(times):.0f} us"]
    return "| " + " | ".join([*cells, f"{np.quantile(times, 0.99):.0f} us", f"{lacking:.1f} ms"]) + " |"


def _fitted(n_columns: int, n_classes: int, has_text: bool, n_rows: int = 2_000) -> tuple[Any, pd.DataFrame]:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n_rows, n_columns))
    score = values[:, :5] @ rng.normal(size=(5, n_classes)) + rng.gumbel(size=(n_rows, n_classes))
    X = pd.DataFrame(values, columns=[f"c{j}" for j in range(n_columns)])
    for name in X.columns[::2] if has_text else ():
        X[name] = np.array(list("abcdefgh"))[np.digitize(X[name], np.linspace(-2, 2, 7))]
    return GeneralizedNB(n_fits=1).fit(X[:2_000], score[:2_000].argmax(axis=1)), X


def _seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _own(clf: Any, X: pd.DataFrame) -> Callable[[], NDArray[np.float64]]:
    return lambda: clf.predict_proba(X)


def _onnx(clf: Any, X: pd.DataFrame) -> Callable[[], NDArray[np.float64]]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(to_onnx(clf).SerializeToString(), options)
    columns = {name: X[name].to_numpy()[:, None] for name in X.columns}
    return lambda: session.run(["probabilities"], columns)[0]


def _python(clf: Any, X: pd.DataFrame) -> Callable[[], Any]:
    module: dict[str, Any] = {}
    exec(to_python(clf), module)
    rows = X.to_dict("records")
    return lambda: [module["predict_proba"](row) for row in rows]


def _duckdb(clf: Any, X: pd.DataFrame) -> Callable[[], Any]:
    database = duckdb.connect(config={"threads": 1})
    database.register("patients", X.assign(id=range(len(X))))
    query = to_sql(clf, dialect="duckdb", table="patients", keep=["id"])
    return lambda: [row[2:] for row in sorted(database.execute(query).fetchall())]


def _sqlite(clf: Any, X: pd.DataFrame) -> Callable[[], Any]:
    database = sqlite3.connect(":memory:")
    X.assign(id=range(len(X))).to_sql("patients", database, index=False)
    query = to_sql(clf, dialect="sqlite", table="patients", keep=["id"])
    return lambda: [row[2:] for row in sorted(database.execute(query).fetchall())]


if __name__ == "__main__":
    main()
