"""The installed command, run as a user runs it."""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from patients import patients

COMMAND = Path(sys.executable).with_name("gnbayes")
VERBS = (
    *("fit", "predict", "evaluate", "explain", "select", "inspect", "report", "dictionary"),
    *("export", "features", "count", "merge", "rounds", "answer", "paper", "demo", "completion", "info"),
)


def gnbayes(*words, **options):
    return subprocess.run(
        [str(COMMAND), *map(str, words)], capture_output=True, check=False, timeout=120, text=True, **options
    )


def test_help_comes_at_once():
    """Below 0.4 s of processor time, which is many times less than importing the library takes."""
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = gnbayes("--help")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert run.returncode == 0
    assert seconds < 0.4


def test_help_imports_nothing_heavy():
    code = (
        "import atexit, sys; atexit.register(lambda: print(*sys.modules)); import gnbayes.cli.main as m; m.main(['-h'])"
    )
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout.split()
    assert not {"numpy", "sklearn", "pyarrow", "scipy"} & set(modules)


def test_a_bare_call_prints_the_help():
    bare, asked = gnbayes(), gnbayes("--help")
    assert bare.returncode == 0
    assert bare.stdout == asked.stdout
    for verb in VERBS:
        assert f"\n    {verb}" in bare.stdout
    assert "exit codes: 0 all went well; 1 something is wrong" in bare.stdout


def test_python_m_gnbayes():
    run = subprocess.run(
        [sys.executable, "-m", "gnbayes", "--version"], capture_output=True, check=False, timeout=120, text=True
    )
    assert run.stdout.startswith("gnbayes ")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_and_json(verb, run):
    out = run(verb, "--help").out
    assert out.startswith(f"usage: gnbayes {verb} ")
    assert "--json" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fit", "t.csv", "--traget", "y"], "gnbayes fit: there is no option --traget; did you mean --target?"),
        (["fit", "t.csv", "--target=y", "--colour"], "gnbayes fit: there is no option --colour"),
        (["fit", "t.csv", "-target", "y"], "gnbayes fit: there is no option -target; did you mean --target?"),
        (["fit"], "gnbayes fit: the following arguments are required: table, --target"),
        (["fti", "t.csv"], "gnbayes: there is no verb 'fti'; did you mean 'fit'?"),
        (["dance"], "gnbayes: there is no verb 'dance'; there are 'fit', 'predict'"),
        (["heart.csv"], "to learn from a table: gnbayes fit heart.csv --target COLUMN"),
        (["explain", "m", "t", "--rows", "-3"], "argument --rows: must be a whole number from 1, got '-3'"),
        (["select", "t", "--target", "y", "--cv", "x"], "must be 'loo' or a number of folds from 2, got 'x'"),
        (["fit", "t", "--target", "y", "--alpha", "much"], "must be a number above 0 and at most 1e100, got 'much'"),
        (["fit", "t", "--target", "y", "--alpha", "-1"], "--alpha: must be a number above 0 and at most 1e100"),
        (["fit", "t", "--target", "y", "--n-bins", "1"], "--n-bins: must be a whole number from 2, or 'auto', got '1'"),
        (["fit", "t", "--target", "y", "--n-fits", "0"], "--n-fits: must be a whole number from 1, or 'auto', got '0'"),
        (["fit", "t", "--target", "y", "--n-features", "0"], "--n-features: must be a whole number from 1, 'auto' or"),
        (["fit", "t", "--target", "y", "--separator", "::"], "must be a single character, or 'tab', got '::'"),
        (["fit", "t", "--target", "y", "--n-features", "some"], "must be a whole number from 1, 'auto' or 'few'"),
        (["count", "t", "--features", "f", "-o", "x", "--epsilon", "1e9999999"], "must be a number from 1e-6 to 1e6"),
        (["count", "t", "--features", "f", "-o", "x", "--epsilon", "nan"], "must be a number from 1e-6 to 1e6"),
        (["completion", "tcsh"], "invalid choice: 'tcsh'"),
    ],
)
def test_wrong_calls_have_their_own_exit_code(words, sentence, run):
    err = run(*words, code=2).err
    assert sentence in err
    assert err.count("\n") == 2  # the sentence, and where to read on
    assert " --help." in err


def test_options_can_be_shortened_and_values_may_look_like_options(heart, run):
    options = ("--targ", "disease", "--no-score", "--weigh", "none", "--missing=--", "--missing", "-9", "-om.json")
    run("fit", heart, *options)
    run("inspect", "m.json")


@pytest.mark.slow
def test_a_reader_that_has_seen_enough(model, tmp_path):
    pd.concat([patients()] * 200).to_csv(tmp_path / "long.csv", index=False)
    run = subprocess.run(
        f"'{COMMAND}' predict '{model}' '{tmp_path / 'long.csv'}' | head -n 2",
        shell=True, capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert run.stdout.count(b"\n") == 2
    assert run.stderr == b""


def on_a_terminal(words, folder, **environment):
    """What the command writes where standard output and error are a terminal."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"} | environment
    process = subprocess.Popen([str(COMMAND), *words], stdout=slave, stderr=slave, cwd=folder, env=env)
    os.close(slave)
    parts = []
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        parts.append(part)
    process.wait()
    os.close(master)
    return b"".join(parts).decode()


@pytest.mark.slow
def test_colour_is_for_terminals_and_no_color_is_respected(heart, tmp_path):
    words = ["fit", "heart.csv", "--target", "disease", "--weighting", "none"]
    assert "\x1b[1mrows" in on_a_terminal(words, tmp_path)
    assert "\x1b[" not in on_a_terminal(words, tmp_path, NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal(words, tmp_path, TERM="dumb")
    assert "\x1b[" not in gnbayes(*words, cwd=tmp_path).stdout
    assert "\x1b[31mgnbayes:" in on_a_terminal(["inspect", "nothing.json"], tmp_path)


def test_public_names_are_there_without_being_imported():
    import gnbayes

    assert sorted(gnbayes._HOMES) == sorted(set(gnbayes.__all__) - {"__version__"})
    for name in gnbayes.__all__:
        assert getattr(gnbayes, name) is not None
    assert gnbayes.plot.TreeDisplay is gnbayes.TreeDisplay
    assert gnbayes.counting.Counts.__name__ == "Counts"
    assert set(gnbayes.__all__) <= set(dir(gnbayes))
    with pytest.raises(AttributeError, match="module 'gnbayes' has no attribute 'nothing'"):
        gnbayes.nothing  # noqa: B018
