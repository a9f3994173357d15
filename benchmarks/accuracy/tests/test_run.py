"""The whole run on a suite of two small tables: resumption, the limit on time, and the page."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from results import DONE, METRICS, key, read

FOLDER = Path(__file__).parents[1]
RIVALS = "CategoricalNB,gnbayes:default,HistGradientBoosting"


@pytest.fixture
def data(tmp_path):
    """A folder as GNBAYES_DATA names it, with two tables of numbers, text and gaps."""
    suite = tmp_path / "suite"
    suite.mkdir()
    schema = {name: _write_table(suite, name, seed) for seed, name in enumerate(["first", "second"])}
    (suite / "schema.json").write_text(json.dumps(schema))
    return tmp_path


def _write_table(folder, name, seed):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, 3, 60)
    numbers = [f"{v:.3f}" if rng.random() > 0.1 else "" for v in target + rng.normal(size=60)]
    texts = [rng.choice(["0", "1", "NA", ""]) for _ in range(60)]
    lines = ["number,empty,text,target"]
    lines += [f"{n},,{t},c{y}" for n, t, y in zip(numbers, texts, target, strict=True)]
    with gzip.open(folder / f"{name}.csv.gz", "wt") as file:
        file.write("\n".join(lines) + "\n")
    facts = {"continuous": ["number", "empty"], "categorical": {"text": []}}
    return {"file": f"{name}.csv.gz", "rows": 60, "attrs": 3, **facts}


def call(script, data, *arguments):
    variables = {**os.environ, "GNBAYES_DATA": str(data), "GNBAYES_BENCH_INSIDE": "1"}
    command = [sys.executable, str(FOLDER / script), *map(str, arguments)]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=True)


def test_a_run_that_was_cut_off_goes_on_where_it_stopped(data, tmp_path):
    path = tmp_path / "results.csv"
    arguments = ("--tables", "first,second", "--rivals", RIVALS, "--repeats", 2, "--output", path)
    call("run.py", data, *arguments)
    whole, lines = read(path), path.read_text().splitlines(keepends=True)
    assert len(whole) == 2 * 3 * 2
    assert {row["status"] for row in whole} == {DONE}

    # The heading, seven rows and a piece of one; of the seven, three are of CategoricalNB.
    path.write_text("".join(lines[:8]) + lines[8][:20])
    log = call("run.py", data, *arguments, "--again", "CategoricalNB").stderr
    assert "[8/8]" in log
    assert read(path)[:4] == [row for row in whole[:7] if row["rival"] != "CategoricalNB"]
    assert _scores(read(path)) == _scores(whole)

    page = tmp_path / "page.md"
    call("report.py", data, path, "--output", page, "--picture", tmp_path / "ranks.svg")
    assert "best mean rank by log-loss" in page.read_text()
    assert "(ranks.svg)" in page.read_text()


def _scores(rows):
    return {key(row): [row[metric] for metric in METRICS] for row in rows}


def test_a_fit_that_takes_too_long_is_ended():
    code = (
        "from limited import fit_and_predict\n"
        "def endless():\n    while True: pass\n"
        "def wrong():\n    raise ValueError('two  words')\n"
        "print(fit_and_predict(endless, len, 1).status)\n"
        "print(fit_and_predict(wrong, len, 1).status)\n"
        "print(fit_and_predict(lambda: [0.5], lambda model: model, 1).proba)\n"
    )
    variables = {**os.environ, "PYTHONPATH": str(FOLDER)}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["time limit", "ValueError: two words", "[0.5]"]
