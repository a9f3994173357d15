"""The whole run on two small tables that bear names of the suite: what is kept, confirmation, limits, the page."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from results import DONE, METRICS, key, read

FOLDER = Path(__file__).parents[1]
SOURCE = Path(__file__).parents[3] / "src"
CLASSIFIERS = "CategoricalNB,gnbayes,HistGradientBoosting"
DEVELOPMENT, CONFIRMATION = "iris", "zoo"


@pytest.fixture
def data(tmp_path):
    """A folder as GNBAYES_DATA names it, with two tables of numbers, text and gaps."""
    suite = tmp_path / "suite"
    suite.mkdir()
    schema = {name: _write_table(suite, name, seed) for seed, name in enumerate([DEVELOPMENT, CONFIRMATION])}
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


def call(script, data, *arguments, source=SOURCE):
    # One thread, as in the benchmark: a process whose library has started threads cannot be forked.
    variables = {**os.environ, "GNBAYES_DATA": str(data), "GNBAYES_BENCH_INSIDE": "1", "OMP_NUM_THREADS": "1"}
    variables["PYTHONPATH"] = str(source)
    command = [sys.executable, str(FOLDER / script), *map(str, arguments)]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=True)


def _run(data, path, *more, tables=f"{DEVELOPMENT} {CONFIRMATION}", source=SOURCE):
    arguments = ("--tables", tables, "--classifier", CLASSIFIERS, "--splits", "1,2", "--output", path, *more)
    return call("run.py", data, *arguments, source=source)


def test_a_run_that_was_stopped_goes_on_where_it_stopped(data, tmp_path):
    path = tmp_path / "results.csv"
    _run(data, path, "--confirm")
    whole, lines = read(path), path.read_text().splitlines(keepends=True)
    assert len(whole) == 2 * 3 * 2
    assert {row["status"] for row in whole} == {DONE}

    path.write_text("".join(lines[:8]))
    assert "[5/5" in _run(data, path, "--confirm").stderr
    assert read(path)[:7] == whole[:7]
    assert _scores(read(path)) == _scores(whole)

    page = tmp_path / "page.md"
    call("report.py", data, path, "--output", page, "--picture", tmp_path / "ranks.svg")
    text = page.read_text()
    for title in ("## All tables", "## Development tables", "## Confirmation tables"):
        assert text.count(f"\n{title}\n") == 1
    assert "best mean rank by log-loss" in text
    assert "(ranks-all-tables.svg)" in text
    assert (tmp_path / "ranks-all-tables.svg").exists()


def _scores(rows):
    return {key(row): [row[metric] for metric in METRICS] for row in rows}


def test_ours_is_run_on_confirmation_tables_only_when_told(data, tmp_path):
    path = tmp_path / "results.csv"
    done = _run(data, path)
    assert f"ours is not run on confirmation tables: {CONFIRMATION}" in done.stderr
    assert {row["table"] for row in read(path) if row["classifier"] == "gnbayes"} == {DEVELOPMENT}
    assert {row["table"] for row in read(path) if row["classifier"] == "CategoricalNB"} == {DEVELOPMENT, CONFIRMATION}
    page = call("report.py", data, path).stdout
    assert "## All tables" not in page
    assert "gnbayes" not in page.partition("## Confirmation tables")[2]


def test_a_change_of_our_code_runs_ours_again_and_no_rival(data, tmp_path):
    path, source = tmp_path / "results.csv", tmp_path / "src"
    _run(data, path, tables=DEVELOPMENT)
    shutil.copytree(SOURCE, source)
    changed = source / "gnbayes" / "_version.py"
    changed.write_text(changed.read_text() + "# changed\n")
    done = _run(data, path, "--src", source, tables=DEVELOPMENT, source=source)
    assert "[2/2" in done.stderr
    assert len({row["settings"] for row in read(path) if row["classifier"] == "gnbayes"}) == 2
    assert "iris" in done.stdout


def test_what_exceeds_the_limit_on_one_split_is_not_tried_on_others(data, tmp_path):
    path = tmp_path / "results.csv"
    arguments = ("--tables", DEVELOPMENT, "--classifier", "CategoricalNB", "--output", path)
    call("run.py", data, *arguments, "--splits", "1")
    path.write_text(path.read_text().replace(f",{DONE},", ",more than 600 s,"))
    assert call("run.py", data, *arguments).stderr.count("more than 600 s") == 4
    assert "[5/5" in call("run.py", data, *arguments, "--limit", "700").stderr
    assert {row["status"] for row in read(path)} == {DONE}


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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tables", "irsi"], "unknown tables: irsi; there are DEVELOPMENT"),
        (["--classifier", "XGBost"], "unknown: XGBost; there are gnbayes, CatBoost"),
        (["--splits", "0"], "splits are 1 to 5, got 0"),
        (["--src", "nowhere"], "there is no gnbayes/__init__.py in nowhere or nowhere/src"),
    ],
)
def test_arguments_that_cannot_be(words, message, capsys):
    from arguments import parse_arguments

    with pytest.raises(SystemExit):
        parse_arguments(words)
    assert message in capsys.readouterr().err
